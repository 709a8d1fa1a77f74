// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// The group of all threads of a block says what threadIdx and blockDim say.

#include "cuda.h"

namespace cooperative_groups {
inline namespace v1 {
struct thread_block {
  __device__ static unsigned thread_rank();
  __device__ static unsigned size();
  __device__ static unsigned num_threads();
  __device__ static dim3 thread_index();
  __device__ static dim3 group_index();
  __device__ static dim3 group_dim();
};
struct coalesced_group {
  __device__ unsigned thread_rank() const;
};
__device__ thread_block this_thread_block();
__device__ coalesced_group coalesced_threads();
} // namespace v1
} // namespace cooperative_groups

namespace cg = cooperative_groups;

struct thread_block {
  __device__ static unsigned thread_rank();
};

// CHECK-LABEL: kernel groups
// CHECK-NEXT: block 8x4x2
__global__ void groups() {
  __shared__ float s[64][64];
  cg::thread_block block = cg::this_thread_block();
  // CHECK: line [[#@LINE+1]] {{.*}} -> s[t0 + 8t1 + 32t2, 0]
  s[block.thread_rank()][0] = 0;
  // CHECK: line [[#@LINE+1]] {{.*}} -> s[63, 64]
  s[block.size() - 1][block.num_threads()] = 0;
  // CHECK: line [[#@LINE+1]] {{.*}} -> s[t1, t0]
  s[block.thread_index().y][cg::this_thread_block().thread_index().x] = 0;
  // CHECK: line [[#@LINE+1]] {{.*}} -> s[b0, 4]
  s[block.group_index().x][block.group_dim().y] = 0;
  // Which threads are together is not known.
  // CHECK: line [[#@LINE+1]] {{.*}} opaque (data-dependent)
  s[cg::coalesced_threads().thread_rank()][0] = 0;
  // Another class of that name.
  // CHECK: line [[#@LINE+1]] {{.*}} opaque (data-dependent)
  s[thread_block::thread_rank()][0] = 0;
  ::thread_block mine;
  // CHECK: line [[#@LINE+1]] {{.*}} opaque (data-dependent)
  s[mine.thread_rank()][0] = 0;
}
void launch() { groups<<<2, dim3(8, 4, 2)>>>(); }
