// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs the two commands of the user, with variables of the environment that
/// say what cuda-opt and the timer do.
//===----------------------------------------------------------------------===//

#include "TunedProgram.h"

#include "cudaopt/Driver/Delivery/Output.h"
#include "cudaopt/Driver/Launcher/Launcher.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/wait.h>

using namespace cudaopt;
using namespace llvm;

namespace {

/// Sets a variable of the environment for the commands that run meanwhile.
class ScopedVariable {
public:
  ScopedVariable(const char *Name, const std::string &Value)
      : Name(Name), Old(sys::Process::GetEnv(Name)) {
    setenv(Name, Value.c_str(), /*replace=*/1);
  }
  ~ScopedVariable() {
    if (Old)
      setenv(Name, Old->c_str(), /*replace=*/1);
    else
      unsetenv(Name);
  }
  ScopedVariable(const ScopedVariable &) = delete;
  ScopedVariable &operator=(const ScopedVariable &) = delete;

private:
  const char *const Name;
  const std::optional<std::string> Old;
};

} // namespace

TunedProgram::TunedProgram(const TuneCommand &Command, std::string Log,
                           StringRef Self, StringRef Timer, ChildRunner &Runner)
    : Command(Command), Timer(Timer), Log(std::move(Log)),
      BuildWords(Command.Build), Products(Command.Products), Runner(Runner) {
  if (isCompilerName(BuildWords.front()))
    BuildWords.insert(BuildWords.begin(), Self.str());
  if (Products.empty())
    Products.push_back(Command.Program.front());
}

/// Returns the end of the text of \p Path, at most 20 lines.
static std::string readEnd(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return "";
  SmallVector<StringRef> Lines;
  (*Buffer)->getBuffer().rtrim().split(Lines, '\n');
  constexpr size_t MostLines = 20;
  const size_t Skipped =
      Lines.size() > MostLines ? Lines.size() - MostLines : 0;
  return join(ArrayRef(Lines).drop_front(Skipped), "\n");
}

Error TunedProgram::runCommand(const std::vector<std::string> &Words,
                               StringRef What) {
  const std::optional<int> Status =
      Runner.run(Words, {Log, /*Seconds=*/0, /*Folder=*/""});
  if (!Status)
    return createStringError("cannot run '" + Words.front() +
                             "': " + std::strerror(errno));
  if (WIFEXITED(*Status) && WEXITSTATUS(*Status) == 0)
    return Error::success();
  std::string How = "exit code " + std::to_string(WEXITSTATUS(*Status));
  if (WIFSIGNALED(*Status))
    How = strsignal(WTERMSIG(*Status));
  return createStringError("the " + What + " failed (" + How +
                           "): " + join(Words, " ") + "\n" + readEnd(Log));
}

/// Returns a text that changes when \p Product is written; an empty one if it
/// is no file.
std::string TunedProgram::identify(const std::string &Product) const {
  sys::fs::file_status Status;
  if (sys::fs::status(Product, Status) ||
      Status.type() != sys::fs::file_type::regular_file)
    return "";
  return std::to_string(Status.getUniqueID().getFile()) + " " +
         std::to_string(
             Status.getLastModificationTime().time_since_epoch().count());
}

/// Copies \p From to \p To with its mode. A program that runs is replaced, too,
/// and a link stays one.
static Error copyFile(const std::string &From, const std::string &To) {
  SmallString<128> Real(To), New;
  if (sys::fs::real_path(To, Real))
    Real = To; // There is no such file yet.
  std::error_code EC =
      sys::fs::getPotentiallyUniqueFileName(Real + ".cuda-opt-%%%%%%", New);
  if (!EC)
    std::filesystem::copy_file(
        From, New.str().str(),
        std::filesystem::copy_options::overwrite_existing, EC);
  if (!EC)
    std::filesystem::rename(New.str().str(), Real.str().str(), EC);
  if (EC) {
    (void)sys::fs::remove(New);
    return createStringError("cannot copy '" + From + "' to '" + To +
                             "': " + EC.message());
  }
  return Error::success();
}

static std::string keptPath(const ProgramVariant &Variant, size_t Number) {
  return Variant.Folder + "/" + std::to_string(Number);
}

Error TunedProgram::keepProducts(const ProgramVariant &Variant,
                                 ArrayRef<std::string> Before) {
  for (auto [Number, Product] : enumerate(Products)) {
    const std::string Now = identify(Product);
    if (Now.empty() || Now == Before[Number])
      return createStringError(
          "the build did not write '" + Product +
          (Command.Products.empty()
               ? "': name the files that it writes and the program uses with "
                 "--product=FILE, and make it write them anew (make -B)"
               : "': make it write the file anew (make -B)"));
    if (Error E = copyFile(Product, keptPath(Variant, Number)))
      return E;
  }
  return Error::success();
}

Error TunedProgram::use(const ProgramVariant &Variant) {
  for (auto [Number, Product] : enumerate(Products))
    if (Error E = copyFile(keptPath(Variant, Number), Product))
      return E;
  return Error::success();
}

/// The file that says that a variant's folder is complete; it holds
/// ProgramVariant::Fallbacks.
static std::string doneMark(const ProgramVariant &Variant) {
  return Variant.Folder + "/built";
}

