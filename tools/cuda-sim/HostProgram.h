// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The host side of a program, compiled by a JIT and run in this process.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_HOSTPROGRAM_H
#define CUDASIM_HOSTPROGRAM_H

#include "CudaRuntime.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace cudaopt::cudasim {

/// A program made of modules, like an executable made of object files.
class HostProgram {
public:
  /// Creates an empty program. It is linked to \p Entries first, then to the
  /// libraries of this process.
  static llvm::Expected<std::unique_ptr<HostProgram>>
  create(llvm::ArrayRef<RuntimeEntry> Entries);

  llvm::Error add(std::unique_ptr<llvm::LLVMContext> Context,
                  std::unique_ptr<llvm::Module> M);

  /// Returns the names of functions and variables that are used but not
  /// defined.
  std::vector<std::string> missingSymbols() const;

  /// Runs the static constructors and main; returns main's result. The program
  /// may also end inside, by exit().
  llvm::Expected<int> run(llvm::ArrayRef<std::string> Arguments);
  /// Runs the functions that the program registered by atexit, and its static
  /// destructors.
  llvm::Error finish();

private:
  HostProgram() = default;
  llvm::Error addAssembly(llvm::Module &M);

  std::unique_ptr<llvm::orc::LLJIT> Jit;
  llvm::StringSet<> Defined, Used;
  std::vector<std::string> Words; ///< The words of argv.
};

/// Loads the libraries that the flags -l and -L name.
llvm::Error loadLibraries(llvm::ArrayRef<std::string> Flags);

} // namespace cudaopt::cudasim

#endif // CUDASIM_HOSTPROGRAM_H
