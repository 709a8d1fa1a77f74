// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Links named nvcc that lead to this program: in front of the compiler's
/// folder in PATH, or as the nvcc of a folder that CUDA_HOME names. What they
/// stand for is the next nvcc that is none of them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_MASQUERADE_H
#define CUDAOPT_LIB_FRONTEND_MASQUERADE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudaopt {

/// True if \p Path leads to this program, or to another cuda-opt.
bool isMasquerade(llvm::StringRef Path);

/// Returns the first nvcc in PATH that is a link neither to us nor to ccache;
/// empty if there is none.
std::string findNvccInPath();

/// Returns the words that run the compiler for which \p Nvcc stands, a name or
/// path that leads to us: an nvcc, behind ccache if PATH has ccache's link
/// first.
llvm::Expected<std::vector<std::string>> unmask(llvm::StringRef Nvcc);

/// Fails if processes of this program have started each other too often: some
/// program behind us takes the first nvcc in PATH for the compiler.
llvm::Error enterMasquerade();

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_MASQUERADE_H
