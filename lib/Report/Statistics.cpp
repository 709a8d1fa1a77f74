// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints the totals of a run as text.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Writers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <set>
#include <tuple>

using namespace llvm;

namespace cudaopt {

namespace {

/// Sums the reports of all files. A kernel in a header that several sources
/// include is in several reports, but counts once.
class Totals {
public:
  explicit Totals(ArrayRef<FileReport> Files);
  void print(raw_ostream &OS) const;

private:
  using Reasons = MapVector<StringRef, size_t>;

  void add(const KernelReport &K);
  void add(const LoopReport &L);
  void printCounts(raw_ostream &OS) const;
  void printTimes(raw_ostream &OS) const;
  bool isNew(const Place &At, StringRef Name) {
    return Known.emplace(At.Path, At.Offset, Name.str()).second;
  }

  std::set<std::tuple<std::string, unsigned, std::string>> Known;
  size_t NumFiles, NumChangedFiles = 0;
  size_t NumKernels = 0, NumFunctions = 0, NumChanged = 0;
  size_t NumArrays = 0, NumNew = 0, NumPrivate = 0;
  size_t NumLoops = 0, NumParallel = 0, NumProposed = 0;
  size_t NumCounted = 0, NumMeasured = 0;
  Reasons Kept, KeptLoops, Uncounted;
  std::vector<const KernelReport *> Predicted; ///< Those with a time.
  Wavefronts Cost;
  BeforeAfter<uint64_t> Bytes;
};

} // namespace

Totals::Totals(ArrayRef<FileReport> Files) : NumFiles(Files.size()) {
  for (const FileReport &File : Files) {
    NumChangedFiles += !File.Changes.empty();
    for (const KernelReport &K : File.Kernels)
      if (isNew(K.Text.Begin, K.Name))
        add(K);
    for (const LoopReport &L : File.Loops)
      if (isNew(L.Text.Begin, L.Function))
        add(L);
  }
}

/// Adds a kernel or function. Costs and bytes are summed over kernels only:
/// those of device functions are counted with the kernels that call them.
void Totals::add(const KernelReport &K) {
  ++(K.IsKernel ? NumKernels : NumFunctions);
  NumChanged += K.isRewritten();
  for (const ArrayReport &A : K.Arrays) {
    const bool IsPrivate =
        K.Storage && is_contained(K.Storage->Private, A.Name);
    ++NumArrays;
    NumNew += A.IsRewritten;
    NumPrivate += IsPrivate;
    if (!A.IsRewritten && !IsPrivate && !A.Reason.empty())
      ++Kept[A.Reason];
    if (!A.Cost && !A.Reason.empty())
      ++Uncounted[A.Reason];
  }
  if (!K.IsKernel)
    return;
  if (K.Limit && K.Limit->WithoutConflicts)
    Predicted.push_back(&K);
  if (K.Cost) {
    ++NumCounted;
    Cost += *K.Cost;
  }
  if (K.SharedBytes) {
    ++NumMeasured;
    Bytes.Before += K.SharedBytes->Before;
    Bytes.After += K.SharedBytes->After;
  }
}

void Totals::add(const LoopReport &L) {
  ++NumLoops;
  NumParallel += L.IsRewritten;
  NumProposed += L.IsProposal;
  if (!L.IsRewritten && !L.IsProposal && !L.Reason.empty())
    ++KeptLoops[L.Reason];
}

static void printRow(const Twine &Name, const Twine &Text, raw_ostream &OS) {
  OS << formatv("  {0,-22} {1}\n", Name.str(), Text.str());
}

/// Returns counts by reason, the most frequent first: "61: 40 no-conflict, 21
/// extern-array".
static std::string listReasons(const MapVector<StringRef, size_t> &Reasons) {
  SmallVector<std::pair<StringRef, size_t>> Sorted(Reasons.begin(),
                                                   Reasons.end());
  sort(Sorted, [](const auto &A, const auto &B) {
    return std::pair(B.second, A.first) < std::pair(A.second, B.first);
  });
  size_t Sum = 0;
  std::string Text;
  for (const auto &[Reason, Count] : Sorted) {
    Sum += Count;
    Text += (Text.empty() ? ": " : ", ") + std::to_string(Count) + " " +
            Reason.str();
  }
  return std::to_string(Sum) + Text;
}

static std::string format(double Number) {
  return formatv("{0}", llvm::format("%.10g", Number)).str();
}

void Totals::printCounts(raw_ostream &OS) const {
  auto restOf = [&](size_t Counted) {
    const size_t Rest = NumKernels - Counted;
    return Rest ? "; not counted: " + std::to_string(Rest) +
                      (Rest == 1 ? " kernel" : " kernels")
                : std::string();
  };
  if (NumMeasured)
    printRow("static shared bytes",
             Twine(Bytes.Before) + " -> " + Twine(Bytes.After) +
                 restOf(NumMeasured),
             OS);
  if (NumCounted)
    printRow("wavefronts",
             format(Cost.Before) + " -> " + format(Cost.After) + " (at least " +
                 format(Cost.Bound) + "), a block of each kernel" +
                 restOf(NumCounted),
             OS);
  if (!Uncounted.empty())
    printRow("arrays not counted", listReasons(Uncounted), OS);
}

/// Returns the part of its time that conflicts cost \p K after the rewrite.
static double partToSave(const KernelReport &K) {
  return std::max(0., *K.Limit->AfterRewrite - *K.Limit->WithoutConflicts);
}

/// Returns the part of its time that the rewrite saves \p K.
static double partSaved(const KernelReport &K) {
  return K.isRewritten() ? std::max(0., 1 - *K.Limit->AfterRewrite) : 0;
}

/// Prints the kernels that conflicts slow down by a percent or more, those with
/// the most time to save first. Where the grid is not known, the time is that
/// of a block; such kernels come last.
void Totals::printTimes(raw_ostream &OS) const {
  constexpr double LeastPart = 0.01;
  constexpr size_t MostRows = 10;
  std::vector<const KernelReport *> Slow;
  for (const KernelReport *K : Predicted)
    if (partToSave(*K) >= LeastPart || partSaved(*K) >= LeastPart)
      Slow.push_back(K);
  auto weight = [](const KernelReport *K) {
    const double Time = K->Limit->Seconds.value_or(K->Limit->Time.Cycles);
    return std::tuple(!K->Limit->Seconds, -Time * partToSave(*K),
                      -Time * partSaved(*K));
  };
  stable_sort(Slow, [&](const KernelReport *A, const KernelReport *B) {
    return weight(A) < weight(B);
  });
  printRow("time of conflicts",
           Twine(Slow.size()) + " of " + Twine(Predicted.size()) +
               " kernels whose conflicts are counted lose 1% or more to them, "
               "or did",
           OS);
  for (const KernelReport *K : ArrayRef(Slow).take_front(MostRows)) {
    const LimitReport &L = *K->Limit;
    printRow(
        "  " + K->Name,
        formatv("{0} ({1}:{2}): saved {3:F0}%, left {4:F0}%; limited by {5}",
                L.Seconds
                    ? showSeconds(*L.Seconds) + " a launch"
                    : formatv("{0:F0} cycles a block", L.Time.Cycles).str(),
                K->File, K->Line, 100 * partSaved(*K), 100 * partToSave(*K),
                std::string(nameOf(L.Time.limiter()))),
        OS);
  }
  if (Slow.size() > MostRows)
    printRow("  ...", Twine(Slow.size() - MostRows) + " more", OS);
}

void Totals::print(raw_ostream &OS) const {
  OS << "statistics:\n";
  printRow("files",
           Twine(NumFiles) + ", " + Twine(NumChangedFiles) + " changed", OS);
  printRow("kernels", Twine(NumKernels) + ", " + Twine(NumChanged) + " changed",
           OS);
  if (NumFunctions)
    printRow("device functions", Twine(NumFunctions) + " with shared arrays",
             OS);
  printRow("shared arrays", Twine(NumArrays), OS);
  printRow("  new layout", Twine(NumNew), OS);
  printRow("  private", Twine(NumPrivate), OS);
  printRow("  kept", listReasons(Kept), OS);
  printCounts(OS);
  if (!Predicted.empty())
    printTimes(OS);
  if (!NumLoops)
    return;
  printRow("loops", Twine(NumLoops), OS);
  printRow("  made parallel", Twine(NumParallel), OS);
  printRow("  proposed", Twine(NumProposed), OS);
  printRow("  kept", listReasons(KeptLoops), OS);
}

void printStatistics(ArrayRef<FileReport> Files, raw_ostream &OS) {
  Totals(Files).print(OS);
}

} // namespace cudaopt
