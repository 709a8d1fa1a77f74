// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compiles runtime/tune/kernel_times.cpp, whose text is a part of this
/// program, and asks the driver for a GPU.
//===----------------------------------------------------------------------===//

#include "TunedProgram.h"

#include "cudaopt/Driver/Delivery/Output.h"
#include "cudaopt/Driver/Parse/Toolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <sys/wait.h>

using namespace cudaopt;
using namespace llvm;

static constexpr char TimerText[] =
#include "Tune/KernelTimerText.inc"
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

Expected<std::string> cudaopt::buildTimer(StringRef Folder,
                                          ChildRunner &Runner) {
  Expected<Toolkit> Cuda = findToolkit("");
  if (!Cuda)
    return Cuda.takeError();
  SmallString<128> Absolute(Folder);
  if (std::error_code EC = sys::fs::make_absolute(Absolute))
    return createFileError(Folder, EC);
  const std::string Base = Absolute.str().str() + "/kernel_times";
  if (Error E = writeFile(Base + ".cpp", TimerText))
    return std::move(E);
  const std::string Cupti = Cuda->Path + "/extras/CUPTI";
  const std::optional<int> Status =
      Runner.run({Cuda->Path + "/bin/nvcc", "-std=c++17", "-O1", "-shared",
                  "-Xcompiler=-fPIC", "-I" + Cupti + "/include",
                  "-L" + Cupti + "/lib64", Base + ".cpp", "-o", Base + ".so",
                  "-lcupti", "-Xlinker=-rpath=" + Cupti + "/lib64",
                  "-Xlinker=-rpath=" + Cuda->Path + "/lib64"},
                 {Base + ".log", /*Seconds=*/0, /*Folder=*/""});
  if (Status && WIFEXITED(*Status) && WEXITSTATUS(*Status) == 0)
    return Base + ".so";
  auto Log = MemoryBuffer::getFile(Base + ".log");
  return createStringError(
      "the timer of kernels cannot be compiled with the toolkit at '" +
      Cuda->Path + "'; it needs CUPTI, and --timer=program does without:\n" +
      (Log ? (*Log)->getBuffer().rtrim() : StringRef()));
}
