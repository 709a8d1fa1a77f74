// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the bytes of a result are: numbers, or parts of terms.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_VERIFY_BYTEVALUE_H
#define CUDAOPT_LIB_VERIFY_BYTEVALUE_H

#include "KernelSide.h"

namespace cudaopt {

/// A byte of a result: a number, or byte Index of a term.
struct ByteValue {
  simt::TermId Term = 0;
  unsigned Index = 0; ///< If there is no term, the number.
  bool operator==(const ByteValue &) const = default;
};

/// What byte \p I of \p C is. Terms that only glue or cut bytes are looked
/// through: they tell how a byte was moved, not what it is.
ByteValue valueAt(const Contents &C, size_t I, const simt::TermTable *Terms);

/// The element of \p Width bytes at \p Begin, for the user.
std::string textOf(const Contents &C, size_t Begin, unsigned Width,
                   const simt::TermTable *Terms);

} // namespace cudaopt

#endif // CUDAOPT_LIB_VERIFY_BYTEVALUE_H
