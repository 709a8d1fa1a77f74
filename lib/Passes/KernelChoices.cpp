// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads and writes choices for kernels.
//===----------------------------------------------------------------------===//

#include "cudaopt/Passes/KernelChoices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudaopt;
using namespace llvm;

std::string cudaopt::dropUnnamedNamespaces(StringRef Name) {
  static constexpr StringLiteral Unnamed = "(anonymous namespace)::";
  std::string Result = Name.str();
  for (size_t At = 0; (At = Result.find(Unnamed, At)) != std::string::npos;)
    Result.erase(At, Unnamed.size());
  return Result;
}

Expected<KernelChoices> KernelChoices::parse(StringRef Text) {
  KernelChoices Result;
  for (StringRef Word : split(Text, ',')) {
    Word = Word.trim();
    auto [Name, Choice] = Word.rsplit('=');
    if (Name.size() == Word.size()) { // There is no '='.
      if (Word.empty())
        return createStringError("a word is empty");
      if (!Result.General.empty())
        return createStringError("'" + Result.General + "' and '" + Word +
                                 "' exclude each other");
      Result.General = Word.str();
      continue;
    }
    const auto [Kernel, Array] = Name.trim().split('.');
    if (Kernel.empty() || Choice.empty() || Name.trim().ends_with("."))
      return createStringError("'" + Word + "' is not KERNEL=choice or " +
                               "KERNEL.ARRAY=choice");
    Exception New = {Kernel.str(), Array.str(), Choice.trim().str()};
    if (any_of(Result.Exceptions, [&](const Exception &Each) {
          return Each.Kernel == New.Kernel && Each.Array == New.Array;
        }))
      return createStringError("'" + Name.trim() + "' stands twice");
    Result.Exceptions.push_back(std::move(New));
  }
  return Result;
}

StringRef KernelChoices::of(StringRef Kernel, StringRef Array,
                            StringRef Default) const {
  const std::string Name = dropUnnamedNamespaces(Kernel);
  StringRef Found = General.empty() ? Default : StringRef(General);
  for (const Exception &Each : Exceptions) {
    if (Each.Kernel != Name)
      continue;
    if (!Each.Array.empty() && Each.Array == Array)
      return Each.Choice;
    if (Each.Array.empty())
      Found = Each.Choice;
  }
  return Found;
}

std::string KernelChoices::text() const {
  std::vector<std::string> Words;
  if (!General.empty())
    Words.push_back(General);
  for (const Exception &Each : Exceptions)
    Words.push_back(Each.Kernel + (Each.Array.empty() ? "" : ".") + Each.Array +
                    "=" + Each.Choice);
  return join(Words, ",");
}
