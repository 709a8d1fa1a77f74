// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The only maker of source edits. Every range is validated: an edit never
/// touches a macro's body, a system header, or a place that is not in a file.
/// All errors are recoverable and say why an edit cannot be made.
///
///     Edits E(SM, LangOpts);
///     if (llvm::Error Failed = E.replace(Range, "n + 1")) ...
///     std::string After = applyEdits(Before, E.byFile().at(RealPath));
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SOURCE_EDITS_H
#define CUDAOPT_SOURCE_EDITS_H

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>

namespace clang {
class SourceManager;
} // namespace clang

namespace cudaopt {

/// Replaces Length bytes at byte Offset of a file by Text; Length 0 inserts.
struct Edit {
  unsigned Offset = 0;
  unsigned Length = 0;
  std::string Text;
  bool operator==(const Edit &) const = default;
};

/// Edits of one file, by offset in the original text; they do not overlap.
using FileEdits = std::map<unsigned, Edit>;

/// Edits of the files of a translation unit. Adding the same edit twice has no
/// effect (a template's text is rewritten once for each instance); two
/// different edits of the same text are an error.
class Edits {
public:
  Edits(const clang::SourceManager &Sources, const clang::LangOptions &Language)
      : Sources(&Sources), Language(&Language) {}

  llvm::Error replace(clang::CharSourceRange Range, llvm::StringRef Text);
  llvm::Error insert(clang::SourceLocation Loc, llvm::StringRef Text);
  /// Replaces \p Whole by \p Pieces[0] \p Kept[0] \p Pieces[1] ...: the kept
  /// ranges stay untouched, so that they can have edits of their own. Fails if
  /// a comment or a directive would be lost.
  llvm::Error replaceAround(clang::CharSourceRange Whole,
                            llvm::ArrayRef<clang::CharSourceRange> Kept,
                            llvm::ArrayRef<llvm::StringRef> Pieces);

  /// Returns the text of \p Range, in one file, with the edits inside of it
  /// applied, and removes these edits: the text will be written elsewhere.
  std::string take(clang::CharSourceRange Range);

  /// Adds all edits of \p Other; in case of a conflict, none.
  llvm::Error add(const Edits &Other);

  /// The edits of each file, by its real path.
  const std::map<std::string, FileEdits> &byFile() const { return Files; }
  bool empty() const { return Files.empty(); }
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::Error add(const std::string &File, Edit E);

  const clang::SourceManager *Sources;
  const clang::LangOptions *Language;
  std::map<std::string, FileEdits> Files;
};

/// Returns \p Before with \p Edits applied; all other bytes are kept.
std::string applyEdits(llvm::StringRef Before, const FileEdits &Edits);

/// Returns the edits that do to \p Before what \p First does to it and
/// \p Second to the text that results from \p First.
FileEdits composeEdits(llvm::StringRef Before, const FileEdits &First,
                       const FileEdits &Second);

} // namespace cudaopt

#endif // CUDAOPT_SOURCE_EDITS_H
