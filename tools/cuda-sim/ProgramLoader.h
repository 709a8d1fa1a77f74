// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compiles the files of a command line: host sides go to the JIT, device sides
/// to the simulator.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_PROGRAMLOADER_H
#define CUDASIM_PROGRAMLOADER_H

#include "HostProgram.h"
#include "SimCommandLine.h"
#include "Simulator.h"

#include "cudaopt/Frontend/CommandLine.h"
#include "cudaopt/Frontend/IRCompiler.h"

namespace cudaopt::cudasim {

class ProgramLoader {
public:
  ProgramLoader(const SimCommandLine &Line, Simulator &Device,
                HostProgram &Host)
      : Line(Line), Device(Device), Host(Host) {}

  /// Compiles and links. An error is one line, or the messages of clang.
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
  NvccCommand Command; ///< What Line.Flags mean.
  std::string Arch;
  size_t NumImages = 0;
};

/// The compiler of a CUDA file, as \p Line says.
llvm::Expected<IRCompiler> makeCudaCompiler(const SimCommandLine &Line,
                                            llvm::StringRef File);

/// The GPU that \p Line asks for.
llvm::Expected<cudaopt::Target> chooseTarget(const SimCommandLine &Line);

} // namespace cudaopt::cudasim

#endif // CUDASIM_PROGRAMLOADER_H
