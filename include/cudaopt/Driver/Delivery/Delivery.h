// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Delivers results in the form that the options ask for: the new source on
/// standard output or in a file, edits in place, changed files in a folder, a
/// diff, or (--check) only the verdict whether something would change.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_DELIVERY_DELIVERY_H
#define CUDAOPT_DRIVER_DELIVERY_DELIVERY_H

#include "cudaopt/Driver/Command/Options.h"
#include "cudaopt/Driver/Pipeline/Pipeline.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cudaopt {

class Baseline;

/// Delivers the results of one or more translation units. A header that several
/// of them include is shown, named or written only once.
class Delivery {
public:
  /// \p OS receives what the user asked to see: text, diffs, verdicts. The
  /// verdict of --check ignores changes that the baseline \p Known covers;
  /// \p Known may be null.
  Delivery(const Options &Opts, llvm::raw_ostream &OS,
           const Baseline *Known = nullptr)
      : Opts(Opts), OS(OS), Known(Known) {}

  /// Delivers \p Result. \p File names the main file as the user wrote it,
  /// \p Text is its original text.
  llvm::Error deliver(llvm::StringRef File, llvm::StringRef Text,
                      const PipelineResult &Result);

  /// Returns the new text of the main file, with `#line` directives where edits
  /// add lines, so that messages still name the user's lines. Returns \p Text
  /// if the file has no edits.
  llvm::Expected<std::string> rewrite(llvm::StringRef File,
                                      llvm::StringRef Text,
                                      const PipelineResult &Result) const;

  /// Returns true if some file changed, or would have changed without --check
  /// or --diff.
  bool hasChanges() const { return HasChanges; }

private:
  struct ChangedFile;

  llvm::Expected<std::vector<ChangedFile>>
  collectChanges(llvm::StringRef File, const PipelineResult &Result) const;
  void show(const ChangedFile &File);
  void showDiff(const ChangedFile &File);
  /// Writes all of \p Changes or none: if one fails, the others get their old
  /// text back.
  static llvm::Error writeInPlace(llvm::ArrayRef<ChangedFile> Changes);
  llvm::Error writeToFolder(llvm::StringRef File, llvm::StringRef Text,
                            llvm::ArrayRef<ChangedFile> Changes);

  const Options Opts;
  llvm::raw_ostream &OS;
  const Baseline *const Known;
  bool HasChanges = false;
  std::set<std::string> Named; ///< The files that --check has already named.
  /// The diffs that were shown, by real path.
  std::map<std::string, std::string> Diffs;
  /// The text that was written to each file of the output folder.
  std::map<std::string, std::string> Written;
};

/// Fills the list of changed texts in the report of \p Result from its edits.
void reportChanges(PipelineResult &Result);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_DELIVERY_DELIVERY_H
