// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs `nvcc --resource-usage` on a copy of the file in a temporary folder,
/// and reads what ptxas prints.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Pipeline/ResourceMeter.h"
#include "cudaopt/Driver/Delivery/Output.h"
#include "cudaopt/Driver/Parse/Toolkit.h"
#include "cudaopt/Support/NvccSymbol.h"
#include "cudaopt/Support/Program.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

using namespace cudaopt;
using namespace llvm;

/// Returns the number before \p Unit in \p Line; 0 if there is none.
static uint64_t numberBefore(StringRef Line, StringRef Unit) {
  StringRef Before = Line.take_front(Line.find(Unit));
  uint64_t Number = 0;
  if (Before.size() == Line.size() ||
      Before.rtrim().rsplit(' ').second.getAsInteger(10, Number))
    return 0;
  return Number;
}

std::string cudaopt::keyOfSymbol(StringRef Symbol) {
  static constexpr StringLiteral Unnamed = "_GLOBAL__N_";
  Symbol = dropNvccFileMark(Symbol);
  std::string Key;
  while (!Symbol.empty()) {
    size_t Length = 0;
    StringRef Rest = Symbol;
    if (isDigit(Symbol.front()) && !Rest.consumeInteger(10, Length) &&
        Rest.starts_with(Unnamed) && Length <= Rest.size()) {
      Key += Unnamed;
      Symbol = Rest.drop_front(Length);
      continue;
    }
    // 'L' in front of the length of a name marks internal linkage.
    if (Symbol.front() != 'L' || Symbol.size() < 2 || !isDigit(Symbol[1]))
      Key += Symbol.front();
    Symbol = Symbol.drop_front();
  }
  return Key;
}

/// Reads lines of ptxas such as "Compiling entry function 'k' for 'sm_90'" and
/// "Used 32 registers, 4224 bytes smem". With several GPUs, a kernel occurs
/// several times and the maximum of each number counts.
ResourceTable cudaopt::readResourceUsage(StringRef Output) {
  ResourceTable Table;
  KernelResources *Kernel = nullptr;
  for (StringRef Line : split(Output, '\n')) {
    if (Line.contains("Compiling entry function '")) {
      Kernel = &Table[keyOfSymbol(Line.split('\'').second.split('\'').first)];
      continue;
    }
    if (!Kernel)
      continue;
    Kernel->SpillBytes = std::max(Kernel->SpillBytes,
                                  numberBefore(Line, " bytes spill stores") +
                                      numberBefore(Line, " bytes spill loads"));
    Kernel->Registers =
        std::max<unsigned>(Kernel->Registers, numberBefore(Line, " registers"));
    Kernel->SharedBytes =
        std::max(Kernel->SharedBytes, numberBefore(Line, " bytes smem"));
  }
  return Table;
}

/// Returns those flags of a parse that nvcc understands and that change the
/// program.
static std::vector<std::string> selectFlags(ArrayRef<std::string> ClangFlags) {
  static constexpr StringLiteral Prefixes[] = {"-I", "-D", "-U", "-std="};
  static constexpr StringLiteral WithValue[] = {"-I", "-D", "-U", "-isystem",
                                                "-include"};
  std::vector<std::string> Selected;
  for (size_t I = 0; I < ClangFlags.size(); ++I) {
    StringRef Flag = ClangFlags[I];
    if (is_contained(WithValue, Flag) && I + 1 < ClangFlags.size()) {
      Selected.insert(Selected.end(), {Flag.str(), ClangFlags[++I]});
      continue;
    }
    if (any_of(Prefixes, [&](StringRef P) { return Flag.starts_with(P); }))
      Selected.push_back(Flag.str());
  }
  return Selected;
}

/// Returns those of \p Words, of a command of nvcc, that decide about the code
/// of kernels or whether it compiles.
static std::vector<std::string> selectDeviceFlags(ArrayRef<std::string> Words) {
  static constexpr StringLiteral Names[] = {"use_fast_math",
                                            "extended-lambda",
                                            "expt-extended-lambda",
                                            "expt-relaxed-constexpr",
                                            "G",
                                            "device-debug"};
  static constexpr StringLiteral WithValue[] = {"maxrregcount",
                                                "Xptxas",
                                                "ptxas-options",
                                                "fmad",
                                                "ftz",
                                                "prec-div",
                                                "prec-sqrt",
                                                "rdc",
                                                "relocatable-device-code",
                                                "ccbin",
                                                "compiler-bindir",
                                                "dopt"};
  static constexpr StringLiteral Relocatable[] = {"dc", "device-c", "dw",
                                                  "device-w"};
  std::vector<std::string> Selected;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (!Word.consume_front("-"))
      continue;
    Word.consume_front("-");
    const StringRef Name = Word.split('=').first;
    if (is_contained(Relocatable, Word))
      Selected.push_back("-rdc=true");
    else if (is_contained(Names, Name))
      Selected.push_back(Words[I]);
    else if (is_contained(WithValue, Name)) {
      Selected.push_back(Words[I]);
      if (Name.size() == Word.size() && I + 1 < Words.size())
        Selected.push_back(Words[++I]);
    }
  }
  return Selected;
}

