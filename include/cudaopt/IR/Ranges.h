// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Value range analysis: for each integer or boolean value of a function, an
/// interval that contains every number that it may be, and the bits that are
/// the same in all of them; for one shape of the launch, or for all shapes.
///
///   ir::ValueRanges Ranges(F, {.Block = {{64, 1, 1}}});
///   Ranges.rangeOf(Index)          threadIdx.x: [0, 64)
///   Ranges.rangeAt(Index, Inside)  behind `if (i < n)`, with i and n: smaller
///   Ranges.bitsOf(Index)           2 * x: the last bit is 0
///
/// The result is an over-approximation: a range contains every number that an
/// execution without undefined behaviour can produce, and may contain others.
/// Numbers are as wide as the type of the value, which also says whether they
/// are to be read as signed; an llvm::ConstantRange itself has no sign.
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

/// What is known of a launch. What is absent may have any value that the
/// hardware allows.
struct LaunchShape {
  /// Threads of a block, and blocks of the grid, by dimension (x, y, z).
  std::optional<std::array<uint32_t, 3>> Block, Grid;
  /// The ranges of the kernel's arguments, by parameter. A range that is not as
  /// wide as the parameter's type is ignored.
  llvm::DenseMap<const clang::Decl *, llvm::ConstantRange> Arguments;
};

/// The ranges of one function. The constructor solves the equations of the
/// phis; all other values are evaluated when they are asked for.
class ValueRanges {
public:
  /// \p F must outlive this object.
  explicit ValueRanges(const Function &F, LaunchShape Shape = LaunchShape());

  /// Returns the range of \p V, an integer or a boolean, wherever it is used.
  llvm::ConstantRange rangeOf(ValueId V) const;
  /// Returns the range that \p V has in \p B, which is narrower where branch
  /// conditions hold on every path to \p B: behind `if (i < 8)`, i is below 8.
  llvm::ConstantRange rangeAt(ValueId V, const Block &B) const;
  /// Returns the bits of \p V that are the same in all executions.
  llvm::KnownBits bitsOf(ValueId V) const;

private:
  /// A comparison that is known to hold between X and Y, or between X and the
  /// number 0 if Y is no value.
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
  bool Wraps = false; ///< Whether signed overflow is defined (-fwrapv).
  std::vector<ValueId> Phis;
  Memo PhiRanges;
  llvm::DenseMap<ValueId, std::optional<llvm::KnownBits>> PhiBits;
  // Caches of the answers that have been given.
  mutable std::vector<std::optional<Facts>> FactsOf; ///< Indexed by block.
  mutable Memo Ranges;
  mutable llvm::DenseMap<ValueId, std::optional<llvm::KnownBits>> Bits;
};

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_RANGES_H
