// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Integer set computations by isl, with a budget. isl's C++ interface throws
/// isl::exception for every error, an exhausted budget among them.
/// IslContext::attempt() is the only place that catches it: a computation that
/// fails has no result, and a proposition that cannot be computed counts as
/// "not proved".
///
///   IslContext Isl;
///   if (Isl.proves([&] { return Accesses.is_subset(Row); }))
///     ... // The subscripts stay inside the row.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_ISL_H
#define CUDAOPT_SUPPORT_ISL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <isl/cpp.h>

namespace cudaopt {

/// Owns an isl context. It must outlive every isl object that is made in it.
class IslContext {
public:
  IslContext();
  ~IslContext();
  IslContext(const IslContext &) = delete;
  IslContext &operator=(const IslContext &) = delete;

  isl::ctx get() const { return isl::ctx(Context); }

  /// Runs \p Compute under the operation budget. Returns false, and leaves the
  /// context usable, if isl reports any error or exceeds the budget.
  bool attempt(llvm::function_ref<void()> Compute) const;

  /// Returns true only if \p Proposition was computed without error and holds.
  bool proves(llvm::function_ref<bool()> Proposition) const;

private:
  isl_ctx *Context;
};

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_ISL_H
