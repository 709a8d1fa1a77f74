// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Draws shared memory: bytes over barrier intervals, and blocks per
/// multiprocessor over bytes per block.
//===----------------------------------------------------------------------===//

#include "Html.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace cudaopt {

/// The number of colours for variables in the style sheet.
static constexpr unsigned NumColours = 8;

namespace {

/// A picture of storage: offsets from bottom to top, barrier intervals from
/// left to right; filled where a variable is live.
class StoragePicture {
public:
  StoragePicture(const StorageMap &Map, uint64_t MaxBytes)
      : Map(Map), MaxBytes(std::max<uint64_t>(MaxBytes, 1)),
        NumColumns(std::max<size_t>(Map.Intervals.Rows.size(), 1)),
        ColumnWidth(std::clamp<unsigned>(Wide / NumColumns, 3, 56)) {}

  void print(StringRef Caption, bool IsAfter, uint64_t Bytes,
             raw_ostream &OS) const;

private:
  /// The spans of the variables in one of the pictures; std::nullopt for a
  /// variable that is not in shared memory there.
  using Spans = std::vector<std::optional<StoredSpan>>;
  enum class Part { Whole, Left, Right };

  void printVariable(size_t Index, StoredSpan Bytes, raw_ostream &OS) const;
  void printBusy(size_t Index, const Spans &All, raw_ostream &OS) const;
  Part choosePart(size_t Index, size_t Column, const Spans &All) const;
  void printAxes(uint64_t Bytes, raw_ostream &OS) const;
  double y(uint64_t Offset) const {
    return Top + Height - double(Height) * Offset / MaxBytes;
  }
  unsigned width() const { return NumColumns * ColumnWidth; }

  static constexpr unsigned Left = 52, Top = 14, Height = 200, Wide = 320;
  const StorageMap &Map;
  const uint64_t MaxBytes;
  const size_t NumColumns;
  const unsigned ColumnWidth;
};

} // namespace

static std::string position(double Number) {
  return formatv("{0:F1}", Number).str();
}

/// Decides which part of an interval's column a variable fills. Where one
/// variable overwrites another in place, the old one gets the left half and the
/// new one the right half.
StoragePicture::Part StoragePicture::choosePart(size_t Index, size_t Column,
                                                const Spans &All) const {
  const auto &Rows = Map.Intervals.Rows;
  const StoredSpan Own = *All[Index];
  for (auto [Other, Bytes] : enumerate(All)) {
    if (Other == Index || !Bytes || !Rows[Column].Uses[Other].IsBusy ||
        Bytes->Offset >= Own.Offset + Own.Size ||
        Own.Offset >= Bytes->Offset + Bytes->Size)
      continue;
    const bool WasBusy = Column && Rows[Column - 1].Uses[Index].IsBusy;
    return WasBusy ? Part::Left : Part::Right;
  }
  return Part::Whole;
}

/// Fills the bytes of a variable that are live, interval by interval, as one
/// path.
void StoragePicture::printBusy(size_t Index, const Spans &All,
                               raw_ostream &OS) const {
  const StoredSpan Bytes = *All[Index];
  // If the array is stored with another size, the live part is drawn in
  // proportion.
  const double Scale = double(Bytes.Size) /
                       std::max<uint64_t>(Map.Variables[Index].Before.Size, 1);
  std::string Path;
  raw_string_ostream Out(Path);
  for (auto [Column, Row] : enumerate(Map.Intervals.Rows)) {
    const auto Busy = Row.Uses[Index].Bytes;
    if (!Busy)
      continue;
    const Part Where = choosePart(Index, Column, All);
    const double Half = ColumnWidth / 2.0;
    const double X =
        Left + Column * ColumnWidth + (Where == Part::Right ? Half : 0);
    const double High = y(Bytes.Offset + uint64_t(Busy->second * Scale));
    const double Low = y(Bytes.Offset + uint64_t(Busy->first * Scale));
    Out << 'M' << position(X) << ' ' << position(High) << 'h'
        << position(Where == Part::Whole ? ColumnWidth : Half) << 'V'
        << position(std::max(Low, High + 1)) << 'H' << position(X) << 'z';
  }
  if (!Path.empty())
    OS << "<path class=\"busy v" << Index % NumColours << "\" d=\"" << Path
       << "\"/>";
}

