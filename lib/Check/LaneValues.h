// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Integers of the lanes of a warp, some of which are not known, and the
/// arithmetic of LLVM on them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_LANEVALUES_H
#define CUDAOPT_LIB_CHECK_LANEVALUES_H

#include "cudaopt/Machine/BankMap.h"

#include <array>
#include <cstdint>

namespace cudaopt::check {

/// A value of each lane of a warp, extended with zeros.
struct LaneValue {
  std::array<uint64_t, WarpSize> Numbers = {};
  uint32_t Known = 0;
  /// Lanes whose value, or that it is not known, depends on the index of the
  /// block, by dimension.
  std::array<uint32_t, 3> Blocks = {};
  /// Of addresses: lanes with a subscript that leaves its dimension.
  uint32_t Outside = 0;

  /// Lanes of which nothing is known in any block.
  uint32_t unknown() const {
    return ~(Known | Blocks[0] | Blocks[1] | Blocks[2]);
  }
};

/// Sets \p Lanes of \p To to those of \p From.
void assign(LaneValue &To, const LaneValue &From, uint32_t Lanes);

/// Keeps of \p Lanes of \p To what \p From has, too. Returns those that are no
/// longer known.
uint32_t join(LaneValue &To, const LaneValue &From, uint32_t Lanes);

// Each sets Result, which is no operand, in all lanes.

/// The low \p Bits bits.
void truncate(const LaneValue &A, unsigned Bits, LaneValue &Result);
/// Extends the sign of \p A, of \p From bits.
void extend(const LaneValue &A, unsigned From, unsigned Bits,
            LaneValue &Result);
/// \p Opcode is LLVM's. What overflows wraps; what else has no value there is
/// not known.
void computeBinary(unsigned Opcode, unsigned Bits, const LaneValue &A,
                   const LaneValue &B, LaneValue &Result);
/// \p Predicate is LLVM's; A and B have \p Bits bits.
void compare(unsigned Predicate, unsigned Bits, const LaneValue &A,
             const LaneValue &B, LaneValue &Result);
void select(const LaneValue &Condition, const LaneValue &A, const LaneValue &B,
            LaneValue &Result);

/// Adds \p Addend to \p To.
void add(LaneValue &To, uint64_t Addend);
/// Adds \p A * \p Factor to \p To.
void addScaled(LaneValue &To, const LaneValue &A, int64_t Factor);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_LANEVALUES_H
