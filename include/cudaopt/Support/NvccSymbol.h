// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Symbols as nvcc writes them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_NVCCSYMBOL_H
#define CUDAOPT_SUPPORT_NVCCSYMBOL_H

#include "llvm/ADT/StringRef.h"

namespace cudaopt {

/// Returns \p Symbol without what nvcc -rdc puts in front of C++ functions of
/// internal linkage: "_Z1kPf" for "__nv_static_26__hash__Z1kPf".
inline llvm::StringRef dropNvccFileMark(llvm::StringRef Symbol) {
  const size_t At = Symbol.starts_with("__nv_static_") ? Symbol.rfind("__Z")
                                                       : llvm::StringRef::npos;
  return At == llvm::StringRef::npos ? Symbol : Symbol.drop_front(At + 1);
}

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_NVCCSYMBOL_H
