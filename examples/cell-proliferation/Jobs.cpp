// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Cuts the roots into jobs, see Jobs.h.
//===----------------------------------------------------------------------===//

#include "Jobs.h"

#include <algorithm>
#include <cmath>

using namespace cells;

std::vector<Job> cells::cutIntoJobs(const Population &population,
                                    const std::vector<double> &divisions,
                                    const JobSize &size) {
  std::vector<Job> jobs;
  Job job{0, 0, 0, 0};
  double work = 0;
  auto finish = [&] {
    if (job.rootCount > 0)
      jobs.push_back(job);
    work = 0;
  };
  for (uint32_t bin = 0; bin < population.binCount(); ++bin) {
    // A root costs something even if it never divides.
    double cost = divisions[population.limit[bin]] + 1;
    uint32_t root = population.firstRoot[bin];
    const uint32_t last = population.firstRoot[bin + 1];
    while (root < last) {
      if (job.rootCount == 0 || work >= size.divisions ||
          job.rootCount >= size.roots || bin >= job.firstBin + size.bins) {
        finish();
        job = {root, 0, bin, 1};
      }
      job.binCount = bin - job.firstBin + 1;
      double wanted = std::ceil((size.divisions - work) / cost);
      uint32_t most = std::min(last - root, size.roots - job.rootCount);
      uint32_t count = uint32_t(std::clamp<double>(wanted, 1, double(most)));
      job.rootCount += count;
      root += count;
      work += count * cost;
    }
  }
  finish();
  std::sort(jobs.begin(), jobs.end(), [&](const Job &a, const Job &b) {
    int deep = population.limit[a.firstBin],
        other = population.limit[b.firstBin];
    return deep != other ? deep > other : a.firstRoot < b.firstRoot;
  });
  return jobs;
}
