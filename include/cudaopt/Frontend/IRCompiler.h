// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compiles one side of a CUDA file to LLVM IR in memory, with the user's
/// flags.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_IRCOMPILER_H
#define CUDAOPT_FRONTEND_IRCOMPILER_H

#include "cudaopt/Frontend/CommandLine.h"
#include "cudaopt/Frontend/Toolkit.h"

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

class IRCompiler {
public:
  /// Compiles with \p CI; null if that fails.
  using Emitter = llvm::function_ref<std::unique_ptr<llvm::Module>(
      clang::CompilerInstance &CI, llvm::LLVMContext &Context)>;

  /// \p Executable is argv[0]; \p Arch as of chooseArch. Fails if there is no
  /// toolkit but the command needs one.
  static llvm::Expected<IRCompiler>
  create(const Input &In, const char *Executable, llvm::StringRef Arch);

  /// Later compilations read \p Text where the file system has \p Path, by
  /// whatever name they open it; or where it has nothing.
  void replaceFile(llvm::StringRef Path, std::string Text);

  /// The device side with line tables, before any optimization, libdevice
  /// linked in where the toolkit has it. The error holds clang's messages.
  llvm::Expected<std::unique_ptr<llvm::Module>>
  compileDevice(llvm::LLVMContext &Context) const;

  /// The host side, whose kernels and variables register themselves with
  /// __cudaRegisterFatBinary; the "binary" it passes is \p Token. What clang
  /// makes of it is the caller's affair: the passes are large.
  llvm::Expected<std::unique_ptr<llvm::Module>>
  compileHost(llvm::LLVMContext &Context, llvm::StringRef Token,
              Emitter Emit) const;

  /// True for files of the toolkit, of clang and of the system.
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

#endif // CUDAOPT_FRONTEND_IRCOMPILER_H
