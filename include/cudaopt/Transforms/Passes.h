// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The registry of passes: Passes.def, turned into prototypes and a table.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_PASSES_H
#define CUDAOPT_TRANSFORMS_PASSES_H

#include "cudaopt/Transforms/Layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cudaopt {

struct Kernel;
struct Plan;
struct Target;

/// What the user says about the passes.
struct PassOptions {
  LayoutChoice Layout = LayoutChoice::Auto; ///< --layout
};

/// A pass reads a kernel and the decisions so far, and adds its own.
using PassFunction = void(const Kernel &, const Target &, const PassOptions &,
                          Plan &);

#define PASS(Name, Function, OnByDefault, Description) PassFunction Function;
#include "cudaopt/Transforms/Passes.def"

struct PassInfo {
  llvm::StringLiteral Name;
  PassFunction *Run;
  bool OnByDefault;
  llvm::StringLiteral Description;
};

/// The passes in the order they run.
llvm::ArrayRef<PassInfo> allPasses();

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_PASSES_H
