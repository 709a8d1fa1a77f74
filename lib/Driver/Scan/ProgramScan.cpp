// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Scans the files of a program in parallel with the other processes of a
/// build: each file is locked in the cache while one process scans it, and the
/// others take its result.
//===----------------------------------------------------------------------===//

#include "ProgramScan.h"
#include "Cache/RecordingFileSystem.h"
#include "Delivery/ScratchFile.h"
#include "cudaopt/Driver/Cache/CacheQuestion.h"
#include "cudaopt/Driver/Cache/ResultCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <set>
#include <sys/wait.h>
#include <thread>

using namespace cudaopt;
using namespace llvm;

/// CPU seconds; longer than any file takes.
static constexpr unsigned ScanSeconds = 300;
/// The time between two looks while another process scans a file.
static constexpr std::chrono::milliseconds Patience(10);
/// How often the program is scanned again if files change meanwhile.
static constexpr unsigned MaxAttempts = 3;

namespace {

/// The result for one file, or for all of them.
struct Answer {
  std::string Launches; ///< The packed launches; empty if there is a problem.
  std::string Problem;
  FileFacts Seen;
};

/// Scans files, or finds their results in the cache.
class ProgramReader {
public:
  ProgramReader(const CommandLine &Line, const std::string &Self,
                ChildRunner &Runner);

  Expected<Answer> read(const Database &Data, StringRef First);

private:
  using Question = std::vector<std::string>;

  Question ask(const DatabaseEntry &Entry) const;
  std::vector<std::string> makeCommand(const DatabaseEntry &Entry) const;
  std::optional<Answer> find(const ResultCache &Cache) const;
  void remember(const ResultCache &Cache, const Answer &Found) const;
  Expected<Answer> scan(const DatabaseEntry &Entry);
  Expected<Answer> readAll(ArrayRef<DatabaseEntry> Entries,
                           ArrayRef<Question> Questions, size_t First);

  const CommandLine &Line;
  const std::string &Self;
  ChildRunner &Runner;
  Question OfAll; ///< The part of the question that all files have in common.
};

} // namespace

ProgramReader::ProgramReader(const CommandLine &Line, const std::string &Self,
                             ChildRunner &Runner)
    : Line(Line), Self(Self), Runner(Runner),
      OfAll(beginQuestion("launches 1", Options(), "/")) {
  addFoundFolders("", Line.Executable, Line.Flags, OfAll);
}

/// Returns the command that scans the file of \p Entry, without the options
/// that name our temporary files.
std::vector<std::string>
ProgramReader::makeCommand(const DatabaseEntry &Entry) const {
  std::vector<std::string> Words = {Self};
  if (!Line.Opts.Arch.empty())
    Words.push_back("--arch=" + Line.Opts.Arch);
  auto IsPlace = [](StringRef Word) { return Word.starts_with("--cuda-path"); };
  if (isNvcc(Entry.Compiler) && none_of(Entry.Flags, IsPlace) &&
      none_of(Line.Flags, IsPlace))
    if (std::string Path = findToolkitOfNvcc(Entry.Compiler); !Path.empty())
      Words.push_back("--cuda-path=" + Path);
  append_values(Words, Entry.File, "--");
  append_range(Words, Entry.Flags);
  copy_if(Line.Flags, std::back_inserter(Words), [](StringRef Word) {
    return !Word.starts_with("-Rpass"); // A scan prints no remarks.
  });
  return Words;
}

/// Returns the cache key of a file: everything that decides its launches except
/// the files that are read.
ProgramReader::Question ProgramReader::ask(const DatabaseEntry &Entry) const {
  Question Words = OfAll;
  Words.push_back(Entry.Directory);
  append_range(Words, makeCommand(Entry));
  return Words;
}

std::optional<Answer> ProgramReader::find(const ResultCache &Cache) const {
  std::optional<CacheEntry> Entry = Cache.findEntry();
  if (!Entry || Entry->Words.size() != 2)
    return std::nullopt;
  Entry->Seen.renew();
  return Answer{Entry->Words[0].str(), Entry->Words[1].str(),
                std::move(Entry->Seen)};
}

void ProgramReader::remember(const ResultCache &Cache,
                             const Answer &Found) const {
  Cache.rememberEntry({Found.Launches, Found.Problem}, Found.Seen);
}

