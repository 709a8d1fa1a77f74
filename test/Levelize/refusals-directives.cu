// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- %cuda-flags -I %include-runtime -std=c++17 -Wno-unknown-pragmas 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
//
// A directive that may change what a loop's text means in front of its function
// keeps the loop, and so do the pragmas of those who share loops out.
#include "cuda.h"
#include <cudaopt/annotations.h>
#define SCALE FACTOR
#define OMP(x) _Pragma(#x)

// CHECK: marked loop of 'shared_out' stays sequential: it belongs to '#pragma omp parallel for'
void shared_out(int *a, const int *p, int n) {
#pragma omp parallel for schedule(dynamic)
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = i;
}
// CHECK: marked loop of 'in_region' stays sequential: it belongs to '#pragma omp parallel'
void in_region(int *a, const int *p, int n) {
#pragma omp parallel
  {
    a[0] = 0;
    CUDAOPT_LEVELIZE(a[0:n])
    for (int i = 0; i < n; ++i)
      a[p[i]] = i;
  }
}
// CHECK: marked loop of 'conditionally' stays sequential: it belongs to '#pragma omp for'
void conditionally(int *a, const int *p, int n) {
#ifdef _OPENMP
#pragma omp for
#else
  a[0] = 1;
#endif
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = i;
}
// CHECK: marked loop of 'half_a_block' stays sequential: '#endif' in it, or in front
void half_a_block(int *a, const int *p, int n) {
#ifdef _OPENMP
#pragma omp parallel
  {
#endif
    CUDAOPT_LEVELIZE(a[0:n])
    for (int i = 0; i < n; ++i)
      a[p[i]] = i;
#ifdef _OPENMP
  }
#endif
}
// CHECK: marked loop of 'in_operator' stays sequential: '#pragma' in it
void in_operator(int *a, const int *p, int n) {
  _Pragma("omp parallel for") CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = i;
}
// CHECK: marked loop of 'hinted' stays sequential: '#pragma unroll' in it
void hinted(int *a, const int *p, int n) {
#pragma unroll
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = i;
}
// CHECK: marked loop of 'arithmetic' stays sequential: '#pragma STDC FP_CONTRACT OFF' in it
void arithmetic(float *a, const int *p, int n) {
#pragma STDC FP_CONTRACT OFF
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = a[i] * a[i] + 1;
}
// CHECK: marked loop of 'defines' stays sequential: '#define STEP' in it
void defines(int *a, const int *p, int n) {
#define STEP 2
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] = STEP;
  }
}
#define FACTOR 5
// A macro of the loop may lead to the one that changes.
// CHECK: marked loop of 'indirectly' stays sequential: '#define FACTOR' in it
void indirectly(int *a, const int *p, int n) {
#undef FACTOR
#define FACTOR 6
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] = SCALE;
  }
}
// The struct would stand in front of the class.
// CHECK: marked loop of 'member' stays sequential: '#define OWN' in it
struct Holder {
#define OWN 2
  void member(int *a, const int *p, int n) {
    CUDAOPT_LEVELIZE(a[0:n])
    for (int i = 0; i < n; ++i) {
      a[p[i]] = OWN;
    }
  }
};
// The type of a variable is another one elsewhere.
// CHECK: marked loop of 'declares' stays sequential: '#if' in it
void declares(float *a, const int *p, int n) {
#ifdef WIDE
  double v = a[0];
#else
  float v = a[0];
#endif
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = v * a[i];
}
// CHECK: marked loop of 'around' stays sequential: '#if' in it
void around(int *a, const int *p, int n) {
#ifndef WIDE
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
#endif
}
// CHECK: marked loop of 'includes' stays sequential: '#include' in it
void includes(int *a, const int *p, int n) {
#include "cuda.h"
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// CHECK: marked loop of 'inside' stays sequential: '#pragma' in it
void inside(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j)
      a[p[i]] = j;
}

// What a counter of the function holds behind the loop may be read.
// CHECK: marked loop of 'comes_back' stays sequential: the value that 'k' has after the loop may be read
void comes_back(int *a, const int *p, int n) {
  int k = 0;
  while (a[0]) {
    a[0] = k;
    CUDAOPT_LEVELIZE(a[0:n])
    for (int i = 0; i < n; ++i) {
      k = p[i];
      a[k] = k;
    }
  }
}
// CHECK: marked loop of 'jumps_back' stays sequential: the value that 'k' has after the loop may be read
void jumps_back(int *a, const int *p, int n) {
  int k = 0;
again:
  a[0] = k;
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    k = p[i];
    a[k] = k;
  }
  if (a[1])
    goto again;
}
// CHECK: marked loop of 'read_later' stays sequential: the value that 'k' has after the loop may be read
int read_later(int *a, const int *p, int n) {
  int k = 0;
  if (n) {
    CUDAOPT_LEVELIZE(a[0:n])
    for (int i = 0; i < n; ++i) {
      k = p[i];
      a[k] = k;
    }
  }
  return k;
}
// CHECK: marked loop of 'rounds' stays sequential: the value that 'k' has after the loop may be read
void rounds(int *a, const int *p, int n) {
  int k = 0;
  while (a[0]) {
    k = 1;
    CUDAOPT_LEVELIZE(a[0:n])
    for (int i = 0; i < n; ++i) {
      k = p[i];
      a[k] = k;
    }
    a[1] = k;
  }
}
// CHECK: marked loop of 'switched' stays sequential: the value that 'k' has after the loop may be read
void switched(int *a, const int *p, int n) {
  int k = 0;
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    k = p[i];
    a[k] = k;
  }
  switch (n) {
    k = 1;
  case 1:
    a[0] = k;
  }
}
// CHECK: 0 loops made parallel
