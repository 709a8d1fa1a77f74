// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of the CUDA runtime about kernels: registration, launches,
/// attributes. The functions have CUDA's own names.
//===----------------------------------------------------------------------===//

#include "CudaRuntime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace cudaopt;
using namespace cudaopt::cudasim;
using namespace llvm;

Simulator *cudasim::TheSimulator = nullptr;

int cudasim::enter(function_ref<CudaError(Simulator &)> Body) {
  std::lock_guard Guard(TheSimulator->lock());
  CudaError Result = TheSimulator->stickyError();
  if (Result == Success)
    Result = Body(*TheSimulator);
  if (Result != Success)
    TheSimulator->lastError() = Result;
  return Result;
}

namespace {

/// The struct that clang's code passes to __cudaRegisterFatBinary.
struct FatBinaryWrapper {
  int Magic, Version;
  const char *Data; ///< Our token in place of a binary.
  void *Unused;
};

/// The layout of cudaLaunchConfig_t.
struct LaunchConfig {
  Dim3 Grid, Block;
  size_t DynamicShared;
  void *Stream;
  struct Attribute {
    int Id;
    alignas(8) char Value[64];
  } *Attributes;
  unsigned NumAttributes;
};

/// The beginning of cudaFuncAttributes, up to the last field that all versions
/// share.
struct FuncAttributes {
  size_t SharedSize, ConstSize, LocalSize;
  int MaxThreadsPerBlock, NumRegs, PtxVersion, BinaryVersion, CacheModeCA;
  int MaxDynamicSharedSize, PreferredCarveout;
};

} // namespace

static void **__cudaRegisterFatBinary(const FatBinaryWrapper *Wrapper) {
  return TheSimulator->findImage(Wrapper->Data);
}

static void __cudaRegisterFatBinaryEnd(void **) {}
static void __cudaUnregisterFatBinary(void **) {}

static int __cudaRegisterFunction(void **Image, const char *Stub, char *,
                                  const char *Name, int, void *, void *, void *,
                                  void *, int *) {
  TheSimulator->registerKernel(Image, Stub, Name);
  return 0;
}

static void __cudaRegisterVar(void **Image, char *Shadow, char *,
                              const char *Name, int, size_t, int, int) {
  TheSimulator->registerVariable(Image, Shadow, Name);
}

static void __cudaRegisterManagedVar(void **, void **, char *, const char *Name,
                                     size_t, unsigned) {
  TheSimulator->refuse("managed variable " + Twine(Name) +
                       " registers in a way that cuda-sim does not model");
}

static void __cudaRegisterTexture(void **, const void *, const void **,
                                  const char *Name, int, int, int) {
  TheSimulator->refuse("texture " + Twine(Name) + " is not modelled");
}

static void __cudaRegisterSurface(void **, const void *, const void **,
                                  const char *Name, int, int) {
  TheSimulator->refuse("surface " + Twine(Name) + " is not modelled");
}

static unsigned __cudaPushCallConfiguration(Dim3 Grid, Dim3 Block,
                                            size_t DynamicShared, void *) {
  std::lock_guard Guard(TheSimulator->lock());
  TheSimulator->pendingLaunches().push_back(
      {Grid.array(), Block.array(), DynamicShared});
  return 0;
}

static int __cudaPopCallConfiguration(Dim3 *Grid, Dim3 *Block,
                                      size_t *DynamicShared, void **Stream) {
  std::lock_guard Guard(TheSimulator->lock());
  if (TheSimulator->pendingLaunches().empty())
    TheSimulator->refuse("the program calls a kernel without <<<>>>");
  LaunchShape Shape = TheSimulator->pendingLaunches().back();
  TheSimulator->pendingLaunches().pop_back();
  *Grid = {Shape.Grid[0], Shape.Grid[1], Shape.Grid[2]};
  *Block = {Shape.Block[0], Shape.Block[1], Shape.Block[2]};
  *DynamicShared = Shape.DynamicShared;
  *Stream = nullptr;
  return 0;
}

static int cudaLaunchKernel(const void *Stub, Dim3 Grid, Dim3 Block,
                            void **Arguments, size_t DynamicShared, void *) {
  return enter([&](Simulator &S) {
    return S.launch(Stub, {Grid.array(), Block.array(), DynamicShared},
                    Arguments);
  });
}

/// Returns true if a launch with the attribute gives the same result as one
/// without: attributes about caches, synchronization of streams, priorities and
/// domains.
static bool isHarmless(int Attribute) {
  return is_contained({0, 1, 3, 6, 8, 9, 10}, Attribute);
}

