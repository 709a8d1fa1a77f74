// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Edits the text of a configuration file by lines, so that the user's comments
/// and the order of the keys stay.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Tune/PinnedChoices.h"

#include "cudaopt/Passes/KernelChoices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <vector>

using namespace cudaopt;
using namespace llvm;

static constexpr StringLiteral Mark = "# cuda-opt tune, ";

namespace {

/// The lines of a configuration file.
class ConfigurationLines {
public:
  explicit ConfigurationLines(StringRef Text);

  /// Returns the value of the line "Key: value", or "Key: [value, value]", the
  /// words separated by commas; an empty text if there is no such line. Fails
  /// if the value is not written on the line.
  Expected<std::string> read(StringRef Key) const;
  /// Makes \p Words, which commas separate, the value of \p Key; a comment
  /// behind it stays.
  void write(StringRef Key, StringRef Words);
  /// Removes the line of \p Key; a comment behind it becomes a line.
  void remove(StringRef Key);
  /// Removes the lines that \p Drops accepts.
  void removeIf(function_ref<bool(StringRef)> Drops) { erase_if(Lines, Drops); }
  /// Inserts \p New before the first line of "Layout" or "Reuse".
  void insertAbovePins(ArrayRef<std::string> New);
  bool has(StringRef Key) const { return find(Key) != Lines.size(); }

  std::string text() const;

private:
  size_t find(StringRef Key) const;

  std::vector<std::string> Lines;
  StringRef End = "\n";
};

} // namespace

ConfigurationLines::ConfigurationLines(StringRef Text) {
  if (Text.contains("\r\n"))
    End = "\r\n";
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Lines.push_back(Line.rtrim('\r').str());
    Text = Rest;
  }
}

size_t ConfigurationLines::find(StringRef Key) const {
  const std::string Begin = (Key + ":").str();
  return find_if(Lines,
                 [&](StringRef Line) { return Line.starts_with(Begin); }) -
         Lines.begin();
}

/// Returns the comment behind the value of \p Line, with the blanks before it.
static StringRef commentOf(StringRef Line) {
  const size_t At = std::min(Line.find(" #"), Line.find("\t#"));
  if (At == StringRef::npos)
    return "";
  return Line.drop_front(Line.take_front(At).rtrim().size());
}

Expected<std::string> ConfigurationLines::read(StringRef Key) const {
  const size_t Index = find(Key);
  if (Index == Lines.size())
    return "";
  const StringRef Line = Lines[Index];
  StringRef Value =
      Line.drop_back(commentOf(Line).size()).drop_front(Key.size() + 1).trim();
  const bool IsList = Value.starts_with("[");
  const bool IsClosed = Value.consume_front("[") == Value.consume_back("]");
  std::string Plain = Value.str();
  erase_if(Plain, [](char C) { return C == '\'' || C == '"'; });
  if (!IsClosed || Plain.empty())
    return createStringError("'" + Line + "' cannot be edited: write the " +
                             (IsList ? "list" : "value") + " on one line");
  return Plain;
}

/// Returns \p Words, which commas separate, as a list of YAML. Names with
/// colons and the like are quoted.
static std::string makeLine(StringRef Key, StringRef Words) {
  std::string Line = (Key + ": [").str();
  StringRef Separator;
  for (StringRef Word : split(Words, ',')) {
    const bool IsPlain = all_of(Word, [](char C) {
      return isAlnum(C) || StringRef(" _=.-").contains(C);
    });
    const StringRef Quote = IsPlain ? "" : "'";
    Line += (Separator + Quote + Word + Quote).str();
    Separator = ", ";
  }
  return Line + "]";
}

void ConfigurationLines::write(StringRef Key, StringRef Words) {
  const size_t Index = find(Key);
  const std::string New = makeLine(Key, Words);
  if (Index == Lines.size())
    Lines.push_back(New);
  else
    Lines[Index] = New + commentOf(Lines[Index]).str();
}

void ConfigurationLines::remove(StringRef Key) {
  const size_t Index = find(Key);
  const std::string Comment = commentOf(Lines[Index]).ltrim().str();
  if (Comment.empty())
    Lines.erase(Lines.begin() + Index);
  else
    Lines[Index] = Comment;
}

void ConfigurationLines::insertAbovePins(ArrayRef<std::string> New) {
  const size_t At = std::min(find("Layout"), find("Reuse"));
  Lines.insert(Lines.begin() + At, New.begin(), New.end());
}

std::string ConfigurationLines::text() const {
  std::string Text;
  for (const std::string &Line : Lines)
    Text += Line + End.str();
  return Text;
}

/// Replaces in \p Lines what \p Key says about the kernels \p Tuned. \p Now is
/// the value that holds, also where another file says it.
static Error replaceKey(StringRef Key, ArrayRef<PinnedKernel> Pins,
                        std::string PinnedKernel::*Choice,
                        ArrayRef<std::string> Tuned, StringRef Now,
                        ConfigurationLines &Lines) {
  Expected<std::string> Old = Lines.read(Key);
  if (!Old)
    return Old.takeError();
  // Without a line, another file may say what holds.
  KernelChoices Choices;
  if (Error E =
          KernelChoices::parse(Old->empty() ? Now : *Old).moveInto(Choices))
    return E;
  const std::string Before = Choices.text();
  erase_if(Choices.Exceptions, [&](const KernelChoices::Exception &Each) {
    return Each.Array.empty() && is_contained(Tuned, Each.Kernel);
  });
  for (const PinnedKernel &Each : Pins)
    if (!(Each.*Choice).empty())
      Choices.Exceptions.push_back({Each.Kernel, "", Each.*Choice});
  if (Choices.text() == Before)
    return Error::success();
  if (Choices.General.empty())
    Choices.General = "auto";
  // Without the line, the default holds, or what an inherited file says.
  if (Choices.Exceptions.empty() && Choices.General == "auto" &&
      !Lines.has("InheritParentConfig")) {
    if (!Old->empty())
      Lines.remove(Key);
  } else {
    Lines.write(Key, Choices.text());
  }
  return Error::success();
}

Expected<std::string> cudaopt::pinChoices(StringRef Text,
                                          ArrayRef<PinnedKernel> Pins,
                                          ArrayRef<std::string> Tuned,
                                          const EffectiveChoices &Now) {
  ConfigurationLines Lines(Text);
  // What an earlier run measured of these kernels holds no longer.
  Lines.removeIf([&](StringRef Line) {
    return Line.consume_front(Mark) &&
           any_of(Tuned, [&](const std::string &Kernel) {
             return Line.split(": ").second.starts_with(Kernel + " ");
           });
  });
  if (Error E = replaceKey("Layout", Pins, &PinnedKernel::Layout, Tuned,
                           Now.Layout, Lines))
    return std::move(E);
  if (Error E = replaceKey("Reuse", Pins, &PinnedKernel::Reuse, Tuned,
                           Now.Reuse, Lines))
    return std::move(E);
  std::vector<std::string> Comments;
  for (const PinnedKernel &Each : Pins)
    Comments.push_back(Mark.str() + Each.Comment);
  Lines.insertAbovePins(Comments);
  return Lines.text();
}

Expected<std::string> cudaopt::pinGpu(StringRef Text, const Gpu &Measured) {
  ConfigurationLines Lines(Text);
  Expected<std::string> Old = Lines.read("Gpu");
  if (!Old)
    return Old.takeError();
  Lines.write("Gpu", Measured.text());
  return Lines.text();
}
