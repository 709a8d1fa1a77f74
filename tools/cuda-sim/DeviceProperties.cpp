// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The source text of cudaGetDeviceProperties. It calls cudaDeviceGetAttribute
/// for every value that this has, so that both agree.
//===----------------------------------------------------------------------===//

#include "DeviceProperties.h"

using namespace cudaopt;
using namespace llvm;

bool cudasim::isDeviceProperties(StringRef Symbol) {
  return Symbol == "cudaGetDeviceProperties" ||
         Symbol == "cudaGetDeviceProperties_v2";
}

StringRef cudasim::getDevicePropertiesPath() {
  return "/cuda-sim/device-properties.cu";
}

StringRef cudasim::getDevicePropertiesText() {
  return R"(#include <cuda_runtime.h>
#include <string.h>

static int ask(cudaDeviceAttr Attribute) {
  int Value = 0;
  cudaDeviceGetAttribute(&Value, Attribute, 0);
  return Value;
}

extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp *P, int Device) {
  if (cudaError_t Error = cudaSetDevice(Device))
    return Error;
  memset(P, 0, sizeof *P);
  strcpy(P->name, "cuda-sim");
  size_t Free;
  cudaMemGetInfo(&Free, &P->totalGlobalMem);
  P->sharedMemPerBlock = ask(cudaDevAttrMaxSharedMemoryPerBlock);
  P->regsPerBlock = ask(cudaDevAttrMaxRegistersPerBlock);
  P->warpSize = ask(cudaDevAttrWarpSize);
  P->memPitch = ask(cudaDevAttrMaxPitch);
  P->maxThreadsPerBlock = ask(cudaDevAttrMaxThreadsPerBlock);
  P->maxThreadsDim[0] = ask(cudaDevAttrMaxBlockDimX);
  P->maxThreadsDim[1] = ask(cudaDevAttrMaxBlockDimY);
  P->maxThreadsDim[2] = ask(cudaDevAttrMaxBlockDimZ);
  P->maxGridSize[0] = ask(cudaDevAttrMaxGridDimX);
  P->maxGridSize[1] = ask(cudaDevAttrMaxGridDimY);
  P->maxGridSize[2] = ask(cudaDevAttrMaxGridDimZ);
  P->totalConstMem = ask(cudaDevAttrTotalConstantMemory);
  P->major = ask(cudaDevAttrComputeCapabilityMajor);
  P->minor = ask(cudaDevAttrComputeCapabilityMinor);
  P->textureAlignment = ask(cudaDevAttrTextureAlignment);
  P->multiProcessorCount = ask(cudaDevAttrMultiProcessorCount);
  P->canMapHostMemory = ask(cudaDevAttrCanMapHostMemory);
  P->concurrentKernels = ask(cudaDevAttrConcurrentKernels);
  P->ECCEnabled = ask(cudaDevAttrEccEnabled);
  P->asyncEngineCount = ask(cudaDevAttrAsyncEngineCount);
  P->unifiedAddressing = ask(cudaDevAttrUnifiedAddressing);
  P->memoryBusWidth = ask(cudaDevAttrGlobalMemoryBusWidth);
  P->l2CacheSize = ask(cudaDevAttrL2CacheSize);
  P->maxThreadsPerMultiProcessor = ask(cudaDevAttrMaxThreadsPerMultiProcessor);
  P->streamPrioritiesSupported = ask(cudaDevAttrStreamPrioritiesSupported);
  P->globalL1CacheSupported = ask(cudaDevAttrGlobalL1CacheSupported);
  P->localL1CacheSupported = ask(cudaDevAttrLocalL1CacheSupported);
  P->sharedMemPerMultiprocessor =
      ask(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  P->regsPerMultiprocessor = ask(cudaDevAttrMaxRegistersPerMultiprocessor);
  P->managedMemory = ask(cudaDevAttrManagedMemory);
  P->concurrentManagedAccess = ask(cudaDevAttrConcurrentManagedAccess);
  P->computePreemptionSupported = ask(cudaDevAttrComputePreemptionSupported);
  P->canUseHostPointerForRegisteredMem =
      ask(cudaDevAttrCanUseHostPointerForRegisteredMem);
  P->sharedMemPerBlockOptin = ask(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  P->maxBlocksPerMultiProcessor = ask(cudaDevAttrMaxBlocksPerMultiprocessor);
  P->reservedSharedMemPerBlock = ask(cudaDevAttrReservedSharedMemoryPerBlock);
#if CUDART_VERSION < 13000
  P->clockRate = ask(cudaDevAttrClockRate);
  P->memoryClockRate = ask(cudaDevAttrMemoryClockRate);
  P->deviceOverlap = ask(cudaDevAttrGpuOverlap);
  P->singleToDoublePrecisionPerfRatio =
      ask(cudaDevAttrSingleToDoublePrecisionPerfRatio);
#endif
  return cudaSuccess;
}
)";
}
