// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The functions of the CUDA runtime that a program may call.
///
/// Their arguments are those of CUDA 12 and 13, which differ in structs alone:
/// here stand the parts of structs that both have in common, and
/// cudaDeviceProp, which they have not, is filled by code that is compiled with
/// the program (DeviceProperties.h).
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_CUDARUNTIME_H
#define CUDASIM_CUDARUNTIME_H

#include "Simulator.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace cudaopt::cudasim {

/// A function that the program is linked to.
struct RuntimeEntry {
  const char *Name;
  void *Address;
};
#define CUDASIM_ENTRY(NAME) {#NAME, reinterpret_cast<void *>(&NAME)}

/// Kernels: registration, launches, attributes (CudaRuntime.cpp).
std::vector<RuntimeEntry> kernelEntries();
/// Device, streams, events, errors (CudaRuntimeDevice.cpp).
std::vector<RuntimeEntry> deviceEntries();
/// Allocations and copies (CudaRuntimeMemory.cpp).
std::vector<RuntimeEntry> memoryEntries();

/// The simulator of this process. The functions above are called from C, by
/// their names, without an argument that could lead to it: this pointer is the
/// only way, and the tool sets it before the program runs.
extern Simulator *TheSimulator;

/// Runs the body of a function of the runtime: alone, unless an earlier error
/// makes all calls fail; and remembers the error that it returns.
int enter(llvm::function_ref<CudaError(Simulator &)> Body);

/// dim3, as C passes it.
struct Dim3 {
  uint32_t X, Y, Z;
  std::array<uint32_t, 3> array() const { return {X, Y, Z}; }
};

} // namespace cudaopt::cudasim

#endif // CUDASIM_CUDARUNTIME_H
