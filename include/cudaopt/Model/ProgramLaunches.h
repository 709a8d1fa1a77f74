// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The launches that all files of a program make, by the name of the kernel in
/// the object files (--whole-program).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_PROGRAMLAUNCHES_H
#define CUDAOPT_MODEL_PROGRAMLAUNCHES_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>

namespace clang {
class ASTContext;
} // namespace clang

namespace cudaopt {

struct ProgramLaunches {
  std::map<std::string, KernelUse> Kernels;

  /// Adds what another file does.
  void add(const ProgramLaunches &Other);
  /// Forgets the lines, which decide nothing.
  void dropLines();

  /// As bytes, and back: the same launches are the same bytes, in whatever
  /// order they were added.
  std::string pack() const;
  static std::optional<ProgramLaunches> unpack(llvm::StringRef Bytes);
};

/// Returns what the translation unit of \p Context does with kernels, whether
/// or not it defines them.
ProgramLaunches scanLaunches(clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_PROGRAMLAUNCHES_H
