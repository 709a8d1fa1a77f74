// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of the CUDA runtime about memory. The functions have CUDA's own
/// names.
//===----------------------------------------------------------------------===//

#include "CudaRuntime.h"

#include <cstring>

using namespace cudaopt;
using namespace cudaopt::cudasim;
using namespace llvm;

namespace {

/// The layout of cudaMemcpyKind.
enum CopyKind : int {
  HostToHost,
  HostToDevice,
  DeviceToHost,
  DeviceToDevice,
  ByAddress,
};

/// The beginning of cudaPointerAttributes, up to the last field that all
/// versions share.
struct PointerAttributes {
  int Type, Device;
  const void *DevicePointer, *HostPointer;
};

/// The layouts of cudaPitchedPtr and cudaExtent.
struct PitchedPointer {
  void *Pointer;
  size_t Pitch, Width, Height;
};
struct Extent {
  size_t Width, Height, Depth;
};

/// Rows of bytes; a linear copy has one row.
struct Region {
  const void *Pointer;
  size_t Pitch, Width, Height;
  /// Returns the number of bytes from the first to the last one, gaps included.
  size_t span() const {
    return Width && Height ? Pitch * (Height - 1) + Width : 0;
  }
};

} // namespace

/// Returns the host address of \p R. Returns null after reporting an error of
/// \p Function if the bytes are not accessible.
static Byte *locate(Simulator &S, StringRef Function, StringRef Side,
                    const Region &R, bool MayBeHost) {
  Expected<Byte *> Found = S.heap().locate(R.Pointer, R.span(), MayBeHost);
  if (Found)
    return *Found;
  S.reportApiError(Function + ": the " + Side + " " +
                   toString(Found.takeError()));
  return nullptr;
}

/// Copies rows of bytes. The kind of copy decides which side must be memory of
/// the device; a wrong pointer is reported.
static CudaError copy(Simulator &S, StringRef Function, const Region &To,
                      const Region &From, int Kind) {
  if (Kind < HostToHost || Kind > ByAddress)
    return ErrorInvalidMemcpyDirection;
  if (To.Width > To.Pitch || From.Width > From.Pitch)
    return ErrorInvalidPitchValue;
  if (To.span() == 0)
    return Success;
  bool ToDevice = Kind == HostToDevice || Kind == DeviceToDevice;
  bool FromDevice = Kind == DeviceToHost || Kind == DeviceToDevice;
  Byte *Target = locate(S, Function, "destination", To, !ToDevice);
  Byte *Source = locate(S, Function, "source", From, !FromDevice);
  if (!Target || !Source)
    return ErrorInvalidValue;
  for (size_t Row = 0; Row < To.Height; ++Row)
    std::memmove(Target + Row * To.Pitch, Source + Row * From.Pitch, To.Width);
  S.time().advance(0);
  return Success;
}

/// Fills rows of bytes in memory of the device.
static CudaError fill(Simulator &S, StringRef Function, const Region &To,
                      int Value) {
  if (To.Width > To.Pitch)
    return ErrorInvalidPitchValue;
  if (To.span() == 0)
    return Success;
  Byte *Target = locate(S, Function, "destination", To, /*MayBeHost=*/false);
  if (!Target)
    return ErrorInvalidValue;
  for (size_t Row = 0; Row < To.Height; ++Row)
    std::memset(Target + Row * To.Pitch, Value, To.Width);
  S.time().advance(0);
  return Success;
}

/// Allocates memory; 0 bytes give a null pointer and success, as in CUDA.
static int allocate(void **Pointer, size_t Size, StringRef Function,
                    MemoryOrigin Origin) {
  return enter([&](Simulator &S) {
    if (!Pointer)
      return ErrorInvalidValue;
    *Pointer = nullptr;
    if (Size == 0)
      return Success;
    *Pointer = Origin == MemoryOrigin::Device
                   ? S.heap().allocateOnDevice(Size, Function)
                   : S.heap().allocateOnHost(Origin, Size, Function);
    return *Pointer ? Success : ErrorMemoryAllocation;
  });
}