void StoragePicture::printVariable(size_t Index, StoredSpan Bytes,
                                   raw_ostream &OS) const {
  if (Bytes.Size == 0)
    return;
  const double BoxTop = y(Bytes.Offset + Bytes.Size), Bottom = y(Bytes.Offset);
  const std::string Name = escapeHtml(Map.Variables[Index].Name);
  OS << "<g><title>" << Name << ": bytes " << Bytes.Offset << " to "
     << Bytes.Offset + Bytes.Size << "</title><rect class=\"kept v"
     << Index % NumColours << "\" x=\"" << Left << "\" y=\"" << position(BoxTop)
     << "\" width=\"" << width() << "\" height=\""
     << position(std::max(1.0, Bottom - BoxTop)) << "\"/></g>";
}

/// Prints the axes: bytes on the left, source lines of the intervals below, as
/// far as the labels do not overlap.
void StoragePicture::printAxes(uint64_t Bytes, raw_ostream &OS) const {
  OS << "<path class=\"line\" d=\"M" << Left << ' ' << Top << "V"
     << Top + Height << "H" << Left + width()
     << "\"/><path class=\"limit\" d=\"M" << Left - 4 << ' '
     << position(y(Bytes)) << "H" << Left + width()
     << "\"/><text class=\"axis end\" x=\"" << Left - 6 << "\" y=\""
     << position(y(Bytes) + 4) << "\">" << formatNumber(Bytes)
     << "</text><text class=\"axis end\" x=\"" << Left - 6 << "\" y=\""
     << Top + Height + 3 << "\">0</text>";
  unsigned NextFree = 0;
  for (auto [Column, Row] : enumerate(Map.Intervals.Rows)) {
    const unsigned X = Left + Column * ColumnWidth;
    if (Column)
      OS << "<path class=\"barrier\" d=\"M" << X << ' ' << Top << "V"
         << Top + Height << "\"/>";
    if (!Row.Lines || X < NextFree)
      continue;
    std::string Label = std::to_string(Row.Lines->first);
    if (Row.Lines->second != Row.Lines->first)
      Label += "\u2013" + std::to_string(Row.Lines->second);
    NextFree = X + 6 * Label.size() + 4;
    OS << "<text class=\"axis\" x=\"" << X + 2 << "\" y=\"" << Top + Height + 14
       << "\">" << Label << "</text>";
  }
  OS << "<text class=\"axis\" x=\"" << Left << "\" y=\"" << Top + Height + 27
     << "\">" << (Map.Intervals.HasSource ? "lines between barriers" : "steps")
     << "</text>";
}

/// Prints the names of the variables once, beside the pictures, where there is
/// room for them.
static void printLegend(const StorageMap &Map, bool IsAfter, raw_ostream &OS) {
  OS << "<ul class=\"legend\">";
  for (auto [Index, V] : enumerate(Map.Variables)) {
    OS << "<li><svg aria-hidden=\"true\" width=\"12\" height=\"12\"><rect "
          "class=\"busy v"
       << Index % NumColours << "\" width=\"12\" height=\"12\"/></svg> <code>"
       << escapeHtml(V.Name) << "</code> ";
    const std::optional<StoredSpan> Bytes = IsAfter ? V.After : V.Before;
    if (!Bytes)
      OS << "in registers";
    else
      OS << formatNumber(Bytes->Offset) << "\u2013"
         << formatNumber(Bytes->Offset + Bytes->Size);
    OS << "</li>";
  }
  OS << "</ul>";
}

