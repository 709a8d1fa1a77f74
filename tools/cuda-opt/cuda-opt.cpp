// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The entry point of the command-line tool.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Command/CommandLine.h"
#include "cudaopt/Driver/Command/Requests.h"
#include "cudaopt/Driver/Driver.h"
#include "cudaopt/Driver/Launcher/Launcher.h"
#include "cudaopt/Driver/Tune/Calibrate.h"
#include "cudaopt/Driver/Tune/Tune.h"

#include "llvm/Support/InitLLVM.h"
#include <csignal>
#include <vector>

using namespace cudaopt;
using namespace llvm;

#ifndef CUDAOPT_VERSION
#error "the build system passes the project's version"
#endif

static int run(const CommandLine &Line) {
  switch (Line.What) {
  case CommandLine::Request::Launch:
    return launchCompiler(Line);
  case CommandLine::Request::Run:
    return runDriver(Line);
  case CommandLine::Request::Tune:
    return runTune(Line.Words, Line.Executable);
  case CommandLine::Request::Calibrate:
    return runCalibrate(Line.Words);
  default:
    return answerRequest(Line, CUDAOPT_VERSION);
  }
}

/// Returns the signals that end a process and that a parent, such as nohup(1),
/// has made us ignore. LLVM's signal handlers would make them effective again.
static std::vector<int> listIgnoredSignals() {
  std::vector<int> Ignored;
  for (int Signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
    struct sigaction Action;
    if (!sigaction(Signal, nullptr, &Action) && Action.sa_handler == SIG_IGN)
      Ignored.push_back(Signal);
  }
  return Ignored;
}

int main(int argc, char **argv) {
  const std::vector<int> Ignored = listIgnoredSignals();
  InitLLVM Init(argc, argv);
  for (int Signal : Ignored)
    std::signal(Signal, SIG_IGN);
  Expected<CommandLine> Line = parseCommandLine(ArrayRef(argv, argc));
  if (!Line)
    return reportError(ExitBadCommand, Line.takeError());
  const int Code = run(*Line);
  // Whatever was delivered: a full disk must not go unnoticed.
  outs().flush();
  if (!outs().has_error())
    return Code;
  outs().clear_error();
  return reportError(ExitBadInput,
                     createStringError("cannot write standard output"));
}
