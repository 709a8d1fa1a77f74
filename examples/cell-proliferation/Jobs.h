// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Cuts the roots into jobs for the warps of GPUs. Trees differ by orders of
/// magnitude, so that equally many roots would not be equally much work: jobs
/// have equal numbers of expected divisions.
//===----------------------------------------------------------------------===//

#ifndef CELLS_JOBS_H
#define CELLS_JOBS_H

#include "Population.h"

#include <cstdint>
#include <vector>

namespace cells {

/// Consecutive roots that one warp follows, and the bins that they belong to.
struct Job {
  uint32_t firstRoot, rootCount;
  uint32_t firstBin, binCount;
};

/// The limits of a job.
struct JobSize {
  double divisions; ///< A job ends once this many are expected.
  uint32_t bins, roots;
};

/// Cuts all roots into jobs, each root into one. \p divisions is what is
/// expected of a root, by its generation limit (expectedDivisions). The jobs
/// with the deepest trees come first.
std::vector<Job> cutIntoJobs(const Population &population,
                             const std::vector<double> &divisions,
                             const JobSize &size);

} // namespace cells

#endif // CELLS_JOBS_H
