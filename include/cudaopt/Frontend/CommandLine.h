// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The command line of the tool.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_COMMANDLINE_H
#define CUDAOPT_FRONTEND_COMMANDLINE_H

#include "cudaopt/Frontend/Configuration.h"
#include "cudaopt/Frontend/NvccCommand.h"
#include "cudaopt/Frontend/Options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace cudaopt {

/// `cuda-opt [options] file.cu... [-- flags]` or
/// `cuda-opt [options] nvcc arguments`, taken apart.
struct CommandLine {
  enum class Request {
    Run,
    Launch,
    Help,
    Version,
    ManPage,
    Completion,
    ListPasses,
    Explain,
    Doctor,
    DumpConfig,
    ExplainConfig,
    PrintClangFlags,
    EmitClangd,
  };
  Request What = Request::Run;
  std::string Topic;                ///< Of Explain and Completion.
  const char *Executable = nullptr; ///< argv[0].
  Options Opts;
  OptionPlaces Places;   ///< Of the options that are said.
  std::string BuildPath; ///< Of -p.
  std::vector<std::string> Files;
  /// Flags of the compiler, from both sides of `--`.
  std::vector<std::string> Flags;
  /// Of Request::Launch: the compiler with its arguments, and the tool's own
  /// options as they were written.
  std::vector<std::string> Compiler, OwnWords;
  /// For processes that a launcher starts: where the launches of the file go,
  /// and where those of the whole program are.
  std::string ScanFile, LaunchesFile;
};

/// Reads argv. An error is one for the user to mend.
llvm::Expected<CommandLine> parseCommandLine(llvm::ArrayRef<const char *> Args);

/// Sets the option that \p Word says, "name", "no-name" or "name=value" without
/// dashes, and notes in \p Places that it is said.
llvm::Error setOption(llvm::StringRef Word, Options &Opts,
                      OptionPlaces &Places);

/// An option of the command line that is no row of Options.def.
struct ExtraOption {
  llvm::StringRef Spelling, Value, Description;
};

/// Those that ask for something else than a rewrite, and those of the compiler
/// that may precede `--`.
std::vector<ExtraOption> listRequests();
std::vector<ExtraOption> listCompilerOptions();

/// A file to work on.
struct Input {
  std::string File;      ///< As the user wrote it.
  std::string Directory; ///< Where its command runs; empty for here.
  NvccCommand Command;
  /// Another input that may include this one, whose text changes for both.
  std::string IncludedBy = "";
  /// Shows the files to all compilations of this input; null: the disk does.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk = nullptr;
};

/// Returns the inputs that \p Line names, with the commands that compile them:
/// its own flags, or those of the compilation database.
llvm::Expected<std::vector<Input>> findInputs(const CommandLine &Line);

/// Returns all files that the compilation database of \p Line compiles, in
/// whatever language.
llvm::Expected<std::vector<Input>> findProgram(const CommandLine &Line);

/// A command of a compilation database.
struct DatabaseEntry {
  std::string File;      ///< The real path, if there is such a file.
  std::string Directory; ///< Where the command runs.
  /// The compiler, without what launches it, and all its arguments, also those
  /// of the environment.
  std::string Compiler;
  std::vector<std::string> Flags;
};

/// The compilation database in folder, or file, \p BuildPath.
struct Database {
  std::string Path, Text;
  std::vector<DatabaseEntry> Entries;
};
llvm::Expected<Database> readDatabase(llvm::StringRef BuildPath);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_COMMANDLINE_H
