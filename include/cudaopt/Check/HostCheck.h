// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Evaluates the shapes of launches in the LLVM IR of host code, and compares
/// them with the shapes that a plan relies on (KernelClaims::Shapes). Nothing
/// is executed: LLVM's optimizer propagates constants, and a number that
/// depends on input, or on code that is not seen, stays unknown.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_CHECK_HOSTCHECK_H
#define CUDAOPT_CHECK_HOSTCHECK_H

#include "cudaopt/Check/Claims.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace cudaopt::check {

/// The launches of one module of host code.
class HostCheck {
public:
  /// Evaluates the launches of \p M, which must not be optimized yet. Changes
  /// \p M by optimizing it.
  explicit HostCheck(llvm::Module &M);

  /// Returns the first launch of the kernel whose shape none of \p Claims can
  /// be; std::nullopt if there is none. Numbers that are not known agree with
  /// any claim.
  std::optional<Disagreement> compare(const KernelClaims &Claims) const;

private:
  using Number = std::optional<uint32_t>;
  struct Launch {
    std::string Stub; ///< The kernel's stub; empty if that is not known.
    SourcePoint At;
    std::array<Number, 3> Grid, Block;
  };
  std::vector<Launch> Launches;
};

} // namespace cudaopt::check

#endif // CUDAOPT_CHECK_HOSTCHECK_H
