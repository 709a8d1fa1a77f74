// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs programs. What they print goes to temporary files, not to pipes: a pipe
/// that is read only when the program has ended could fill up and block it.
//===----------------------------------------------------------------------===//

#include "cudaopt/Support/Program.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

using namespace llvm;

namespace cudaopt {

std::string ProgramRun::explain() const {
  if (!Problem.empty())
    return Problem;
  const StringRef Said = StringRef(Messages).trim();
  const StringRef Line =
      (Said.empty() ? StringRef(Output).trim() : Said).split('\n').first;
  return Line.empty() ? "it ended with code " + std::to_string(Status)
                      : Line.str();
}

static std::string readFile(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : std::string();
}

ProgramRun runProgram(ArrayRef<StringRef> Words, unsigned Seconds) {
  ProgramRun Run;
  SmallString<128> Out, Log;
  if (sys::fs::createTemporaryFile("cuda-opt", "out", Out)) {
    Run.Problem = "cannot make a temporary file";
    return Run;
  }
  sys::RemoveFileOnSignal(Out);
  FileRemover OutRemover(Out);
  if (sys::fs::createTemporaryFile("cuda-opt", "log", Log)) {
    Run.Problem = "cannot make a temporary file";
    return Run;
  }
  sys::RemoveFileOnSignal(Log);
  FileRemover LogRemover(Log);
  Run.Status = sys::ExecuteAndWait(
      Words.front(), Words, std::nullopt,
      {StringRef(""), StringRef(Out), StringRef(Log)}, Seconds,
      /*MemoryLimit=*/0, &Run.Problem);
  if (Run.Status < 0)
    Run.Problem = (Words.front() + ": " + Run.Problem).str();
  Run.Output = readFile(Out);
  Run.Messages = readFile(Log);
  return Run;
}

} // namespace cudaopt
