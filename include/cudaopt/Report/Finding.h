// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A finding: one thing that is reported about a kernel or a loop, which is a
/// change, a missed change and its reason, or a fact such as a cost. Remarks,
/// the optimization record, SARIF logs and fixes are all made from findings.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_FINDING_H
#define CUDAOPT_REPORT_FINDING_H

#include "cudaopt/Plan/LoopDecision.h"
#include "cudaopt/Plan/Plan.h"
#include "cudaopt/Source/Edits.h"
#include "cudaopt/Support/Diagnostics.h"
#include "cudaopt/Support/Reason.h"

#include <string>
#include <utility>
#include <vector>

namespace clang {
class SourceManager;
}

namespace cudaopt {

/// A position in the text of a file. `#line` directives are ignored.
struct Place {
  std::string File; ///< The name that clang uses.
  std::string Path; ///< The real path.
  unsigned Line = 0, Column = 0;
  unsigned Offset = 0; ///< In bytes from the start of the file.

  bool isKnown() const { return Line != 0; }
};

/// Returns the position of \p Loc, or of the macro expansion that contains it;
/// an unknown position if \p Loc is invalid.
Place findPlace(clang::SourceLocation Loc, const clang::SourceManager &Sources);

enum class Outcome {
  Done,
  Missed,
  Proposed, ///< Left to the user, who can mark it.
  Fact,
};

/// A finding is a message with arguments; What selects the message.
struct Finding {
  /// An argument of the message: its name, for machines, and its value.
  struct Argument {
    std::string Name, Value;
  };

  diag::Kind What = {};
  /// The reason why something was missed; otherwise std::nullopt.
  std::optional<Reason> Why;
  std::string Pass;     ///< The pass without prefix, such as "bank-layout".
  std::string Function; ///< The kernel, or the function with the loop.
  /// The array; empty if the finding is about the whole kernel or loop.
  std::string Object;
  /// In the order of their numbers in the message.
  std::vector<Argument> Arguments;
  std::string Insertion; ///< For a proposal, the text that the user may insert.
  /// For a layout: the edits that make it and nothing else, by real path.
  std::map<std::string, FileEdits> Edits;
  Place At;
  /// The location of At, valid as long as the file is parsed.
  clang::SourceLocation Loc;

  Outcome outcome() const;
  /// Returns the identifier of the reason if something was missed, otherwise
  /// that of the message: "no-conflict", "layout-changed".
  std::string id() const;
  std::string message() const;
};

struct KernelReport;

/// Returns the decisions of \p P, with the numbers of \p Report.
std::vector<Finding> findDecisions(const Kernel &K, const Plan &P,
                                   const KernelReport &Report,
                                   const clang::SourceManager &Sources);

/// Returns the decision on a loop: what \p D wants, unless it is \p Refused.
/// \p Mark is the text that a proposal inserts.
Finding findDecision(const LevelizeDecision &D,
                     const std::optional<Refusal> &Refused,
                     llvm::StringRef Mark, const clang::SourceManager &Sources);

/// Returns the finding that the rewrite of \p K was checked, and how.
Finding findVerification(const Kernel &K, llvm::StringRef Detail,
                         const clang::SourceManager &Sources);

/// Returns findings that name the places where the program launches \p K; none
/// unless all files of the program were read.
std::vector<Finding> findLaunches(const Kernel &K,
                                  const clang::SourceManager &Sources);

/// Returns what is known about the costs and the live ranges of \p K.
std::vector<Finding> findFacts(const Kernel &K, const KernelReport &Report,
                               const clang::SourceManager &Sources);

} // namespace cudaopt

#endif // CUDAOPT_REPORT_FINDING_H
