// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The command line of cuda-sim.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_SIMCOMMANDLINE_H
#define CUDASIM_SIMCOMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cudaopt::cudasim {

/// What cuda-sim returns to the shell where it is not the program's own code.
enum SimExitCode {
  ExitFindings = 1, ///< The program returned 0, but there are errors.
  ExitBadCommand = 2,
  ExitBadInput = 3, ///< Not compiled, not linked, or not modelled.
  ExitInternal = 70,
};

struct SimOptions {
  bool CountBanks = false; ///< --banks: and then the optimized code runs.
  bool CheckRaces = true;
  bool CheckGlobalRaces = false;
  bool OnlyKernels = false; ///< --kernels: no host program.
  /// Of --kernels; 0 if not given.
  std::array<uint32_t, 3> Block = {}, Grid = {};
  bool IsQuiet = false;
  uint64_t Seed = 0;    ///< Of the order of the warps.
  uint64_t Threads = 0; ///< That run blocks; 0: as many as there are cores.
  uint64_t MaxSteps = uint64_t(1) << 34;
  std::string Arch; ///< Empty: as the compiler's flags tell.
  std::string Json; ///< Path of the report; empty: none.
};

/// `cuda-sim [options] prog.cu... [arguments] [-- flags]`, taken apart.
struct SimCommandLine {
  enum class Request { Run, Help, Version };
  Request What = Request::Run;
  const char *Executable = nullptr; ///< argv[0].
  SimOptions Opts;
  std::vector<std::string> Files;
  std::vector<std::string> Arguments; ///< Of the program.
  /// Flags of the compiler, from both sides: before the files, behind `--`.
  std::vector<std::string> Flags;
};

/// True for the names that cuda-sim takes for sources: .cu, .cpp, .cc, .cxx,
/// .c.
bool isSourceName(llvm::StringRef Word);

/// Reads argv. An error is one for the user to mend.
llvm::Expected<SimCommandLine>
parseSimCommandLine(llvm::ArrayRef<const char *> Args);

void printSimHelp(llvm::raw_ostream &OS);

} // namespace cudaopt::cudasim

#endif // CUDASIM_SIMCOMMANDLINE_H
