// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Uses LLVM's crash recovery, which whoever called this may have enabled
/// already.
//===----------------------------------------------------------------------===//

#include "CrashGuard.h"

#include "llvm/Support/CrashRecoveryContext.h"

using llvm::CrashRecoveryContext;

bool cudaopt::surviveCrash(llvm::function_ref<void()> Work) {
  const bool WasGuarded = CrashRecoveryContext::GetCurrent();
  CrashRecoveryContext Guard;
  CrashRecoveryContext::Enable();
  const bool IsAlive = Guard.RunSafely(Work);
  if (!WasGuarded)
    CrashRecoveryContext::Disable();
  return IsAlive;
}
