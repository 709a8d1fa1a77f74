// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Maps reasons to the identifiers and texts of Reasons.def.
//===----------------------------------------------------------------------===//

#include "cudaopt/Support/Reason.h"

#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace cudaopt {

StringRef getReasonId(Reason R) {
  switch (R) {
#define REASON(NAME, ID, TEXT)                                                 \
  case Reason::NAME:                                                           \
    return ID;
#include "cudaopt/Support/Reasons.def"
  }
  llvm_unreachable("unknown reason");
}

static StringRef getTemplate(Reason R) {
  switch (R) {
#define REASON(NAME, ID, TEXT)                                                 \
  case Reason::NAME:                                                           \
    return TEXT;
#include "cudaopt/Support/Reasons.def"
  }
  llvm_unreachable("unknown reason");
}

std::string getReasonText(Reason R, StringRef Detail) {
  StringRef Text = getTemplate(R);
  std::string Result;
  while (Text.contains("%0")) {
    auto [Head, Tail] = Text.split("%0");
    Result += Head.str() + Detail.str();
    Text = Tail;
  }
  return Result + Text.str();
}

} // namespace cudaopt
