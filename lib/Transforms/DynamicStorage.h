// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which objects become dynamic memory where static memory does not hold them
/// all.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_DYNAMICSTORAGE_H
#define CUDAOPT_LIB_TRANSFORMS_DYNAMICSTORAGE_H

#include "ReuseProblem.h"

namespace cudaopt {

/// Returns \p Objects with a last one, a sequence of the greatest of them and
/// of the variables that are in none: as few as leave \p MostStatic bytes at
/// most in every instance, since the compiler cannot tell apart what lies in
/// one object. Nothing if what can be moved does not do.
std::optional<std::vector<StorageNode>>
splitDynamic(const ReuseProblem &In, llvm::ArrayRef<StorageNode> Objects,
             uint64_t MostStatic);

/// True if no instance takes more than \p MostStatic bytes.
bool fitsStatic(const ReuseProblem &In, llvm::ArrayRef<StorageNode> Objects,
                uint64_t MostStatic);

/// Sets the bytes that each of \p Launches must ask for where \p Dynamic is
/// dynamic memory; false if those of one are not known.
bool setBytes(const ReuseProblem &In, const StorageNode &Dynamic,
              llvm::MutableArrayRef<DynamicLaunch> Launches);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_DYNAMICSTORAGE_H
