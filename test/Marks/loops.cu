// RUN: rm -rf %t && mkdir %t
// RUN: %cuda-opt %s -o %t/out.cu -- %cuda-flags -I %include-runtime > %t/log 2>&1
// RUN: FileCheck %s < %t/log && FileCheck %s --check-prefix=TEXT < %t/out.cu
// RUN: %cuda-opt --passes=levelize --line-filter='[{"name": "loops.cu", "lines": [[1, 30]]}]' %s -o %t/out.cu -- %cuda-flags -I %include-runtime 2>&1 | FileCheck %s --check-prefix=LINES
//
// Marks keep loops of the host, too: regions, functions, and lines, in front of
// the loop's own mark or behind its head.
//
// CHECK: :[[#@LINE+8]]:1: remark: marked loop of 'inRegion' stays sequential: it is marked to be left alone: 'cuda-opt off'
// CHECK: marked loop of 'inFunction' stays sequential: it is marked to be left alone: CUDAOPT_OFF
// CHECK: marked loop of 'inLines' stays sequential: it is marked to be left alone: 'cuda-opt: ignore' in line [[#@LINE+19]]
// CHECK: marked loop of 'inLines' stays sequential: it is marked to be left alone: 'cuda-opt: ignore' in line [[#@LINE+23]]
// CHECK: 1 loop made parallel, 4 kept
// LINES: 5 kept
#include "cuda.h"
#include "cudaopt/annotations.h"
// cuda-opt off
void inRegion(double *A, const int *w, int n) {
  CUDAOPT_LEVELIZE(A[0:n], w[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] += 1;
}
// cuda-opt on
CUDAOPT_OFF void inFunction(double *A, const int *w, int n) {
  CUDAOPT_LEVELIZE(A[0:n], w[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] += 1;
}
void inLines(double *A, const int *w, int n) {
  // cuda-opt: ignore(levelize)
  CUDAOPT_LEVELIZE(A[0:n], w[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] += 1;
  CUDAOPT_LEVELIZE(A[0:n], w[0:n])
  for (int i = 0; i < n; ++i) // cuda-opt: ignore
    A[w[i]] += 1;
  // cuda-opt: ignore(bank-layout)
  CUDAOPT_LEVELIZE(A[0:n], w[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] += 1;
}
// TEXT: {{^}}// cuda-opt off{{$}}
// TEXT-NEXT: void inRegion
// TEXT-NEXT: CUDAOPT_LEVELIZE
// TEXT-NEXT: for (
// TEXT: run_loop