Error TunedProgram::load(ProgramVariant &Variant) {
  auto Mark = MemoryBuffer::getFile(doneMark(Variant));
  if (!Mark || (*Mark)->getBuffer().getAsInteger(10, Variant.Fallbacks))
    return build(Variant);
  return readDecisions(Variant.Folder + "/reports").moveInto(Variant.Decisions);
}

/// Returns \p Text with a backslash before each character that may mean
/// something in CUDAOPT_FLAGS.
static std::string escape(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (!isAlnum(C) && C != '/')
      Result += '\\';
    Result += C;
  }
  return Result;
}

/// Returns how many sources the launcher compiled as they are, as \p Log tells.
static unsigned countFallbacks(StringRef Log) {
  auto Buffer = MemoryBuffer::getFile(Log);
  return Buffer ? unsigned(
                      (*Buffer)->getBuffer().count("; compiling the original"))
                : 0;
}

Error TunedProgram::rebuild() { return runCommand(BuildWords, "build"); }

Error TunedProgram::build(ProgramVariant &Variant) {
  const std::string Reports = Variant.Folder + "/reports";
  (void)sys::fs::remove_directories(Variant.Folder);
  if (std::error_code EC = sys::fs::create_directories(Reports))
    return createFileError(Reports, EC);
  SmallString<128> Absolute(Reports);
  if (std::error_code EC = sys::fs::make_absolute(Absolute))
    return createFileError(Reports, EC);
  // A file for each process, as many may compile sources of one name.
  sys::path::append(Absolute, "%p.json");
  std::string Flags = sys::Process::GetEnv("CUDAOPT_FLAGS").value_or("") +
                      " --report=json:" + escape(Absolute) + " --fallback=warn";
  if (!Variant.LayoutFlag.empty())
    Flags += " --layout=" + escape(Variant.LayoutFlag);
  if (!Variant.ReuseFlag.empty())
    Flags += " --reuse=" + escape(Variant.ReuseFlag);
  std::vector<std::string> Before;
  for (const std::string &Each : Products)
    Before.push_back(identify(Each));
  {
    const ScopedVariable Said("CUDAOPT_FLAGS", Flags);
    if (Error E = runCommand(BuildWords, "build"))
      return E;
  }
  Expected<ProgramDecisions> Decisions = readDecisions(Reports);
  if (!Decisions)
    return Decisions.takeError();
  if (Decisions->Kernels.empty())
    return createStringError(
        "the build compiled no kernel with shared memory through cuda-opt: put "
        "cuda-opt in front of its compiler (make NVCC=\"cuda-opt nvcc\"), and "
        "make it compile everything (make -B); it said:\n" +
        readEnd(Log));
  Variant.Fallbacks = countFallbacks(Log);
  Variant.Decisions = std::move(*Decisions);
  if (Error E = keepProducts(Variant, Before))
    return E;
  return writeFile(doneMark(Variant), std::to_string(Variant.Fallbacks));
}

/// Reads the record of a run.
static Expected<ProgramRun> readRun(StringRef Record) {
  auto Buffer = MemoryBuffer::getFile(Record);
  return ProgramRun::parse(Buffer ? (*Buffer)->getBuffer() : StringRef());
}

Expected<ProgramRun> TunedProgram::run(const ProgramVariant &Variant,
                                       const std::string &Record) {
  if (sys::fs::exists(Record))
    return readRun(Record);
  if (Error E = use(Variant))
    return std::move(E);
  SmallString<128> New(Record + ".new");
  if (std::error_code EC = sys::fs::make_absolute(New))
    return createFileError(Record, EC);
  (void)sys::fs::remove(New);
  const ScopedVariable Said("CUDAOPT_TIMES", New.str().str());
  std::optional<ScopedVariable> Injected;
  if (!Timer.empty())
    Injected.emplace("CUDA_INJECTION64_PATH", Timer);
  if (Error E = runCommand(Command.Program, "program"))
    return std::move(E);
  Expected<ProgramRun> Run = readRun(New);
  if (Run && Run->Kernels.empty())
    return createStringError(
        Command.TimesItself
            ? "the program wrote no times to the file that CUDAOPT_TIMES names"
            : "no kernel was measured: the program ran none, or ended without "
              "leaving 'main' or calling 'exit'");
  // A program that a signal ended early may exit with 0.
  if (Run && !Runner.received())
    (void)sys::fs::rename(New, Record);
  return Run;
}

/// Blanks out the names of temporary files that nvcc writes into products.
static void dropTemporaryNames(std::string &Bytes) {
  static constexpr StringLiteral Begin = "tmpxft_";
  for (size_t At = 0; (At = Bytes.find(Begin, At)) != std::string::npos;) {
    At += Begin.size();
    while (At != Bytes.size() && (isHexDigit(Bytes[At]) || Bytes[At] == '_'))
      Bytes[At++] = '_';
  }
}

Expected<std::string> TunedProgram::hash(const ProgramVariant &Variant) const {
  BLAKE3 Hash;
  for (size_t Number = 0; Number != Products.size(); ++Number) {
    auto Buffer = MemoryBuffer::getFile(keptPath(Variant, Number));
    if (!Buffer)
      return createFileError(keptPath(Variant, Number), Buffer.getError());
    std::string Bytes = (*Buffer)->getBuffer().str();
    dropTemporaryNames(Bytes);
    Hash.update(Bytes);
  }
  return toHex(Hash.final<16>(), /*LowerCase=*/true);
}
