// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The registry of passes: Passes.def, turned into prototypes and a table.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_PASSES_H
#define CUDAOPT_TRANSFORMS_PASSES_H

#include "cudaopt/Model/FloatingPoint.h"
#include "cudaopt/Transforms/Layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudaopt {

struct Kernel;
struct Plan;
struct Target;

/// When variables share bytes: if more blocks fit (or the cache grows),
/// whenever it saves bytes, or never.
enum class ReuseChoice { Auto, Bytes, Off, Poison };
/// How they are placed: by exact search, or by the greedy colouring of document
/// 001.
enum class PlacementChoice { Exact, Greedy };

/// Reads "auto", "exact" and so on; nothing for other names.
std::optional<ReuseChoice> parseReuseChoice(llvm::StringRef Name);
std::optional<PlacementChoice> parsePlacementChoice(llvm::StringRef Name);

/// What the user says about the passes.
struct PassOptions {
  LayoutChoice Layout = LayoutChoice::Auto;           ///< --layout
  ReuseChoice Reuse = ReuseChoice::Auto;              ///< --reuse
  PlacementChoice Placement = PlacementChoice::Exact; ///< --placement
  FloatingPoint Floats; ///< What the compilers may do.
};

/// A pass reads a kernel and the decisions so far, and adds its own.
using PassFunction = void(const Kernel &, const Target &, const PassOptions &,
                          Plan &);

#define PASS(Name, Function, OnByDefault, Description) PassFunction Function;
#include "cudaopt/Transforms/Passes.def"

struct PassInfo {
  llvm::StringLiteral Name;
  PassFunction *Run; ///< Null for a pass of the host's loops.
  bool OnByDefault;
  llvm::StringLiteral Description;
};

/// The passes in the order they run.
llvm::ArrayRef<PassInfo> allPasses();

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_PASSES_H
