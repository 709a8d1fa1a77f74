// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Implements registration and launches. The limits of a launch, and the errors
/// for launches that exceed them, are those that CUDA 13.0 has on an H200.
//===----------------------------------------------------------------------===//

#include "Simulator.h"
#include "ManagedVariables.h"

#include "cudaopt/Simt/Optimizer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include <cstdio>
#include <cstring>

using namespace cudaopt;
using namespace cudaopt::cudasim;
using namespace llvm;

namespace {

/// Writes to stdout, in turn with the program's printf.
class ProgramOutput : public raw_ostream {
public:
  ProgramOutput() { SetUnbuffered(); }

private:
  void write_impl(const char *Data, size_t Size) override {
    std::fwrite(Data, 1, Size, stdout);
  }
  uint64_t current_pos() const override { return 0; }
};

} // namespace

Simulator::Simulator(const SimOptions &Opts, const Target &Machine,
                     RunReport &Report, raw_ostream &OS)
    : Opts(Opts), Machine(Machine), Report(Report), OS(OS), Heap(Memory),
      Progress(OS) {}

/// Returns the number of the image, terminated by a character that no number
/// contains: the token is read as a C string in the middle of other data.
std::string Simulator::tokenOf(size_t Index) {
  return std::to_string(Index) + ";";
}

Error Simulator::load(std::unique_ptr<LLVMContext> Context,
                      std::unique_ptr<Module> M,
                      std::function<bool(StringRef)> IsSystemFile) {
  auto New = std::make_unique<Image>();
  New->Context = std::move(Context);
  New->Managed = takeManagedVariables(*M);
  simt::LowerOptions Options;
  if (Opts.isOptimized())
    Options.Optimize = simt::optimize;
  Options.IsSystemFile = std::move(IsSystemFile);
  auto Device =
      simt::DeviceImage::load(std::move(M), Memory, std::move(Options));
  if (!Device)
    return Device.takeError();
  New->Device = std::move(*Device);
  Images.push_back(std::move(New));
  return Error::success();
}

void Simulator::refuse(const Twine &What) {
  std::fflush(stdout);
  OS << "cuda-sim: error: " << What << '\n';
  Exit(ExitBadInput, Ending::Abrupt);
  llvm_unreachable("Exit returned");
}

void **Simulator::findImage(const char *Token) {
  size_t Index = 0;
  if (StringRef(Token).consumeInteger(10, Index) || Index >= Images.size())
    refuse("the program registers device code that cuda-sim has not compiled");
  return reinterpret_cast<void **>(Images[Index].get());
}

void Simulator::registerKernel(void **From, const void *Stub,
                               const char *Name) {
  auto *Owner = reinterpret_cast<Image *>(From);
  Kernels[Stub] = {Owner->Device.get(), Name, std::nullopt};
}

void Simulator::registerVariable(void **From, void *Shadow, const char *Name) {
  auto *Owner = reinterpret_cast<Image *>(From);
  DeviceMemory::Allocation *Variable = Owner->Device->variable(Name);
  Variables[Shadow] = Variable;
  if (!Variable || !Owner->Managed.contains(Name))
    return;
  // The bytes of a managed variable move to the host's shadow, so that both
  // sides see the same bytes, whichever address they use.
  std::memcpy(Shadow, Variable->Data, Variable->Size);
  Variable->Data = static_cast<Byte *>(Shadow);
  Heap.registerHost(MemoryOrigin::Variable, Shadow, Variable->Size, Name);
}

RegisteredKernel *Simulator::findKernel(const void *Stub) {
  auto Found = Kernels.find(Stub);
  return Found == Kernels.end() ? nullptr : &Found->second;
}

DeviceMemory::Allocation *Simulator::findVariable(const void *Shadow) {
  auto Found = Variables.find(Shadow);
  return Found == Variables.end() ? nullptr : Found->second;
}

const simt::Program &Simulator::programOf(const RegisteredKernel &Kernel) {
  Expected<const simt::Program &> P = Kernel.Image->kernel(Kernel.Name);
  if (!P)
    refuse("kernel " + demangle(Kernel.Name) +
           " cannot run: " + toString(P.takeError()));
  return *P;
}

unsigned Simulator::maxThreads(const RegisteredKernel &Kernel) const {
  constexpr unsigned MaxThreadsPerBlock = 1024;
  unsigned Bound = Kernel.Image->maxThreads(Kernel.Name);
  return Bound ? std::min(Bound, MaxThreadsPerBlock) : MaxThreadsPerBlock;
}

std::array<int, 2> Simulator::computeCapability() const {
  int Number = 0;
  StringRef Name = Machine.Name;
  Name.consume_front("sm_");
  Name.consumeInteger(10, Number);
  return {Number / 10, Number % 10};
}

uint32_t Simulator::staticShared(const RegisteredKernel &Kernel) {
  uint32_t Bytes = 0;
  for (const simt::SharedVariable &Variable : programOf(Kernel).Shared)
    Bytes += Variable.Size;
  return Bytes;
}

/// Without the attribute, static and dynamic shared memory together are limited
/// to what a block gets by default.
uint32_t Simulator::maxDynamicShared(const RegisteredKernel &Kernel) {
  if (Kernel.MaxDynamicShared)
    return *Kernel.MaxDynamicShared;
  uint32_t Static = staticShared(Kernel);
  return Static < Machine.SharedPerBlock ? Machine.SharedPerBlock - Static : 0;
}