static int cudaMalloc(void **Pointer, size_t Size) {
  return allocate(Pointer, Size, "cudaMalloc", MemoryOrigin::Device);
}

static int cudaMallocAsync(void **Pointer, size_t Size, void *) {
  return allocate(Pointer, Size, "cudaMallocAsync", MemoryOrigin::Device);
}

static int cudaMallocManaged(void **Pointer, size_t Size, unsigned) {
  return allocate(Pointer, Size, "cudaMallocManaged", MemoryOrigin::Managed);
}

static int cudaMallocHost(void **Pointer, size_t Size) {
  return allocate(Pointer, Size, "cudaMallocHost", MemoryOrigin::Pinned);
}

static int cudaHostAlloc(void **Pointer, size_t Size, unsigned) {
  return allocate(Pointer, Size, "cudaHostAlloc", MemoryOrigin::Pinned);
}

/// Rows begin at multiples of 512 bytes.
static int cudaMallocPitch(void **Pointer, size_t *Pitch, size_t Width,
                           size_t Height) {
  constexpr size_t Granularity = 512;
  *Pitch = (Width + Granularity - 1) / Granularity * Granularity;
  return allocate(Pointer, *Pitch * Height, "cudaMallocPitch",
                  MemoryOrigin::Device);
}

static int cudaMalloc3D(PitchedPointer *Result, Extent E) {
  Result->Width = E.Width;
  Result->Height = E.Height;
  return cudaMallocPitch(&Result->Pointer, &Result->Pitch, E.Width,
                         E.Height * E.Depth);
}

/// Frees an allocation of one of \p Origins; any other pointer is reported and
/// gives the error \p Otherwise.
static int release(void *Pointer, StringRef Function,
                   std::initializer_list<MemoryOrigin> Origins,
                   CudaError Otherwise = ErrorInvalidValue) {
  return enter([&](Simulator &S) {
    if (!Pointer)
      return Success;
    for (MemoryOrigin Origin : Origins)
      if (S.heap().release(Origin, Pointer))
        return Success;
    S.reportApiError(Function + ": nothing to free begins at the pointer");
    return Otherwise;
  });
}

static int cudaFree(void *Pointer) {
  return release(Pointer, "cudaFree",
                 {MemoryOrigin::Device, MemoryOrigin::Managed});
}

static int cudaFreeAsync(void *Pointer, void *) {
  return release(Pointer, "cudaFreeAsync",
                 {MemoryOrigin::Device, MemoryOrigin::Managed});
}

static int cudaFreeHost(void *Pointer) {
  return release(Pointer, "cudaFreeHost", {MemoryOrigin::Pinned});
}

static int cudaHostRegister(void *Pointer, size_t Size, unsigned) {
  return enter([&](Simulator &S) {
    if (!Pointer || Size == 0)
      return ErrorInvalidValue;
    return S.heap().registerHost(MemoryOrigin::Registered, Pointer, Size,
                                 "cudaHostRegister")
               ? Success
               : ErrorHostMemoryAlreadyRegistered;
  });
}

static int cudaHostUnregister(void *Pointer) {
  return release(Pointer, "cudaHostUnregister", {MemoryOrigin::Registered},
                 ErrorHostMemoryNotRegistered);
}

static int cudaHostGetDevicePointer(void **Result, void *Pointer, unsigned) {
  return enter([&](Simulator &S) {
    if (!S.heap().originOf(Pointer))
      return ErrorInvalidValue;
    *Result = Pointer;
    return Success;
  });
}

static int cudaMemcpy(void *To, const void *From, size_t Size, int Kind) {
  return enter([&](Simulator &S) {
    return copy(S, "cudaMemcpy", {To, Size, Size, 1}, {From, Size, Size, 1},
                Kind);
  });
}

static int cudaMemcpyAsync(void *To, const void *From, size_t Size, int Kind,
                           void *) {
  return enter([&](Simulator &S) {
    return copy(S, "cudaMemcpyAsync", {To, Size, Size, 1},
                {From, Size, Size, 1}, Kind);
  });
}

