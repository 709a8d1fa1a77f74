// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses inputs of the tool, bodies of functions only where the pipeline wants
/// them, with the pipeline behind the parser.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_SOURCEPARSE_H
#define CUDAOPT_LIB_FRONTEND_SOURCEPARSE_H

#include "PipelineRun.h"
#include "RecordingFileSystem.h"
#include "cudaopt/Frontend/CommandLine.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cudaopt {

/// A file on its way through the tool.
struct ParseJob {
  Input In;     ///< What is found out on its disk is recorded.
  Options Opts; ///< That hold for this file.
  std::vector<std::string> Command;
  std::string Text;
  ParseResult Result;
  llvm::IntrusiveRefCntPtr<RecordingFileSystem> Disk;
  FileFacts Seen;      ///< By others than the disk.
  std::string Problem; ///< Then there is no result.
};

/// Knows the toolkits, and where clang's own headers are.
class SourceParser {
public:
  SourceParser(const CommandLine &Line, std::string ResourceDir)
      : Line(Line), ResourceDir(std::move(ResourceDir)) {}

  /// Finds the command that parses \p In.
  std::unique_ptr<ParseJob> makeJob(const Input &In, Options Opts);
  /// Files are read through a file system that remembers what was looked for.
  void openDisk(ParseJob &J) const;
  /// Parses \p J as its command says. \p Program is what all files launch; null
  /// if that is not known.
  ParseResult parse(const ParseJob &J, const Options &Opts,
                    const Reordering &Orders,
                    std::shared_ptr<const ProgramLaunches> Program,
                    bool OnlyScans = false) const;

private:
  llvm::Expected<std::vector<std::string>>
  buildCommand(const Input &In, llvm::StringRef Path, const Options &Opts);

  const CommandLine &Line;
  const std::string ResourceDir;
  std::map<std::string, Toolkit> Toolkits; ///< By --cuda-path.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_SOURCEPARSE_H
