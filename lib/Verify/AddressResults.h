// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Addresses of shared memory among the bytes that a kernel leaves. Two are
/// equal if they are the same byte of the same variable; the number that an
/// address is belongs to no kernel, so a result that shows it cannot be
/// compared.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_VERIFY_ADDRESSRESULTS_H
#define CUDAOPT_LIB_VERIFY_ADDRESSRESULTS_H

#include "KernelSide.h"

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudaopt {

/// True if byte \p I is, or depends on, an address.
bool hasAddress(const Contents &C, size_t I, const simt::TermTable *Terms);

/// Returns the first byte of a result that the number of an address decides, as
/// a sentence; or nothing.
std::string findAddressNumber(const SideResult &Result,
                              const std::vector<ScalarSlot> &Slots,
                              const simt::TermTable &Terms);

/// \p Printed without the names of addresses in it.
std::string withoutAddresses(llvm::StringRef Printed);

} // namespace cudaopt

#endif // CUDAOPT_LIB_VERIFY_ADDRESSRESULTS_H
