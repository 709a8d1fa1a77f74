// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A compiler command that a build launches through cuda-opt, and the command
/// that compiles the rewritten source in its place.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_LAUNCHER_LAUNCHEDCOMPILE_H
#define CUDAOPT_DRIVER_LAUNCHER_LAUNCHEDCOMPILE_H

#include "cudaopt/Driver/Parse/NvccCommand.h"

namespace cudaopt {

/// A command that compiles one CUDA source: `[ccache] nvcc -c a.cu -o a.o`.
struct LaunchedCompile {
  std::vector<std::string> Words; ///< All words of the command.
  std::string Compiler;           ///< The word that names the compiler.
  size_t SourcePosition;          ///< The index of the source in Words.
  bool IsNvcc;                    ///< Otherwise the compiler is clang.
  NvccCommand Command; ///< Includes the options that the environment adds.
  /// All arguments except the source and what is linked with it.
  std::vector<std::string> Flags;

  const std::string &source() const { return Words[SourcePosition]; }
  /// Returns the path of the product.
  std::string productPath() const;
  /// Returns the path of the rewritten source while the compiler runs. It is
  /// the same in every run, because compiler caches and the names of internal
  /// symbols depend on it.
  std::string rewrittenPath() const;
  /// Returns the toolkit of the compiler; an empty string if its location does
  /// not tell.
  std::string cudaPath() const;
  /// Returns true if each file has its own instances of kernel templates.
  /// Before CUDA 13.0, and with -rdc, the linker merges equal instances of
  /// several files, which must then all stay the same.
  bool hasLocalTemplates() const;
  /// Returns the GPUs to parse for, by clang's names; the default GPU if the
  /// command names none.
  std::vector<std::string> archs() const;
  /// Returns true if the compiler writes a dependency file beside its product.
  bool writesDependencies() const;
  /// Returns the command that compiles the rewritten source. Its `#include
  /// "..."` still find the headers beside the original.
  std::vector<std::string> wordsForRewritten() const;
};

/// Returns the number of leading words of the command \p Words that only launch
/// its compiler: 3 for `cuda-opt --layout=pad ccache nvcc -c a.cu`.
size_t countLaunchWords(llvm::ArrayRef<std::string> Words);

/// Returns true if \p Word, the name or path of a compiler, means nvcc.
bool isNvcc(llvm::StringRef Word);

/// Returns true if \p Word names ccache or another program that is put in front
/// of a compiler in the same way (sccache, distcc, icecc).
bool isCacheName(llvm::StringRef Word);

/// Returns the toolkit of the nvcc that \p Compiler names; an empty string if
/// its location does not tell.
std::string findToolkitOfNvcc(llvm::StringRef Compiler);

/// Returns the words of the environment variable \p Name, split as by a shell;
/// no words if it is not set.
std::vector<std::string> readEnvironmentWords(llvm::StringRef Name);

/// Parses the command \p Words. Returns std::nullopt if it does not compile
/// exactly one CUDA source that is named in it (`-c a.cu`, `a.cu b.o -o app`);
/// an error says why a compilation cannot be handled.
llvm::Expected<std::optional<LaunchedCompile>>
readLaunchedCompile(llvm::ArrayRef<std::string> Words);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_LAUNCHER_LAUNCHEDCOMPILE_H
