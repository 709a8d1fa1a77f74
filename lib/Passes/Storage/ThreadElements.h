// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Enumerates which element each thread accesses, for accesses whose subscripts
/// depend on the thread only, not on iterations, blocks or parameters.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_THREADELEMENTS_H
#define CUDAOPT_LIB_PASSES_STORAGE_THREADELEMENTS_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

/// Evaluates the accesses of an instance in all threads of its block, whose
/// shape is known.
class ThreadElements {
public:
  explicit ThreadElements(const KernelInstance &Instance)
      : Instance(Instance), Values(Instance.Values) {}

  /// Calls \p Visit with the number of each thread that may make the access,
  /// and the row-major number of its element. Returns false if the element
  /// depends on anything but the thread, if it is out of bounds, or as soon as
  /// \p Visit returns false. Guards that depend on other things are taken to
  /// hold.
  bool visit(const Access &A,
             llvm::function_ref<bool(unsigned, uint64_t)> Visit);

private:
  const KernelInstance &Instance;
  Evaluator Values;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_THREADELEMENTS_H
