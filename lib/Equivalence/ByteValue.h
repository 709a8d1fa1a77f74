// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the bytes of a result are: numbers, or parts of terms.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_EQUIVALENCE_BYTEVALUE_H
#define CUDAOPT_LIB_EQUIVALENCE_BYTEVALUE_H

#include "KernelSide.h"

namespace cudaopt {

/// A byte of a result: byte Index of Term, or, if Term is 0, the number Index.
struct ByteValue {
  simt::TermId Term = 0;
  unsigned Index = 0;
  bool operator==(const ByteValue &) const = default;
};

/// Returns what byte \p I of \p C is. Terms that only join or cut bytes are
/// looked through, since they tell how a byte was moved, not what it is: a
/// program that copies a float byte by byte leaves the same bytes as one that
/// copies it at once.
ByteValue valueAt(const Contents &C, size_t I, const simt::TermTable *Terms);

/// Formats the element of \p Width bytes at \p Begin for a message: as a term,
/// or as a hexadecimal number.
std::string textOf(const Contents &C, size_t Begin, unsigned Width,
                   const simt::TermTable *Terms);

} // namespace cudaopt

#endif // CUDAOPT_LIB_EQUIVALENCE_BYTEVALUE_H
