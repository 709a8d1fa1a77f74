// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The clauses of the mark in front of a host loop, as CUDAOPT_LEVELIZE(x[0:n],
/// reuse(ptr)) or as a pragma. docs/Levelize.md explains them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_HOSTLOOPS_HOSTLOOPMARK_H
#define CUDAOPT_HOSTLOOPS_HOSTLOOPMARK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class AttributedStmt;
} // namespace clang

namespace cudaopt {

/// The clause `name[0:size]`, both parts as text; `name` may be `object.field`,
/// too.
struct MarkedExtent {
  std::string Array, Size;
};

/// All clauses of one mark.
struct HostLoopMark {
  std::vector<MarkedExtent> Extents;
  /// The arrays of reuse(ptr, col): an inspection is kept for the next
  /// execution, as long as what it depends on is unchanged.
  std::vector<std::string> Reused;
  /// The clause reassoc: updates of an element may be applied in any order.
  bool IsReassociated = false;
  /// The clause approx, or reassoc, which includes it: results may round as the
  /// device does.
  bool IsApproximate = false;
  /// The clause resident: copy arrays to the device without asking whether that
  /// pays.
  bool IsResident = false;
  /// The argument of strategy(name); if empty, the runtime chooses.
  std::string Strategy;

  /// Returns the size that the mark gives for \p Array; std::nullopt if it
  /// gives none.
  std::optional<std::string> findExtent(llvm::StringRef Array) const;
};

/// Returns the clauses of the mark that \p S carries as an attribute;
/// std::nullopt without one.
std::optional<llvm::StringRef> findMark(const clang::AttributedStmt *S);

/// Parses what stands between the parentheses of CUDAOPT_LEVELIZE. The error's
/// text completes the sentence "its mark cannot be read: ...".
llvm::Expected<HostLoopMark> parseMark(llvm::StringRef Text);

/// Rewrites the clauses of a pragma, which white space may separate, with
/// commas in between: `x[0:n] reuse(p)` becomes `x[0:n],reuse(p)`.
std::string separateClauses(llvm::StringRef Text);

} // namespace cudaopt

#endif // CUDAOPT_HOSTLOOPS_HOSTLOOPMARK_H
