// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which kernels of a file get another order of statements: those that the
/// passes then make smaller than they could without.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_ORDERCHOICE_H
#define CUDAOPT_FRONTEND_ORDERCHOICE_H

#include "cudaopt/Frontend/Pipeline.h"

#include <functional>
#include <optional>

namespace cudaopt {

class OrderChoice {
public:
  /// Runs the pipeline, and delivers nothing; nothing if there is no result.
  using Runner =
      std::function<std::optional<PipelineResult>(const Reordering &)>;

  /// \p Text is that of the main file: no other one changes.
  explicit OrderChoice(llvm::StringRef Text) : Text(Text) {}

  /// Tries the orders that the pipeline proposes; \p BytesCount says that bytes
  /// are worth it even if no more blocks fit.
  void choose(const Runner &Run, bool BytesCount);

  /// What the pipeline is to parse.
  const Reordering &current() const { return Current; }
  /// Takes back the orders that \p Result, of the current text, makes nothing
  /// of; returns true if there are some.
  bool declineUnused(const PipelineResult &Result);
  /// Makes the edits of \p Result, of the current text, edits of the user's.
  void finish(PipelineResult &Result) const;

private:
  void decline(const std::set<size_t> &Kernels);
  void writeTexts();
  std::map<std::string, FileEdits> collectEdits() const;

  const std::string Text;
  PipelineResult Before; ///< Of the user's text.
  Reordering Current;
};

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_ORDERCHOICE_H
