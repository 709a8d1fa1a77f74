// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compiles the files of a command line and hands the host sides to the JIT and
/// the device sides to the simulator.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_PROGRAMLOADER_H
#define CUDASIM_PROGRAMLOADER_H

#include "HostProgram.h"
#include "SimCommandLine.h"
#include "Simulator.h"

#include "cudaopt/Driver/Command/CommandLine.h"
#include "cudaopt/Driver/Pipeline/IRCompiler.h"

namespace cudaopt::cudasim {

/// Loads the program of one command line.
class ProgramLoader {
public:
  ProgramLoader(const SimCommandLine &Line, Simulator &Device,
                HostProgram &Host)
      : Line(Line), Device(Device), Host(Host) {}

  /// Compiles and links. An error is one line, or consists of clang's messages.
  llvm::Error load();

private:
  llvm::Error loadCuda(llvm::StringRef File);
  llvm::Error loadHostOnly(llvm::StringRef File);
  llvm::Error loadDeviceProperties();
  llvm::Expected<IRCompiler> makeHostCompiler(llvm::StringRef File);
  llvm::Error addHost(const IRCompiler &Compiler, llvm::StringRef Token);
  llvm::Error checkSymbols() const;

  const SimCommandLine &Line;
  Simulator &Device;
  HostProgram &Host;
  NvccCommand Command; ///< The meaning of Line.Flags.
  std::string Arch;
  size_t NumImages = 0;
};

/// Returns the compiler of the CUDA file \p File with the flags of \p Line.
llvm::Expected<IRCompiler> makeCudaCompiler(const SimCommandLine &Line,
                                            llvm::StringRef File);

/// Returns the GPU that \p Line asks for.
llvm::Expected<cudaopt::Target> chooseTarget(const SimCommandLine &Line);

} // namespace cudaopt::cudasim

#endif // CUDASIM_PROGRAMLOADER_H
