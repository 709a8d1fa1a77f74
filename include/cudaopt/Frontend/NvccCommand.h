// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Translates a command line of nvcc (or of clang) to one with which clang
/// parses the device side of the same program. NvccFlags.def classifies every
/// option of nvcc 13.0.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_NVCCCOMMAND_H
#define CUDAOPT_FRONTEND_NVCCCOMMAND_H

#include "cudaopt/Frontend/Toolkit.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// An nvcc command, understood.
struct NvccCommand {
  /// What the command makes of its inputs.
  enum class Action {
    Link,    ///< A program: no option says otherwise.
    Compile, ///< One product of each input: -c, -dc, -ptx, -cubin, ...
    Other,   ///< Preprocessed text, dependencies, a library, an answer.
  };
  Action What = Action::Link;
  std::vector<std::string> ClangFlags; ///< What matters to a parse.
  std::vector<std::string> Inputs;
  /// Where each input stands in the arguments; nothing for one in an options
  /// file.
  std::vector<std::optional<size_t>> InputPositions;
  std::string Output;         ///< Of -o.
  std::string Product = "o";  ///< How names of products end without -o.
  std::string DependencyFile; ///< Of -MF.
  std::string Language;       ///< Of -x.
  /// "sm_80", "sm_90a": every GPU named, as __CUDA_ARCH__ will have it.
  std::vector<std::string> Archs;
  std::string CudaPath; ///< Of --cuda-path.
  /// The first option of the host compiler by which it may see other text or
  /// numbers than the parse.
  std::string HostOption;
  bool HasDirectives = false; ///< The host compiler knows OpenMP or OpenACC.
  bool KeepsFiles = false;    ///< What lies between source and product stays.
  /// The arguments, with those of an options file in its place.
  std::vector<std::string> Words;
  /// The options files: path and text.
  std::vector<std::pair<std::string, std::string>> Files;

  /// True if the toolkit's headers are included before the source, as nvcc
  /// does.
  bool usesToolkit() const;
};

/// Reads \p Arguments (without argv[0]); options files are looked up in
/// \p Directory, or in the current one if empty. Unknown options are handed to
/// clang as they are. Fails on a missing argument or an unreadable options
/// file.
llvm::Expected<NvccCommand>
readNvccCommand(llvm::ArrayRef<std::string> Arguments,
                llvm::StringRef Directory = "");

/// Returns the GPU to parse for: \p Requested, else the highest of \p Archs,
/// else sm_90; as a name that clang accepts.
std::string chooseArch(llvm::StringRef Requested,
                       llvm::ArrayRef<std::string> Archs);

/// True if the parse for what chooseArch() returns has the `__CUDA_ARCH__` of
/// the build: \p Requested if the command names none, else one of \p Archs,
/// which must be asked for if there are several.
bool isArchStated(llvm::StringRef Requested, llvm::ArrayRef<std::string> Archs);

/// Returns the first of \p Words, of a host compiler's command, that makes text
/// or numbers of host code other than those that a parse sees; empty if none
/// does.
std::string findHostDifference(llvm::ArrayRef<std::string> Words);

/// True if \p Words turn OpenMP or OpenACC on.
bool enablesDirectives(llvm::ArrayRef<std::string> Words);

/// True if the command compiles \p File as C++ or C without CUDA, by its name
/// or -x.
bool isPlainSource(const NvccCommand &Command, llvm::StringRef File);

/// The flags for such a file, followed by the command's own.
std::vector<std::string> buildPlainFlags(const NvccCommand &Command,
                                         llvm::StringRef File,
                                         llvm::StringRef ResourceDir);

/// The flags that every parse needs, followed by the command's own. \p Cuda is
/// null if the command does without a toolkit.
std::vector<std::string> buildClangFlags(const NvccCommand &Command,
                                         llvm::StringRef Arch,
                                         const Toolkit *Cuda,
                                         llvm::StringRef ResourceDir);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_NVCCCOMMAND_H