static int cudaMemcpy2D(void *To, size_t ToPitch, const void *From,
                        size_t FromPitch, size_t Width, size_t Height,
                        int Kind) {
  return enter([&](Simulator &S) {
    return copy(S, "cudaMemcpy2D", {To, ToPitch, Width, Height},
                {From, FromPitch, Width, Height}, Kind);
  });
}

static int cudaMemcpy2DAsync(void *To, size_t ToPitch, const void *From,
                             size_t FromPitch, size_t Width, size_t Height,
                             int Kind, void *) {
  return cudaMemcpy2D(To, ToPitch, From, FromPitch, Width, Height, Kind);
}

static int cudaMemset(void *To, int Value, size_t Size) {
  return enter([&](Simulator &S) {
    return fill(S, "cudaMemset", {To, Size, Size, 1}, Value);
  });
}

static int cudaMemsetAsync(void *To, int Value, size_t Size, void *) {
  return cudaMemset(To, Value, Size);
}

static int cudaMemset2D(void *To, size_t Pitch, int Value, size_t Width,
                        size_t Height) {
  return enter([&](Simulator &S) {
    return fill(S, "cudaMemset2D", {To, Pitch, Width, Height}, Value);
  });
}

static int cudaMemset2DAsync(void *To, size_t Pitch, int Value, size_t Width,
                             size_t Height, void *) {
  return cudaMemset2D(To, Pitch, Value, Width, Height);
}

/// Calls \p Body with the address of byte \p Offset of a variable, after a
/// check that \p Size bytes from there are inside it.
static int withSymbol(StringRef Function, const void *Symbol, size_t Size,
                      size_t Offset,
                      function_ref<CudaError(Simulator &, void *)> Body) {
  return enter([&](Simulator &S) {
    DeviceMemory::Allocation *Variable = S.findVariable(Symbol);
    if (!Variable) {
      S.reportApiError(Function + ": the symbol is no variable of the device");
      return ErrorInvalidSymbol;
    }
    if (Offset > Variable->Size || Size > Variable->Size - Offset) {
      S.reportApiError(Function + ": " + Twine(Size) + " bytes at " +
                       Twine(Offset) + " exceed " + Variable->Name +
                       ", which has " + Twine(Variable->Size));
      return ErrorInvalidValue;
    }
    return Body(S, reinterpret_cast<void *>(Variable->Address + Offset));
  });
}

static int copyToSymbol(StringRef Function, const void *Symbol,
                        const void *From, size_t Size, size_t Offset,
                        int Kind) {
  return withSymbol(Function, Symbol, Size, Offset,
                    [&](Simulator &S, void *To) {
                      if (Kind == DeviceToHost || Kind == HostToHost)
                        return ErrorInvalidMemcpyDirection;
                      return copy(S, Function, {To, Size, Size, 1},
                                  {From, Size, Size, 1}, Kind);
                    });
}

static int copyFromSymbol(StringRef Function, void *To, const void *Symbol,
                          size_t Size, size_t Offset, int Kind) {
  return withSymbol(Function, Symbol, Size, Offset,
                    [&](Simulator &S, void *From) {
                      if (Kind == HostToDevice || Kind == HostToHost)
                        return ErrorInvalidMemcpyDirection;
                      return copy(S, Function, {To, Size, Size, 1},
                                  {From, Size, Size, 1}, Kind);
                    });
}

static int cudaMemcpyToSymbol(const void *Symbol, const void *From, size_t Size,
                              size_t Offset, int Kind) {
  return copyToSymbol("cudaMemcpyToSymbol", Symbol, From, Size, Offset, Kind);
}

static int cudaMemcpyToSymbolAsync(const void *Symbol, const void *From,
                                   size_t Size, size_t Offset, int Kind,
                                   void *) {
  return copyToSymbol("cudaMemcpyToSymbolAsync", Symbol, From, Size, Offset,
                      Kind);
}

static int cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Size,
                                size_t Offset, int Kind) {
  return copyFromSymbol("cudaMemcpyFromSymbol", To, Symbol, Size, Offset, Kind);
}

