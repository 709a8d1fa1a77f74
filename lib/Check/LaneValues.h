// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The abstract values of runs: an integer for each lane of a warp, some of
/// which are not known, and LLVM's arithmetic on them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_LANEVALUES_H
#define CUDAOPT_LIB_CHECK_LANEVALUES_H

#include "cudaopt/Machine/BankMap.h"

#include <array>
#include <cstdint>

namespace cudaopt::check {

/// One value in all lanes of a warp. Sets of lanes are bit masks: bit i is lane
/// i.
struct LaneValue {
  /// The number in each lane, zero-extended from the width of its type to 64
  /// bits. Meaningless in lanes that are not in Known.
  std::array<uint64_t, WarpSize> Numbers = {};
  uint32_t Known = 0; ///< The lanes whose number is known.
  /// For each dimension of blockIdx, the lanes in which the number, or whether
  /// it is known, depends on that dimension.
  std::array<uint32_t, 3> Blocks = {};
  /// The lanes in which the value is an address that was computed with a
  /// subscript outside of its dimension.
  uint32_t Outside = 0;
  /// The lanes in which the number depends on an argument whose value is made
  /// up: it serves for addresses, and decides nothing.
  uint32_t MadeUp = 0;

  /// The lanes in which the number is not known in any block.
  uint32_t unknown() const {
    return ~(Known | Blocks[0] | Blocks[1] | Blocks[2]);
  }
};

/// Sets \p Lanes of \p To to those of \p From; other lanes keep their value.
void assign(LaneValue &To, const LaneValue &From, uint32_t Lanes);

/// Joins \p From into \p Lanes of \p To, where two paths meet: a number stays
/// known only if it is known and the same on both. Returns the lanes that are
/// no longer known.
uint32_t join(LaneValue &To, const LaneValue &From, uint32_t Lanes);

// Each of these sets Result in all lanes. Result must not be one of the
// operands.

/// Truncates \p A to its low \p Bits bits.
void truncate(const LaneValue &A, unsigned Bits, LaneValue &Result);
/// Sign-extends \p A from \p From bits to \p Bits bits.
void extend(const LaneValue &A, unsigned From, unsigned Bits,
            LaneValue &Result);
/// \p Opcode is that of an llvm::BinaryOperator on \p Bits bits. Sums and
/// products wrap. Where LLVM defines no result (division by 0, shifts by too
/// much), the number is not known.
void computeBinary(unsigned Opcode, unsigned Bits, const LaneValue &A,
                   const LaneValue &B, LaneValue &Result);
/// \p Predicate is an llvm::CmpInst::Predicate; A and B have \p Bits bits.
/// Result is 0 or 1.
void compare(unsigned Predicate, unsigned Bits, const LaneValue &A,
             const LaneValue &B, LaneValue &Result);
/// Selects A where the condition is true, B where it is false; where it is not
/// known, what both have in common.
void select(const LaneValue &Condition, const LaneValue &A, const LaneValue &B,
            LaneValue &Result);

/// Adds \p Addend to \p To.
void add(LaneValue &To, uint64_t Addend);
/// Adds \p A * \p Factor to \p To.
void addScaled(LaneValue &To, const LaneValue &A, int64_t Factor);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_LANEVALUES_H
