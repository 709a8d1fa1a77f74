// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Answers requests for information, and writes a configuration for clangd.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Command/Requests.h"
#include "cudaopt/Driver/Command/Help.h"
#include "cudaopt/Driver/Launcher/LaunchedCompile.h"
#include "cudaopt/Driver/Parse/Prelude.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <isl/version.h>
#include <optional>

using namespace cudaopt;
using namespace llvm;
using Request = CommandLine::Request;

/// Prints the version of every component on which results depend, and what is
/// missing.
static void printVersion(const CommandLine &Line, StringRef Version,
                         raw_ostream &OS) {
  OS << "cuda-opt " << Version << " (LLVM " LLVM_VERSION_STRING ", "
     << StringRef(isl_version()).trim() << ", ";
  Expected<Toolkit> Cuda = findStatedToolkit(Line);
  if (Cuda)
    OS << "CUDA " << Cuda->Major << '.' << Cuda->Minor << " at " << Cuda->Path;
  else
    OS << "no CUDA Toolkit found";
  OS << ")\n";
  consumeError(Cuda.takeError());
  printMissing(Line, OS);
}

/// Returns the sources for which configurations are printed; a made-up one in
/// the current folder if none is named.
static Expected<std::vector<std::string>> listSources(const CommandLine &Line) {
  if (!Line.Compiler.empty()) {
    auto Compile = readLaunchedCompile(Line.Compiler);
    if (!Compile)
      return Compile.takeError();
    return std::vector<std::string>{*Compile ? (*Compile)->source() : "a.cu"};
  }
  if (Line.BuildPath.empty())
    return Line.Files.empty() ? std::vector<std::string>{"a.cu"} : Line.Files;
  Expected<std::vector<Input>> Inputs = findInputs(Line);
  if (!Inputs)
    return Inputs.takeError();
  std::vector<std::string> Sources;
  for (const Input &In : *Inputs)
    Sources.push_back(In.File);
  return Sources;
}

static ExitCode printConfigurations(const CommandLine &Line) {
  Expected<std::vector<std::string>> Sources = listSources(Line);
  if (!Sources)
    return reportError(ExitBadCommand, Sources.takeError());
  for (const std::string &Source : *Sources) {
    Expected<EffectiveOptions> Effective =
        resolveOptions(Line.Opts, Line.Places, Source);
    if (!Effective)
      return reportError(ExitBadCommand, Effective.takeError());
    if (Sources->size() > 1)
      outs() << "--- # " << Source << '\n';
    printConfiguration(*Effective, Line.What == Request::ExplainConfig, outs());
  }
  return ExitDone;
}

/// Returns clang's flags for \p In, without the include of the prelude, which
/// exists only in memory.
static Expected<std::vector<std::string>> findFlags(const CommandLine &Line,
                                                    const Input &In) {
  Expected<EffectiveOptions> Effective =
      resolveOptions(Line.Opts, Line.Places, In.File);
  if (!Effective)
    return Effective.takeError();
  Expected<std::string> ResourceDir = findResourceDir(Line.Executable);
  if (!ResourceDir)
    return ResourceDir.takeError();
  std::optional<Toolkit> Cuda;
  if (In.Command.usesToolkit()) {
    Expected<Toolkit> Found = findToolkit(In.Command.CudaPath);
    if (!Found)
      return Found.takeError();
    Cuda = std::move(*Found);
  }
  std::vector<std::string> Flags = buildClangFlags(
      In.Command, chooseArch(Effective->Opts.Arch, In.Command.Archs),
      Cuda ? &*Cuda : nullptr, *ResourceDir);
  auto Prelude = find(Flags, getPreludePath());
  if (Prelude != Flags.end() && Prelude != Flags.begin())
    Flags.erase(Prelude - 1, Prelude + 1);
  return Flags;
}

static ExitCode printClangFlags(const CommandLine &Line) {
  Expected<std::vector<Input>> Inputs = findInputs(Line);
  if (!Inputs)
    return reportError(ExitBadCommand, Inputs.takeError());
  for (const Input &In : *Inputs) {
    Expected<std::vector<std::string>> Flags = findFlags(Line, In);
    if (!Flags)
      return reportError(ExitBadInput, Flags.takeError());
    std::string Separator;
    for (StringRef Flag : *Flags) {
      outs() << Separator;
      sys::printArg(outs(), Flag, /*Quote=*/false);
      Separator = " ";
    }
    outs() << ' ';
    sys::printArg(outs(), In.File, /*Quote=*/false);
    outs() << '\n';
  }
  return ExitDone;
}

