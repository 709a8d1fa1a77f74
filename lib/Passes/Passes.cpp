// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The tables of passes and of their names, made from Passes.def, and the
/// parsers of option values.
//===----------------------------------------------------------------------===//

#include "cudaopt/Passes/Passes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace cudaopt;

std::optional<ReuseChoice> cudaopt::parseReuseChoice(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<ReuseChoice>>(Name)
      .Case("auto", ReuseChoice::Auto)
      .Case("bytes", ReuseChoice::Bytes)
      .Case("off", ReuseChoice::Off)
      .Case("poison", ReuseChoice::Poison)
      .Default(std::nullopt);
}

std::optional<PlacementChoice>
cudaopt::parsePlacementChoice(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<PlacementChoice>>(Name)
      .Case("exact", PlacementChoice::Exact)
      .Case("greedy", PlacementChoice::Greedy)
      .Default(std::nullopt);
}

llvm::ArrayRef<PassInfo> cudaopt::allPasses() {
  static constexpr PassInfo Passes[] = {
#define PASS(Name, Group, Function, OnByDefault, Description)                  \
  {Name, Group, Function, OnByDefault},
#define HOST_PASS(Name, Function, OnByDefault, Description)                    \
  {Name, "", Function, OnByDefault},
#include "cudaopt/Passes/Passes.def"
  };
  return Passes;
}

llvm::ArrayRef<PassName> cudaopt::allPassNames() {
  static constexpr PassName Names[] = {
#define PASS(Name, Group, Function, OnByDefault, Description)                  \
  {Name, Group, OnByDefault, Description},
#define HOST_PASS(Name, Function, OnByDefault, Description)                    \
  {Name, "", OnByDefault, Description},
#define PASS_GROUP(Name, Description) {Name, "", true, Description},
#include "cudaopt/Passes/Passes.def"
  };
  return Names;
}
