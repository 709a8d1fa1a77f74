// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the author of a source wants left alone. It is said in declarations,
///
///     CUDAOPT_KEEP __shared__ float tile[32][32];
///
/// by comments, `// cuda-opt off` ... `// cuda-opt on` around the text, or `//
/// cuda-opt: ignore(bank-layout)` on the line or in front of it, or by naming
/// the lines to work on.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_SOURCEMARKS_H
#define CUDAOPT_MODEL_SOURCEMARKS_H

#include "cudaopt/IR/Annotations.h"
#include "cudaopt/Model/Kernel.h"
#include "cudaopt/Support/Reason.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// The lines to work on.
struct LineFilter {
  struct File {
    std::string Name; ///< The end of its path.
    /// Pairs of first and last lines; empty for all lines of the file.
    std::vector<std::pair<unsigned, unsigned>> Lines;
  };
  std::vector<File> Files;
};

/// A comment that looks like a mark but cannot be understood.
struct BadMark {
  clang::SourceLocation Loc;
  /// The comment's text, and a suggestion for the message: "; did you mean
  /// ...?".
  std::string Text, Hint;
};

/// All marks of a translation unit, with queries for variables, functions,
/// loops and text. Each query returns the mark that keeps a pass away;
/// std::nullopt if there is none.
class SourceMarks {
public:
  /// \p Comments are the comments in the user's files, in the order of the
  /// parse. \p Passes are the names that `ignore(...)` may contain. \p Only are
  /// the lines to work on; null means all.
  SourceMarks(clang::ASTContext &Context,
              llvm::ArrayRef<clang::SourceRange> Comments,
              llvm::ArrayRef<llvm::StringRef> Passes, const LineFilter *Only);

  /// Returns the mark that keeps \p Pass away from a variable or function, also
  /// through the declaration around it.
  std::optional<Refusal> ofVariable(const clang::VarDecl *Var,
                                    llvm::StringRef Pass) const;
  std::optional<Refusal> ofFunction(const clang::FunctionDecl *Function,
                                    llvm::StringRef Pass) const;
  /// Returns the mark that keeps \p Pass away from a loop. \p Head is the range
  /// from the loop's own levelize mark to its `for`.
  std::optional<Refusal> ofLoop(const clang::FunctionDecl *Function,
                                clang::SourceRange Head,
                                clang::SourceRange Loop,
                                llvm::StringRef Pass) const;
  /// Returns the mark that forbids changing the text at \p Loc.
  std::optional<Refusal> ofText(clang::SourceLocation Loc) const;
  /// Returns the mark that forbids changing bytes \p Begin to \p End of
  /// \p File, which is a real path.
  std::optional<Refusal> ofBytes(llvm::StringRef File, unsigned Begin,
                                 unsigned End) const;

  llvm::ArrayRef<BadMark> badMarks() const { return BadMarks; }

private:
  struct Region {
    clang::FileID File;
    unsigned Begin = 0, End = 0;
    Refusal Refused;
  };
  struct IgnoredLine {
    clang::FileID File;
    unsigned Line = 0;
    std::vector<std::string> Passes; ///< Empty for all passes.
    Refusal Refused;
  };

  void readComment(clang::SourceRange Comment,
                   llvm::ArrayRef<llvm::StringRef> Passes);
  void readSwitch(llvm::StringRef Word, clang::SourceRange Comment);
  void readIgnore(llvm::StringRef Text, clang::SourceRange Comment,
                  llvm::ArrayRef<llvm::StringRef> Passes);
  void findAnnotatedFunctions(clang::ASTContext &Context);
  std::optional<Refusal> ofLines(clang::SourceRange Head,
                                 llvm::StringRef Pass) const;
  std::optional<Refusal> ofFilter(clang::SourceRange Text) const;
  Refusal makeRefusal(llvm::StringRef What, clang::SourceLocation Loc) const;

  const clang::SourceManager &SM;
  const LineFilter *Only;
  std::vector<Region> Regions;
  std::vector<IgnoredLine> Ignored;
  std::vector<BadMark> BadMarks;
  std::optional<size_t> Open; ///< The region that no comment has ended yet.
};

/// Returns the mark that keeps \p Pass away from an array of \p K; for a
/// sub-array, also that of the whole array.
std::optional<Refusal> findMark(const Kernel &K, ArrayId Array,
                                llvm::StringRef Pass);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_SOURCEMARKS_H
