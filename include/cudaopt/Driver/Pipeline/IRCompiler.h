// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compiles one side of a CUDA source, device or host, to LLVM IR in memory,
/// with the flags of the user's command. The interpreter and cuda-sim run the
/// result.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_PIPELINE_IRCOMPILER_H
#define CUDAOPT_DRIVER_PIPELINE_IRCOMPILER_H

#include "cudaopt/Driver/Command/CommandLine.h"
#include "cudaopt/Driver/Parse/Toolkit.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace cudaopt {

/// Compiles one input, as often as asked, possibly with the text of some files
/// replaced.
class IRCompiler {
public:
  /// Produces the module from the prepared compiler \p CI; null on failure.
  using Emitter = llvm::function_ref<std::unique_ptr<llvm::Module>(
      clang::CompilerInstance &CI, llvm::LLVMContext &Context)>;

  /// \p Executable is argv[0]; \p Arch is a GPU as chooseArch() returns it.
  /// Fails if the command needs a toolkit and none is found.
  static llvm::Expected<IRCompiler>
  create(const Input &In, const char *Executable, llvm::StringRef Arch);

  /// Makes later compilations read \p Text in place of the file at \p Path,
  /// under whatever name they open it. If there is no such file, they see one
  /// with this text.
  void replaceFile(llvm::StringRef Path, std::string Text);

  /// Returns the module of the device side, with line tables, before any
  /// optimization, and linked with libdevice if the toolkit has it. An error
  /// holds clang's messages.
  llvm::Expected<std::unique_ptr<llvm::Module>>
  compileDevice(llvm::LLVMContext &Context) const;

  /// Returns the module of the host side, which registers its kernels and
  /// variables through __cudaRegisterFatBinary; the "binary" that it passes
  /// there is \p Token, by which the runtime recognizes the module. \p Emit
  /// decides how far clang takes the module: the caller provides it because
  /// LLVM's passes are large and not every program should link them.
  llvm::Expected<std::unique_ptr<llvm::Module>>
  compileHost(llvm::LLVMContext &Context, llvm::StringRef Token,
              Emitter Emit) const;

  /// Returns true for files of the toolkit, of clang and of the system.
  bool isSystemFile(llvm::StringRef File) const;

private:
  IRCompiler() = default;
  void findSystemFolders();
  std::vector<std::string> deviceCommand() const;
  std::vector<std::string> hostCommand() const;
  llvm::Expected<std::unique_ptr<llvm::Module>>
  compile(llvm::LLVMContext &Context, std::vector<std::string> Command,
          llvm::StringRef Token, Emitter Emit) const;

  Input In;
  std::string Executable, Arch, ResourceDir;
  std::optional<Toolkit> Cuda;
  std::vector<std::string> SystemFolders;
  llvm::StringMap<std::string> Replaced;
};

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_PIPELINE_IRCOMPILER_H
