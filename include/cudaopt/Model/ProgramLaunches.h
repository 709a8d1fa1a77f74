// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The launches that all files of a program make, by the name of the kernel in
/// the object files (--whole-program).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_PROGRAMLAUNCHES_H
#define CUDAOPT_MODEL_PROGRAMLAUNCHES_H

#include "cudaopt/Model/Kernel.h"

#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace cudaopt {

struct ProgramLaunches {
  struct OfKernel {
    std::vector<BlockShape> Shapes;
    /// True if some file uses it other than to launch it, or declares a
    /// function of its name that is no kernel.
    bool IsOpen = false;
  };
  std::map<std::string, OfKernel> Kernels;

  /// Adds what another file does.
  void add(const ProgramLaunches &Other);
};

/// Returns what the translation unit of \p Context does with kernels, whether
/// or not it defines them.
ProgramLaunches scanLaunches(clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_PROGRAMLAUNCHES_H
