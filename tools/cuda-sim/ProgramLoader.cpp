// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compiles and links a program. As without relocatable device code, the device
/// side of each file is a program of its own.
//===----------------------------------------------------------------------===//

#include "ProgramLoader.h"

#include "DeviceProperties.h"
#include "ManagedVariables.h"
#include "cudaopt/Driver/Parse/SharedBarriers.h"

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <future>

using namespace cudaopt;
using namespace cudaopt::cudasim;
using namespace llvm;

static std::string archOf(const SimCommandLine &Line,
                          const NvccCommand &Command) {
  return chooseArch(Line.Opts.Arch, Command.Archs);
}

Expected<cudaopt::Target> cudasim::chooseTarget(const SimCommandLine &Line) {
  Expected<NvccCommand> Command = readNvccCommand(Line.Flags);
  if (!Command)
    return Command.takeError();
  std::string Arch = archOf(Line, *Command);
  std::optional<cudaopt::Target> Found = findTarget(Arch);
  if (!Found)
    return createStringError("GPU " + Arch + " is unknown");
  return *Found;
}

Expected<IRCompiler> cudasim::makeCudaCompiler(const SimCommandLine &Line,
                                               StringRef File) {
  Input In;
  In.File = File.str();
  if (Error E = readNvccCommand(Line.Flags).moveInto(In.Command))
    return std::move(E);
  std::string Arch = archOf(Line, In.Command);
  bool UsesToolkit = In.Command.usesToolkit();
  if (UsesToolkit)
    append_values(In.Command.ClangFlags, "-include",
                  getManagedHeaderPath().str());
  Expected<IRCompiler> Compiler = IRCompiler::create(In, Line.Executable, Arch);
  if (Compiler && UsesToolkit)
    Compiler->replaceFile(getManagedHeaderPath(), getManagedHeaderText().str());
  return Compiler;
}

/// Returns the compiler of a file that is not CUDA: it includes nothing of CUDA
/// by itself, but finds the toolkit's headers.
Expected<IRCompiler> ProgramLoader::makeHostCompiler(StringRef File) {
  bool IsC = sys::path::extension(File) == ".c";
  Input In;
  In.File = File.str();
  In.Command = Command;
  std::vector<std::string> &Flags = In.Command.ClangFlags;
  if (IsC) {
    erase_if(Flags, [](StringRef Flag) {
      return Flag.starts_with("-std=c++") || Flag.starts_with("-std=gnu++");
    });
    // The compilers for which CUDA programs are written still accept old C.
    append_values(Flags, "-std=gnu17", "-Wno-implicit-function-declaration",
                  "-Wno-implicit-int", "-Wno-int-conversion",
                  "-Wno-incompatible-function-pointer-types");
  }
  append_values(Flags, "-nocudainc", "-x", IsC ? "c" : "c++");
  if (Command.usesToolkit()) {
    Expected<Toolkit> Cuda = findToolkit(Command.CudaPath);
    if (!Cuda)
      return Cuda.takeError();
    SmallString<128> Headers(Cuda->Path);
    sys::path::append(Headers, "include");
    append_values(Flags, "-isystem", Headers.str().str());
  }
  return IRCompiler::create(In, Line.Executable, Arch);
}

namespace {
/// Generates host code and optimizes it as the command says.
class HostModuleAction : public clang::EmitLLVMOnlyAction {
public:
  using EmitLLVMOnlyAction::EmitLLVMOnlyAction;

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef File) override {
    return acceptSharedBarriers(
        EmitLLVMOnlyAction::CreateASTConsumer(CI, File));
  }
};
} // namespace

static std::unique_ptr<Module> emitHost(clang::CompilerInstance &CI,
                                        LLVMContext &Context) {
  HostModuleAction Action(&Context);
  return CI.ExecuteAction(Action) ? Action.takeModule() : nullptr;
}

Error ProgramLoader::addHost(const IRCompiler &Compiler, StringRef Token) {
  auto Context = std::make_unique<LLVMContext>();
  auto M = Compiler.compileHost(*Context, Token, emitHost);
  if (!M)
    return M.takeError();
  return Host.add(std::move(Context), std::move(*M));
}

Error ProgramLoader::loadHostOnly(StringRef File) {
  Expected<IRCompiler> Compiler = makeHostCompiler(File);
  return Compiler ? addHost(*Compiler, "") : Compiler.takeError();
}

/// Compiles both sides of a CUDA file. The token connects them: the host side
/// registers its kernels with it.
Error ProgramLoader::loadCuda(StringRef File) {
  Expected<IRCompiler> Compiler = makeCudaCompiler(Line, File);
  if (!Compiler)
    return Compiler.takeError();
  auto Context = std::make_unique<LLVMContext>();
  // Both sides take about the same time, so that they are compiled in parallel.
  auto DeviceSide = std::async(
      std::launch::async, [&] { return Compiler->compileDevice(*Context); });
  Error HostError = addHost(*Compiler, Simulator::tokenOf(NumImages));
  Expected<std::unique_ptr<Module>> M = DeviceSide.get();
  if (!M) { // An error in the text occurs on both sides.
    consumeError(std::move(HostError));
    return M.takeError();
  }
  if (HostError)
    return HostError;
  ++NumImages;
  auto IsSystemFile =
      [Shared = std::make_shared<IRCompiler>(*Compiler)](StringRef Name) {
        return Shared->isSystemFile(Name);
      };
  return Device.load(std::move(Context), std::move(*M), IsSystemFile);
}

Error ProgramLoader::loadDeviceProperties() {
  Expected<IRCompiler> Compiler =
      makeCudaCompiler(Line, getDevicePropertiesPath());
  if (!Compiler)
    return Compiler.takeError();
  Compiler->replaceFile(getDevicePropertiesPath(),
                        getDevicePropertiesText().str());
  return addHost(*Compiler, "");
}

/// Returns true for names of functions in CUDA's libraries: cudaMalloc, cuInit,
/// cublasCreate_v2.
static bool isCudaName(StringRef Name) {
  Name.consume_front("__");
  return Name.starts_with("cu") && any_of(Name, isUpper);
}

/// Reports undefined functions of CUDA apart from others: they exist, but are
/// not modelled.
Error ProgramLoader::checkSymbols() const {
  std::vector<std::string> Missing = Host.missingSymbols();
  if (Missing.empty())
    return Error::success();
  std::vector<std::string> Cuda, Others;
  for (const std::string &Name : Missing)
    if (isCudaName(Name))
      Cuda.push_back(Name);
    else
      Others.push_back(demangle(Name));
  if (!Cuda.empty())
    return createStringError("the program calls " + join(Cuda, ", ") +
                             ", which cuda-sim does not model");
  return createStringError("the program uses " + join(Others, ", ") +
                           ", which neither its files nor its libraries "
                           "define");
}

Error ProgramLoader::load() {
  if (Error E = readNvccCommand(Line.Flags).moveInto(Command))
    return E;
  Arch = archOf(Line, Command);
  for (const std::string &File : Line.Files) {
    if (!sys::fs::is_regular_file(File))
      return createStringError("cannot read '" + File + "'");
    bool IsCuda = sys::path::extension(File) == ".cu";
    if (Error E = IsCuda ? loadCuda(File) : loadHostOnly(File))
      return E;
  }
  if (Error E = loadLibraries(Line.Flags))
    return E;
  if (any_of(Host.missingSymbols(), isDeviceProperties))
    if (Error E = loadDeviceProperties())
      return E;
  return checkSymbols();
}
