// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Somebody else's kernel, which has half of the device's processors.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_RUNTIME_GPU_BUSY_PROCESSORS_HPP
#define CUDAOPT_TEST_RUNTIME_GPU_BUSY_PROCESSORS_HPP

#include "cudaopt/levelize/detail/support/launch.hpp"

#include <cstdint>
#include <cstdlib>

namespace cudaopt::test {

struct occupation {
  unsigned ends;    ///< Not 0: blocks leave.
  unsigned arrived; ///< Blocks.
};

/// Until it is ended, or for \p limit_ns. One thread of a block looks, rarely,
/// so that the others' kernels have all of the memory's speed.
__global__ void occupy(volatile occupation *with, std::uint64_t limit_ns) {
  if (threadIdx.x == 0) {
    std::uint64_t begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    atomicAdd(const_cast<unsigned *>(&with->arrived), 1u);
    do {
      __nanosleep(20'000);
      asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (with->ends == 0 && now - begin < limit_ns);
  }
  __syncthreads();
}

/// Its blocks take all shared memory of a processor each, beside which no
/// other block has a place.
class busy_half {
public:
  busy_half() {
    int device = 0, most = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                 device));
    check(cudaFuncSetAttribute(
        occupy, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    Shared = std::size_t(most);
    check(cudaMalloc(&With, sizeof(occupation)));
    check(cudaMallocHost(&Seen, sizeof(occupation)));
    check(cudaStreamCreateWithFlags(&Works, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&Tells, cudaStreamNonBlocking));
  }
  ~busy_half() {
    end();
    (void)cudaStreamDestroy(Tells);
    (void)cudaStreamDestroy(Works);
    (void)cudaFreeHost(Seen);
    (void)cudaFree(With);
  }
  busy_half(const busy_half &) = delete;
  busy_half &operator=(const busy_half &) = delete;

  /// Returns when all blocks are there.
  void begin(unsigned limit_ms) {
    const unsigned blocks = unsigned(detail::processor_count()) / 2;
    tell({0, 0});
    occupy<<<blocks, 1024, Shared, Works>>>(With, std::uint64_t(limit_ms) *
                                                      1'000'000);
    check(cudaGetLastError());
    do {
      check(cudaMemcpyAsync(Seen, With, sizeof(occupation),
                            cudaMemcpyDeviceToHost, Tells));
      check(cudaStreamSynchronize(Tells));
    } while (Seen->arrived < blocks);
  }
  bool is_there() const { return cudaStreamQuery(Works) == cudaErrorNotReady; }
  void end() {
    tell({1, 0});
    check(cudaStreamSynchronize(Works));
  }

private:
  static void check(cudaError_t e) {
    if (e != cudaSuccess)
      std::abort();
  }
  void tell(const occupation &o) {
    *Seen = o;
    check(
        cudaMemcpyAsync(With, Seen, sizeof(o), cudaMemcpyHostToDevice, Tells));
    check(cudaStreamSynchronize(Tells));
  }

  occupation *With = nullptr, *Seen = nullptr;
  std::size_t Shared = 0;
  cudaStream_t Works = nullptr, Tells = nullptr;
};

} // namespace cudaopt::test

#endif // CUDAOPT_TEST_RUNTIME_GPU_BUSY_PROCESSORS_HPP
