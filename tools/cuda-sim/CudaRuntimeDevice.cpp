// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of the CUDA runtime about the device, its streams and events, and
/// errors. The functions have CUDA's own names.
//===----------------------------------------------------------------------===//

#include "CudaRuntime.h"

#include <utility>

using namespace cudaopt;
using namespace cudaopt::cudasim;
using namespace llvm;

using Handle = Timeline::Handle;

/// Implements functions without effect in a simulation: all work is done when
/// they are called, no cache is modelled, and memory is accessible from
/// everywhere.
static int succeed() {
  return enter([](Simulator &) { return Success; });
}

static int cudaGetDeviceCount(int *Count) {
  return enter([&](Simulator &) {
    *Count = 1;
    return Success;
  });
}

static int cudaSetDevice(int Device) {
  return enter(
      [&](Simulator &) { return Device == 0 ? Success : ErrorInvalidDevice; });
}

static int cudaGetDevice(int *Device) {
  return enter([&](Simulator &) {
    *Device = 0;
    return Success;
  });
}

static int cudaDeviceCanAccessPeer(int *Can, int, int) {
  return enter([&](Simulator &) {
    *Can = 0;
    return Success;
  });
}

/// An attribute that DeviceAttributes.def lacks is reported.
static int cudaDeviceGetAttribute(int *Value, int Attribute, int Device) {
  return enter([&](Simulator &S) {
    if (Device != 0)
      return ErrorInvalidDevice;
    switch (Attribute) {
#define DEVICE_ATTRIBUTE(Number, Result)                                       \
  case Number:                                                                 \
    *Value = static_cast<int>(Result);                                         \
    return Success;
#include "DeviceAttributes.def"
    default:
      S.reportApiError("cudaDeviceGetAttribute: attribute " + Twine(Attribute) +
                       " is not modelled");
      return ErrorInvalidValue;
    }
  });
}

/// Also clears an error that makes all other calls fail, so that it does not
/// use enter().
static int cudaDeviceReset() {
  std::lock_guard Guard(TheSimulator->lock());
  TheSimulator->clearStickyError();
  TheSimulator->heap().releaseAll();
  return Success;
}

static int cudaDeviceGetLimit(size_t *Value, int Limit) {
  // The sizes of stack, printf buffer and heap. Launches from the device have
  // no limits here.
  constexpr size_t Values[] = {1024, 8650752, 8388608};
  return enter([&](Simulator &) {
    if (Limit < 0 || Limit > 2)
      return ErrorUnsupportedLimit;
    *Value = Values[Limit];
    return Success;
  });
}

static int cudaDeviceGetStreamPriorityRange(int *Least, int *Greatest) {
  return enter([&](Simulator &) {
    *Least = 0;
    *Greatest = -5;
    return Success;
  });
}

static int answerVersion(int *Version) {
  constexpr int Cuda13 = 13000;
  return enter([&](Simulator &) {
    *Version = Cuda13;
    return Success;
  });
}

static int cudaGetLastError() {
  std::lock_guard Guard(TheSimulator->lock());
  return std::exchange(TheSimulator->lastError(), Success);
}

static int cudaPeekAtLastError() {
  std::lock_guard Guard(TheSimulator->lock());
  return TheSimulator->lastError();
}

static const char *cudaGetErrorName(int Code) {
  switch (Code) {
#define CUDA_ERROR(Name, Number, Text)                                         \
  case Number:                                                                 \
    return "cuda" #Name;
#include "CudaErrors.def"
  default:
    return "unrecognized error code";
  }
}

static const char *cudaGetErrorString(int Code) {
  switch (Code) {
#define CUDA_ERROR(Name, Number, Text)                                         \
  case Number:                                                                 \
    return Text;
#include "CudaErrors.def"
  default:
    return "unrecognized error code";
  }
}

static int cudaStreamCreate(Handle *Stream) {
  return enter([&](Simulator &S) {
    *Stream = S.time().createStream();
    return Success;
  });
}

static int cudaStreamCreateWithFlags(Handle *Stream, unsigned) {
  return cudaStreamCreate(Stream);
}

static int cudaStreamCreateWithPriority(Handle *Stream, unsigned, int) {
  return cudaStreamCreate(Stream);
}

static int cudaStreamDestroy(Handle Stream) {
  return enter([&](Simulator &S) {
    return S.time().destroyStream(Stream) ? Success
                                          : ErrorInvalidResourceHandle;
  });
}

/// Returns success if \p Stream exists: all its work is done already.
static int checkStream(Handle Stream) {
  return enter([&](Simulator &S) {
    return S.time().isStream(Stream) ? Success : ErrorInvalidResourceHandle;
  });
}

static int cudaStreamWaitEvent(Handle Stream, Handle Event, unsigned) {
  return enter([&](Simulator &S) {
    return S.time().isStream(Stream) && S.time().isEvent(Event)
               ? Success
               : ErrorInvalidResourceHandle;
  });
}

static int cudaStreamIsCapturing(Handle, int *Status) {
  return enter([&](Simulator &) {
    *Status = 0;
    return Success;
  });
}

static int cudaLaunchHostFunc(Handle Stream, void (*Function)(void *),
                              void *Data) {
  int Result = checkStream(Stream);
  if (Result == Success)
    Function(Data);
  return Result;
}

