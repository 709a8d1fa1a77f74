// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Measures a kernel of which shared memory decides how many blocks run at
/// once.
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_REUSE_GPU_OCCUPANCY_H
#define BENCHMARKS_REUSE_GPU_OCCUPANCY_H

#include "../../banks/gpu/Bench.h"

#include <cstring>

namespace bench {

/// A number that depends on all bits of \p values (FNV-1a on words).
template <typename T> uint64_t digest(const std::vector<T> &values) {
  static_assert(sizeof(T) == sizeof(uint32_t), "a value is a word");
  uint64_t hash = 0xcbf29ce484222325u;
  for (const T &value : values) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof(word));
    hash = (hash ^ word) * 0x100000001b3u;
  }
  return hash;
}

/// Runs \p launch of \p kernel once for its result, and then to measure it.
/// Returns the exit code of the program.
template <typename T, typename Kernel, typename Function>
int runKernel(const char *name, const Options &options, Kernel kernel,
              dim3 grid, dim3 block, const DeviceArray<T> &out,
              Function launch) {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, kernel));
  int blocksPerSM;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocksPerSM, kernel, int(block.x * block.y * block.z), 0));

  launch();
  CHECK(cudaGetLastError());
  char facts[160];
  std::snprintf(facts, sizeof(facts),
                "\"shared_bytes\": %zu, \"registers\": %d, "
                "\"blocks_per_sm\": %d, \"digest\": \"%016llx\"",
                attributes.sharedSizeBytes, attributes.numRegs, blocksPerSM,
                static_cast<unsigned long long>(digest(out.values())));
  return run(name, options, size_t(grid.x) * grid.y * grid.z, out, launch,
             facts);
}

} // namespace bench

#endif // BENCHMARKS_REUSE_GPU_OCCUPANCY_H
