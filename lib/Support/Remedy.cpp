// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The rows of Remedies.def.
//===----------------------------------------------------------------------===//

#include "cudaopt/Support/Remedy.h"

llvm::StringRef cudaopt::getRemedy(Reason R) {
  switch (R) {
#define REMEDY(NAME, TEXT)                                                     \
  case Reason::NAME:                                                           \
    return TEXT;
#include "cudaopt/Support/Remedies.def"
  default:
    return "";
  }
}
