// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compiles with the same flags as the pipeline's parses, except that libdevice
/// and texture reads, which a mere parse may omit, are included.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Pipeline/IRCompiler.h"
#include "cudaopt/Driver/Parse/Prelude.h"

#include "DeviceModule.h"
#include "Parse/NvccParse.h"
#include "Parse/NvccSpelling.h"
#include "Parse/ReplacingFileSystem.h"

#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>

using namespace cudaopt;
using namespace llvm;

namespace {

constexpr StringLiteral TokenPath = "/cuda-opt/binary";

/// Runs the emitter on an invocation and keeps its module.
class CompileTool : public clang::tooling::ToolAction {
public:
  CompileTool(LLVMContext &Context, clang::DiagnosticConsumer &Client,
              IRCompiler::Emitter Emit)
      : Context(Context), Client(Client), Emit(Emit) {}

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> Invocation,
                     clang::FileManager *Files,
                     std::shared_ptr<clang::PCHContainerOperations> PCHs,
                     clang::DiagnosticConsumer *) override {
    if (Client.getNumErrors())
      return false; // The flags are wrong.
    // The comments of -verify expect the remarks of a parse.
    Invocation->getDiagnosticOpts().VerifyDiagnostics = false;
    // With carets, clang also prints a count of errors.
    Invocation->getDiagnosticOpts().ShowCarets = false;
    readAsNvcc(*Invocation,
               cast<vfs::OverlayFileSystem>(Files->getVirtualFileSystem()));
    clang::CompilerInstance CI(std::move(Invocation), std::move(PCHs));
    CI.setVirtualFileSystem(Files->getVirtualFileSystemPtr());
    CI.setFileManager(Files);
    CI.createDiagnostics(&Client, /*ShouldOwnClient=*/false);
    CI.createSourceManager();
    M = Emit(CI, Context);
    return M != nullptr;
  }

  std::unique_ptr<Module> M;

private:
  LLVMContext &Context;
  clang::DiagnosticConsumer &Client;
  IRCompiler::Emitter Emit;
};

} // namespace

Expected<IRCompiler> IRCompiler::create(const Input &In, const char *Executable,
                                        StringRef Arch) {
  IRCompiler Result;
  Result.In = In;
  Result.Executable = Executable;
  Result.Arch = Arch.str();
  if (Error E = findResourceDir(Executable, In.Command.ClangFlags)
                    .moveInto(Result.ResourceDir))
    return std::move(E);
  if (In.Command.usesToolkit()) {
    Expected<Toolkit> Found = findToolkit(In.Command.CudaPath);
    if (!Found)
      return Found.takeError();
    Result.Cuda = std::move(*Found);
  }
  Result.findSystemFolders();
  return Result;
}

void IRCompiler::replaceFile(StringRef Path, std::string Text) {
  Replaced[Path] = std::move(Text);
}

/// Returns \p Path without ".." and links, so that a file as debug information
/// names it and a folder as a flag names it can be compared.
static std::string normalize(StringRef Path, StringRef Directory) {
  SmallString<128> Result(Path), Real;
  if (!Directory.empty())
    sys::path::make_absolute(Directory, Result);
  if (!sys::fs::real_path(Result, Real))
    return Real.str().str();
  (void)sys::fs::make_absolute(Result);
  sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
  return Result.str().str();
}

/// Collects the folders whose files count as the system's, with a trailing
/// slash.
void IRCompiler::findSystemFolders() {
  auto Add = [&](StringRef Folder) {
    SystemFolders.push_back(normalize(Folder, In.Directory) + "/");
  };
  for (StringRef Folder :
       {"/usr/include", "/usr/lib", "/usr/local/include", "/cuda-opt"})
    Add(Folder);
  Add(ResourceDir);
  if (Cuda)
    Add(Cuda->Path);
  const std::vector<std::string> &Flags = In.Command.ClangFlags;
  for (size_t I = 0; I < Flags.size(); ++I) {
    StringRef Flag = Flags[I];
    if (!Flag.consume_front("-isystem"))
      continue;
    if (!Flag.empty())
      Add(Flag);
    else if (I + 1 < Flags.size())
      Add(Flags[++I]);
  }
}

bool IRCompiler::isSystemFile(StringRef File) const {
  std::string Path = normalize(File, In.Directory);
  return any_of(SystemFolders, [&](StringRef Folder) {
    return StringRef(Path).starts_with(Folder);
  });
}

/// Some packages ship a toolkit with headers only, without libdevice.
static bool hasLibdevice(const Toolkit &Cuda) {
  SmallString<128> Path(Cuda.Path);
  sys::path::append(Path, "nvvm", "libdevice", "libdevice.10.bc");
  return sys::fs::exists(Path);
}

