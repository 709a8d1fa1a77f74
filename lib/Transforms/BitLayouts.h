// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Layouts that are linear over the field of two elements:
///
///   { A[i] -> A'[p(i) xor f(x)] },  f(x) = xor of v_j over the bits j set in x
///
/// where x is made of bits of the coordinates that f does not change, and p
/// pads rows such that they start where all bits that f changes are 0. Given
/// what the warps access, finds the vectors v_j under which they need the
/// fewest wavefronts, and few terms that write them down.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_BITLAYOUTS_H
#define CUDAOPT_LIB_TRANSFORMS_BITLAYOUTS_H

#include "LayoutCost.h"

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace cudaopt {

/// A bit that f may read: bit Bit of coordinate From.
struct BitInput {
  uint8_t From, Bit;
};

/// What f adds to the place for each input: bits Low to High - 1.
using BitColumns = llvm::SmallVector<uint32_t, 16>;

/// Granules that are served together, one a lane (equal ones are one, except of
/// reductions). Adding a constant to all places, by xor, permutes the banks:
/// the first granule may have place 0 and inputs 0.
struct BitPhase {
  struct Lane {
    uint32_t Place;  ///< Of the granule, without f; modulo a row of banks.
    uint32_t Inputs; ///< Bit j is input j.
    auto operator<=>(const Lane &) const = default;
  };
  std::vector<Lane> Lanes;
  unsigned GranuleBits; ///< Low bits of the place inside the granule.
  double Weight;
  unsigned Bound;

  /// The lanes once more, for counts: bytes that are worked on at once.
  using Bytes = std::array<uint8_t, WarpSize>;
  /// The lanes that read an input have 255.
  struct Readers {
    unsigned Input;
    Bytes Lanes;
  };
  Bytes Places = {};
  llvm::SmallVector<Readers, 8> ReadersOf;
};

/// The phases of all patterns, as far as f matters for them.
class BitProblem {
public:
  /// f changes bits \p Low to \p High - 1; a row of banks holds
  /// 2^\p PlaceBits elements.
  BitProblem(unsigned Low, unsigned High, unsigned PlaceBits,
             std::vector<BitInput> Inputs);

  /// Adds a phase; one that differs from another by a constant is merged.
  void add(BitPhase P);
  /// Sorts the phases, the heaviest first, and leaves out what would take too
  /// long. Before anything is counted.
  void finish();

  unsigned low() const { return Low; }
  unsigned high() const { return High; }
  llvm::ArrayRef<BitInput> inputs() const { return Inputs; }
  llvm::ArrayRef<BitPhase> phases() const { return Phases; }
  double bound() const { return Bound; }
  /// Weighted wavefronts under \p Columns; some number from \p Limit on as soon
  /// as that is sure.
  double count(llvm::ArrayRef<uint32_t> Columns, double Limit) const;
  unsigned countPhase(const BitPhase &P,
                      llvm::ArrayRef<uint32_t> Columns) const;
  /// True if no phase was left out, and no count refused.
  bool isComplete() const { return HasAllPhases && !isSpent(); }
  /// True if so many phases were counted that the search shall end: a measure
  /// of time that is the same on all machines.
  bool isSpent() const;

private:
  unsigned Low, High, PlaceBits;
  std::vector<BitInput> Inputs;
  std::vector<BitPhase> Phases;
  double Bound = 0;
  bool HasAllPhases = true;
  mutable uint64_t Spent = 0;
};

struct BitSolution {
  llvm::SmallVector<BitTerm, 2> Terms;
  double Cost;
};

struct BitSolutions {
  /// The best of one term, of two, ...: each needs fewer wavefronts than the
  /// one before.
  std::vector<BitSolution> Best;
  /// True if no f needs fewer wavefronts than the last one.
  bool IsProved = false;
};

/// The phases of \p Judge's patterns in the rows of \p Rows, an Xor layout
/// without terms, with the low \p ChunkBits bits of the place kept; nothing if
/// no f suits all instances.
std::optional<BitProblem> makeBitProblem(const LayoutJudge &Judge,
                                         const Layout &Rows,
                                         unsigned ChunkBits);

BitSolutions solve(const BitProblem &Problem);

/// The fewest terms that write down \p Columns, as far as a greedy cover finds
/// them.
llvm::SmallVector<BitTerm, 2> findTerms(const BitProblem &Problem,
                                        llvm::ArrayRef<uint32_t> Columns);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_BITLAYOUTS_H
