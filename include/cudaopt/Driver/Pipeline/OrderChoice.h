// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Chooses, for --reorder, the kernels whose statements get another order:
/// those that then reach a higher occupancy, or need fewer bytes of shared
/// memory, than in the order that the user wrote.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_PIPELINE_ORDERCHOICE_H
#define CUDAOPT_DRIVER_PIPELINE_ORDERCHOICE_H

#include "cudaopt/Driver/Pipeline/Pipeline.h"

#include <functional>
#include <optional>

namespace cudaopt {

/// A search over whole parses. The file is parsed with all proposed orders
/// applied; kernels that gain nothing get their own order back, and the file is
/// parsed again until every remaining order pays.
class OrderChoice {
public:
  /// Runs the pipeline without delivering its result; std::nullopt on failure.
  using Runner =
      std::function<std::optional<PipelineResult>(const Reordering &)>;

  /// \p Text is the text of the main file, the only one whose order changes.
  explicit OrderChoice(llvm::StringRef Text) : Text(Text) {}

  /// Tries the orders that the pipeline proposes. \p BytesCount says that saved
  /// bytes count even if occupancy stays the same.
  void choose(const Runner &Run, bool BytesCount);

  /// Returns the orders, and the texts, that the pipeline is to parse.
  const Reordering &current() const { return Current; }
  /// Reverts the orders of kernels whose storage \p Result, made from the
  /// current text, left unchanged. Returns true if there were any, so that the
  /// text must be parsed again.
  bool declineUnused(const PipelineResult &Result);
  /// Turns the edits of \p Result, which refer to the reordered text, into
  /// edits of the user's text.
  void finish(PipelineResult &Result) const;

private:
  void decline(const std::set<size_t> &Kernels);
  void writeTexts();
  std::map<std::string, FileEdits> collectEdits() const;

  const std::string Text;
  PipelineResult Before; ///< The result for the user's own text.
  Reordering Current;
};

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_PIPELINE_ORDERCHOICE_H