std::vector<std::string> IRCompiler::deviceCommand() const {
  std::vector<std::string> Command = {Executable};
  append_range(Command, buildClangFlags(In.Command, Arch,
                                        Cuda ? &*Cuda : nullptr, ResourceDir));
  bool ReadsLibdevice = Cuda && hasLibdevice(*Cuda);
  // The first -nocudalib is ours; another one is the user's wish.
  bool IsOurs = true;
  erase_if(Command, [&](StringRef Flag) {
    return Flag == "-nocudalib" && ReadsLibdevice &&
           std::exchange(IsOurs, false);
  });
  // -O1 keeps functions free of optnone, while -disable-llvm-passes leaves the
  // code as written, so that nothing is optimized away before it is checked.
  // Relocatable code would leave variables to other files. With the compilation
  // directory "/", debug information has full paths.
  append_values(Command, "-O1", "-Xclang", "-disable-llvm-passes",
                "-gline-tables-only", "-fno-discard-value-names",
                "-fno-gpu-rdc", "-fdebug-compilation-dir=/");
  return Command;
}

std::vector<std::string> IRCompiler::hostCommand() const {
  std::vector<std::string> Command = {Executable};
  append_range(Command, buildClangFlags(In.Command, Arch,
                                        Cuda ? &*Cuda : nullptr, ResourceDir));
  replace(Command, std::string("--cuda-device-only"),
          std::string("--cuda-host-only"));
  // By default nvcc does not optimize host code, so that programs may rely on
  // integers that wrap around.
  append_values(Command, "-O1", "-fwrapv", "-fPIC", "-fno-gpu-rdc", "-Xclang",
                "-fcuda-include-gpubinary", "-Xclang", TokenPath.str());
  return Command;
}

Expected<std::unique_ptr<Module>>
IRCompiler::compileDevice(LLVMContext &Context) const {
  return compile(Context, deviceCommand(), "", makeDeviceModule);
}

Expected<std::unique_ptr<Module>> IRCompiler::compileHost(LLVMContext &Context,
                                                          StringRef Token,
                                                          Emitter Emit) const {
  return compile(Context, hostCommand(), Token, Emit);
}

/// Returns the first lines of \p Messages: a file that is not CUDA has
/// thousands.
static std::string shorten(StringRef Messages) {
  constexpr unsigned MaxLines = 20;
  size_t End = 0;
  for (unsigned Line = 0; Line < MaxLines && End < Messages.size(); ++Line)
    End = std::min(Messages.find('\n', End), Messages.size() - 1) + 1;
  return Messages.take_front(End).rtrim().str();
}

Expected<std::unique_ptr<Module>>
IRCompiler::compile(LLVMContext &Context, std::vector<std::string> Command,
                    StringRef Token, Emitter Emit) const {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(getPreludePath(), 0,
                  MemoryBuffer::getMemBuffer(getPreludeText()));
  Memory->addFile(TokenPath, 0, MemoryBuffer::getMemBufferCopy(Token));
  IntrusiveRefCntPtr<vfs::FileSystem> Shown = In.Disk;
  if (!Shown)
    Shown = vfs::createPhysicalFileSystem();
  auto Disk = makeIntrusiveRefCnt<ReplacingFileSystem>(std::move(Shown));
  auto FS = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(
      makeIntrusiveRefCnt<SpellingFileSystem>(Disk));
  FS->pushOverlay(Memory);
  (void)FS->setCurrentWorkingDirectory(In.Directory.empty()
                                           ? *Disk->getCurrentWorkingDirectory()
                                           : In.Directory);
  for (const auto &File : Replaced)
    if (!Disk->replace(File.first(), File.second))
      Memory->addFile(File.first(), 0, MemoryBuffer::getMemBuffer(File.second));

  // A relative name is relative to our directory, as in the pipeline, although
  // the command runs elsewhere.
  SmallString<128> Path(In.File);
  if (!In.Directory.empty())
    (void)sys::fs::make_absolute(Path);
  Command.push_back(Path.str().str());
  Command = clang::tooling::getClangSyntaxOnlyAdjuster()(Command, Path);

  std::string Messages;
  raw_string_ostream OS(Messages);
  clang::DiagnosticOptions Options;
  Options.ShowCarets = false;
  clang::TextDiagnosticPrinter Printer(OS, Options);
  CompileTool Tool(Context, Printer, Emit);
  auto Files =
      makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), FS);
  clang::tooling::ToolInvocation Invocation(
      std::move(Command), &Tool, Files.get(),
      std::make_shared<clang::PCHContainerOperations>());
  Invocation.setDiagnosticConsumer(&Printer);
  Invocation.run();
  if (Tool.M)
    return std::move(Tool.M);
  std::string Text = shorten(Messages);
  return createStringError(Text.empty() ? In.File + ": clang makes no code"
                                        : Text);
}
