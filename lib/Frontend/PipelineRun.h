// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// One parse of a file with the pipeline behind it, and the choice of the text
/// that is parsed: what the tool and the plugin do alike.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_PIPELINERUN_H
#define CUDAOPT_LIB_FRONTEND_PIPELINERUN_H

#include "cudaopt/Frontend/FileFacts.h"
#include "cudaopt/Frontend/Pipeline.h"

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

/// What a parse left behind.
struct ParseResult {
  std::optional<PipelineResult> Pipeline; ///< Nothing if it never ran.
  std::string Remarks, Errors;            ///< As clang prints them.
  unsigned NumErrors = 0;
  bool IsFlagError = false;       ///< The flags are not clang's.
  bool IsVerified = false;        ///< -verify: errors are failed tests.
  std::vector<std::string> Files; ///< All that were read.
  FileFacts Seen;                 ///< Beside what the disk has recorded.
  bool HasColors = false;         ///< Of remarks and errors.
};

/// Prints remarks and errors, apart.
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

/// Returns \p Disk with the files of \p Orders as they are to be parsed, and
/// with what stands in for files of clang: \p ResourceDir is where they are.
llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
createParseFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk,
                 const Reordering &Orders, llvm::StringRef ResourceDir);

/// Returns the real names of what \p Files has read, without what never was on
/// a disk.
std::vector<std::string> listReadFiles(const clang::FileManager &Files);

/// Parses what \p Invocation says and runs the pipeline. Returns false if that
/// failed; \p Result says how. \p Files see what createParseFiles made.
bool runPipeline(std::shared_ptr<clang::CompilerInvocation> Invocation,
                 llvm::IntrusiveRefCntPtr<clang::FileManager> Files,
                 std::shared_ptr<clang::PCHContainerOperations> PCHs,
                 const Options &Opts, const RewriteJudges &Judges,
                 const Reordering &Orders, ParseResult &Result);

/// Parses \p Text in the order of statements that is best, which is the user's
/// unless --reorder asks for others. Another order is tried in silence; the
/// user hears of the text that is delivered.
ParseResult parseInBestOrder(
    const Options &Opts, llvm::StringRef Text,
    llvm::function_ref<ParseResult(const Options &, const Reordering &)> Parse);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_PIPELINERUN_H
