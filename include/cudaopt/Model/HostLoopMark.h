// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the mark in front of a host loop says: CUDAOPT_LEVELIZE(x[0:n], ...).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_HOSTLOOPMARK_H
#define CUDAOPT_MODEL_HOSTLOOPMARK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class AttributedStmt;
} // namespace clang

namespace cudaopt {

/// `name[0:size]`, both as text; `name` may be `object.field`, too.
struct MarkedExtent {
  std::string Array, Size;
};

struct HostLoopMark {
  std::vector<MarkedExtent> Extents;
  std::vector<std::string>
      Reused;                  ///< reuse(ptr, col): these keep their values.
  bool IsReassociated = false; ///< reassoc
  bool IsApproximate = false;  ///< approx, and reassoc
  bool IsResident = false;     ///< resident
  std::string Strategy;        ///< strategy(name); empty lets it choose.

  /// Nothing if the mark does not say how many elements \p Array has.
  std::optional<std::string> findExtent(llvm::StringRef Array) const;
};

/// The text of the mark of \p S; nothing without one.
std::optional<llvm::StringRef> findMark(const clang::AttributedStmt *S);

/// Reads what stands between the parentheses of CUDAOPT_LEVELIZE.
llvm::Expected<HostLoopMark> parseMark(llvm::StringRef Text);

/// The clauses of a pragma, which blanks may separate, with commas.
std::string separateClauses(llvm::StringRef Text);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_HOSTLOOPMARK_H
