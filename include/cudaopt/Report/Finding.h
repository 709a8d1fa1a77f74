// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// One thing that is told about a kernel or a loop: what was done, what was not
/// and why, what was found. Remarks, the optimization record, SARIF and the
/// fixes are all made of these.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_FINDING_H
#define CUDAOPT_REPORT_FINDING_H

#include "cudaopt/Rewrite/Edits.h"
#include "cudaopt/Support/Diagnostics.h"
#include "cudaopt/Support/Reason.h"
#include "cudaopt/Transforms/Levelize.h"
#include "cudaopt/Transforms/Plan.h"

#include <string>
#include <utility>
#include <vector>

namespace clang {
class SourceManager;
}

namespace cudaopt {

/// A place in the text of a file; `#line` directives are not obeyed.
struct Place {
  std::string File; ///< As clang names it.
  std::string Path; ///< The real one.
  unsigned Line = 0, Column = 0;
  unsigned Offset = 0; ///< Bytes.

  bool isKnown() const { return Line != 0; }
};

Place findPlace(clang::SourceLocation Loc, const clang::SourceManager &Sources);

enum class Outcome {
  Done,
  Missed,
  Proposed, ///< Left to the user, who can mark it.
  Fact,
};

struct Finding {
  /// A part of the message that differs, and what it is.
  struct Argument {
    std::string Name, Value;
  };

  diag::Kind What = {};
  Reason Why = Reason::None;       ///< None unless something was missed.
  std::string Pass;                ///< "bank-layout".
  std::string Function;            ///< Kernel, or function with the loop.
  std::string Object;              ///< Array; empty if it is about the whole.
  std::vector<Argument> Arguments; ///< By their number in the message.
  std::string Insertion; ///< Of a proposal: what the user may insert there.
  /// Of a layout: the edits that make it, and nothing else, by real path.
  std::map<std::string, FileEdits> Edits;
  Place At;
  clang::SourceLocation Loc; ///< The same, as long as the file is parsed.

  Outcome outcome() const;
  /// The reason's identifier, else the message's: "no-conflict",
  /// "layout-changed".
  std::string id() const;
  std::string message() const;
};

struct KernelReport;

/// The decisions of \p P, with the numbers of \p Report.
std::vector<Finding> findDecisions(const Kernel &K, const Plan &P,
                                   const KernelReport &Report,
                                   const clang::SourceManager &Sources);

/// The decision on a loop: what \p D wants, unless \p WhyKept has a reason;
/// \p Mark is what a proposal inserts.
Finding findDecision(const LevelizeDecision &D, const Blocker &WhyKept,
                     llvm::StringRef Mark, const clang::SourceManager &Sources);

/// That the rewrite of \p K was checked, and how.
Finding findVerification(const Kernel &K, llvm::StringRef Detail,
                         const clang::SourceManager &Sources);

/// Where the files of the program launch \p K, if all were read.
std::vector<Finding> findLaunches(const Kernel &K,
                                  const clang::SourceManager &Sources);

/// What is known of the costs and the live ranges of \p K.
std::vector<Finding> findFacts(const Kernel &K, const KernelReport &Report,
                               const clang::SourceManager &Sources);

} // namespace cudaopt

#endif // CUDAOPT_REPORT_FINDING_H
