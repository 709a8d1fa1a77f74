// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The search for Xor layouts with any terms. Such a layout (swizzle) is linear
/// over the field of two elements:
///
///   { A[i] -> A'[p(i) xor f(x)] },  f(x) = xor of v_j over the bits j set in x
///
/// where x consists of bits of the coordinates that f does not change (the
/// inputs), and p pads rows such that they start where all bits that f changes
/// are 0. Given what the warps access, the search finds the vectors v_j (the
/// columns of f's matrix) under which they need the fewest wavefronts, and then
/// a small sum of terms (BitTerm) that computes f in the source.
///
/// \verbatim
///   __shared__ float s[32][32], columns read: s[t][k]
///   all 32 lanes access bank k -> f(r) = r, the term "c ^ r": 32 banks
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_LAYOUT_BITLAYOUTS_H
#define CUDAOPT_LIB_PASSES_LAYOUT_BITLAYOUTS_H

#include "LayoutCost.h"

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace cudaopt {

/// An input: a bit that f may read, bit Bit of coordinate From (as in BitTerm).
struct BitInput {
  uint8_t From, Bit;
};

/// The vectors v_j by input j: what f changes in the position if that bit is
/// set. Only bits Low to High - 1 may be set.
using BitColumns = llvm::SmallVector<uint32_t, 16>;

/// A phase of a request (see splitIntoPhases): the granules, pieces of as many
/// bytes as a lane accesses or a bank word has, that shared memory serves
/// together. Lanes with equal granules count once, except in reductions.
/// Changing all positions by the same xor merely permutes the banks; therefore
/// phases are normalised such that the first granule has position 0 and no
/// input set, and many phases become equal.
struct BitPhase {
  struct Lane {
    /// The granule's position without f, in elements, modulo a row of banks.
    uint32_t Place;
    uint32_t Inputs; ///< Bit j is the value of input j.
    auto operator<=>(const Lane &) const = default;
  };
  std::vector<Lane> Lanes;
  /// The number of low bits of a position that lie inside the granule.
  unsigned GranuleBits;
  double Weight;  ///< Executions per block.
  unsigned Bound; ///< The wavefronts that any f needs at least.

  /// The lanes once more in a form that countPhase can vectorize: a byte each.
  using Bytes = std::array<uint8_t, WarpSize>;
  /// An input, and the lanes in which it is set: these have 255, the others 0.
  struct Readers {
    unsigned Input;
    Bytes Lanes;
  };
  Bytes Places = {};
  llvm::SmallVector<Readers, 8> ReadersOf;
};

/// The problem of one array: the phases of all patterns, whose wavefronts are
/// to be minimized.
class BitProblem {
public:
  /// f changes bits \p Low to \p High - 1; a row of banks holds
  /// 2^\p PlaceBits elements.
  BitProblem(unsigned Low, unsigned High, unsigned PlaceBits,
             std::vector<BitInput> Inputs);

  /// Adds a phase, and normalises it.
  void add(BitPhase P);
  /// Merges equal phases, sorts them, the heaviest first, and drops all but the
  /// heaviest ones if there are too many. To be called once, after the last
  /// add() and before anything is counted.
  void finish();

  unsigned low() const { return Low; }
  unsigned high() const { return High; }
  llvm::ArrayRef<BitInput> inputs() const { return Inputs; }
  llvm::ArrayRef<BitPhase> phases() const { return Phases; }
  /// The weighted wavefronts that any f needs at least.
  double bound() const { return Bound; }
  /// Returns the weighted wavefronts under \p Columns. Gives up, and returns
  /// some number of at least \p Limit, as soon as the sum reaches Limit.
  double count(llvm::ArrayRef<uint32_t> Columns, double Limit) const;
  /// Returns the wavefronts of the phase \p P under \p Columns.
  unsigned countPhase(const BitPhase &P,
                      llvm::ArrayRef<uint32_t> Columns) const;
  /// Returns true if no phase was dropped and the budget was not exceeded, so
  /// that a finished search is exhaustive.
  bool isComplete() const { return HasAllPhases && !isSpent(); }
  /// Returns true if the search has counted so many phases that it must end.
  /// Effort is counted instead of timed, so that all machines find the same.
  bool isSpent() const;

private:
  unsigned Low, High, PlaceBits;
  std::vector<BitInput> Inputs;
  std::vector<BitPhase> Phases;
  double Bound = 0;
  bool HasAllPhases = true;
  mutable uint64_t Spent = 0; ///< The phases counted so far.
};

/// An f as a sum of terms.
struct BitSolution {
  llvm::SmallVector<BitTerm, 2> Terms;
  double Cost; ///< The weighted wavefronts.
};

struct BitSolutions {
  /// The best solution of one term, of two terms and so on, as far as each
  /// needs fewer wavefronts than the one before; the last may have any number.
  std::vector<BitSolution> Best;
  /// True if it is proved that no f needs fewer wavefronts than the last one.
  bool IsProved = false;
};

/// Makes the problem of \p Judge's patterns with the rows of \p Rows, an Xor
/// layout without terms. The low \p ChunkBits bits of a position are kept, so
/// that chunks of 2^ChunkBits elements stay contiguous. std::nullopt if there
/// are no bits that f could change or read in all instances.
std::optional<BitProblem> makeBitProblem(const LayoutJudge &Judge,
                                         const Layout &Rows,
                                         unsigned ChunkBits);

/// Searches the best f: with few terms by beam search, then, if these do not
/// reach the bound, any f by branch and bound and by descent.
BitSolutions solve(const BitProblem &Problem);

/// Returns terms whose sum is the f of \p Columns: few of them, found by a
/// greedy cover, but not always the fewest.
llvm::SmallVector<BitTerm, 2> findTerms(const BitProblem &Problem,
                                        llvm::ArrayRef<uint32_t> Columns);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_LAYOUT_BITLAYOUTS_H