void StoragePicture::print(StringRef Caption, bool IsAfter, uint64_t Bytes,
                           raw_ostream &OS) const {
  const unsigned PictureWidth = Left + std::max(width(), 130u) + 8;
  OS << "<figure><svg role=\"img\" viewBox=\"0 0 " << PictureWidth << ' '
     << Top + Height + 34 << "\" width=\"" << PictureWidth << "\" height=\""
     << Top + Height + 34 << "\"><title>" << escapeHtml(Caption) << ": "
     << Bytes << " bytes; filled where values are still needed</title>";
  OS << "<rect class=\"paper\" x=\"" << Left << "\" y=\"" << Top
     << "\" width=\"" << width() << "\" height=\"" << Height << "\"/>";
  Spans All;
  for (const StorageMap::Variable &V : Map.Variables)
    All.push_back(IsAfter ? V.After : V.Before);
  for (auto [Index, Bytes] : enumerate(All))
    if (Bytes)
      printVariable(Index, *Bytes, OS);
  for (auto [Index, Bytes] : enumerate(All))
    if (Bytes)
      printBusy(Index, All, OS);
  printAxes(Bytes, OS);
  OS << "</svg><figcaption>" << escapeHtml(Caption) << ": <b>"
     << formatNumber(Bytes) << " bytes</b></figcaption>";
  printLegend(Map, IsAfter, OS);
  OS << "</figure>\n";
}

/// Draws one picture if no variable is moved; otherwise one for each state, at
/// the same scale.
void printStoragePictures(const KernelReport &K, raw_ostream &OS) {
  const uint64_t Before = K.SharedBytes->Before, After = K.SharedBytes->After;
  uint64_t Most = std::max(Before, After);
  bool IsChanged = false;
  for (const StorageMap::Variable &V : K.Map->Variables) {
    Most = std::max(Most, V.Before.Offset + V.Before.Size);
    IsChanged |= !V.After || V.After->Offset != V.Before.Offset ||
                 V.After->Size != V.Before.Size;
    if (V.After)
      Most = std::max(Most, V.After->Offset + V.After->Size);
  }
  const StoragePicture Picture(*K.Map, Most);
  OS << "<div class=\"pair\">";
  Picture.print(IsChanged ? "before" : "as it is", false, Before, OS);
  if (IsChanged)
    Picture.print("after", true, After, OS);
  OS << "</div>\n";
}

namespace {

/// A staircase of occupancy over bytes, with the points of the kernel on it.
class OccupancyPicture {
public:
  explicit OccupancyPicture(const KernelReport &K);
  void print(raw_ostream &OS) const;

private:
  void printPoint(uint64_t Bytes, unsigned Blocks, StringRef Label,
                  raw_ostream &OS) const;
  void printAxes(raw_ostream &OS) const;
  double x(uint64_t Bytes) const {
    return Left + double(Width) * Bytes / MaxBytes;
  }
  double y(unsigned Blocks) const {
    return Top + Height - double(Height) * Blocks / MaxBlocks;
  }

  static constexpr unsigned Left = 36, Top = 30, Width = 420, Height = 130;
  const KernelReport &K;
  /// Static and dynamic shared memory per block.
  const BeforeAfter<uint64_t> Bytes;
  uint64_t MaxBytes;
  unsigned MaxBlocks;
};

} // namespace

OccupancyPicture::OccupancyPicture(const KernelReport &K)
    : K(K), Bytes{K.SharedBytes->Before + *K.DynamicBytes,
                  K.SharedBytes->After + *K.DynamicBytes} {
  const uint64_t Needed = std::max(Bytes.Before, Bytes.After);
  MaxBytes = std::max<uint64_t>(Needed + Needed / 4, 16384);
  MaxBlocks = std::max(1u, blocksPerSM(K.Gpu, K.numThreads(), 0));
}

