// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which element each thread accesses, for subscripts that nothing but the
/// thread decides.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_THREADELEMENTS_H
#define CUDAOPT_LIB_TRANSFORMS_THREADELEMENTS_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

/// Evaluates the accesses of an instance in all threads of its block, whose
/// shape is known.
class ThreadElements {
public:
  explicit ThreadElements(const KernelInstance &Instance)
      : Instance(Instance), Values(Instance.Values) {}

  /// Calls \p Visit with each thread that may make the access and the row-major
  /// number of its element. Returns false if something besides the thread
  /// decides on the element, if it is not in the array, or if \p Visit does.
  bool visit(const Access &A,
             llvm::function_ref<bool(unsigned, uint64_t)> Visit);

private:
  const KernelInstance &Instance;
  Evaluator Values;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_THREADELEMENTS_H
