// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the command that compiles each input: in compile_commands.json, or in
/// the flags of the command line.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Command/CommandLine.h"
#include "cudaopt/Driver/Launcher/LaunchedCompile.h"
#include "cudaopt/Driver/Scan/IncludeScan.h"

#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>
#include <memory>

using namespace cudaopt;
using namespace llvm;
using clang::tooling::CompileCommand;
using clang::tooling::JSONCompilationDatabase;

static std::string findDatabase(StringRef BuildPath) {
  SmallString<128> Path(BuildPath);
  if (sys::fs::is_directory(Path))
    sys::path::append(Path, "compile_commands.json");
  return Path.str().str();
}

static Error reportNoDatabase(StringRef Path, StringRef Message) {
  return createStringError("no compilation database '" + Path +
                           "': " + Message.rtrim());
}

static Expected<std::unique_ptr<JSONCompilationDatabase>>
loadDatabase(StringRef BuildPath) {
  const std::string Path = findDatabase(BuildPath);
  std::string Message;
  auto Database = JSONCompilationDatabase::loadFromFile(
      Path, Message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Database)
    return reportNoDatabase(Path, Message);
  return Database;
}

/// Reads an entry: strips launchers, and adds the options that nvcc takes from
/// environment variables.
static DatabaseEntry readEntry(const CompileCommand &Compile) {
  DatabaseEntry Entry;
  Entry.Directory = Compile.Directory;
  SmallString<128> File(Compile.Filename), Real;
  sys::path::make_absolute(Compile.Directory, File);
  Entry.File = (sys::fs::real_path(File, Real) ? File : Real).str().str();
  ArrayRef<std::string> Words = Compile.CommandLine;
  Words = Words.drop_front(countLaunchWords(Words));
  if (Words.empty())
    return Entry;
  Entry.Compiler = Words.front();
  const bool IsNvcc = isNvcc(Entry.Compiler);
  if (IsNvcc)
    Entry.Flags = readEnvironmentWords("NVCC_PREPEND_FLAGS");
  append_range(Entry.Flags, Words.drop_front());
  if (IsNvcc)
    append_range(Entry.Flags, readEnvironmentWords("NVCC_APPEND_FLAGS"));
  return Entry;
}

Expected<Database> cudaopt::readDatabase(StringRef BuildPath) {
  Database Result;
  Result.Path = findDatabase(BuildPath);
  auto Buffer = MemoryBuffer::getFile(Result.Path);
  if (!Buffer)
    return reportNoDatabase(Result.Path, Buffer.getError().message());
  Result.Text = (*Buffer)->getBuffer().str();
  std::string Message;
  auto Commands = JSONCompilationDatabase::loadFromBuffer(
      Result.Text, Message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Commands)
    return reportNoDatabase(Result.Path, Message);
  for (const CompileCommand &Compile : Commands->getAllCompileCommands())
    Result.Entries.push_back(readEntry(Compile));
  return Result;
}

/// Returns the input that \p Compile describes; \p Flags are appended to its
/// flags.
static Expected<Input> readCompile(const CompileCommand &Compile,
                                   ArrayRef<std::string> Flags) {
  DatabaseEntry Entry = readEntry(Compile);
  append_range(Entry.Flags, Flags);
  Expected<NvccCommand> Command = readNvccCommand(Entry.Flags, Entry.Directory);
  if (!Command)
    return Command.takeError();
  return Input{std::move(Entry.File), std::move(Entry.Directory),
               std::move(*Command)};
}

/// Returns all CUDA files of the database. A file that is compiled more than
/// once gets its first command.
static Expected<std::vector<Input>>
findAllInputs(const JSONCompilationDatabase &Database,
              ArrayRef<std::string> Flags) {
  std::vector<Input> Inputs;
  for (const CompileCommand &Compile : Database.getAllCompileCommands()) {
    if (!StringRef(Compile.Filename).ends_with(".cu"))
      continue;
    Expected<Input> In = readCompile(Compile, Flags);
    if (!In)
      return In.takeError();
    if (none_of(Inputs, [&](const Input &I) { return I.File == In->File; }))
      Inputs.push_back(std::move(*In));
  }
  if (Inputs.empty())
    return createStringError("the compilation database has no .cu file");
  return Inputs;
}

