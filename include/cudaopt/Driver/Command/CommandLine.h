// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The command line of the tool after parsing, and the source files that it
/// names, each with the command that compiles it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_COMMAND_COMMANDLINE_H
#define CUDAOPT_DRIVER_COMMAND_COMMANDLINE_H

#include "cudaopt/Driver/Command/Configuration.h"
#include "cudaopt/Driver/Command/Options.h"
#include "cudaopt/Driver/Parse/NvccCommand.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace cudaopt {

/// The words of `cuda-opt [options] file.cu... [-- flags]` or of `cuda-opt
/// [options] nvcc arguments`, sorted by what they are for.
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
    Tune,
    Calibrate,
  };
  Request What = Request::Run;
  std::string Topic;                ///< The argument of Explain or Completion.
  const char *Executable = nullptr; ///< argv[0].
  Options Opts;
  OptionPlaces Places;   ///< Where each option was set, for those that were.
  std::string BuildPath; ///< The argument of -p.
  std::vector<std::string> Files;
  /// Flags of the compiler, from both sides of `--`.
  std::vector<std::string> Flags;
  /// For Request::Launch: the compiler with its arguments, and the tool's own
  /// options as they were written.
  std::vector<std::string> Compiler, OwnWords;
  /// For Request::Tune and Request::Calibrate: all other words.
  std::vector<std::string> Words;
  /// Files through which a launcher and the processes that it starts exchange
  /// launches: the file that receives those of this source (--scan-launches),
  /// and the one that holds those of the whole program (--program-launches).
  std::string ScanFile, LaunchesFile;
};

/// Parses argv. Errors are meant for the user: they say what is wrong with the
/// command line.
llvm::Expected<CommandLine> parseCommandLine(llvm::ArrayRef<const char *> Args);

/// Sets the option that \p Word spells without dashes, "name", "no-name" or
/// "name=value", and records in \p Places that it was set. The plugin's
/// arguments have this form.
llvm::Error setOption(llvm::StringRef Word, Options &Opts,
                      OptionPlaces &Places);

/// An option of the command line that is not a row of Options.def.
struct ExtraOption {
  llvm::StringRef Spelling, Value, Description;
};

/// The options that ask for something else than a rewrite (--help, --doctor),
/// and the flags of the compiler that may also precede `--`.
std::vector<ExtraOption> listRequests();
std::vector<ExtraOption> listCompilerOptions();

/// A source file to work on.
struct Input {
  std::string File; ///< As the user wrote it.
  /// The directory in which its command runs; the current one if empty.
  std::string Directory;
  NvccCommand Command;
  /// Another input that may include this one: then edits of this file's text
  /// change that one, too.
  std::string IncludedBy = "";
  /// The file system that all compilations of this input read; the physical one
  /// if null.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk = nullptr;
};

/// Returns the inputs that \p Line names, with the commands that compile them,
/// which come from the flags of \p Line or from the compilation database.
llvm::Expected<std::vector<Input>> findInputs(const CommandLine &Line);

/// Returns all files that the compilation database of \p Line compiles, in any
/// language.
llvm::Expected<std::vector<Input>> findProgram(const CommandLine &Line);

/// One command of a compilation database.
struct DatabaseEntry {
  /// The real path; the absolute path if no such file exists.
  std::string File;
  std::string Directory; ///< The directory in which the command runs.
  /// The compiler, without launchers such as ccache, and all its arguments,
  /// including those from environment variables.
  std::string Compiler;
  std::vector<std::string> Flags;
};

/// The compilation database at \p BuildPath, which names the JSON file or its
/// folder.
struct Database {
  std::string Path, Text;
  std::vector<DatabaseEntry> Entries;
};
llvm::Expected<Database> readDatabase(llvm::StringRef BuildPath);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_COMMAND_COMMANDLINE_H
