// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How the results of two kernels differ: the bytes of buffers and variables,
/// and the printed text.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_EQUIVALENCE_RESULTDIFFERENCE_H
#define CUDAOPT_LIB_EQUIVALENCE_RESULTDIFFERENCE_H

#include "KernelSide.h"

#include <optional>

namespace cudaopt {

Verdict makeVerdict(VerdictKind Kind, std::string Detail);

/// Returns the worst difference: Different, or Unsupported if only addresses of
/// shared memory differ; std::nullopt if the results are equal.
std::optional<Verdict> findDifference(const SideResult &Before,
                                      const SideResult &After,
                                      const std::vector<ScalarSlot> &Slots,
                                      const simt::TermTable *Terms);

} // namespace cudaopt

#endif // CUDAOPT_LIB_EQUIVALENCE_RESULTDIFFERENCE_H
