// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The functions of the CUDA runtime that a program may call.
///
/// Their signatures are those of CUDA 12 and 13, which differ only in structs.
/// Here are the parts of structs that both versions share. cudaDeviceProp,
/// which they do not share, is filled by code that is compiled together with
/// the program (DeviceProperties.h).
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_CUDARUNTIME_H
#define CUDASIM_CUDARUNTIME_H

#include "Simulator.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace cudaopt::cudasim {

/// A function of the runtime to which the program is linked.
struct RuntimeEntry {
  const char *Name;
  void *Address;
};
#define CUDASIM_ENTRY(NAME) {#NAME, reinterpret_cast<void *>(&NAME)}

/// Returns the functions about kernels: registration, launches, attributes
/// (CudaRuntime.cpp).
std::vector<RuntimeEntry> kernelEntries();
/// Returns the functions about the device, streams, events and errors
/// (CudaRuntimeDevice.cpp).
std::vector<RuntimeEntry> deviceEntries();
/// Returns the functions about allocations and copies (CudaRuntimeMemory.cpp).
std::vector<RuntimeEntry> memoryEntries();

/// The simulator of this process. The functions above are called from C by
/// name, without an argument that could lead to the simulator, so that a global
/// is the only way. The tool sets it before the program runs.
extern Simulator *TheSimulator;

/// Runs the body of a function of the runtime under the simulator's lock, and
/// records the error that it returns. If an earlier error makes all calls fail,
/// returns that error without running the body.
int enter(llvm::function_ref<CudaError(Simulator &)> Body);

/// The layout of dim3, as C passes it.
struct Dim3 {
  uint32_t X, Y, Z;
  std::array<uint32_t, 3> array() const { return {X, Y, Z}; }
};

} // namespace cudaopt::cudasim

#endif // CUDASIM_CUDARUNTIME_H
