// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Evaluates the launches of host code on LLVM's instructions, with the types
/// that they have there, and compares them with the shapes of blocks that a
/// plan relies on. Nothing is executed: what depends on input, or on code that
/// is not seen, has no value.
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

class HostCheck {
public:
  /// Evaluates the launches of \p M, code of the host that is not optimized.
  explicit HostCheck(llvm::Module &M);

  /// Returns the launch of the kernel with a shape that \p Claims do not have;
  /// nothing if there is none.
  std::optional<Disagreement> compare(const KernelClaims &Claims) const;

private:
  using Number = std::optional<uint32_t>;
  struct Launch {
    std::string Stub; ///< Empty if it is not known what is launched.
    SourcePoint At;
    std::array<Number, 3> Grid, Block;
  };
  std::vector<Launch> Launches;
};

} // namespace cudaopt::check

#endif // CUDAOPT_CHECK_HOSTCHECK_H