/// Scans a file in a process. A file that cannot be parsed gives an answer with
/// a problem; an error is a failure of our own.
Expected<Answer> ProgramReader::scan(const DatabaseEntry &Entry) {
  Expected<ProcessFiles> Files = ProcessFiles::create("launches");
  if (!Files)
    return Files.takeError();
  std::vector<std::string> Words = makeCommand(Entry);
  Words.insert(Words.begin() + 1,
               {("--scan-launches=" + Files->Product.path()).str(),
                ("--file-facts=" + Files->Facts.path()).str()});
  const std::optional<int> Status =
      Runner.run(std::move(Words),
                 {Files->Log.path().str(), ScanSeconds, Entry.Directory});
  if (const int Signal = Runner.received())
    return createStringError(std::string("interrupted: ") + strsignal(Signal));
  Answer Found;
  Expected<std::string> Bytes = Files->Facts.read();
  if (!Bytes)
    return Bytes.takeError();
  std::optional<FileFacts> Seen = FileFacts::unpack(*Bytes);
  if (Seen && !Bytes->empty())
    Found.Seen = std::move(*Seen);
  else
    Found.Seen.setUnlasting(); // The process died, or had nothing to read.
  if (Status && WIFEXITED(*Status) && WEXITSTATUS(*Status) == 0) {
    if (Error E = Files->Product.read().moveInto(Found.Launches))
      return std::move(E);
    if (!ProgramLaunches::unpack(Found.Launches))
      return createStringError("what a file launches is not known");
    return Found;
  }
  Expected<std::string> Said = Files->Log.read();
  if (!Said)
    return Said.takeError();
  Found.Problem = StringRef(*Said).split('\n').first.str();
  if (!Status)
    Found.Problem = std::strerror(errno);
  else if (Found.Problem.empty())
    Found.Problem = WIFSIGNALED(*Status) ? strsignal(WTERMSIG(*Status))
                                         : "its process has failed";
  return Found;
}

/// Scans the files that no process has scanned yet, and waits for those that
/// another process scans now. Every process begins with another file, \p First,
/// so that they do not all wait for the same.
Expected<Answer> ProgramReader::readAll(ArrayRef<DatabaseEntry> Entries,
                                        ArrayRef<Question> Questions,
                                        size_t First) {
  ProgramLaunches Launches;
  Answer All;
  std::vector<size_t> Left;
  for (size_t I = 0; I != Entries.size(); ++I)
    Left.push_back((First + I) % Entries.size());
  std::map<size_t, std::string> Problems;
  while (!Left.empty()) {
    std::vector<size_t> Busy;
    for (size_t I : Left) {
      const ResultCache Cache(Questions[I]);
      std::optional<Answer> Found = find(Cache);
      if (!Found) {
        const std::optional<CacheLock> Lock = Cache.lock();
        if (!Lock) {
          Busy.push_back(I);
          continue;
        }
        Found = find(Cache); // Another process may just have stored it.
        if (!Found) {
          Expected<Answer> New = scan(Entries[I]);
          if (!New)
            return New.takeError();
          remember(Cache, *New);
          Found = std::move(*New);
        }
      }
      All.Seen.add(Found->Seen);
      if (!Found->Problem.empty())
        Problems[I] = Entries[I].File + ": " + Found->Problem;
      else if (auto Each = ProgramLaunches::unpack(Found->Launches))
        Launches.add(*Each);
      else
        Problems[I] = Entries[I].File + ": the cache is damaged";
    }
    if (!Busy.empty() && Busy.size() == Left.size())
      std::this_thread::sleep_for(Patience);
    if (Runner.received())
      return createStringError("interrupted");
    Left = std::move(Busy);
  }
  if (!Problems.empty())
    All.Problem =
        Problems.begin()->second +
        (Problems.size() == 1
             ? ""
             : " (and " + std::to_string(Problems.size() - 1) + " more files)");
  else
    All.Launches = Launches.pack();
  return All;
}

