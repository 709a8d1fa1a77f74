// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The table of passes that Passes.def lists.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/Passes.h"

using namespace cudaopt;

llvm::ArrayRef<PassInfo> cudaopt::allPasses() {
  static constexpr PassInfo Passes[] = {
#define PASS(Name, Function, OnByDefault, Description)                         \
  {Name, Function, OnByDefault, Description},
#include "cudaopt/Transforms/Passes.def"
  };
  return Passes;
}
