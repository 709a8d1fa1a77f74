// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the CUDA Toolkit and clang's own headers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_TOOLKIT_H
#define CUDAOPT_FRONTEND_TOOLKIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudaopt {

/// A CUDA Toolkit on this machine.
struct Toolkit {
  std::string Path;              ///< Contains bin, include, nvvm/libdevice.
  unsigned Major = 0, Minor = 0; ///< From CUDA_VERSION in cuda.h.

  /// An error if nvcc of this toolkit no longer compiles for one of \p Archs
  /// ("sm_35").
  llvm::Error checkArchs(llvm::ArrayRef<std::string> Archs) const;
  /// The option by which a parse of the device's side hears of the version:
  /// without it, launches ask for a function of CUDA 9.1. Clang's driver tells
  /// the host's side only, and nobody of a version that it does not know.
  std::string versionFlag() const;
};

/// Looks, in this order, at \p CudaPath (--cuda-path; then nowhere else);
/// CUDA_PATH, CUDA_HOME, CUDAToolkit_ROOT, CUDA_ROOT; the nvcc in PATH;
/// $CONDA_PREFIX/targets/x86_64-linux; the toolkit's Python wheels;
/// /usr/local/cuda; /usr/local/cuda-*; /usr/lib/cuda. The error names what was
/// tried.
llvm::Expected<Toolkit> findToolkit(llvm::StringRef CudaPath);

/// Returns the folder of clang's own headers: the one that \p Flags of clang
/// name, or the first with include/cuda_wrappers of those beside the program,
/// beside its libraries, of the clang it was built with, and of the clang in
/// PATH. \p Executable is argv[0].
llvm::Expected<std::string>
findResourceDir(const char *Executable, llvm::ArrayRef<std::string> Flags = {});

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_TOOLKIT_H