Expected<std::vector<Input>> cudaopt::findProgram(const CommandLine &Line) {
  if (Line.BuildPath.empty())
    return createStringError("--whole-program needs -p, with the compilation "
                             "database of the program");
  auto Database = loadDatabase(Line.BuildPath);
  if (!Database)
    return Database.takeError();
  // A file that is compiled twice with different flags may launch differently.
  std::vector<Input> Inputs;
  for (const CompileCommand &Compile : (*Database)->getAllCompileCommands()) {
    Expected<Input> In = readCompile(Compile, Line.Flags);
    if (!In)
      return In.takeError();
    Inputs.push_back(std::move(*In));
  }
  return Inputs;
}

/// Returns the files of the command line with their commands in the database,
/// or all CUDA files if none is named.
static Expected<std::vector<Input>> findInDatabase(const CommandLine &Line) {
  auto Database = loadDatabase(Line.BuildPath);
  if (!Database)
    return Database.takeError();
  if (Line.Files.empty())
    return findAllInputs(**Database, Line.Flags);
  std::vector<Input> Inputs;
  for (const std::string &File : Line.Files) {
    SmallString<128> Path(File);
    if (std::error_code EC = sys::fs::make_absolute(Path))
      return errorCodeToError(EC);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    std::vector<CompileCommand> Compiles =
        (*Database)->getCompileCommands(Path);
    if (Compiles.empty())
      return createStringError("'" + File +
                               "' is not in the compilation database");
    Expected<Input> In = readCompile(Compiles.front(), Line.Flags);
    if (!In)
      return In.takeError();
    In->File = File;
    Inputs.push_back(std::move(*In));
  }
  return Inputs;
}

/// Notes which inputs may include others: when files are edited in place or in
/// one folder, an edited source also changes for the sources that include it.
/// Files are compared by name only, which can only err towards caution.
static void noteInclusions(std::vector<Input> &Inputs) {
  std::map<std::string, Input *> Named;
  for (Input &In : Inputs)
    Named[sys::path::filename(In.File).str()] = &In;
  for (const Input &In : Inputs) {
    SmallString<128> Path(In.File);
    if (!In.Directory.empty())
      sys::path::make_absolute(In.Directory, Path);
    ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Path);
    if (!Text)
      continue; // The parse will say so.
    for (const IncludeText &Each : scanIncludes((*Text)->getBuffer()).Includes)
      if (auto Found = Named.find(sys::path::filename(Each.Spelled).str());
          Found != Named.end())
        Found->second->IncludedBy = sys::path::filename(In.File).str();
  }
}

Expected<std::vector<Input>> cudaopt::findInputs(const CommandLine &Line) {
  std::vector<Input> Inputs;
  // Processes of a launcher receive the flags of the command itself.
  const bool IsOfLauncher =
      !Line.Opts.Overlay.empty() || !Line.ScanFile.empty();
  if (!Line.BuildPath.empty() && !IsOfLauncher) {
    Expected<std::vector<Input>> Found = findInDatabase(Line);
    if (!Found)
      return Found.takeError();
    Inputs = std::move(*Found);
  } else {
    Expected<NvccCommand> Command = readNvccCommand(Line.Flags);
    if (!Command)
      return Command.takeError();
    for (const std::string &File : Line.Files)
      Inputs.push_back({File, "", *Command});
  }
  if (!Line.Opts.Output.empty() && Inputs.size() > 1)
    return createStringError("-o takes one input file; use --output-dir");
  if (Inputs.size() > 1 && (Line.Opts.InPlace || !Line.Opts.OutputDir.empty()))
    noteInclusions(Inputs);
  return Inputs;
}
