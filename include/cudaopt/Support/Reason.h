// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Why something is not transformed (an array, the shared memory of a kernel,
/// or a loop): stable identifiers, each with a sentence for the author of the
/// source. The identifiers and sentences are in Reasons.def.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_REASON_H
#define CUDAOPT_SUPPORT_REASON_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudaopt {

/// Why something is left as it is.
enum class Reason {
#define REASON(NAME, ID, TEXT) NAME,
#include "cudaopt/Support/Reasons.def"
};

/// Returns the stable identifier, as it stands in reports: "address-escapes".
llvm::StringRef getReasonId(Reason R);
/// Returns the sentence, with "%0" replaced by \p Detail.
std::string getReasonText(Reason R, llvm::StringRef Detail = "");

/// That something is left as it is: a reason with its details, and the place in
/// the source that it is about, such as the first use that forbids to edit an
/// array. What may be refused or not is a std::optional<Refusal>: std::nullopt
/// if nothing is in the way.
struct Refusal {
  Reason Why;
  std::string Detail; ///< The text that replaces %0 in the sentence.
  clang::SourceLocation Loc;

  std::string text() const { return getReasonText(Why, Detail); }
  /// Returns true if this is why: `Decision.Refused == Reason::NoGain` is false
  /// if nothing is refused.
  bool operator==(Reason Other) const { return Why == Other; }
};

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_REASON_H
