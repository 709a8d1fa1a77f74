// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Expands Options.def into a table, and accesses members of Options through
/// it.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Command/OptionTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudaopt;
using namespace llvm;

static constexpr OptionInfo Table[] = {
#define OPTION(Type, Field, Name, Default, ValueName, Description)             \
  {Name, ValueName, Description, &Options::Field, false},
#define SETTING(Type, Field, Name, Default, ValueName, Description)            \
  {Name, ValueName, Description, &Options::Field, true},
#define TOOL_OPTION(Type, Field, Name, Default, ValueName, Description)        \
  {Name, ValueName, Description, &Options::Field, false, true},
#include "cudaopt/Driver/Command/Options.def"
};

ArrayRef<OptionInfo> cudaopt::allOptions() { return Table; }

const OptionInfo *cudaopt::findOption(StringRef Name) {
  const OptionInfo *Found =
      find_if(Table, [&](const OptionInfo &Each) { return Each.Name == Name; });
  return Found == std::end(Table) ? nullptr : Found;
}

std::string OptionInfo::spelling() const {
  return (Name.size() == 1 ? "-" : "--") + Name.str();
}

std::string OptionInfo::key() const {
  std::string Result;
  for (StringRef Part : split(Name, '-'))
    Result += toUpper(Part.front()) + Part.drop_front().str();
  return Result;
}

std::string OptionInfo::get(const Options &Opts) const {
  if (const auto *Switch = std::get_if<bool Options::*>(&Field))
    return Opts.**Switch ? "true" : "false";
  if (const auto *List =
          std::get_if<std::vector<std::string> Options::*>(&Field))
    return join(Opts.**List, ",");
  return Opts.*std::get<std::string Options::*>(Field);
}

void OptionInfo::add(StringRef Text, Options &Opts) const {
  if (const auto *List =
          std::get_if<std::vector<std::string> Options::*>(&Field))
    (Opts.**List).push_back(Text.str());
  else
    Opts.*std::get<std::string Options::*>(Field) = Text.str();
}

void OptionInfo::copy(const Options &From, Options &To) const {
  std::visit([&](auto Member) { To.*Member = From.*Member; }, Field);
}
