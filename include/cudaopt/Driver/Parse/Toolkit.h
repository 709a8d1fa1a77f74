// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the CUDA Toolkit and clang's own headers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_PARSE_TOOLKIT_H
#define CUDAOPT_DRIVER_PARSE_TOOLKIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudaopt {

/// A CUDA Toolkit on this machine.
struct Toolkit {
  /// The folder that contains bin, include and nvvm/libdevice.
  std::string Path;
  /// The version, from CUDA_VERSION in cuda.h; 0.0 if unknown.
  unsigned Major = 0, Minor = 0;

  /// Returns an error if nvcc of this toolkit no longer compiles for one of
  /// \p Archs ("sm_35").
  llvm::Error checkArchs(llvm::ArrayRef<std::string> Archs) const;
  /// Returns the -cc1 option that tells a device-side parse the toolkit's
  /// version. Without it, launches would require a function of CUDA 9.1.
  /// Clang's driver passes the option only to host-side parses, and not for
  /// versions that it does not know.
  std::string versionFlag() const;
};

/// Looks for a toolkit at \p CudaPath (--cuda-path) and, if that is empty, in
/// this order: CUDA_PATH, CUDA_HOME, CUDAToolkit_ROOT, CUDA_ROOT; the nvcc in
/// PATH; $CONDA_PREFIX/targets/x86_64-linux; the toolkit's Python wheels;
/// /usr/local/cuda; /usr/local/cuda-*; /usr/lib/cuda. The error lists what was
/// tried.
llvm::Expected<Toolkit> findToolkit(llvm::StringRef CudaPath);

/// Returns the folder of clang's own headers: the one that \p Flags name by
/// -resource-dir; otherwise the first that contains include/cuda_wrappers among
/// the one beside this program, the one beside its libraries, that of the clang
/// it was built with, and that of the clang in PATH. \p Executable is argv[0].
llvm::Expected<std::string>
findResourceDir(const char *Executable, llvm::ArrayRef<std::string> Flags = {});

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_PARSE_TOOLKIT_H