/// Words of nvcc in a compilation database that clangd must not see. A star
/// stands for the rest of the word.
static constexpr StringLiteral NvccWords[] = {"-arch*",
                                              "--gpu-architecture*",
                                              "-gencode*",
                                              "--generate-code*",
                                              "-code=*",
                                              "--gpu-code*",
                                              "arch=*",
                                              "sm_*",
                                              "compute_*",
                                              "-ccbin*",
                                              "--compiler-bindir*",
                                              "-Xcompiler*",
                                              "--compiler-options*",
                                              "-Xptxas*",
                                              "--ptxas-options*",
                                              "-Xcudafe*",
                                              "-Xnvlink*",
                                              "--expt-*",
                                              "-expt-*",
                                              "--extended-lambda",
                                              "-extended-lambda",
                                              "-rdc*",
                                              "--relocatable-device-code*",
                                              "-dc",
                                              "--device-c",
                                              "-lineinfo",
                                              "--generate-line-info",
                                              "-G",
                                              "--device-debug",
                                              "-use_fast_math",
                                              "--use_fast_math",
                                              "--fmad*",
                                              "--ftz*",
                                              "--prec-*",
                                              "--maxrregcount*",
                                              "-maxrregcount*",
                                              "--default-stream*",
                                              "-res-usage",
                                              "--resource-usage",
                                              "-forward-unknown-*",
                                              "--forward-unknown-*",
                                              "-diag-*",
                                              "--diag-*",
                                              "--threads*",
                                              "--keep*",
                                              "-cudart*",
                                              "--cudart*",
                                              "-allow-unsupported-compiler"};

static void printList(StringRef Key, ArrayRef<std::string> Words,
                      raw_ostream &OS) {
  OS << "  " << Key << ":\n";
  for (StringRef Word : Words) {
    OS << "    - '";
    for (char C : Word)
      OS << C << (C == '\'' ? "'" : "");
    OS << "'\n";
  }
}

/// Returns flags that are valid for all files of a project.
static Expected<std::vector<std::string>>
findClangdFlags(const CommandLine &Line) {
  std::vector<Input> Inputs;
  if (!Line.BuildPath.empty()) {
    Expected<std::vector<Input>> Found = findInputs(Line);
    if (!Found)
      return Found.takeError();
    Inputs = std::move(*Found);
  }
  Expected<NvccCommand> Command = readNvccCommand(Line.Flags);
  if (!Command)
    return Command.takeError();
  std::vector<std::string> Archs = Command->Archs;
  std::string CudaPath = Command->CudaPath;
  for (const Input &In : Inputs) {
    append_range(Archs, In.Command.Archs);
    if (CudaPath.empty())
      CudaPath = In.Command.CudaPath;
  }
  Expected<Toolkit> Cuda = findToolkit(CudaPath);
  if (!Cuda)
    return Cuda.takeError();
  std::vector<std::string> Flags = {
      "-xcuda", "--cuda-path=" + Cuda->Path,
      "--cuda-gpu-arch=" + chooseArch(Line.Opts.Arch, Archs),
      "--no-cuda-version-check", "-Wno-unknown-cuda-version",
      // As in our own parses.
      "-Xclang", Cuda->versionFlag()};
  SmallString<128> Cccl(Cuda->Path);
  sys::path::append(Cccl, "include", "cccl");
  if (sys::fs::is_directory(Cccl))
    Flags.push_back("-isystem" + Cccl.str().str());
  for (const std::string &Flag : Command->ClangFlags)
    if (!StringRef(Flag).starts_with("--cuda-path"))
      Flags.push_back(Flag);
  return Flags;
}

/// Prints a .clangd file: clangd reads nvcc commands from the compilation
/// database, so that words of nvcc must be removed, and what a CUDA parse needs
/// must be added.
static ExitCode printClangd(const CommandLine &Line) {
  Expected<std::vector<std::string>> Flags = findClangdFlags(Line);
  if (!Flags)
    return reportError(ExitBadInput, Flags.takeError());
  outs() << "# Written by cuda-opt --emit-clangd; put it into .clangd at the "
            "root of the project.\n"
            "If:\n  PathMatch: '.*\\.cuh?'\nCompileFlags:\n"
            "  Compiler: clang++\n";
  if (!Line.BuildPath.empty()) {
    SmallString<128> Path(Line.BuildPath);
    if (!sys::fs::is_directory(Path))
      sys::path::remove_filename(Path);
    outs() << "  CompilationDatabase: '" << Path << "'\n";
  }
  printList("Remove",
            to_vector(map_range(NvccWords,
                                [](StringRef Word) { return Word.str(); })),
            outs());
  printList("Add", *Flags, outs());
  return ExitDone;
}

ExitCode cudaopt::answerRequest(const CommandLine &Line, StringRef Version) {
  switch (Line.What) {
  case Request::Help:
    printHelp(outs());
    return ExitDone;
  case Request::Version:
    printVersion(Line, Version, outs());
    return ExitDone;
  case Request::ManPage:
    printManPage(Version, outs());
    return ExitDone;
  case Request::Completion:
    if (Error E = printCompletion(Line.Topic, outs()))
      return reportError(ExitBadCommand, std::move(E));
    return ExitDone;
  case Request::ListPasses:
    printPasses(outs());
    return ExitDone;
  case Request::Explain:
    if (Error E = explain(Line.Topic, outs()))
      return reportError(ExitBadCommand, std::move(E));
    return ExitDone;
  case Request::Doctor:
    return runDoctor(Line, Version, outs());
  case Request::DumpConfig:
  case Request::ExplainConfig:
    return printConfigurations(Line);
  case Request::PrintClangFlags:
    return printClangFlags(Line);
  case Request::EmitClangd:
    return printClangd(Line);
  case Request::Run:
  case Request::Launch:
  case Request::Tune:
  case Request::Calibrate:
    break;
  }
  llvm_unreachable("no request");
}