static int cudaStreamAddCallback(Handle Stream,
                                 void (*Function)(Handle, int, void *),
                                 void *Data, unsigned) {
  int Result = checkStream(Stream);
  if (Result == Success)
    Function(Stream, Success, Data);
  return Result;
}

static int cudaEventCreate(Handle *Event) {
  return enter([&](Simulator &S) {
    *Event = S.time().createEvent();
    return Success;
  });
}

static int cudaEventCreateWithFlags(Handle *Event, unsigned) {
  return cudaEventCreate(Event);
}

static int cudaEventDestroy(Handle Event) {
  return enter([&](Simulator &S) {
    return S.time().destroyEvent(Event) ? Success : ErrorInvalidResourceHandle;
  });
}

/// Recording takes a little simulated time, so that no two events have the same
/// time.
static int cudaEventRecord(Handle Event, Handle Stream) {
  return enter([&](Simulator &S) {
    S.time().advance(0);
    return S.time().isStream(Stream) && S.time().record(Event)
               ? Success
               : ErrorInvalidResourceHandle;
  });
}

static int cudaEventRecordWithFlags(Handle Event, Handle Stream, unsigned) {
  return cudaEventRecord(Event, Stream);
}

/// Returns success if \p Event exists: what it records is done already.
static int checkEvent(Handle Event) {
  return enter([&](Simulator &S) {
    return S.time().isEvent(Event) ? Success : ErrorInvalidResourceHandle;
  });
}

/// The time is simulated; the report says so.
static int cudaEventElapsedTime(float *Milliseconds, Handle Begin, Handle End) {
  return enter([&](Simulator &S) {
    std::optional<uint64_t> From = S.time().timeOf(Begin);
    std::optional<uint64_t> To = S.time().timeOf(End);
    if (!From || !To)
      return ErrorInvalidResourceHandle;
    S.noteTime();
    constexpr double NanosecondsPerMillisecond = 1e6;
    *Milliseconds = static_cast<float>((double(*To) - double(*From)) /
                                       NanosecondsPerMillisecond);
    return Success;
  });
}

std::vector<RuntimeEntry> cudasim::deviceEntries() {
  void *Succeed = reinterpret_cast<void *>(&succeed);
  void *Version = reinterpret_cast<void *>(&answerVersion);
  void *CheckStream = reinterpret_cast<void *>(&checkStream);
  void *CheckEvent = reinterpret_cast<void *>(&checkEvent);
  return {
      CUDASIM_ENTRY(cudaGetDeviceCount),
      CUDASIM_ENTRY(cudaSetDevice),
      CUDASIM_ENTRY(cudaGetDevice),
      CUDASIM_ENTRY(cudaDeviceCanAccessPeer),
      CUDASIM_ENTRY(cudaDeviceGetAttribute),
      CUDASIM_ENTRY(cudaDeviceReset),
      CUDASIM_ENTRY(cudaDeviceGetLimit),
      CUDASIM_ENTRY(cudaDeviceGetStreamPriorityRange),
      CUDASIM_ENTRY(cudaGetLastError),
      CUDASIM_ENTRY(cudaPeekAtLastError),
      CUDASIM_ENTRY(cudaGetErrorName),
      CUDASIM_ENTRY(cudaGetErrorString),
      CUDASIM_ENTRY(cudaStreamCreate),
      CUDASIM_ENTRY(cudaStreamCreateWithFlags),
      CUDASIM_ENTRY(cudaStreamCreateWithPriority),
      CUDASIM_ENTRY(cudaStreamDestroy),
      CUDASIM_ENTRY(cudaStreamWaitEvent),
      CUDASIM_ENTRY(cudaStreamIsCapturing),
      CUDASIM_ENTRY(cudaLaunchHostFunc),
      CUDASIM_ENTRY(cudaStreamAddCallback),
      CUDASIM_ENTRY(cudaEventCreate),
      CUDASIM_ENTRY(cudaEventCreateWithFlags),
      CUDASIM_ENTRY(cudaEventDestroy),
      CUDASIM_ENTRY(cudaEventRecord),
      CUDASIM_ENTRY(cudaEventRecordWithFlags),
      CUDASIM_ENTRY(cudaEventElapsedTime),
      {"cudaEventElapsedTime_v2",
       reinterpret_cast<void *>(&cudaEventElapsedTime)},
      {"cudaDeviceSynchronize", Succeed},
      {"cudaThreadSynchronize", Succeed},
      {"cudaDeviceSetLimit", Succeed},
      {"cudaDeviceSetCacheConfig", Succeed},
      {"cudaDeviceSetSharedMemConfig", Succeed},
      {"cudaSetDeviceFlags", Succeed},
      {"cudaFuncSetCacheConfig", Succeed},
      {"cudaFuncSetSharedMemConfig", Succeed},
      {"cudaMemAdvise", Succeed},
      {"cudaMemPrefetchAsync", Succeed},
      {"cudaStreamAttachMemAsync", Succeed},
      {"cudaProfilerStart", Succeed},
      {"cudaProfilerStop", Succeed},
      {"cudaRuntimeGetVersion", Version},
      {"cudaDriverGetVersion", Version},
      {"cudaStreamSynchronize", CheckStream},
      {"cudaStreamQuery", CheckStream},
      {"cudaEventSynchronize", CheckEvent},
      {"cudaEventQuery", CheckEvent},
  };
}