/// Returns what is wrong with a launch; an empty string if it is valid.
std::string Simulator::findFault(const RegisteredKernel &Kernel,
                                 const LaunchShape &Shape) {
  constexpr std::array<uint64_t, 3> MaxGrid = {0x7fffffff, 65535, 65535};
  constexpr std::array<uint64_t, 3> MaxBlock = {1024, 1024, 64};
  uint64_t Threads = 1;
  for (unsigned I = 0; I < 3; ++I) {
    Threads *= Shape.Block[I];
    if (Shape.Grid[I] == 0 || Shape.Block[I] == 0)
      return "a dimension of the grid or of the block is 0";
    if (Shape.Grid[I] > MaxGrid[I])
      return formatv("the grid has {0} blocks in {1}, of at most {2}",
                     Shape.Grid[I], "xyz"[I], MaxGrid[I]);
    if (Shape.Block[I] > MaxBlock[I])
      return formatv("the block has {0} threads in {1}, of at most {2}",
                     Shape.Block[I], "xyz"[I], MaxBlock[I]);
  }
  if (Threads > maxThreads(Kernel))
    return formatv("the block has {0} threads, of at most {1}", Threads,
                   maxThreads(Kernel));
  if (uint32_t Static = staticShared(Kernel); Static > Machine.SharedPerBlock)
    return formatv("its shared arrays have {0} bytes, of at most {1}", Static,
                   Machine.SharedPerBlock);
  uint32_t MostShared = maxDynamicShared(Kernel);
  if (Shape.DynamicShared > MostShared)
    return formatv("{0} bytes of dynamic shared memory, of at most {1}",
                   Shape.DynamicShared, MostShared);
  return "";
}

/// Copies the arguments' bytes, which the host may change after the call.
simt::Launch Simulator::makeLaunch(const simt::Program &P,
                                   const LaunchShape &Shape,
                                   void *const *Arguments) const {
  simt::Launch L;
  L.Grid = Shape.Grid;
  L.Block = Shape.Block;
  L.DynamicShared = static_cast<uint32_t>(Shape.DynamicShared);
  for (size_t I = 0; I < P.Parameters.size(); ++I) {
    auto *First = static_cast<const Byte *>(Arguments[I]);
    simt::Argument A;
    A.Bytes.assign(First, First + P.Parameters[I].Size);
    L.Arguments.push_back(std::move(A));
  }
  return L;
}

unsigned Simulator::numThreads() const {
  if (Opts.Threads)
    return static_cast<unsigned>(std::min<uint64_t>(Opts.Threads, 1024));
  return heavyweight_hardware_concurrency().compute_thread_count();
}

simt::ExecutorOptions Simulator::executorOptions() {
  simt::ExecutorOptions Options;
  Options.CheckRaces = Opts.CheckRaces;
  Options.CheckGlobalRaces = Opts.CheckGlobalRaces;
  Options.CountBanks = Opts.CountBanks || !Opts.Json.empty();
  Options.CountSectors = Opts.CountSectors || !Opts.Json.empty();
  Options.Banks = Machine.Shared;
  Options.ScheduleSeed = Opts.Seed;
  Options.MaxWarpInstructions = Opts.MaxSteps;
  if (!Opts.IsQuiet && sys::Process::StandardErrIsDisplayed())
    Options.Progress = [this](uint64_t Count) { Progress.note(Count); };
  return Options;
}

/// Returns the error that a kernel leaves behind which did not run to its end.
static CudaError errorOf(const simt::Observations &Seen) {
  auto Shows = [&](simt::FindingKind Kind) {
    return any_of(Seen.Findings,
                  [&](const simt::Finding &F) { return F.Kind == Kind; });
  };
  if (Shows(simt::FindingKind::AssertFailed))
    return ErrorAssert;
  if (Shows(simt::FindingKind::Trapped))
    return ErrorLaunchFailure;
  return ErrorLaunchTimeout;
}

/// Checks the limits of the launch, runs the kernel to its end, and records
/// what it showed. Errors inside the kernel are returned by later calls, as on
/// a real device.
CudaError Simulator::launch(const void *Stub, const LaunchShape &Shape,
                            void *const *Arguments) {
  RegisteredKernel *Kernel = findKernel(Stub);
  if (!Kernel) {
    reportApiError("the program launches a function that is no kernel");
    return ErrorInvalidResourceHandle;
  }
  if (std::string Fault = findFault(*Kernel, Shape); !Fault.empty()) {
    reportApiError(demangle(Kernel->Name) + " is not launched: " + Fault);
    return ErrorInvalidValue;
  }
  const simt::Program &P = programOf(*Kernel);
  simt::Launch L = makeLaunch(P, Shape, Arguments);
  ProgramOutput Output;
  simt::ExecutorOptions Options = executorOptions();
  Options.Output = &Output;
  if (Options.Progress)
    Progress.startLaunch(Kernel->Name, Report.numLaunches() + 1);
  IsInterpreting = true;
  simt::RunResult Result =
      simt::runOnCores(P, L, Memory, Options, numThreads());
  IsInterpreting = false;
  Time.advance(Result.Seen.WarpInstructions);
  Report.addLaunch(P, L, Result.Seen);
  switch (Result.Status) {
  case simt::RunStatus::Finished:
    break;
  case simt::RunStatus::Stopped:
    Sticky = errorOf(Result.Seen);
    break;
  case simt::RunStatus::DataDependent:
  case simt::RunStatus::Unsupported:
    refuse("kernel " + demangle(Kernel->Name) +
           " cannot go on: " + P.textOf(Result.Where) + ": " + Result.Why);
  }
  // A real launch runs asynchronously and reports its errors later.
  return Success;
}
