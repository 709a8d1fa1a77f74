// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// Copies beside the threads are pending until a wait for all of them.

#include "cuda.h"
#include "cuda/groups.cuh"
namespace cg = cooperative_groups;

// CHECK-LABEL: kernel kernel
// CHECK: shared A
__global__ void kernel(float *In, float *Out) {
  __shared__ float A[32], B[32];
  auto Block = cg::this_thread_block();
  // CHECK: writes A: {{.*}} pending
  __pipeline_memcpy_async(&A[threadIdx.x], &In[threadIdx.x], 4);
  // Not committed: the wait does not see it.
  // CHECK-NOT: waits
  // CHECK: work line [[@LINE+1]] may
  __pipeline_wait_prior(0);
  // CHECK: work line [[@LINE+1]] may
  __pipeline_commit();
  // CHECK: work line [[@LINE+1]] may
  __pipeline_wait_prior(1);
  // CHECK: work line [[@LINE+1]] waits
  __pipeline_wait_prior(0);
  // CHECK: changes B: {{.*}} pending
  cg::memcpy_async(Block, B, In, 128);
  // The group does not lead to what it copies.
  // CHECK: work line [[@LINE+2]] waits
  // CHECK-NEXT: step {{[0-9]+}} barrier
  cg::wait(Block);
  __syncthreads();
  // CHECK: reads A
  // CHECK-NOT: pending
  Out[threadIdx.x] = A[threadIdx.x] + B[0];
}
