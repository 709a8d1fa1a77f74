// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The launches that all files of a program make, by the name of the kernel in
/// object files. A first run over each file collects them (--whole-program), so
/// that later runs know the launches of other files, too.
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

/// What some files of a program do with kernels, by mangled name.
struct ProgramLaunches {
  std::map<std::string, KernelUse> Kernels;

  /// Merges in what another file does.
  void add(const ProgramLaunches &Other);
  /// Removes line numbers, on which no decision depends.
  void dropLines();

  /// Serialises the launches to bytes and back. The bytes do not depend on the
  /// order in which launches were added. unpack() returns std::nullopt if
  /// \p Bytes is not a result of pack().
  std::string pack() const;
  static std::optional<ProgramLaunches> unpack(llvm::StringRef Bytes);
};

/// Returns what the translation unit of \p Context does with kernels, whether
/// or not it defines them.
ProgramLaunches scanLaunches(clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_PROGRAMLAUNCHES_H
