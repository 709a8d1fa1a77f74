// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which numbers the values of a function can be, for one shape of the launch
/// or for all of them.
///
///   ir::ValueRanges Ranges(F, {.Block = {{64, 1, 1}}});
///   Ranges.rangeOf(Index)          threadIdx.x: [0, 64)
///   Ranges.rangeAt(Index, Inside)  behind `if (i < n)`, with i and n: smaller
///   Ranges.bitsOf(Index)           2 * x: the last bit is 0
///
/// A range never misses a number that a run without undefined behaviour may
/// see. Numbers have the width of their type; whether they are signed, the type
/// says.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_RANGES_H
#define CUDAOPT_IR_RANGES_H

#include "cudaopt/IR/Graph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/KnownBits.h"
#include <array>
#include <optional>
#include <vector>

namespace cudaopt::ir {

/// What is known of a launch.
struct LaunchShape {
  std::optional<std::array<uint32_t, 3>> Block, Grid;
  llvm::DenseMap<const clang::Decl *, llvm::ConstantRange> Arguments;
};

class ValueRanges {
public:
  explicit ValueRanges(const Function &F, LaunchShape Shape = LaunchShape());

  /// Of an integer or a truth value, wherever it is used.
  llvm::ConstantRange rangeOf(ValueId V) const;
  /// The same in \p B, with the conditions under which control gets there.
  llvm::ConstantRange rangeAt(ValueId V, const Block &B) const;
  llvm::KnownBits bitsOf(ValueId V) const;

private:
  /// A comparison that holds: X with Y, or with 0 if there is no Y.
  struct Fact {
    ValueId X = 0;
    llvm::CmpInst::Predicate Holds = llvm::CmpInst::ICMP_EQ;
    ValueId Y = 0;
  };
  using Facts = std::vector<Fact>;
  using Memo = llvm::DenseMap<ValueId, llvm::ConstantRange>;

  void findPhis();
  void findRanges();
  void narrow();
  void findBits();
  llvm::ConstantRange incoming(ValueId Phi) const;
  void addFacts(ValueId Condition, bool Holds, Facts &Known) const;
  void addEdgeFacts(const Block &From, const Block &To, Facts &Known) const;
  const Facts &factsAt(const Block &B) const;
  llvm::ConstantRange full(ValueId V) const;
  llvm::ConstantRange evaluate(ValueId V, const Facts &Known, Memo &Done) const;
  llvm::ConstantRange transfer(ValueId V, const Facts &Known, Memo &Done) const;
  llvm::ConstantRange special(SpecialRegister R) const;
  std::optional<llvm::KnownBits>
  bits(ValueId V,
       llvm::DenseMap<ValueId, std::optional<llvm::KnownBits>> &Done) const;

  const Function &F;
  LaunchShape Shape;
  Dominators Dominance;
  bool Wraps = false; ///< Signed overflow is defined.
  std::vector<ValueId> Phis;
  Memo PhiRanges;
  llvm::DenseMap<ValueId, std::optional<llvm::KnownBits>> PhiBits;
  // What has been asked for before.
  mutable std::vector<std::optional<Facts>> FactsOf; ///< By block.
  mutable Memo Ranges;
  mutable llvm::DenseMap<ValueId, std::optional<llvm::KnownBits>> Bits;
};

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_RANGES_H
