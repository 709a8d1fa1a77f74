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

/// Returns the value of a line "Layout: auto" or "Layout: [auto, a=pad]", the
/// words separated by commas. Fails if the value is not written on the line.
static Expected<std::string> readLine(StringRef Key, StringRef Line) {
  StringRef Value = Line.drop_front(Key.size() + 1);
  const bool IsList = Value.trim().starts_with("[");
  Value = Value.take_until([](char C) { return C == '#'; }).trim();
  const bool IsClosed = Value.consume_front("[") == Value.consume_back("]");
  std::string Plain = Value.str();
  erase_if(Plain, [](char C) { return C == '\'' || C == '"'; });
  if (!IsClosed || Plain.empty())
    return createStringError("'" + Line + "' cannot be edited: write the " +
                             (IsList ? "list" : "value") + " on one line");
  return Plain;
}

static std::vector<std::string> splitLines(StringRef Text) {
  std::vector<std::string> Lines;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Lines.push_back(Line.str());
    Text = Rest;
  }
  return Lines;
}

static std::string joinLines(ArrayRef<std::string> Lines) {
  std::string Text;
  for (const std::string &Line : Lines)
    Text += Line + "\n";
  return Text;
}

/// Returns \p Words, which commas separate, as a list of YAML. Names with
/// colons and the like are quoted.
static std::string writeLine(StringRef Key, StringRef Words) {
  std::string Line = (Key + ": [").str();
  StringRef Separator;
  for (StringRef Word : split(Words, ',')) {
    const bool IsPlain = all_of(Word, [](char C) {
      return isAlnum(C) || StringRef(" _=.-").contains(C);
    });
    Line +=
        (Separator + (IsPlain ? "" : "'") + Word + (IsPlain ? "" : "'")).str();
    Separator = ", ";
  }
  return Line + "]";
}

/// Replaces in \p Lines what \p Key says about the kernels \p Tuned.
static Error replaceKey(StringRef Key, ArrayRef<PinnedKernel> Pins,
                        std::string PinnedKernel::*Choice,
                        ArrayRef<std::string> Tuned,
                        std::vector<std::string> &Lines) {
  const std::string Begin = (Key + ":").str();
  const auto Found =
      find_if(Lines, [&](StringRef Line) { return Line.starts_with(Begin); });
  KernelChoices Choices;
  if (Found != Lines.end()) {
    Expected<std::string> Words = readLine(Key, *Found);
    if (!Words)
      return Words.takeError();
    if (Error E = KernelChoices::parse(*Words).moveInto(Choices))
      return E;
  }
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
  const std::string Line = writeLine(Key, Choices.text());
  if (Found == Lines.end())
    Lines.push_back(Line);
  else if (Choices.Exceptions.empty() && Choices.General == "auto")
    Lines.erase(Found); // It says what holds without it.
  else
    *Found = Line;
  return Error::success();
}

Expected<std::string> cudaopt::pinChoices(StringRef Text,
                                          ArrayRef<PinnedKernel> Pins,
                                          ArrayRef<std::string> Tuned) {
  std::vector<std::string> Lines = splitLines(Text);
  // What an earlier run measured of these kernels holds no longer.
  erase_if(Lines, [&](StringRef Line) {
    return Line.consume_front(Mark) &&
           any_of(Tuned, [&](const std::string &Kernel) {
             return Line.split(": ").second.starts_with(Kernel + " ");
           });
  });
  if (Error E = replaceKey("Layout", Pins, &PinnedKernel::Layout, Tuned, Lines))
    return std::move(E);
  if (Error E = replaceKey("Reuse", Pins, &PinnedKernel::Reuse, Tuned, Lines))
    return std::move(E);
  auto At = find_if(Lines, [](StringRef Line) {
    return Line.starts_with("Layout:") || Line.starts_with("Reuse:");
  });
  for (const PinnedKernel &Each : Pins)
    At = Lines.insert(At, Mark.str() + Each.Comment) + 1;
  return joinLines(Lines);
}

Expected<std::string> cudaopt::pinGpu(StringRef Text, const Gpu &Measured) {
  static constexpr StringLiteral Key = "Gpu";
  std::vector<std::string> Lines = splitLines(Text);
  const auto Found =
      find_if(Lines, [](StringRef Line) { return Line.starts_with("Gpu:"); });
  const std::string New = writeLine(Key, Measured.text());
  if (Found == Lines.end()) {
    Lines.push_back(New);
    return joinLines(Lines);
  }
  Expected<std::string> Old = readLine(Key, *Found);
  if (!Old)
    return Old.takeError();
  *Found = New;
  return joinLines(Lines);
}
