// RUN: %cuda-opt --print=ir %s -- %cuda-flags | FileCheck %s
//
// What is known of the hardware by its name.

#include "cuda.h"

// The lane is a value, the clock another one each time.
// CHECK-LABEL: kernel registers
// CHECK: store u32 [@*o], u32(s32(laneid))
// CHECK: %1 = sample __nvvm_read_ptx_sreg_clock()
// CHECK: %2 = sample __nvvm_read_ptx_sreg_clock()
// CHECK: store u32 [@*o + 4], u32(%2) - u32(%1)
// CHECK: store u32 [@*o + 8], u32(s32(threadIdx.x))
__global__ void registers(unsigned *o) {
  o[0] = __nvvm_read_ptx_sreg_laneid();
  unsigned t = __nvvm_read_ptx_sreg_clock();
  o[1] = __nvvm_read_ptx_sreg_clock() - t;
  o[2] = __nvvm_read_ptx_sreg_tid_x();
}

// A barrier with a number is one of the block only if the number is 0.
// CHECK-LABEL: kernel barriers
// CHECK: barrier block __nvvm_barrier_sync(0)
// CHECK: barrier group __nvvm_barrier_sync(1)
// CHECK: barrier group __nvvm_barrier_sync_cnt(0, 64)
// CHECK: barrier warp __syncwarp(
// CHECK: fence device __nvvm_membar_gl()
__global__ void barriers() {
  __nvvm_barrier_sync(0);
  __nvvm_barrier_sync(1);
  __nvvm_barrier_sync_cnt(0, 64);
  __syncwarp();
  __nvvm_membar_gl();
}

// CHECK-LABEL: kernel atomics
// CHECK: atomic device 4 bytes [@*p] __nvvm_atom_add_gen_i(1)
// CHECK: atomic block 4 bytes [@*p] __nvvm_atom_cta_add_gen_i(2)
__global__ void atomics(int *p) {
  __nvvm_atom_add_gen_i(p, 1);
  __nvvm_atom_cta_add_gen_i(p, 2);
}

// A number that was made of a pointer is, as a pointer, that one.
// CHECK-LABEL: kernel integer
// CHECK: load f32 [@s + 16]
// CHECK: store f32 [@s + s64(s32(threadIdx.x)) * 4 + 4]
__global__ void integer(float *o) {
  __shared__ float s[64];
  unsigned long long a = reinterpret_cast<unsigned long long>(s) + 16;
  *o = *reinterpret_cast<float *>(a);
  unsigned long long b = reinterpret_cast<unsigned long long>(
      s + static_cast<int>(threadIdx.x));
  *reinterpret_cast<float *>(b + 4) = 1;
}

// Not of which alignment nothing is known.
// CHECK-LABEL: kernel aligned
// CHECK: load f32 [ptr(
__global__ void aligned(float *o) {
  __shared__ float s[64];
  unsigned long long a = reinterpret_cast<unsigned long long>(s) & ~255ull;
  *o = *reinterpret_cast<float *>(a);
}
