// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Looks up nvcc's options and splits their arguments in the way that
/// experiments with nvcc have shown.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Parse/NvccFlagTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudaopt;
using namespace llvm;
using Form = NvccFlag::Form;
using Role = NvccFlag::Role;

static constexpr NvccFlag NvccFlags[] = {
#define NVCC_FLAG(LONG, SHORT, FORM, ROLE, TEXT)                               \
  {LONG, SHORT, Form::FORM, Role::ROLE, TEXT},
#include "cudaopt/Driver/Parse/NvccFlags.def"
};

static bool isNumber(StringRef Text) {
  return !Text.empty() && all_of(Text, isDigit);
}

std::vector<std::string> cudaopt::splitNvccList(StringRef List) {
  std::vector<std::string> Items(1);
  bool InQuotes = false;
  for (size_t I = 0; I < List.size(); ++I) {
    if (List[I] == '\\' && I + 1 < List.size()) {
      if (List[I + 1] != ',')
        Items.back() += List[I];
      Items.back() += List[++I];
      continue;
    }
    if (List[I] == ',' && !InQuotes) {
      Items.emplace_back();
      continue;
    }
    InQuotes ^= List[I] == '"';
    Items.back() += List[I];
  }
  erase_if(Items, [](const std::string &Item) { return Item.empty(); });
  return Items;
}

/// Splits \p Text at spaces outside double quotes. The quotes stay; one level
/// of backslashes is removed.
static std::vector<std::string> splitAtSpaces(StringRef Text) {
  std::vector<std::string> Words;
  bool InQuotes = false, InWord = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (isSpace(Text[I]) && !InQuotes) {
      InWord = false;
      continue;
    }
    if (!InWord)
      Words.emplace_back();
    InWord = true;
    InQuotes ^= Text[I] == '"';
    if (Text[I] == '\\' && I + 1 < Text.size())
      ++I;
    Words.back() += Text[I];
  }
  return Words;
}

/// Removes double quotes and a level of backslashes; std::nullopt if a quote
/// stays open.
static std::optional<std::string> takeQuotesOff(StringRef Word) {
  std::string Result;
  bool InQuotes = false;
  for (size_t I = 0; I < Word.size(); ++I) {
    if (Word[I] == '"') {
      InQuotes ^= true;
      continue;
    }
    if (Word[I] == '\\' && I + 1 < Word.size())
      ++I;
    Result += Word[I];
  }
  return InQuotes ? std::nullopt : std::optional(Result);
}

std::optional<std::vector<std::string>> cudaopt::splitNvccFile(StringRef Text) {
  std::vector<std::string> Result;
  for (const std::string &Quoted : splitAtSpaces(Text)) {
    std::optional<std::string> Word = takeQuotesOff(Quoted);
    if (!Word)
      return std::nullopt;
    Result.push_back(std::move(*Word));
  }
  return Result;
}

SmallVector<StringRef, 8> cudaopt::splitNvccWords(StringRef Text) {
  SmallVector<StringRef, 8> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  return Words;
}

NvccFlagUse cudaopt::findNvccFlag(StringRef Argument) {
  auto [Name, Value] = Argument.split('=');
  bool HasValue = Name.size() < Argument.size();
  for (const NvccFlag &Flag : NvccFlags) {
    bool IsNamed = Name.starts_with("--")
                       ? Name.drop_front(2) == Flag.Long
                       : !Flag.Short.empty() && Name.drop_front() == Flag.Short;
    if (!IsNamed || (HasValue && Flag.Argument == Form::Flag))
      continue;
    return {&Flag, HasValue ? std::optional(Value) : std::nullopt};
  }
  for (const NvccFlag &Flag : NvccFlags) {
    StringRef Rest = Argument.drop_front();
    bool IsJoined =
        Flag.Argument == Form::Joined || Flag.Argument == Form::Number;
    if (!IsJoined || !Rest.consume_front(Flag.Short) || Rest.empty())
      continue;
    if (Flag.Argument == Form::Joined || isNumber(Rest))
      return {&Flag, Rest};
  }
  return {};
}

bool NvccFlag::takesNext(StringRef Next) const {
  switch (Argument) {
  case Form::Flag:
    return false;
  case Form::Value:
  case Form::Joined:
    return true;
  case Form::Number:
    return isNumber(Next);
  case Form::Listed:
    return all_of(splitNvccList(Next), [&](StringRef Item) {
      return is_contained(splitNvccWords(Text), Item);
    });
  }
  llvm_unreachable("unknown form");
}
