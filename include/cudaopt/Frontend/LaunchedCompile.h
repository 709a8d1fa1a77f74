// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The command of a compiler that is launched, and the one that takes its
/// place.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_LAUNCHEDCOMPILE_H
#define CUDAOPT_FRONTEND_LAUNCHEDCOMPILE_H

#include "cudaopt/Frontend/NvccCommand.h"

namespace cudaopt {

/// `[ccache] nvcc -c a.cu -o a.o`, where it compiles one CUDA source.
struct LaunchedCompile {
  std::vector<std::string> Words; ///< All of the command.
  std::string Compiler;           ///< The word that names it.
  size_t SourcePosition;          ///< Of the source in Words.
  bool IsNvcc;                    ///< Else clang.
  NvccCommand Command;            ///< With what the environment adds to it.
  std::vector<std::string> Flags; ///< All arguments but the source.

  const std::string &source() const { return Words[SourcePosition]; }
  /// Where the rewritten source is while the compiler runs: the same for every
  /// run, since caches and the names of internal symbols depend on it.
  std::string rewrittenPath() const;
  /// The toolkit of the compiler; empty if its place does not tell.
  std::string cudaPath() const;
  /// True if the templates of a kernel belong to the file that instantiates
  /// them: nvcc's linker would merge them, before 13.0 and with -rdc.
  bool hasLocalTemplates() const;
  /// The GPUs to parse for, as clang names them; one if none is said.
  std::vector<std::string> archs() const;
  /// True if the compiler writes a dependency file beside its product.
  bool writesDependencies() const;
  /// The command for the rewritten source. Headers that stand in quotes are
  /// still those beside the original.
  std::vector<std::string> wordsForRewritten() const;
};

/// How many of \p Words, a command, launch its compiler: `cuda-opt --layout=pad
/// ccache` of `cuda-opt --layout=pad ccache nvcc -c a.cu`.
size_t countLaunchWords(llvm::ArrayRef<std::string> Words);

/// True if \p Word, which names a compiler, names nvcc.
bool isNvcc(llvm::StringRef Word);

/// True if \p Word names ccache, or a program that is as used in front of a
/// compiler.
bool isCacheName(llvm::StringRef Word);

/// The toolkit of the nvcc that \p Compiler names; empty if its place does not
/// tell.
std::string findToolkitOfNvcc(llvm::StringRef Compiler);

/// Returns the words of the environment's variable \p Name, split as by a
/// shell; none if it is not set.
std::vector<std::string> readEnvironmentWords(llvm::StringRef Name);

/// Returns nothing if \p Words is no compilation of one CUDA source that is
/// named in it. An error says why it could not be understood.
llvm::Expected<std::optional<LaunchedCompile>>
readLaunchedCompile(llvm::ArrayRef<std::string> Words);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_LAUNCHEDCOMPILE_H
