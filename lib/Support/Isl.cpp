// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs computations of isl under a limit of operations.
//===----------------------------------------------------------------------===//

#include "cudaopt/Support/Isl.h"

#include <isl/ctx.h>
#include <isl/options.h>

using namespace cudaopt;

/// The budget of one attempt, in operations of isl: enough for thousands of the
/// proofs that bounds of subscripts need, and a few tens of milliseconds.
static constexpr unsigned long MaxOperations = 400000;

IslContext::IslContext() : Context(isl_ctx_alloc()) {
  isl_options_set_on_error(Context, ISL_ON_ERROR_CONTINUE);
}

IslContext::~IslContext() { isl_ctx_free(Context); }

bool IslContext::attempt(llvm::function_ref<void()> Compute) const {
  isl_ctx_reset_operations(Context);
  isl_ctx_set_max_operations(Context, MaxOperations);
  bool Done = false;
  try {
    Compute();
    Done = true;
  } catch (const isl::exception &) {
    isl_ctx_reset_error(Context);
  }
  isl_ctx_set_max_operations(Context, 0);
  isl_ctx_reset_operations(Context);
  return Done;
}

bool IslContext::proves(llvm::function_ref<bool()> Proposition) const {
  bool Holds = false;
  return attempt([&] { Holds = Proposition(); }) && Holds;
}
