// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The launches that all files of a program make, by the name of the kernel in
/// object files. A first run over each file collects them (--whole-program), so
/// that later runs know the launches of other files, too.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LAUNCHES_PROGRAMLAUNCHES_H
#define CUDAOPT_LAUNCHES_PROGRAMLAUNCHES_H

#include "cudaopt/Launches/BlockShape.h"

#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace cudaopt {

/// What some files of a program do with kernels, by mangled name.
/// A launch that a file of the program makes (--whole-program).
struct PlacedLaunch {
  BlockShape Block;
  std::string File; ///< The file's real path.
  unsigned Line = 0;
};

/// What all files of the program do with one kernel.
struct KernelUse {
  std::vector<PlacedLaunch> Launches;
  /// True if some file uses the kernel other than to launch it, or declares a
  /// function of its name that is no kernel.
  bool IsOpen = false;
  /// Where that was first seen, if the kernel is open.
  std::string OpenFile;
  unsigned OpenLine = 0;

  /// Adds what another file does with the kernel.
  void add(const KernelUse &Other);
};

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

#endif // CUDAOPT_LAUNCHES_PROGRAMLAUNCHES_H