void OccupancyPicture::printPoint(uint64_t Bytes, unsigned Blocks,
                                  StringRef Label, raw_ostream &OS) const {
  const double X = x(Bytes), Y = y(Blocks);
  OS << "<g><title>" << Label << ": " << Bytes << " bytes, " << Blocks
     << " blocks</title><circle class=\"point " << Label << "\" cx=\""
     << position(X) << "\" cy=\"" << position(Y) << "\" r=\"5\"/>"
     << "<text class=\"label " << (X > Left + Width - 60 ? "end" : "")
     << "\" x=\"" << position(X > Left + Width - 60 ? X - 8 : X + 8)
     << "\" y=\"" << position(Y - 6) << "\">" << Label << ": " << Blocks
     << "</text></g>";
}

void OccupancyPicture::printAxes(raw_ostream &OS) const {
  OS << "<path class=\"line\" d=\"M" << Left << ' ' << Top << "V"
     << Top + Height << "H" << Left + Width << "\"/>";
  const uint64_t Step = MaxBytes > 65536   ? 32768
                        : MaxBytes > 24576 ? 8192
                                           : 4096;
  for (uint64_t Bytes = 0; Bytes <= MaxBytes; Bytes += Step)
    OS << "<text class=\"axis mid\" x=\"" << position(x(Bytes)) << "\" y=\""
       << Top + Height + 13 << "\">" << Bytes / 1024
       << (Bytes + Step > MaxBytes ? " KB" : "") << "</text>";
  for (unsigned Blocks : {0u, MaxBlocks / 2, MaxBlocks})
    OS << "<text class=\"axis end\" x=\"" << Left - 5 << "\" y=\""
       << position(y(Blocks) + 4) << "\">" << Blocks << "</text>";
  OS << "<text class=\"axis\" x=\"" << Left << "\" y=\"" << Top + Height + 27
     << "\">shared memory of a block</text><text class=\"axis\" x=\"4\" "
        "y=\"10\""
        ">blocks on a multiprocessor</text>";
}

/// The staircase is sampled at the granularity of shared memory allocation, at
/// which alone the number of blocks can change.
void OccupancyPicture::print(raw_ostream &OS) const {
  const bool IsChanged = Bytes.Before != Bytes.After;
  OS << "<figure><svg role=\"img\" viewBox=\"0 0 " << Left + Width + 24 << ' '
     << Top + Height + 32 << "\" width=\"" << Left + Width + 24
     << "\" height=\"" << Top + Height + 32 << "\"><title>"
     << K.BlocksPerSM->Before << " blocks of " << Bytes.Before
     << " bytes fit on a multiprocessor of " << StringRef(K.Gpu.Name);
  if (IsChanged)
    OS << ", and " << K.BlocksPerSM->After << " of " << Bytes.After << " bytes";
  OS << "</title><path class=\"stairs\" d=\"M" << position(x(0)) << ' '
     << position(y(MaxBlocks));
  unsigned Last = MaxBlocks;
  const uint64_t Step = std::max<uint64_t>(K.Gpu.SharedGranularity, 1);
  for (uint64_t Each = 0; Each <= MaxBytes; Each += Step) {
    const unsigned Blocks = blocksPerSM(K.Gpu, K.numThreads(), Each);
    if (Blocks != Last)
      OS << 'H' << position(x(Each)) << 'V' << position(y(Blocks));
    Last = Blocks;
  }
  OS << 'H' << Left + Width << "\"/>";
  printAxes(OS);
  printPoint(Bytes.Before, K.BlocksPerSM->Before, IsChanged ? "before" : "now",
             OS);
  if (IsChanged)
    printPoint(Bytes.After, K.BlocksPerSM->After, "after", OS);
  OS << "</svg><figcaption>" << StringRef(K.Gpu.Name) << ", blocks of "
     << (K.Block.isKnown() ? "" : "up to ") << K.numThreads()
     << " threads; registers are not counted</figcaption></figure>\n";
}

void printOccupancy(const KernelReport &K, raw_ostream &OS) {
  OccupancyPicture(K).print(OS);
}

} // namespace cudaopt
