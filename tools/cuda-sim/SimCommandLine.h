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

/// The exit codes of cuda-sim; otherwise it returns the program's own code.
enum SimExitCode {
  ExitFindings = 1, ///< The program returned 0, but errors were found.
  ExitBadCommand = 2,
  /// The program does not compile or link, or is not modelled.
  ExitBadInput = 3,
  ExitInternal = 70,
};

/// The values of the options.
struct SimOptions {
  bool CountBanks = false;   ///< --banks
  bool CountSectors = false; ///< --memory
  bool CheckRaces = true;
  bool CheckGlobalRaces = false;
  bool OnlyKernels = false; ///< --kernels, with which no host program runs.
  /// For --kernels; 0 if not given.
  std::array<uint32_t, 3> Block = {}, Grid = {};
  bool IsQuiet = false;
  uint64_t Seed = 0;    ///< Selects the order of the warps.
  uint64_t Threads = 0; ///< The threads that run blocks; 0 means one per core.
  uint64_t MaxSteps = uint64_t(1) << 34;
  std::string Arch; ///< Empty if the compiler's flags decide.
  std::string Json; ///< The path of the report; empty for none.

  /// Returns true if the optimized code is run, since the number of accesses
  /// depends on that.
  bool isOptimized() const { return CountBanks || CountSectors; }
};

/// The words of `cuda-sim [options] prog.cu... [arguments] [-- flags]`, sorted
/// by what they are for.
struct SimCommandLine {
  enum class Request { Run, Help, Version };
  Request What = Request::Run;
  const char *Executable = nullptr; ///< argv[0].
  SimOptions Opts;
  std::vector<std::string> Files;
  std::vector<std::string> Arguments; ///< The arguments of the program.
  /// Flags of the compiler, from both sides: those before the files, and those
  /// behind `--`.
  std::vector<std::string> Flags;
};

/// Returns true for the names that cuda-sim takes for sources: .cu, .cpp, .cc,
/// .cxx and .c files.
bool isSourceName(llvm::StringRef Word);

/// Parses argv. Errors are meant for the user.
llvm::Expected<SimCommandLine>
parseSimCommandLine(llvm::ArrayRef<const char *> Args);

void printSimHelp(llvm::raw_ostream &OS);

} // namespace cudaopt::cudasim

#endif // CUDASIM_SIMCOMMANDLINE_H