/// Answers for the whole program: from the cache if no file has changed,
/// otherwise from the answers for each file. If a file changes while others are
/// scanned, the answers do not belong together, and everything is read again;
/// only changed files are scanned again, since the others are cached.
Expected<Answer> ProgramReader::read(const Database &Data, StringRef First) {
  std::vector<Question> Questions;
  std::vector<DatabaseEntry> Entries;
  std::set<Question> Known;
  Question All = {"program 1"};
  size_t Start = 0;
  for (const DatabaseEntry &Entry : Data.Entries) {
    Question Each = ask(Entry);
    if (!Known.insert(Each).second)
      continue;
    if (Entry.File == First)
      Start = Entries.size();
    All.push_back(std::to_string(Each.size()));
    append_range(All, Each);
    Questions.push_back(std::move(Each));
    Entries.push_back(Entry);
  }
  const ResultCache Cache(All);
  if (std::optional<Answer> Found = find(Cache))
    return std::move(*Found);
  for (unsigned Attempt = 0; Attempt != MaxAttempts; ++Attempt) {
    Expected<Answer> Found = readAll(Entries, Questions, Start);
    if (!Found)
      return Found.takeError();
    if (!Found->Seen.hold())
      continue;
    remember(Cache, *Found);
    return Found;
  }
  Answer Nothing;
  Nothing.Problem = "files change while they are read";
  return Nothing;
}

/// Returns true if a command of \p Data compiles the same as \p Compile, as far
/// as a parse can tell.
static bool holds(const Database &Data, const LaunchedCompile &Compile) {
  SmallString<128> File, Here, There;
  if (sys::fs::real_path(Compile.source(), File) ||
      sys::fs::real_path(".", Here))
    return false;
  return any_of(Data.Entries, [&](const DatabaseEntry &Entry) {
    if (Entry.File != File || sys::fs::real_path(Entry.Directory, There) ||
        There != Here)
      return false;
    Expected<NvccCommand> Command =
        readNvccCommand(Entry.Flags, Entry.Directory);
    if (!Command) {
      consumeError(Command.takeError());
      return false;
    }
    return Command->ClangFlags == Compile.Command.ClangFlags &&
           Command->Archs == Compile.Command.Archs &&
           Command->CudaPath == Compile.Command.CudaPath &&
           Command->Language == Compile.Command.Language;
  });
}

Expected<ProgramScan> cudaopt::scanProgram(const CommandLine &Line,
                                           const LaunchedCompile &Compile,
                                           const std::string &Self,
                                           ChildRunner &Runner) {
  Expected<Database> Data = readDatabase(Line.BuildPath);
  if (!Data)
    return Data.takeError();
  ProgramScan Result;
  if (Compile.Command.Product != "o") {
    Result.Problem = "others load a module, and launch its kernels by name";
    return Result;
  }
  if (!holds(*Data, Compile)) {
    Result.Problem = "this command is not in " + Data->Path;
    return Result;
  }
  SmallString<128> File;
  consumeError(errorCodeToError(sys::fs::real_path(Compile.source(), File)));
  Expected<Answer> Found = ProgramReader(Line, Self, Runner).read(*Data, File);
  if (!Found)
    return Found.takeError();
  Result.Problem = std::move(Found->Problem);
  Result.Seen = std::move(Found->Seen);
  SmallString<128> Path(Data->Path);
  (void)sys::fs::make_absolute(Path);
  Result.Seen.addText(Path.str().str(), Data->Text);
  if (Result.Problem.empty())
    Result.Launches = ProgramLaunches::unpack(Found->Launches);
  if (Result.Problem.empty() && !Result.Launches)
    return createStringError("the launches of the program cannot be read");
  return Result;
}

/// Lists only files that are compared by their contents, and that do not belong
/// to the system or the toolkit, as dependency files by -MMD do.
std::vector<std::string> ProgramScan::listFiles(StringRef CudaPath) const {
  std::vector<std::string> System = listSystemFolders(CudaPath, "");
  // Clang reads these to find out which system it runs on.
  System.push_back("/etc/");
  if (Expected<Toolkit> Cuda = findToolkit(""))
    append_range(System, listSystemFolders(Cuda->Path, ""));
  else
    consumeError(Cuda.takeError());
  std::vector<std::string> Files;
  for (std::string &File : Seen.listContents())
    if (none_of(System, [&](StringRef Folder) {
          return StringRef(File).starts_with(Folder);
        }))
      Files.push_back(std::move(File));
  llvm::sort(Files);
  Files.erase(llvm::unique(Files), Files.end());
  return Files;
}
