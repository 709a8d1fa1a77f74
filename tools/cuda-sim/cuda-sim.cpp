// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The entry point of cuda-sim: runs a CUDA program on the CPU and reports what
/// is wrong with its kernels.
//===----------------------------------------------------------------------===//

#include "CudaRuntime.h"
#include "HostProgram.h"
#include "KernelFile.h"
#include "ProgramLoader.h"
#include "RunReport.h"
#include "SimCommandLine.h"
#include "Simulator.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace cudaopt;
using namespace cudaopt::cudasim;
using namespace llvm;

#ifndef CUDAOPT_VERSION
#error "the build system passes the project's version"
#endif

namespace {

/// One program, from its command line to its exit code.
class Session {
public:
  explicit Session(const SimCommandLine &Line) : Line(Line), Report(errs()) {}

  /// Runs the program. Returns only if it does not start; otherwise the process
  /// exits.
  int run();

private:
  Error start();
  [[noreturn]] void end(int Code, Simulator::Ending How);
  int writeReports(int Code);

  const SimCommandLine &Line;
  RunReport Report;
  std::unique_ptr<Simulator> Device;
  std::unique_ptr<HostProgram> Host;
};

} // namespace

/// Prints an error. Clang's messages are printed as they are.
static int reportError(int Code, Error E) {
  std::string Text = toString(std::move(E));
  if (!StringRef(Text).contains("error: "))
    errs() << "cuda-sim: error: ";
  errs() << Text << '\n';
  return Code;
}

static void exitOrderly(int Code) {
  TheSimulator->Exit(Code, Simulator::Ending::Orderly);
}

static void exitAbruptly(int Code) {
  TheSimulator->Exit(Code, Simulator::Ending::Abrupt);
}

/// Replacements for the functions by which a program ends, since the reports
/// must be printed before.
static std::vector<RuntimeEntry> exitEntries() {
  void *Orderly = reinterpret_cast<void *>(&exitOrderly);
  void *Abruptly = reinterpret_cast<void *>(&exitAbruptly);
  return {{"exit", Orderly},
          {"_exit", Abruptly},
          {"_Exit", Abruptly},
          {"quick_exit", Abruptly}};
}

template <size_t Size> static void writeError(const char (&Text)[Size]) {
  (void)!write(STDERR_FILENO, Text, Size - 1);
}

/// Says whose fault a crash is. A signal handler may call only few functions.
static void handleCrash(int Signal) {
  if (TheSimulator->isInterpreting()) {
    writeError("cuda-sim: internal error: the interpreter crashed\n");
    std::_Exit(ExitInternal);
  }
  writeError("cuda-sim: error: the program crashed on the host; memory of "
             "cudaMalloc is the device's alone\n");
  std::signal(Signal, SIG_DFL);
  std::raise(Signal);
}

/// Writes the reports and returns the exit code of the process.
int Session::writeReports(int Code) {
  Code &= 0xff; // As the system does.
  if (Code == 0 && Report.hasErrors())
    Code = ExitFindings;
  std::fflush(nullptr);
  if (Line.Opts.CountBanks)
    Report.printCosts(&simt::Observations::Shared, simt::SharedCosts);
  if (Line.Opts.CountSectors)
    Report.printCosts(&simt::Observations::Global, simt::GlobalCosts);
  if (!Line.Opts.IsQuiet) {
    errs() << "cuda-sim: " << Report.summary() << '\n';
    for (const std::string &Caveat : Report.caveats(Line.Opts))
      errs() << "cuda-sim: " << Caveat << '\n';
  }
  if (Line.Opts.Json.empty())
    return Code;
  std::error_code EC;
  raw_fd_ostream Json(Line.Opts.Json, EC);
  if (!EC) {
    Json << formatv("{0:2}\n", Report.toJson(Code, Line.Opts));
    Json.close();
    EC = Json.error();
    Json.clear_error();
  }
  if (!EC)
    return Code;
  return reportError(ExitBadInput,
                     createStringError("cannot write '" + Line.Opts.Json +
                                       "': " + EC.message()));
}

/// Ends the process with the reports printed; after an orderly end, the
/// program's own exit handlers run first.
void Session::end(int Code, Simulator::Ending How) {
  if (How == Simulator::Ending::Orderly)
    if (Error E = Host->finish())
      Code = reportError(ExitInternal, std::move(E));
  Code = writeReports(Code);
  if (How == Simulator::Ending::Orderly)
    std::exit(Code);
  std::_Exit(Code);
}

/// Creates the device before the program is loaded: registration runs in static
/// constructors.
Error Session::start() {
  Expected<cudaopt::Target> Machine = chooseTarget(Line);
  if (!Machine)
    return Machine.takeError();
  Device = std::make_unique<Simulator>(Line.Opts, *Machine, Report, errs());
  Device->Exit = [this](int Code, Simulator::Ending How) { end(Code, How); };
  TheSimulator = Device.get();
  std::vector<RuntimeEntry> Entries = exitEntries();
  append_range(Entries, kernelEntries());
  append_range(Entries, deviceEntries());
  append_range(Entries, memoryEntries());
  if (Error E = HostProgram::create(Entries).moveInto(Host))
    return E;
  return ProgramLoader(Line, *Device, *Host).load();
}

int Session::run() {
  if (Error E = start())
    return reportError(ExitBadInput, std::move(E));
  for (int Signal : {SIGSEGV, SIGBUS})
    std::signal(Signal, handleCrash);
  std::vector<std::string> Words = {Line.Files.front()};
  append_range(Words, Line.Arguments);
  Expected<int> Code = Host->run(Words);
  if (!Code)
    return reportError(ExitBadInput, Code.takeError());
  end(*Code, Simulator::Ending::Orderly);
}

static int runKernels(const SimCommandLine &Line) {
  Expected<int> Code = checkKernels(Line, outs());
  return Code ? *Code : reportError(ExitBadInput, Code.takeError());
}

int main(int argc, char **argv) {
  Expected<SimCommandLine> Line = parseSimCommandLine(ArrayRef(argv, argc));
  if (!Line)
    return reportError(ExitBadCommand, Line.takeError());
  switch (Line->What) {
  case SimCommandLine::Request::Help:
    printSimHelp(outs());
    return 0;
  case SimCommandLine::Request::Version:
    outs() << "cuda-sim " CUDAOPT_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
    return 0;
  case SimCommandLine::Request::Run:
    if (Line->Opts.OnlyKernels)
      return runKernels(*Line);
    return Session(*Line).run();
  }
  llvm_unreachable("unknown request");
}
