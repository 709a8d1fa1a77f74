// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Masquerading as nvcc: a link named nvcc that leads to cuda-opt, put in front
/// of the compiler's folder in PATH or into the bin folder of a fake toolkit
/// (CUDA_HOME), makes builds use cuda-opt without changes. This finds the real
/// nvcc behind it: the next one that is no such link.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_LAUNCHER_MASQUERADE_H
#define CUDAOPT_LIB_DRIVER_LAUNCHER_MASQUERADE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudaopt {

/// Returns true if \p Path leads to this program, or to another cuda-opt.
bool isMasquerade(llvm::StringRef Path);

/// Returns the first nvcc in PATH that is a link neither to cuda-opt nor to
/// ccache; an empty string if there is none.
std::string findNvccInPath();

/// Returns the words that run the real compiler behind \p Nvcc, a name or path
/// that leads to cuda-opt: an nvcc, preceded by ccache if PATH has ccache's
/// link first. Fails if there is no other nvcc.
llvm::Expected<std::vector<std::string>> unmask(llvm::StringRef Nvcc);

/// Counts the nesting of this program and fails if it is too deep: then some
/// wrapper behind us finds our link again when it looks for nvcc, and the
/// processes would start each other without end.
llvm::Error enterMasquerade();

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_LAUNCHER_MASQUERADE_H
