// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The simulated device: its memory, the registered kernels and variables, the
/// launches, and the errors that calls leave behind.
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

/// The values of cudaError_t, without the prefix "cuda".
enum CudaError : int {
#define CUDA_ERROR(Name, Code, Text) Name = Code,
#include "CudaErrors.def"
};

/// The arguments between `<<<` and `>>>`.
struct LaunchShape {
  std::array<uint32_t, 3> Grid, Block;
  uint64_t DynamicShared = 0;
};

/// A kernel that the host names by the address of its stub.
struct RegisteredKernel {
  simt::DeviceImage *Image;
  std::string Name; ///< The mangled name.
  /// The value of cudaFuncAttributeMaxDynamicSharedMemorySize; std::nullopt if
  /// it was never set.
  std::optional<uint32_t> MaxDynamicShared;
};

/// The device of this process. All functions of the runtime run under its lock.
class Simulator {
public:
  Simulator(const SimOptions &Opts, const Target &Machine, RunReport &Report,
            llvm::raw_ostream &OS);

  /// Returns the token by which the host side names the image with number
  /// \p Index.
  static std::string tokenOf(size_t Index);
  llvm::Error load(std::unique_ptr<llvm::LLVMContext> Context,
                   std::unique_ptr<llvm::Module> M,
                   std::function<bool(llvm::StringRef)> IsSystemFile);

  /// How the program ends: at once, or after its atexit functions.
  enum class Ending { Abrupt, Orderly };
  /// Ends the program: prints the reports and never returns. The tool sets it.
  std::function<void(int Code, Ending)> Exit;
  /// Ends the program because it asks for something that is not modelled.
  [[noreturn]] void refuse(const llvm::Twine &What);

  // Registration. An image is a pointer that findImage returned.
  void **findImage(const char *Token);
  void registerKernel(void **Image, const void *Stub, const char *Name);
  void registerVariable(void **Image, void *Shadow, const char *Name);

  RegisteredKernel *findKernel(const void *Stub);
  DeviceMemory::Allocation *findVariable(const void *Shadow);
  const simt::Program &programOf(const RegisteredKernel &Kernel);
  unsigned maxThreads(const RegisteredKernel &Kernel) const;
  uint32_t staticShared(const RegisteredKernel &Kernel);
  uint32_t maxDynamicShared(const RegisteredKernel &Kernel);
  /// Returns the maximum shared memory that a block may request.
  uint32_t sharedPerBlockOptIn() const {
    return Machine.SharedPerSM - Machine.SharedReserved;
  }

  /// Runs a kernel to its end.
  CudaError launch(const void *Stub, const LaunchShape &Shape,
                   void *const *Arguments);

  /// Returns true while a kernel runs; a crash is then not the program's fault.
  bool isInterpreting() const { return IsInterpreting; }

  /// Reports a wrong call of the runtime.
  void reportApiError(const llvm::Twine &Text) {
    Report.addApiError(Text.str());
  }

  /// Records that the program asked how long something took.
  void noteTime() { Report.noteTime(); }

  const Target &target() const { return Machine; }
  /// Returns major and minor number: {9, 0} for sm_90.
  std::array<int, 2> computeCapability() const;
  DeviceHeap &heap() { return Heap; }
  Timeline &time() { return Time; }
  std::vector<LaunchShape> &pendingLaunches() { return PendingLaunches; }
  std::recursive_mutex &lock() { return Lock; }

  /// Returns the error after which every call fails; Success if there is none.
  CudaError stickyError() const { return Sticky; }
  void clearStickyError() { Sticky = Success; }
  /// Returns the error of the last call of this thread that failed.
  CudaError &lastError() { return LastErrors[std::this_thread::get_id()]; }

private:
  struct Image {
    std::unique_ptr<llvm::LLVMContext> Context;
    llvm::StringSet<> Managed; ///< The names of the __managed__ variables.
    std::unique_ptr<simt::DeviceImage> Device;
  };

  simt::Launch makeLaunch(const simt::Program &P, const LaunchShape &Shape,
                          void *const *Arguments) const;
  std::string findFault(const RegisteredKernel &Kernel,
                        const LaunchShape &Shape);
  /// Returns the number of threads that run the blocks of one grid.
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
  /// By the address of the stub.
  std::map<const void *, RegisteredKernel> Kernels;
  /// The variables, by the address of the host's shadow.
  std::map<const void *, DeviceMemory::Allocation *> Variables;
  /// Configurations that were pushed but not popped yet.
  std::vector<LaunchShape> PendingLaunches;
  std::atomic<bool> IsInterpreting = false;
  CudaError Sticky = Success;
  std::map<std::thread::id, CudaError> LastErrors;
};

} // namespace cudaopt::cudasim

#endif // CUDASIM_SIMULATOR_H
