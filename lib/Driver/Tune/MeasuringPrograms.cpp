// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs nvcc on the texts that the build system has copied into this program,
/// and asks the driver for a GPU.
//===----------------------------------------------------------------------===//

#include "MeasuringPrograms.h"

#include "cudaopt/Driver/Delivery/Output.h"
#include "cudaopt/Driver/Parse/Toolkit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <sys/wait.h>
#include <vector>

using namespace cudaopt;
using namespace llvm;

static constexpr char TimerText[] =
#include "Tune/kernel_times.cpp.inc"
    ;
static constexpr char ProbeText[] =
#include "Tune/gpu_speed.cu.inc"
    ;

Error cudaopt::findGpu() {
  std::string Problem;
  sys::DynamicLibrary Driver =
      sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1", &Problem);
  const auto Init =
      reinterpret_cast<int (*)(unsigned)>(Driver.getAddressOfSymbol("cuInit"));
  const auto Count = reinterpret_cast<int (*)(int *)>(
      Driver.getAddressOfSymbol("cuDeviceGetCount"));
  int Number = 0;
  if (Init && Count && Init(0) == 0 && Count(&Number) == 0 && Number > 0)
    return Error::success();
  return createStringError(
      "there is no GPU to measure on: " +
      Twine(Init ? "the driver finds none (CUDA_VISIBLE_DEVICES may hide it)"
                 : "the CUDA driver is not installed"));
}

/// Compiles \p Text, the file \p Name, with \p Flags to \p Product; both are in
/// \p Folder. Returns the absolute path of the product.
static Expected<std::string>
compile(StringRef Folder, StringRef Name, StringRef Text, StringRef Product,
        const Toolkit &Cuda, ArrayRef<std::string> Flags, ChildRunner &Runner) {
  SmallString<128> Absolute(Folder);
  if (std::error_code EC = sys::fs::make_absolute(Absolute))
    return createFileError(Folder, EC);
  const std::string Base = Absolute.str().str() + "/";
  if (Error E = writeFile(Base + Name.str(), Text))
    return std::move(E);
  std::vector<std::string> Words = {Cuda.Path + "/bin/nvcc", "-std=c++17",
                                    Base + Name.str(), "-o",
                                    Base + Product.str()};
  append_range(Words, Flags);
  const std::string Log = Base + "nvcc.log";
  const std::optional<int> Status =
      Runner.run(std::move(Words), {Log, /*Seconds=*/0, /*Folder=*/""});
  if (Status && WIFEXITED(*Status) && WEXITSTATUS(*Status) == 0)
    return Base + Product.str();
  auto Said = MemoryBuffer::getFile(Log);
  return createStringError("the toolkit at '" + Cuda.Path +
                           "' does not compile " + Name + ":\n" +
                           (Said ? (*Said)->getBuffer().rtrim() : StringRef()));
}

Expected<std::string> cudaopt::buildTimer(StringRef Folder,
                                          ChildRunner &Runner) {
  Expected<Toolkit> Cuda = findToolkit("");
  if (!Cuda)
    return Cuda.takeError();
  const std::string Cupti = Cuda->Path + "/extras/CUPTI";
  Expected<std::string> Library =
      compile(Folder, "kernel_times.cpp", TimerText, "kernel_times.so", *Cuda,
              {"-O1", "-shared", "-Xcompiler=-fPIC", "-I" + Cupti + "/include",
               "-L" + Cupti + "/lib64", "-lcupti",
               "-Xlinker=-rpath=" + Cupti + "/lib64",
               "-Xlinker=-rpath=" + Cuda->Path + "/lib64"},
              Runner);
  if (!Library)
    return createStringError("kernels cannot be timed, which needs CUPTI "
                             "(--timer=program does without): " +
                             toString(Library.takeError()));
  return Library;
}

Expected<std::string> cudaopt::buildGpuProbe(StringRef Folder,
                                             ChildRunner &Runner) {
  Expected<Toolkit> Cuda = findToolkit("");
  if (!Cuda)
    return Cuda.takeError();
  return compile(Folder, "gpu_speed.cu", ProbeText, "gpu_speed", *Cuda,
                 {"-O3", "-arch=native"}, Runner);
}
