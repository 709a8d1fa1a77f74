// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What was measured while a program ran: lines of words separated by tabs,
/// which runtime/tune/kernel_times.cpp writes, or the program itself.
///
///   gpu     <uuid> <name>        kernel <nanoseconds> <launches> <symbol>
///   mig                          clock  <MHz, median> <samples>
///   lost    <records>            energy <millijoules> <nanoseconds>
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_TUNE_PROGRAMRUN_H
#define CUDAOPT_DRIVER_TUNE_PROGRAMRUN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace cudaopt {

/// The launches of one kernel in a run.
struct KernelSeconds {
  double Seconds = 0; ///< Of all launches together.
  uint64_t Launches = 0;
};

/// One run of a program, with all of its processes.
struct ProgramRun {
  /// By the name in the source, with namespaces, except unnamed ones, and
  /// without template arguments.
  std::map<std::string, KernelSeconds> Kernels;
  std::string Gpu; ///< The name of the first one; empty if it is not known.
  bool IsPartitioned = false; ///< The GPU is shared by MIG.
  uint64_t LostRecords = 0;
  std::optional<unsigned> ClockMHz; ///< Of the multiprocessors, the median.
  uint64_t ClockSamples = 0;        ///< The samples of ClockMHz.
  /// Of the GPU, from the first use of it to the end of the process; unknown if
  /// that was too short for the GPU's meter.
  std::optional<double> Joules;

  /// Returns the time of all kernels.
  double seconds() const;
  /// Gives kernels the names of \p Known, in which inline namespaces are left
  /// out.
  void matchNames(const std::map<std::string, std::string> &Known);
  /// Parses \p Text. Fails if a line is malformed.
  static llvm::Expected<ProgramRun> parse(llvm::StringRef Text);
};

/// Returns the name by which a source calls the kernel \p Symbol:
/// "ns::transpose" for "_ZN2ns9transposeILi3EEEvPf".
std::string nameInSource(llvm::StringRef Symbol);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_TUNE_PROGRAMRUN_H
