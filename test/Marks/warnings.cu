// RUN: %cuda-opt %s -o %t.cu -- %cuda-flags -I %include-runtime > %t.log 2>&1
// RUN: FileCheck %s --implicit-check-not=warning: < %t.log
//
// A mark that says nothing, or two that contradict each other, are warnings.

#include "cuda.h"
#include "cudaopt/annotations.h"

// Sentences are no marks: cuda-opt is our tool.
// cuda-opt rewrites this
// cuda-opt: the tool that rewrites this

// The pragmas come first of all.
// CHECK: warnings.cu:[[#@LINE+1]]:1: warning: unknown mark '#pragma cudaopt levelise'; did you mean 'levelize'?
#pragma cudaopt levelise a[0:n]
// CHECK: warnings.cu:[[#@LINE+1]]:1: warning: unknown mark '#pragma cudaopt'
#pragma cudaopt

// The comments come next.
// CHECK: :[[#@LINE+1]]:1: warning: unknown mark 'cuda-opt of'; did you mean 'off'?
// cuda-opt of
// CHECK: :[[#@LINE+1]]:1: warning: unknown mark 'cuda-opt on'; no 'cuda-opt off' stands in front of it
// cuda-opt on
// cuda-opt off
// CHECK: warning: unknown mark 'cuda-opt off'; it is off already: 'cuda-opt off' in line [[#@LINE-1]]
// cuda-opt off
// cuda-opt on
// CHECK: warning: unknown mark 'cuda-opt: ingore(bank-layout)'; did you mean 'ignore'?
// cuda-opt: ingore(bank-layout)
// CHECK: warning: unknown mark 'cuda-opt: ignore(bank-layuot)'; did you mean 'bank-layout'?
// cuda-opt: ignore(bank-layuot)
// CHECK: warning: unknown mark 'cuda-opt: ignore(soup)'; passes are bank-layout, reorder, global-access, never-read, shared-reuse
// cuda-opt: ignore(soup)
// CHECK: warning: unknown mark 'cuda-opt: ignore(bank-layout'; ')' is missing
// cuda-opt: ignore(bank-layout
// CHECK: warning: unknown mark 'cuda-opt: off'; did you mean 'cuda-opt off'?
// cuda-opt: off
// CHECK: warning: unknown mark 'cuda-opt ignore'; did you mean 'cuda-opt: ignore'?
// cuda-opt ignore

// CHECK: warning: CUDAOPT_KEEP marks nothing here: 'plain' is no __shared__ variable
CUDAOPT_KEEP __device__ float plain;
// CHECK: warning: CUDAOPT_KEEP marks nothing here: 'function' is no __shared__ variable
CUDAOPT_KEEP __device__ void function() {}
// CHECK: warning: CUDAOPT_ASSUME_BLOCK marks nothing here: it is for a __global__ function
CUDAOPT_ASSUME_BLOCK(32) __device__ void other() {}
// CHECK: warning: CUDAOPT_ASSUME_BLOCK(32, 64) cannot be read: give one to three positive numbers, of at most 1024 threads
CUDAOPT_ASSUME_BLOCK(32, 64) __global__ void large() {}
// CHECK: warning: CUDAOPT_ASSUME_BLOCK(512) contradicts __launch_bounds__; such a block cannot be launched
CUDAOPT_ASSUME_BLOCK(512) __global__ void __launch_bounds__(256) bounded() {}
// CHECK: warning: unknown mark 'cudaopt::of'; did you mean 'off'?
__attribute__((annotate("cudaopt::of"))) __global__ void foreign() {}
__attribute__((annotate("of"))) __global__ void notOurs() {}

CUDAOPT_ASSUME_BLOCK(64, 1, 1) __global__ void arrays() {
  // CHECK: warning: CUDAOPT_LAYOUT(padd) cannot be read: there are auto, pad, xor, linear, T and keep; did you mean 'pad'?
  CUDAOPT_LAYOUT(padd) __shared__ float a[32];
  // CHECK: warning: CUDAOPT_LAYOUT(xor) contradicts CUDAOPT_KEEP; 'b' is left alone
  CUDAOPT_KEEP CUDAOPT_LAYOUT(xor) __shared__ float b[32];
  // CHECK: warning: CUDAOPT_LAYOUT(xor) contradicts CUDAOPT_LAYOUT(pad); the first counts
  CUDAOPT_LAYOUT(pad) CUDAOPT_LAYOUT(xor) __shared__ float c[32];
  CUDAOPT_KEEP CUDAOPT_LAYOUT(keep) __shared__ float d[32];
  a[0] = b[0] = c[0] = d[0] = 0;
}

// CHECK: warning: CUDAOPT_ASSUME_BLOCK(64, 1, 1) contradicts a launch with blocks of (32, 1, 1); the launch counts
void launch() { arrays<<<1, 32>>>(); }
