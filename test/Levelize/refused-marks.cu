// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- %cuda-flags -I %include-runtime -std=c++17 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
//
// A loop whose mark says too little, or what it cannot, stays as it is.
#include "cuda.h"
#include <cudaopt/annotations.h>

// CHECK: stays sequential: how many elements an array has is not known; add to the mark: a[0:n]{{$}}
void no_extent(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE()
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// One message names all that are missing.
// CHECK: stays sequential: how many elements an array has is not known; add to the mark: b[0:n], a[0:n]{{$}}
void no_extents(int *a, const int *b, const int *p, int n) {
  CUDAOPT_LEVELIZE(p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = b[p[i]];
}
// CHECK: stays sequential: how many elements an array has is not known; add to the mark: q[0:n]{{$}}
void guarded_extent(int *a, const int *p, const int *q, int n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (int i = 0; i < n; ++i)
    if (p[i])
      a[q[i]] = 1;
}
// CHECK: stays sequential: its mark names 'b', which is no array of the loop
void wrong_name(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(b[0:4])
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: its mark cannot be read: 'a[1:4]' is no extent: give x[0:n], n an expression without effects
void wrong_extent(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[1:4])
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: its mark cannot be read: 'fastest' is no strategy
void wrong_strategy(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], strategy(fastest))
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: its mark cannot be read: 'quickly' is no clause
void wrong_clause(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], quickly)
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// CHECK: :[[#@LINE+2]]:1: remark: marked loop of 'stray' stays sequential: the mark stands in front of a statement that is no for loop
void stray(int *a) {
#pragma cudaopt levelize a[0:4]
  a[0] = 1;
}
// CHECK: stays sequential: its mark cannot be read: 'quickly' is no clause
void wrong_pragma(int *a, const int *p, int n) {
#pragma cudaopt levelize a[0:4] quickly
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// CHECK: 0 loops made parallel
