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
#include <string>

namespace cudaopt {

/// A reason; None stands for "nothing is in the way".
enum class Reason {
  None,
#define REASON(NAME, ID, TEXT) NAME,
#include "cudaopt/Support/Reasons.def"
};

/// Returns the stable identifier, as it stands in reports: "address-escapes";
/// "" for None.
llvm::StringRef getReasonId(Reason R);
/// Returns the sentence, with "%0" replaced by \p Detail.
std::string getReasonText(Reason R, llvm::StringRef Detail = "");

/// A reason with its details, and the place in the source that it is about: the
/// first use, for instance, that forbids to edit an array.
struct Blocker {
  Reason Why = Reason::None;
  std::string Detail; ///< The text that replaces %0 in the sentence.
  clang::SourceLocation Loc;

  std::string text() const { return getReasonText(Why, Detail); }
};

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_REASON_H
