// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The command-line tool.
//===----------------------------------------------------------------------===//

#include "cudaopt/Frontend/CommandLine.h"
#include "cudaopt/Frontend/Driver.h"
#include "cudaopt/Frontend/Launcher.h"
#include "cudaopt/Frontend/Toolkit.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <isl/version.h>

using namespace cudaopt;
using namespace llvm;

#ifndef CUDAOPT_VERSION
#error "the build system passes the project's version"
#endif

static void printVersion(raw_ostream &OS) {
  OS << "cuda-opt " CUDAOPT_VERSION " (LLVM " LLVM_VERSION_STRING ", "
     << StringRef(isl_version()).trim() << ", ";
  Expected<Toolkit> Cuda = findToolkit("");
  if (Cuda)
    OS << "CUDA " << Cuda->Major << '.' << Cuda->Minor << " at " << Cuda->Path;
  else
    OS << "no CUDA Toolkit found";
  OS << ")\n";
  consumeError(Cuda.takeError());
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  Expected<CommandLine> Line = parseCommandLine(ArrayRef(argv, argc));
  if (!Line)
    return reportError(ExitBadCommand, Line.takeError());
  switch (Line->What) {
  case CommandLine::Request::Help:
    printHelp(outs());
    return ExitDone;
  case CommandLine::Request::Version:
    printVersion(outs());
    return ExitDone;
  case CommandLine::Request::Launch:
    return launchCompiler(*Line);
  case CommandLine::Request::Run:
    return runDriver(*Line);
  }
  llvm_unreachable("unknown request");
}
