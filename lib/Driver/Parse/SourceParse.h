// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the tool's inputs with the pipeline behind the parser. Function
/// bodies are parsed only where the pipeline wants them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PARSE_SOURCEPARSE_H
#define CUDAOPT_LIB_DRIVER_PARSE_SOURCEPARSE_H

#include "Cache/RecordingFileSystem.h"
#include "Pipeline/PipelineRun.h"
#include "cudaopt/Driver/Command/CommandLine.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cudaopt {

/// One source file on its way through the tool.
struct ParseJob {
  Input In;     ///< Its file system is Disk, once that is open.
  Options Opts; ///< The options that apply to this file.
  std::vector<std::string> Command;
  std::string Text;
  ParseResult Result;
  llvm::IntrusiveRefCntPtr<RecordingFileSystem> Disk;
  FileFacts Seen;      ///< Facts that did not come from Disk.
  std::string Problem; ///< Why there is no result; empty if there is one.
};

/// Builds the commands of parses and runs them. It knows the toolkits and the
/// folder of clang's own headers.
class SourceParser {
public:
  SourceParser(const CommandLine &Line, std::string ResourceDir)
      : Line(Line), ResourceDir(std::move(ResourceDir)) {}

  /// Builds the command that parses \p In. On failure, the job's Problem says
  /// why.
  std::unique_ptr<ParseJob> makeJob(const Input &In, Options Opts);
  /// Opens the file system of \p J, which records what the parses look up.
  void openDisk(ParseJob &J) const;
  /// Parses \p J with its command. \p Program holds the launches of all files;
  /// null if they are not known.
  ParseResult parse(const ParseJob &J, const Options &Opts,
                    const Reordering &Orders,
                    std::shared_ptr<const ProgramLaunches> Program,
                    bool OnlyScans = false) const;

private:
  /// Parses \p J, with the texts of \p Orders in the place of its files.
  ParseResult run(const ParseJob &J, const Options &Opts,
                  const Reordering &Orders, RewriteJudges Judges) const;
  llvm::Expected<std::vector<std::string>>
  buildCommand(const Input &In, llvm::StringRef Path, const Options &Opts);

  const CommandLine &Line;
  const std::string ResourceDir;
  /// The toolkits, by the value of --cuda-path.
  std::map<std::string, Toolkit> Toolkits;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PARSE_SOURCEPARSE_H