static int cudaLaunchKernelExC(const LaunchConfig *Config, const void *Stub,
                               void **Arguments) {
  return enter([&](Simulator &S) {
    for (unsigned I = 0; I < Config->NumAttributes; ++I)
      if (!isHarmless(Config->Attributes[I].Id))
        S.refuse(
            "the program launches a kernel with attribute " +
            Twine(Config->Attributes[I].Id) +
            " (clusters, cooperation, ...), which cuda-sim does not model");
    return S.launch(
        Stub,
        {Config->Grid.array(), Config->Block.array(), Config->DynamicShared},
        Arguments);
  });
}

static int cudaLaunchCooperativeKernel(const void *, Dim3, Dim3, void **,
                                       size_t, void *) {
  TheSimulator->refuse("the program launches a kernel whose blocks wait for "
                       "each other (cudaLaunchCooperativeKernel), which "
                       "cuda-sim does not model");
}

/// Only the limit of dynamic shared memory has an effect.
static int cudaFuncSetAttribute(const void *Stub, int Attribute, int Value) {
  constexpr int MaxDynamicSharedMemorySize = 8;
  return enter([&](Simulator &S) {
    RegisteredKernel *Kernel = S.findKernel(Stub);
    if (!Kernel)
      return ErrorInvalidResourceHandle;
    if (Attribute != MaxDynamicSharedMemorySize)
      // The division between shared memory and L1 cache changes no result.
      return Success;
    uint32_t Static = S.staticShared(*Kernel);
    if (Value < 0 || uint64_t(Value) + Static > S.sharedPerBlockOptIn())
      return ErrorInvalidValue;
    Kernel->MaxDynamicShared = Value;
    return Success;
  });
}

static int cudaFuncGetAttributes(FuncAttributes *Attributes, const void *Stub) {
  return enter([&](Simulator &S) {
    RegisteredKernel *Kernel = S.findKernel(Stub);
    if (!Kernel)
      return ErrorInvalidResourceHandle;
    // No registers are allocated here, but some programs divide by their
    // number.
    constexpr int UsualRegisters = 32;
    *Attributes = {};
    Attributes->SharedSize = S.staticShared(*Kernel);
    Attributes->MaxThreadsPerBlock = S.maxThreads(*Kernel);
    Attributes->NumRegs = UsualRegisters;
    Attributes->PtxVersion = Attributes->BinaryVersion =
        S.computeCapability()[0] * 10 + S.computeCapability()[1];
    Attributes->MaxDynamicSharedSize = S.maxDynamicShared(*Kernel);
    return Success;
  });
}

static int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                         const void *Stub,
                                                         int Threads,
                                                         size_t DynamicShared) {
  return enter([&](Simulator &S) {
    RegisteredKernel *Kernel = S.findKernel(Stub);
    if (!Kernel)
      return ErrorInvalidResourceHandle;
    if (Threads <= 0)
      return ErrorInvalidValue;
    *Blocks = 0;
    if (unsigned(Threads) <= S.maxThreads(*Kernel) &&
        DynamicShared <= S.maxDynamicShared(*Kernel))
      *Blocks = blocksPerSM(S.target(), Threads,
                            S.staticShared(*Kernel) + DynamicShared);
    return Success;
  });
}

static int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *Blocks, const void *Stub, int Threads, size_t DynamicShared,
    unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(Blocks, Stub, Threads,
                                                       DynamicShared);
}

std::vector<RuntimeEntry> cudasim::kernelEntries() {
  return {
      CUDASIM_ENTRY(__cudaRegisterFatBinary),
      CUDASIM_ENTRY(__cudaRegisterFatBinaryEnd),
      CUDASIM_ENTRY(__cudaUnregisterFatBinary),
      CUDASIM_ENTRY(__cudaRegisterFunction),
      CUDASIM_ENTRY(__cudaRegisterVar),
      CUDASIM_ENTRY(__cudaRegisterManagedVar),
      CUDASIM_ENTRY(__cudaRegisterTexture),
      CUDASIM_ENTRY(__cudaRegisterSurface),
      CUDASIM_ENTRY(__cudaPushCallConfiguration),
      CUDASIM_ENTRY(__cudaPopCallConfiguration),
      CUDASIM_ENTRY(cudaLaunchKernel),
      CUDASIM_ENTRY(cudaLaunchKernelExC),
      CUDASIM_ENTRY(cudaLaunchCooperativeKernel),
      CUDASIM_ENTRY(cudaFuncSetAttribute),
      CUDASIM_ENTRY(cudaFuncGetAttributes),
      CUDASIM_ENTRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor),
      CUDASIM_ENTRY(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags),
  };
}
