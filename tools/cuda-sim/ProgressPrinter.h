// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Shows a waiting user that the program is still running.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_PROGRESSPRINTER_H
#define CUDASIM_PROGRESSPRINTER_H

#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdint>
#include <string>

namespace cudaopt::cudasim {

/// Prints a line every few seconds while kernels run.
class ProgressPrinter {
public:
  explicit ProgressPrinter(llvm::raw_ostream &OS) : OS(OS) {}

  /// Records that the program's launch number \p Number begins.
  void startLaunch(llvm::StringRef MangledName, uint64_t Number) {
    Kernel = MangledName.str();
    Launch = Number;
    note(0);
  }
  /// Records how far the launch has come; prints a line if one is due.
  void note(uint64_t WarpInstructions) {
    auto Now = Clock::now();
    if (Now < Next)
      return;
    Next = Now + Interval;
    OS << llvm::formatv(
        "cuda-sim: launch {0}, {1}: {2} M warp instructions, after {3} s\n",
        Launch, llvm::demangle(Kernel), WarpInstructions / 1'000'000,
        std::chrono::duration_cast<std::chrono::seconds>(Now - Start).count());
  }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds Patience{2}, Interval{5};

  llvm::raw_ostream &OS;
  std::string Kernel;
  uint64_t Launch = 0;
  Clock::time_point Start = Clock::now(), Next = Start + Patience;
};

} // namespace cudaopt::cudasim

#endif // CUDASIM_PROGRESSPRINTER_H
