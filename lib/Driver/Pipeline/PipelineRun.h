// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs one parse of a file with the pipeline behind it, and chooses the order
/// of statements in which the file is parsed. Shared by the tool and the
/// plugin.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_PIPELINERUN_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_PIPELINERUN_H

#include "cudaopt/Driver/Cache/FileFacts.h"
#include "cudaopt/Driver/Pipeline/Pipeline.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class FileManager;
}

namespace cudaopt {

/// The result of a parse.
struct ParseResult {
  /// Nothing if the pipeline never ran.
  std::optional<PipelineResult> Pipeline;
  std::string Remarks, Errors; ///< Texts as clang prints diagnostics.
  unsigned NumErrors = 0;
  bool IsFlagError = false;       ///< Clang rejected the flags.
  bool IsVerified = false;        ///< With -verify, errors are failed tests.
  std::vector<std::string> Files; ///< All files that were read.
  FileFacts Seen;         ///< Facts beside those that the disk has recorded.
  bool HasColors = false; ///< Remarks and errors are coloured.
};

/// Prints remarks and errors into separate strings.
class HeldDiagnostics : public clang::DiagnosticConsumer {
public:
  HeldDiagnostics(ParseResult &Result, const clang::DiagnosticOptions &Wanted);

  void BeginSourceFile(const clang::LangOptions &Language,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

private:
  ParseResult &Result;
  clang::DiagnosticOptions Options;
  llvm::raw_string_ostream RemarkOS, ErrorOS;
  clang::TextDiagnosticPrinter Remarks, Errors;
  clang::TextDiagnosticPrinter *Current = &Errors;
};

/// Returns the file system of a parse: \p Disk with the reordered texts of
/// \p Orders, the prelude, and replacements for files of clang in
/// \p ResourceDir.
llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
createParseFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk,
                 const Reordering &Orders, llvm::StringRef ResourceDir);

/// Returns the real paths of the files that \p Files has read, except those
/// that exist in memory only.
std::vector<std::string> listReadFiles(const clang::FileManager &Files);

/// Parses what \p Invocation says and runs the pipeline. Returns false on
/// failure, which \p Result explains. \p Files must read from what
/// createParseFiles() returned.
bool runPipeline(std::shared_ptr<clang::CompilerInvocation> Invocation,
                 llvm::IntrusiveRefCntPtr<clang::FileManager> Files,
                 std::shared_ptr<clang::PCHContainerOperations> PCHs,
                 const Options &Opts, const RewriteJudges &Judges,
                 const Reordering &Orders, ParseResult &Result);

/// Returns the judge that parses rewritten texts with \p Run, which sees the
/// texts of the Reordering in the place of the files, and counts kernels.
WorkJudge
createWorkJudge(const Options &Opts,
                std::function<ParseResult(const Options &, const Reordering &,
                                          RewriteJudges)>
                    Run);

/// Parses \p Text with the best order of statements, which is the user's own
/// unless --reorder asks for others. Trial parses are silent; the user sees the
/// diagnostics of the text that is delivered.
ParseResult parseInBestOrder(
    const Options &Opts, llvm::StringRef Text,
    llvm::function_ref<ParseResult(const Options &, const Reordering &)> Parse);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_PIPELINERUN_H
