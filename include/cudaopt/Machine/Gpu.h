// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How fast a GPU works. GPUs of one architecture differ in their memory, in
/// their clock and in the number of their multiprocessors.
///
/// \verbatim
///   std::variant<Gpu, std::string> G = parseGpu("H100");
///   parseGpu("mine,sm_89,sms=128,mhz=2520,float=4,integer=2,double=0.0625,"
///            "special=0.5,memory=3.1,cache=21,measured")
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MACHINE_GPU_H
#define CUDAOPT_MACHINE_GPU_H

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cudaopt {

/// One GPU. Rates are those of one multiprocessor in one cycle.
struct Gpu {
  std::string Name; ///< "H200".
  std::string Arch; ///< "sm_90".
  unsigned Multiprocessors = 0;
  double MHz = 0; ///< The clock of the multiprocessors under load.
  /// Instructions of warps, by the pipe that executes them.
  double Float = 0, Integer = 0, Double = 0, Special = 0;
  /// Bytes that all multiprocessors together read of the device's memory, and
  /// of its L2 cache, divided by their number.
  double MemoryBytes = 0, CacheBytes = 0;
  /// True if the rates were measured on such a GPU; else they are those of data
  /// sheets and of the programming guide.
  bool IsMeasured = false;

  /// Returns the words that parseGpu() reads.
  std::string text() const;
  /// Returns the seconds of \p Cycles.
  double seconds(double Cycles) const { return Cycles / (MHz * 1e6); }
};

/// Returns the GPU that stands for the architecture \p Arch where none is
/// named: for sm_90 the H200. An unknown architecture gets that one, too.
const Gpu &gpuOf(std::string_view Arch);

/// Returns the GPU that \p Text names ("H100", in any case), or describes: its
/// name, its architecture, and "key=number" for each member. Returns what is
/// wrong with the text otherwise.
std::variant<Gpu, std::string> parseGpu(std::string_view Text);

/// Returns the names that parseGpu() knows.
std::vector<std::string> listGpus();

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_GPU_H