/// Runs \p Command and returns what it prints.
static Expected<std::string> run(ArrayRef<std::string> Command) {
  const SmallVector<StringRef, 32> Words(Command.begin(), Command.end());
  const ProgramRun Run = runProgram(Words);
  if (!Run.isDone())
    return createStringError("nvcc: " + Run.explain());
  return Run.Output + Run.Messages;
}

/// Only a file without edited headers can be measured: the copy is compiled in
/// a temporary folder, where -I finds the original headers.
static Expected<ResourceTable>
measure(const Input &In, StringRef Arch,
        const std::map<std::string, std::string> &Texts) {
  SmallString<128> Source(In.File), Real, Folder;
  if (!In.Directory.empty())
    sys::path::make_absolute(In.Directory, Source);
  if (std::error_code EC = sys::fs::real_path(Source, Real))
    return createFileError(In.File, EC);
  auto Text = Texts.find(Real.str().str());
  if (Text == Texts.end() || Texts.size() > 1)
    return createStringError("an included file is edited too");
  Expected<Toolkit> Cuda = findToolkit(In.Command.CudaPath);
  if (!Cuda)
    return Cuda.takeError();
  if (std::error_code EC = sys::fs::createUniqueDirectory("cuda-opt", Folder))
    return createFileError("temporary folder", EC);
  scope_exit Remove([&] { (void)sys::fs::remove_directories(Folder, true); });

  SmallString<128> Copy(Folder), Nvcc(Cuda->Path);
  sys::path::append(Copy, sys::path::filename(Real));
  sys::path::append(Nvcc, "bin", "nvcc");
  sys::RemoveFileOnSignal(Copy);
  if (Error E = writeFile(Copy, Text->second))
    return std::move(E);
  // The words of the variables are among those of the command already.
  std::vector<std::string> Command = {
      "/usr/bin/env",
      "-u",
      "NVCC_PREPEND_FLAGS",
      "-u",
      "NVCC_APPEND_FLAGS",
      Nvcc.str().str(),
      "-O3",
      "-arch=" + Arch.str(),
      "--resource-usage",
      "-cubin",
      "-o",
      "/dev/null",
      "-x",
      "cu",
      "-I" + sys::path::parent_path(Source).str(),
      "-I" + sys::path::parent_path(Real).str()};
  append_range(Command, selectFlags(In.Command.ClangFlags));
  append_range(Command, selectDeviceFlags(In.Command.Words));
  Command.push_back(Copy.str().str());
  Expected<std::string> Output = run(Command);
  if (!Output)
    return Output.takeError();
  return readResourceUsage(*Output);
}

ResourceMeter cudaopt::createResourceMeter(const Input &In, StringRef Arch) {
  return [In, Arch = Arch.str()](const std::map<std::string, std::string> &T) {
    return measure(In, Arch, T);
  };
}

/// Returns the blocks per multiprocessor of each instance of \p K, before and
/// after.
static std::vector<BeforeAfter<unsigned>>
countBlocks(const BeforeAfter<KernelResources> &R, const Kernel &K,
            const Target &T) {
  std::vector<BeforeAfter<unsigned>> Counts;
  for (const auto &Instance : K.Instances) {
    const BlockShape &Block = Instance->Block;
    if (Block.IsUnseen)
      continue;
    const uint32_t Threads =
        Block.isKnown() ? Block.numThreads() : Block.MaxThreads;
    const uint64_t Dynamic = Block.DynamicBytes.value_or(0);
    auto BlocksWith = [&](const KernelResources &Taken) {
      return blocksPerSM(T, Threads, Taken.SharedBytes + Dynamic,
                         Taken.Registers);
    };
    Counts.push_back({BlocksWith(R.Before), BlocksWith(R.After)});
  }
  return Counts;
}

bool cudaopt::fitsMoreBlocks(const BeforeAfter<KernelResources> &R,
                             const Kernel &K, const Target &T) {
  return any_of(countBlocks(R, K, T), [](const BeforeAfter<unsigned> &Blocks) {
    return Blocks.After > Blocks.Before;
  });
}

std::string cudaopt::findLoss(const BeforeAfter<KernelResources> &R,
                              const Kernel &K, const Target &T) {
  if (R.After.SpillBytes > R.Before.SpillBytes)
    return llvm::formatv("{0} bytes of registers are spilled, not {1}",
                         R.After.SpillBytes, R.Before.SpillBytes);
  for (const BeforeAfter<unsigned> &Blocks : countBlocks(R, K, T))
    if (Blocks.After < Blocks.Before)
      return llvm::formatv("with {0} registers a thread, not {1}, {2} blocks "
                           "fit on a multiprocessor, not {3}",
                           R.After.Registers, R.Before.Registers, Blocks.After,
                           Blocks.Before);
  return "";
}
