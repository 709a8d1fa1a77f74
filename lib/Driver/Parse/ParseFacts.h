// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the pipeline records while clang preprocesses and parses, because the
/// AST does not keep it: errors, skipped #if regions, comments, inclusions,
/// pragmas and macros.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PARSE_PARSEFACTS_H
#define CUDAOPT_LIB_DRIVER_PARSE_PARSEFACTS_H

#include "MacroMentions.h"
#include "cudaopt/Driver/Scan/InclusionGraph.h"
#include "cudaopt/HostLoops/HostLoop.h"
#include "cudaopt/Source/FloatingPoint.h"
#include "cudaopt/Support/Diagnostics.h"
#include "cudaopt/Support/Spelling.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include <memory>
#include <vector>

namespace cudaopt {

/// The records of one parse.
struct ParseFacts {
  std::vector<clang::SourceLocation> Errors;
  std::vector<clang::SourceRange> Skipped; ///< The regions that #if skipped.
  /// The comments that may be marks (Model/SourceMarks.h).
  std::vector<clang::SourceRange> Comments;
  std::shared_ptr<const InclusionGraph> Inclusions;
  std::vector<HostPragma> Pragmas;
  FloatingPoint Floats;
  MacroMentions Macros;
  bool HasParseErrors = false;
};

/// Returns true if the error is about a deduction guide of the toolkit that is
/// for the host alone, as CCCL 3.1 has them: nvcc accepts it, and device code
/// cannot use it.
inline bool isHostGuide(const clang::Diagnostic &Info) {
  return Info.getID() == clang::diag::err_deduction_guide_target_attr &&
         Info.hasSourceManager() &&
         Info.getSourceManager().isInSystemHeader(Info.getLocation());
}

/// Returns true if nvcc only warns of it and \c cuda::barrier relies on it. The
/// user is not told. Yet clang marks the variable as invalid and does not
/// analyse its uses.
inline bool isHarmlessError(const clang::Diagnostic &Info) {
  return Info.getID() == clang::diag::err_shared_var_init || isHostGuide(Info);
}

/// Records the locations of errors and forwards all diagnostics.
class ErrorRecorder : public clang::DiagnosticConsumer {
public:
  ErrorRecorder(std::unique_ptr<clang::DiagnosticConsumer> Next,
                std::shared_ptr<ParseFacts> Facts)
      : Next(std::move(Next)), Facts(std::move(Facts)) {}

  void BeginSourceFile(const clang::LangOptions &Language,
                       const clang::Preprocessor *PP) override {
    Next->BeginSourceFile(Language, PP);
  }
  void EndSourceFile() override { Next->EndSourceFile(); }
  void finish() override { Next->finish(); }
  bool IncludeInDiagnosticCounts() const override {
    return Next->IncludeInDiagnosticCounts();
  }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    Next->HandleDiagnostic(Level, Info);
    if (Level < clang::DiagnosticsEngine::Error || isHostGuide(Info))
      return;
    Facts->Errors.push_back(Info.getLocation());
    if (isHarmlessError(Info))
      return;
    // A semantic error may be code that only nvcc accepts; a syntax error or a
    // missing file is not CUDA C++ for anyone.
    llvm::StringRef Category = clang::DiagnosticIDs::getCategoryNameFromID(
        clang::DiagnosticIDs::getCategoryNumberForDiag(Info.getID()));
    if (Level == clang::DiagnosticsEngine::Fatal || Category == "Parse Issue" ||
        Category == "Lexical or Preprocessor Issue")
      Facts->HasParseErrors = true;
  }

private:
  std::unique_ptr<clang::DiagnosticConsumer> Next;
  std::shared_ptr<ParseFacts> Facts;
};

/// Records the regions that `#if` skips, the comments that mention cuda-opt,
/// and pragmas that change floating-point arithmetic.
class TextRecorder : public clang::PPCallbacks, public clang::CommentHandler {
public:
  TextRecorder(std::shared_ptr<ParseFacts> Facts,
               const clang::SourceManager &SM)
      : Facts(std::move(Facts)), SM(SM) {}
  void SourceRangeSkipped(clang::SourceRange Range,
                          clang::SourceLocation) override {
    Facts->Skipped.push_back(Range);
  }
  /// A directive may change how host code rounds. Which functions it applies to
  /// is not known, so that it counts for the whole file.
  void PragmaDirective(clang::SourceLocation Loc,
                       clang::PragmaIntroducerKind) override {
    if (SM.isInSystemHeader(Loc))
      return;
    bool IsInvalid = false;
    llvm::StringRef Text = SM.getCharacterData(Loc, &IsInvalid);
    Text = IsInvalid ? "" : Text.take_until([](char C) { return C == '\n'; });
    const size_t Name = Text.find_insensitive("pragma");
    if (Name == llvm::StringRef::npos)
      return;
    Text = Text.substr(Name).drop_front(6).trim(" \t\r(\"");
    if (isFloatingPointPragma(Text) && Facts->Floats.HostReassociates.empty())
      Facts->Floats.HostReassociates = "#pragma " + Text.str();
  }
  bool HandleComment(clang::Preprocessor &PP,
                     clang::SourceRange Comment) override {
    const clang::SourceManager &SM = PP.getSourceManager();
    const size_t Length = SM.getFileOffset(Comment.getEnd()) -
                          SM.getFileOffset(Comment.getBegin());
    if (llvm::StringRef(SM.getCharacterData(Comment.getBegin()), Length)
            .contains("cuda-opt"))
      Facts->Comments.push_back(Comment);
    return false;
  }

private:
  std::shared_ptr<ParseFacts> Facts;
  const clang::SourceManager &SM;
};

/// Records `#pragma cudaopt levelize ...` in the main file.
class PragmaRecorder : public clang::PragmaHandler {
public:
  explicit PragmaRecorder(std::shared_ptr<ParseFacts> Facts)
      : PragmaHandler("levelize"), Facts(std::move(Facts)) {}
  void HandlePragma(clang::Preprocessor &PP, clang::PragmaIntroducer Introducer,
                    clang::Token &First) override {
    HostPragma Found;
    Found.Begin = Introducer.Loc;
    Found.End = First.getLocation();
    std::string Text;
    clang::Token Next;
    for (PP.LexUnexpandedToken(Next); Next.isNot(clang::tok::eod);
         PP.LexUnexpandedToken(Next)) {
      if (Next.hasLeadingSpace())
        Text += ' ';
      Text += PP.getSpelling(Next);
      Found.End = Next.getLocation();
    }
    Found.Clauses = separateClauses(Text);
    if (Introducer.Kind == clang::PIK_HashPragma &&
        PP.getSourceManager().isWrittenInMainFile(Found.Begin))
      Facts->Pragmas.push_back(std::move(Found));
  }

private:
  std::shared_ptr<ParseFacts> Facts;
};

/// Warns of unknown pragmas such as `#pragma cudaopt levelise`, which no
/// compiler reports.
class UnknownPragmaReporter : public clang::PragmaHandler {
public:
  void HandlePragma(clang::Preprocessor &PP, clang::PragmaIntroducer Introducer,
                    clang::Token &First) override {
    const std::string Name =
        First.is(clang::tok::eod) ? "" : PP.getSpelling(First);
    if (PP.getSourceManager().isInMainFile(Introducer.Loc))
      report(PP.getDiagnostics(), Introducer.Loc, diag::warn_mark_unknown)
          << "#pragma cudaopt" + (Name.empty() ? "" : " " + Name)
          << suggestSpelling(Name, {"levelize"});
  }
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PARSE_PARSEFACTS_H
