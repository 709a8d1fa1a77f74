// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Why an array is kept as it is: stable identifiers with a sentence for the
/// kernel's author.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_REASON_H
#define CUDAOPT_SUPPORT_REASON_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudaopt {

enum class Reason {
  None,
#define REASON(NAME, ID, TEXT) NAME,
#include "cudaopt/Support/Reasons.def"
};

/// The stable identifier, as it stands in reports: "address-escapes".
llvm::StringRef getReasonId(Reason R);
/// The sentence, with "%0" replaced by \p Detail.
std::string getReasonText(Reason R, llvm::StringRef Detail = "");

/// A reason at a place in the source.
struct Blocker {
  Reason Why = Reason::None;
  std::string Detail; ///< Takes the place of %0 in the sentence.
  clang::SourceLocation Loc;

  std::string text() const { return getReasonText(Why, Detail); }
};

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_REASON_H