static int cudaMemcpyFromSymbolAsync(void *To, const void *Symbol, size_t Size,
                                     size_t Offset, int Kind, void *) {
  return copyFromSymbol("cudaMemcpyFromSymbolAsync", To, Symbol, Size, Offset,
                        Kind);
}

static int cudaGetSymbolAddress(void **Result, const void *Symbol) {
  return withSymbol("cudaGetSymbolAddress", Symbol, 0, 0,
                    [&](Simulator &, void *Address) {
                      *Result = Address;
                      return Success;
                    });
}

static int cudaGetSymbolSize(size_t *Result, const void *Symbol) {
  return withSymbol("cudaGetSymbolSize", Symbol, 0, 0,
                    [&](Simulator &S, void *) {
                      *Result = S.findVariable(Symbol)->Size;
                      return Success;
                    });
}

static int cudaMemGetInfo(size_t *Free, size_t *Total) {
  return enter([&](Simulator &S) {
    *Free = S.heap().available();
    *Total = S.heap().total();
    return Success;
  });
}

/// Pointers that no allocation contains are ordinary host memory.
static int cudaPointerGetAttributes(PointerAttributes *Result,
                                    const void *Pointer) {
  enum { Unregistered, Host, Device, Managed };
  constexpr int NoDevice = -2;
  return enter([&](Simulator &S) {
    const MemoryOrigin *Origin = S.heap().originOf(Pointer);
    if (!Origin) {
      *Result = {Unregistered, NoDevice, nullptr, Pointer};
      return Success;
    }
    switch (*Origin) {
    case MemoryOrigin::Device:
    case MemoryOrigin::Variable:
      *Result = {Device, 0, Pointer, nullptr};
      break;
    case MemoryOrigin::Managed:
      *Result = {Managed, 0, Pointer, Pointer};
      break;
    case MemoryOrigin::Pinned:
    case MemoryOrigin::Registered:
      *Result = {Host, 0, Pointer, Pointer};
      break;
    }
    return Success;
  });
}

std::vector<RuntimeEntry> cudasim::memoryEntries() {
  return {
      CUDASIM_ENTRY(cudaMalloc),
      CUDASIM_ENTRY(cudaMallocAsync),
      CUDASIM_ENTRY(cudaMallocManaged),
      CUDASIM_ENTRY(cudaMallocHost),
      CUDASIM_ENTRY(cudaHostAlloc),
      CUDASIM_ENTRY(cudaMallocPitch),
      CUDASIM_ENTRY(cudaMalloc3D),
      CUDASIM_ENTRY(cudaFree),
      CUDASIM_ENTRY(cudaFreeAsync),
      CUDASIM_ENTRY(cudaFreeHost),
      CUDASIM_ENTRY(cudaHostRegister),
      CUDASIM_ENTRY(cudaHostUnregister),
      CUDASIM_ENTRY(cudaHostGetDevicePointer),
      CUDASIM_ENTRY(cudaMemcpy),
      CUDASIM_ENTRY(cudaMemcpyAsync),
      CUDASIM_ENTRY(cudaMemcpy2D),
      CUDASIM_ENTRY(cudaMemcpy2DAsync),
      CUDASIM_ENTRY(cudaMemset),
      CUDASIM_ENTRY(cudaMemsetAsync),
      CUDASIM_ENTRY(cudaMemset2D),
      CUDASIM_ENTRY(cudaMemset2DAsync),
      CUDASIM_ENTRY(cudaMemcpyToSymbol),
      CUDASIM_ENTRY(cudaMemcpyToSymbolAsync),
      CUDASIM_ENTRY(cudaMemcpyFromSymbol),
      CUDASIM_ENTRY(cudaMemcpyFromSymbolAsync),
      CUDASIM_ENTRY(cudaGetSymbolAddress),
      CUDASIM_ENTRY(cudaGetSymbolSize),
      CUDASIM_ENTRY(cudaMemGetInfo),
      CUDASIM_ENTRY(cudaPointerGetAttributes),
  };
}
