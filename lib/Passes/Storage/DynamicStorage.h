// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Chooses the objects that become dynamic shared memory, where a kernel needs
/// more than the 48 KB of static memory that compilers accept. nvcc refuses
/// such a kernel; as dynamic memory, a block may have up to what the launch is
/// allowed to ask for (227 KB on sm_90).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_DYNAMICSTORAGE_H
#define CUDAOPT_LIB_PASSES_STORAGE_DYNAMICSTORAGE_H

#include "ReuseProblem.h"

namespace cudaopt {

/// Returns \p Objects with an additional last one, the dynamic memory: a
/// sequence of the largest objects, and of the largest variables that are in no
/// object. As few as possible are moved, such that at most \p MostStatic bytes
/// of static memory are left in every instance: within one object the compiler
/// no longer knows that variables do not alias. std::nullopt if moving all that
/// can be moved is not enough.
std::optional<std::vector<StorageNode>>
splitDynamic(const ReuseProblem &In, llvm::ArrayRef<StorageNode> Objects,
             uint64_t MostStatic);

/// Returns true if no instance takes more than \p MostStatic bytes with
/// \p Objects.
bool fitsStatic(const ReuseProblem &In, llvm::ArrayRef<StorageNode> Objects,
                uint64_t MostStatic);

/// Sets the bytes that each of \p Launches must ask for if \p Dynamic becomes
/// dynamic memory. Returns false if they are not known for some launch.
bool setBytes(const ReuseProblem &In, const StorageNode &Dynamic,
              llvm::MutableArrayRef<DynamicLaunch> Launches);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_DYNAMICSTORAGE_H
