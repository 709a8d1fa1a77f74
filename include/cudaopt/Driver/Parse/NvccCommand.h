// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Translates a command line of nvcc (or of clang) into one with which clang
/// parses the device side of the same program: `nvcc -arch=sm_80 -Xcompiler -DX
/// a.cu` becomes flags such as `--cuda-gpu-arch=sm_80 -DX`. NvccFlags.def
/// classifies every option of nvcc 13.0.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_PARSE_NVCCCOMMAND_H
#define CUDAOPT_DRIVER_PARSE_NVCCCOMMAND_H

#include "cudaopt/Driver/Parse/Toolkit.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// The meaning of an nvcc command.
struct NvccCommand {
  /// The kind of product that the command makes of its inputs.
  enum class Action {
    Link,    ///< A program, unless an option asks for something else.
    Compile, ///< One product of each input: -c, -dc, -ptx, -cubin, ...
    Other,   ///< Preprocessed text, dependencies, a library, an answer.
  };
  Action What = Action::Link;
  std::vector<std::string> ClangFlags; ///< The flags that matter to a parse.
  std::vector<std::string> Inputs;
  /// The index of each input in the arguments; std::nullopt for an input that
  /// an options file names.
  std::vector<std::optional<size_t>> InputPositions;
  std::string Output; ///< The argument of -o.
  /// The argument of -odir, where products without -o go.
  std::string OutputFolder;
  /// The file extension of products when -o is absent.
  std::string Product = "o";
  std::string DependencyFile; ///< The argument of -MF.
  std::string Language;       ///< The argument of -x.
  /// Every GPU that is named: "sm_80", "sm_90a". __CUDA_ARCH__ has these
  /// values.
  std::vector<std::string> Archs;
  std::string CudaPath; ///< The argument of --cuda-path.
  /// The first option of the host compiler that may give it another program
  /// text or other numbers than the parse sees; empty if there is none.
  std::string HostOption;
  bool HasDirectives = false; ///< The host compiler enables OpenMP or OpenACC.
  /// Intermediate files are kept (-keep, -save-temps).
  bool KeepsFiles = false;
  /// The arguments, each options file replaced by its words.
  std::vector<std::string> Words;
  /// The options files that were read: path and text.
  std::vector<std::pair<std::string, std::string>> Files;

  /// Returns true if the toolkit's headers are included before the source, as
  /// nvcc does by default.
  bool usesToolkit() const;
};

/// Parses \p Arguments (without argv[0]). Options files are looked up in
/// \p Directory, or in the current directory if it is empty. Options that nvcc
/// does not know are handed to clang. Fails if an argument is missing or an
/// options file cannot be read.
llvm::Expected<NvccCommand>
readNvccCommand(llvm::ArrayRef<std::string> Arguments,
                llvm::StringRef Directory = "");

/// Returns the GPU to parse for, by a name that clang accepts: \p Requested,
/// otherwise the highest of \p Archs, otherwise sm_90.
std::string chooseArch(llvm::StringRef Requested,
                       llvm::ArrayRef<std::string> Archs);

/// Returns true if a parse for the GPU that chooseArch() returns sees the
/// `__CUDA_ARCH__` of the build: the one requested if the command names none,
/// otherwise one of \p Archs, which must be requested explicitly if there are
/// several.
bool isArchStated(llvm::StringRef Requested, llvm::ArrayRef<std::string> Archs);

/// Returns the first of \p Words, options of a host compiler, that gives host
/// code another text or other numbers than a parse sees; an empty string if
/// there is none.
std::string findHostDifference(llvm::ArrayRef<std::string> Words);

/// Returns true if \p Words enable OpenMP or OpenACC.
bool enablesDirectives(llvm::ArrayRef<std::string> Words);

/// Returns true if the command compiles \p File as C or C++ without CUDA,
/// according to -x or the file's extension.
bool isPlainSource(const NvccCommand &Command, llvm::StringRef File);

/// Returns clang's flags for such a file: our own, followed by the command's.
std::vector<std::string> buildPlainFlags(const NvccCommand &Command,
                                         llvm::StringRef File,
                                         llvm::StringRef ResourceDir);

/// Returns clang's flags for a CUDA source: those that every parse needs,
/// followed by the command's. \p Cuda is null if the command does without a
/// toolkit.
std::vector<std::string> buildClangFlags(const NvccCommand &Command,
                                         llvm::StringRef Arch,
                                         const Toolkit *Cuda,
                                         llvm::StringRef ResourceDir);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_PARSE_NVCCCOMMAND_H
