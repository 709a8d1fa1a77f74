// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// Barriers of the whole block are steps of their own; those of warps and tiles,
// and named ones, are work.

#include "cuda.h"
#include "cuda/groups.cuh"
namespace cg = cooperative_groups;

// CHECK-LABEL: kernel kernel
// CHECK: shared A
__global__ void kernel(float *Out, int N) {
  __shared__ float A[32];
  cg::thread_block Block = cg::this_thread_block();
  auto Tile = cg::tiled_partition<16>(Block);
  // CHECK: work line [[@LINE+1]]
  __syncwarp();
  // CHECK: work line [[@LINE+1]]
  Tile.sync();
  // CHECK: work line [[@LINE+1]]
  cg::sync(Tile);
  // CHECK: work line [[@LINE+1]]
  __barrier_sync(N);
  // CHECK: work line [[@LINE+1]]
  asm volatile("bar.sync 1, 64;");
  // CHECK: work line [[@LINE+1]]
  __barrier_sync(1);
  // CHECK: barrier line [[@LINE+1]] may follow barrier
  __syncthreads();
  // CHECK: barrier line [[@LINE+1]]
  __barrier_sync(0);
  // CHECK: barrier line [[@LINE+1]] may follow barrier
  Block.sync();
  // CHECK: barrier line [[@LINE+1]]
  cg::sync(Block);
  // CHECK: barrier line [[@LINE+1]]
  cg::this_cluster().sync();
  // CHECK: barrier line [[@LINE+1]] may follow barrier
  asm volatile("bar.sync 0;" ::: "memory");
  // The barrier stands in the middle: its argument is read before it.
  // CHECK: work line [[@LINE+6]] ->
  // CHECK-NEXT: reads A
  // CHECK-NEXT: step {{[0-9]+}} barrier line [[@LINE+4]]
  // CHECK-NEXT: step {{[0-9]+}} work line [[@LINE+3]]
  // CHECK-NEXT: reads A
  // CHECK-NEXT: step {{[0-9]+}} work line [[@LINE+2]]
  if (__syncthreads_or(A[0] > 1))
    Out[0] = 1;
}
