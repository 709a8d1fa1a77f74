// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Hands results to the user as the options say: on standard output, to a file,
/// in place, to a folder, as a diff, or as a verdict.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_DELIVERY_H
#define CUDAOPT_FRONTEND_DELIVERY_H

#include "cudaopt/Frontend/Options.h"
#include "cudaopt/Frontend/Pipeline.h"

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

/// Delivers the results of one or more translation units.
class Delivery {
public:
  /// \p OS takes what the user asked to see: text, diffs, verdicts. The verdict
  /// does not speak of changes that \p Known covers, if there is a baseline.
  Delivery(const Options &Opts, llvm::raw_ostream &OS,
           const Baseline *Known = nullptr)
      : Opts(Opts), OS(OS), Known(Known) {}

  /// Delivers \p Result. \p File names the main file as the user wrote it,
  /// \p Text is what it contains.
  llvm::Error deliver(llvm::StringRef File, llvm::StringRef Text,
                      const PipelineResult &Result);

  /// Returns what the main file becomes under its own name, with `#line` where
  /// edits add lines; \p Text if it has no edits.
  llvm::Expected<std::string> rewrite(llvm::StringRef File,
                                      llvm::StringRef Text,
                                      const PipelineResult &Result) const;

  /// True if some file changed, or would have.
  bool hasChanges() const { return HasChanges; }

private:
  struct ChangedFile;

  llvm::Expected<std::vector<ChangedFile>>
  collectChanges(llvm::StringRef File, const PipelineResult &Result) const;
  void show(const ChangedFile &File);
  void showDiff(const ChangedFile &File);
  /// Writes all of \p Changes, or none.
  static llvm::Error writeInPlace(llvm::ArrayRef<ChangedFile> Changes);
  llvm::Error writeToFolder(llvm::StringRef File, llvm::StringRef Text,
                            llvm::ArrayRef<ChangedFile> Changes);

  const Options Opts;
  llvm::raw_ostream &OS;
  const Baseline *const Known;
  bool HasChanges = false;
  std::set<std::string> Named; ///< Files that --check named already.
  std::map<std::string, std::string> Diffs; ///< Those shown, by real path.
  /// The text that went to each file of the output folder.
  std::map<std::string, std::string> Written;
};

/// Has the report of \p Result tell which texts change.
void reportChanges(PipelineResult &Result);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_DELIVERY_H
