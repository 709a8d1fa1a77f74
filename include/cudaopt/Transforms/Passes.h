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
#include <list>
#include <optional>
#include <variant>

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

class KernelAnalyses;
class PlanRules;
struct HostPassInput;
struct LevelizeDecision;

/// What a pass of kernels looks at.
struct PassInput {
  const Kernel &K;
  const Target &T;
  const PassOptions &Options;
  const PlanRules &Rules;
  KernelAnalyses &Analyses;
};

/// A pass of kernels returns \p Earlier with its own decisions.
using KernelPass = Plan(const PassInput &, const Plan &Earlier);

/// A pass of the host's loops decides on each; they stay where they are, as
/// decisions point into them.
using HostPass = std::list<LevelizeDecision>(const HostPassInput &);

#define PASS(Name, Group, Function, OnByDefault, Description)                  \
  KernelPass Function;
#define HOST_PASS(Name, Function, OnByDefault, Description) HostPass Function;
#include "cudaopt/Transforms/Passes.def"

struct PassInfo {
  llvm::StringLiteral Name;
  llvm::StringLiteral Group; ///< Empty if it is in none.
  std::variant<KernelPass *, HostPass *> Run;
  bool OnByDefault;

  /// True if it decides where variables are stored.
  bool stores() const { return Group == "shared-reuse"; }
  /// The name that reports give it.
  llvm::StringRef shownName() const { return Group.empty() ? Name : Group; }
};

/// The passes in the order they run.
llvm::ArrayRef<PassInfo> allPasses();

/// A name of a pass, or of a group of them.
struct PassName {
  llvm::StringLiteral Name;
  llvm::StringLiteral Group; ///< That the pass is in; empty if it is in none.
  bool OnByDefault;
  llvm::StringLiteral Description;
};

/// The names that options and marks may say; a group's stands before those of
/// its passes.
llvm::ArrayRef<PassName> allPassNames();

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_PASSES_H
