// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The registry of passes: Passes.def, turned into prototypes and a table. A
/// pass only decides. It takes the model of a kernel and the plan so far, and
/// returns the plan with its own decisions added; the rewriter then turns the
/// final plan into text. A new pass is a row in Passes.def and a function of
/// type KernelPass.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PASSES_PASSES_H
#define CUDAOPT_PASSES_PASSES_H

#include "cudaopt/Plan/Layout.h"
#include "cudaopt/Source/FloatingPoint.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <list>
#include <optional>
#include <variant>

namespace cudaopt {

struct Kernel;
struct Plan;
struct Target;

/// When variables share bytes (--reuse).
enum class ReuseChoice {
  Auto,  ///< If more blocks fit on a multiprocessor, or its L1 cache grows.
  Bytes, ///< Also if that merely saves bytes.
  Off,   ///< Never.
  Poison ///< Never; dead variables are overwritten instead, as a test.
};
/// How they are placed (--placement): by exact search, or for comparison by the
/// greedy colouring of Moazeni, Bui and Sarrafzadeh (2009).
enum class PlacementChoice { Exact, Greedy };

/// Returns the choice that an option calls \p Name ("auto", "exact", ...);
/// std::nullopt for other names.
std::optional<ReuseChoice> parseReuseChoice(llvm::StringRef Name);
std::optional<PlacementChoice> parsePlacementChoice(llvm::StringRef Name);

/// The options of the user that the passes over one kernel obey.
struct PassOptions {
  LayoutChoice Layout = LayoutChoice::Auto;           ///< --layout
  ReuseChoice Reuse = ReuseChoice::Auto;              ///< --reuse
  PlacementChoice Placement = PlacementChoice::Exact; ///< --placement
  /// The layouts of arrays, by their names, for which --layout says something
  /// else.
  llvm::StringMap<LayoutChoice> ArrayLayouts = {};
  /// True if the resources of the compiled text are checked, and what costs
  /// more than it saves is taken back (--verify-resources, --compile-check).
  bool ChecksResources = false;
  /// What the compilers of the rewritten text may do to floating-point numbers.
  FloatingPoint Floats;

  LayoutChoice layoutOf(llvm::StringRef Array) const {
    const auto Found = ArrayLayouts.find(Array);
    return Found == ArrayLayouts.end() ? Layout : Found->second;
  }
};

class KernelAnalyses;
class PlanRules;
struct HostPassInput;
struct LevelizeDecision;

/// The input of a pass over one kernel.
struct PassInput {
  const Kernel &K;
  const Target &T;
  const PassOptions &Options;
  const PlanRules &Rules;
  KernelAnalyses &Analyses;
};

/// A pass over a kernel returns \p Earlier with its own decisions added.
using KernelPass = Plan(const PassInput &, const Plan &Earlier);

/// A pass over the host's loops returns a decision for each of them. The result
/// is a list, whose elements keep their addresses, as decisions point into
/// their loops.
using HostPass = std::list<LevelizeDecision>(const HostPassInput &);

#define PASS(Name, Group, Function, OnByDefault, Description)                  \
  KernelPass Function;
#define HOST_PASS(Name, Function, OnByDefault, Description) HostPass Function;
#include "cudaopt/Passes/Passes.def"

/// A row of the table of passes.
struct PassInfo {
  llvm::StringLiteral Name;
  llvm::StringLiteral Group; ///< Empty if the pass is in no group.
  std::variant<KernelPass *, HostPass *> Run;
  bool OnByDefault;

  /// Returns true if the pass decides where variables are stored.
  bool stores() const { return Group == "shared-reuse"; }
  /// Returns the name by which reports call the pass: that of its group, if it
  /// has one.
  llvm::StringRef shownName() const { return Group.empty() ? Name : Group; }
};

/// The passes in the order they run.
llvm::ArrayRef<PassInfo> allPasses();

/// The name of a pass or of a group of passes.
struct PassName {
  llvm::StringLiteral Name;
  /// The group that the pass is in; empty for a pass in none, and for a group.
  llvm::StringLiteral Group;
  bool OnByDefault;
  llvm::StringLiteral Description;
};

/// The names that options and marks may use. A group stands before its passes.
llvm::ArrayRef<PassName> allPassNames();

} // namespace cudaopt

#endif // CUDAOPT_PASSES_PASSES_H
