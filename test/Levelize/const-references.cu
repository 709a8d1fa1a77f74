// REQUIRES: cuda
// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- -std=c++17 -I %include-runtime
// RUN: grep -v '^ *//' %t.cu | FileCheck %s
//
// A reference to const may refer to what the loop writes; an object that is
// const cannot be written.

#include <cudaopt/annotations.h>

// CHECK-LABEL: void byReference(
// CHECK: cudaopt::fixed(y)
void byReference(int *a, const int *p, int n) {
  const int &y = a[7];
  CUDAOPT_LEVELIZE(a[0:n], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = i * 3 + y;
}
// CHECK-LABEL: void byParameter(
// CHECK: cudaopt::fixed(y)
void byParameter(int *a, const int *p, int n, const int &y) {
  CUDAOPT_LEVELIZE(a[0:n], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = i * 3 + y;
}
// CHECK-LABEL: void constant(
// CHECK-NOT: cudaopt::fixed
void constant(int *a, const int *p, int n) {
  const int y = a[7];
  const int &same = y;
  CUDAOPT_LEVELIZE(a[0:n], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = i * 3 + y;
}
