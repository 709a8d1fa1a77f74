// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Addresses of shared memory in the results of a kernel. As terms, two
/// addresses are equal if they name the same byte of the same variable. The
/// number behind an address depends on how the compiler places variables, so it
/// is no property of the kernel: a result that shows the number cannot be
/// compared.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_EQUIVALENCE_ADDRESSRESULTS_H
#define CUDAOPT_LIB_EQUIVALENCE_ADDRESSRESULTS_H

#include "KernelSide.h"

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudaopt {

/// Returns true if byte \p I of \p C is a byte of an address, or depends on
/// one.
bool hasAddress(const Contents &C, size_t I, const simt::TermTable *Terms);

/// Returns a sentence about the first byte of a result whose value is decided
/// by the number of an address; an empty string if there is none.
std::string findAddressNumber(const SideResult &Result,
                              const std::vector<ScalarSlot> &Slots,
                              const simt::TermTable &Terms);

/// Returns \p Printed with the names of addresses removed (see PrintedAddress).
std::string withoutAddresses(llvm::StringRef Printed);

} // namespace cudaopt

#endif // CUDAOPT_LIB_EQUIVALENCE_ADDRESSRESULTS_H
