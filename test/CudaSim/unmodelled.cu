// RUN: %cuda-sim --kernels --block=64 --grid=1 %s -- %cuda-flags | FileCheck %s
//
// What the interpreter runs in one way of several proves nothing: no verdict
// speaks of all data, and the operation is named.

#include "cuda.h"

// CHECK: {{^}}plain(int*): no defects, for all data, at <<<(1,1,1),(64,1,1)>>>{{$}}
__global__ void plain(int *Out) {
  Out[threadIdx.x] = 1;
}

// CHECK-NEXT: {{^}}fenced(int*): no defects, for the inputs and orders tried, at <<<(1,1,1),(64,1,1)>>>; others may differ, because of a memory fence at {{.*}}unmodelled.cu:[[@LINE+3]]:{{[0-9]+}}
__global__ void fenced(int *Out) {
  Out[threadIdx.x] = 1;
  __nvvm_membar_gl();
}

// CHECK-NEXT: {{^}}scoped(int*): no defects, for the inputs and orders tried, {{.*}} because of an atomic operation with a scope or an order at
__global__ void scoped(int *Out) {
  __nvvm_atom_cta_add_gen_i(Out, 1);
}

// CHECK-NEXT: {{^}}looksOn(int volatile*): no defects, for the inputs and orders tried, {{.*}} because of a volatile or atomic access at
__global__ void looksOn(volatile int *Out) {
  Out[threadIdx.x] = 1;
}

// CHECK-NEXT: {{^}}where(int*): no defects, for the inputs and orders tried, {{.*}} because of the register %smid at
__global__ void where(int *Out) {
  Out[threadIdx.x] = __nvvm_read_ptx_sreg_smid();
}

// CHECK-NEXT: {{^}}who(unsigned int*): no defects, for the inputs and orders tried, {{.*}} because of the mask of active lanes at
__global__ void who(unsigned *Out) {
  unsigned Mask;
  asm volatile("activemask.b32 %0;" : "=r"(Mask));
  Out[threadIdx.x] = Mask;
}

// CHECK-NEXT: {{^}}when(long long*): no defects, for the inputs and orders tried, {{.*}} because of the clock at
__global__ void when(long long *Out) {
  Out[threadIdx.x] = __nvvm_read_ptx_sreg_clock64();
}
