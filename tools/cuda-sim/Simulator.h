// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The device that a program sees: its memory, the kernels and variables that
/// registered, the launches, and the errors that calls left behind.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_SIMULATOR_H
#define CUDASIM_SIMULATOR_H

#include "DeviceHeap.h"
#include "ProgressPrinter.h"
#include "RunReport.h"
#include "SimCommandLine.h"
#include "Timeline.h"

#include "cudaopt/Machine/Memory.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Simt/Executor.h"
#include "cudaopt/Simt/Lower.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cudaopt::cudasim {

/// cudaError_t, without the "cuda".
enum CudaError : int {
#define CUDA_ERROR(Name, Code, Text) Name = Code,
#include "CudaErrors.def"
};

/// What stands between `<<<` and `>>>`.
struct LaunchShape {
  std::array<uint32_t, 3> Grid, Block;
  uint64_t DynamicShared = 0;
};

/// A kernel that the host can name by the address of its stub.
struct RegisteredKernel {
  simt::DeviceImage *Image;
  std::string Name; ///< Mangled.
  /// Of cudaFuncAttributeMaxDynamicSharedMemorySize; nothing if never set.
  std::optional<uint32_t> MaxDynamicShared;
};

class Simulator {
public:
  Simulator(const SimOptions &Opts, const Target &Machine, RunReport &Report,
            llvm::raw_ostream &OS);

  /// Loads the device side of a file, and returns the token by which the host
  /// side will name it.
  static std::string tokenOf(size_t Index);
  llvm::Error load(std::unique_ptr<llvm::LLVMContext> Context,
                   std::unique_ptr<llvm::Module> M,
                   std::function<bool(llvm::StringRef)> IsSystemFile);

  /// How the program ends: at once, or after what it left to atexit.
  enum class Ending { Abrupt, Orderly };
  /// Ends the program: prints the reports, never returns. The tool sets it.
  std::function<void(int Code, Ending)> Exit;
  /// Ends the program, which asks for something that is not modelled.
  [[noreturn]] void refuse(const llvm::Twine &What);

  // Registration; an image is what findImage gave.
  void **findImage(const char *Token);
  void registerKernel(void **Image, const void *Stub, const char *Name);
  void registerVariable(void **Image, void *Shadow, const char *Name);

  RegisteredKernel *findKernel(const void *Stub);
  DeviceMemory::Allocation *findVariable(const void *Shadow);
  const simt::Program &programOf(const RegisteredKernel &Kernel);
  unsigned maxThreads(const RegisteredKernel &Kernel) const;
  uint32_t staticShared(const RegisteredKernel &Kernel);
  uint32_t maxDynamicShared(const RegisteredKernel &Kernel);
  /// Most shared memory that a block may ask for.
  uint32_t sharedPerBlockOptIn() const {
    return Machine.SharedPerSM - Machine.SharedReserved;
  }

  /// Runs a kernel to its end.
  CudaError launch(const void *Stub, const LaunchShape &Shape,
                   void *const *Arguments);

  /// True while a kernel runs: a crash is then no fault of the program's.
  bool isInterpreting() const { return IsInterpreting; }

  /// Records what is wrong with a call of the runtime.
  void reportApiError(const llvm::Twine &Text) {
    Report.addApiError(Text.str());
  }

  /// The program asked how long something took.
  void noteTime() { Report.noteTime(); }

  const Target &target() const { return Machine; }
  /// Major and minor: {9, 0} of sm_90.
  std::array<int, 2> computeCapability() const;
  DeviceHeap &heap() { return Heap; }
  Timeline &time() { return Time; }
  std::vector<LaunchShape> &pendingLaunches() { return PendingLaunches; }
  std::recursive_mutex &lock() { return Lock; }

  /// The error after which every call fails; Success if there is none.
  CudaError stickyError() const { return Sticky; }
  void clearStickyError() { Sticky = Success; }
  /// That of the last call of this thread that failed.
  CudaError &lastError() { return LastErrors[std::this_thread::get_id()]; }

private:
  struct Image {
    std::unique_ptr<llvm::LLVMContext> Context;
    llvm::StringSet<> Managed; ///< Names of the __managed__ variables.
    std::unique_ptr<simt::DeviceImage> Device;
  };

  simt::Launch makeLaunch(const simt::Program &P, const LaunchShape &Shape,
                          void *const *Arguments) const;
  std::string findFault(const RegisteredKernel &Kernel,
                        const LaunchShape &Shape);
  /// Of those that run blocks of one grid.
  unsigned numThreads() const;
  simt::ExecutorOptions executorOptions();

  const SimOptions &Opts;
  Target Machine;
  RunReport &Report;
  llvm::raw_ostream &OS;
  std::recursive_mutex Lock;
  DeviceMemory Memory;
  DeviceHeap Heap;
  Timeline Time;
  ProgressPrinter Progress;
  std::vector<std::unique_ptr<Image>> Images;
  std::map<const void *, RegisteredKernel> Kernels; ///< By address of the stub.
  /// By address of the host's shadow.
  std::map<const void *, DeviceMemory::Allocation *> Variables;
  std::vector<LaunchShape> PendingLaunches; ///< Pushed, not yet popped.
  std::atomic<bool> IsInterpreting = false;
  CudaError Sticky = Success;
  std::map<std::thread::id, CudaError> LastErrors;
};

} // namespace cudaopt::cudasim

#endif // CUDASIM_SIMULATOR_H
