// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Recognises arrays that the kernel uses by plain element accesses `a[i][j]`
/// only: never by address, as a whole, or through a pointer or a parameter.
/// Such an array can be replaced by another declaration, such as a local
/// variable, by editing these accesses.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_PLAINUSES_H
#define CUDAOPT_LIB_PASSES_STORAGE_PLAINUSES_H

#include "cudaopt/Model/Kernel.h"

namespace cudaopt {

/// Returns why some use of \p Array, in any instance of \p K or in a branch
/// that they discard, may be more than a load or store of one element that the
/// kernel itself writes as `a[i][j]`; std::nullopt if all uses are plain.
/// \p Pass is the name of the asking pass, which the author's marks may tell to
/// leave the array alone.
std::optional<Refusal> findUnusualUse(const Kernel &K, ArrayId Array,
                                      llvm::StringRef Pass);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_PLAINUSES_H
