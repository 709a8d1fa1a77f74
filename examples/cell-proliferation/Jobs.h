// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Cuts the roots into jobs for the warps of GPUs.
//===----------------------------------------------------------------------===//

#ifndef CELLS_JOBS_H
#define CELLS_JOBS_H

#include "Population.h"

#include <cstdint>
#include <vector>

namespace cells {

/// Roots that one warp follows, and the bins that they are of.
struct Job {
  uint32_t firstRoot, rootCount;
  uint32_t firstBin, binCount;
};

/// What bounds a job.
struct JobSize {
  double divisions; ///< It ends once this many are expected.
  uint32_t bins, roots;
};

/// \p divisions is what is expected of a root, by its generation limit. All
/// roots are in one job; the jobs with the deepest trees come first.
std::vector<Job> cutIntoJobs(const Population &population,
                             const std::vector<double> &divisions,
                             const JobSize &size);

} // namespace cells

#endif // CELLS_JOBS_H
