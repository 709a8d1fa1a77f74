// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The only maker of source edits. Every range is validated: an edit never
/// touches a macro's body, a system header or a place that is not in a file.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REWRITE_EDITS_H
#define CUDAOPT_REWRITE_EDITS_H

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

/// Edits of one file, by offset; they do not overlap.
using FileEdits = std::map<unsigned, Edit>;

/// Edits of the files of a translation unit. Adding an edit twice is adding it
/// once (a template's text is rewritten once for each instance); different
/// edits of the same place are an error.
class Edits {
public:
  Edits(const clang::SourceManager &Sources, const clang::LangOptions &Language)
      : Sources(&Sources), Language(&Language) {}

  llvm::Error replace(clang::CharSourceRange Range, llvm::StringRef Text);
  llvm::Error insert(clang::SourceLocation Loc, llvm::StringRef Text);
  /// Gives \p Whole the text \p Pieces[0] \p Kept[0] \p Pieces[1] ...: what is
  /// kept stays untouched, so that it can have edits of its own. Fails if a
  /// comment or a directive would be lost.
  llvm::Error replaceAround(clang::CharSourceRange Whole,
                            llvm::ArrayRef<clang::CharSourceRange> Kept,
                            llvm::ArrayRef<llvm::StringRef> Pieces);

  /// Returns the text of \p Range, in one file, with the edits that lie inside
  /// of it, and forgets these: the text will stand elsewhere.
  std::string take(clang::CharSourceRange Range);

  /// Adds all edits of \p Other, or none.
  llvm::Error add(const Edits &Other);

  /// By the file's real path.
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

/// The edits that do to \p Before what \p First does to it and \p Second to the
/// text that results.
FileEdits composeEdits(llvm::StringRef Before, const FileEdits &First,
                       const FileEdits &Second);

} // namespace cudaopt

#endif // CUDAOPT_REWRITE_EDITS_H
