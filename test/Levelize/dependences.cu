// RUN: cp %s %t.cpp
// RUN: %cuda-opt --passes=levelize %t.cpp -o %t.out.cpp -- -std=c++17 -I %include-runtime
// RUN: grep -v '^ *//' %t.out.cpp | FileCheck %s
//
// Whether iterations meet is decided by the values that subscripts have where
// they are evaluated.
#include <cudaopt/annotations.h>
#include <vector>

// Behind the inner loop, j is 3: an element of the next iteration.
// CHECK-LABEL: struct behind_loop {
// CHECK-NOT: is_independent = true
// CHECK: body(
void behind(int *a, int *b, int n) {
  CUDAOPT_LEVELIZE(a[0:3 * n + 3], b[0:n])
  for (int i = 0; i < n; ++i) {
    int j;
    for (j = 0; j < 3; ++j)
      a[3 * i + j] = i;
    b[i] = a[3 * i + j];
  }
}
// Inside of it, j stays below 3.
// CHECK-LABEL: struct inside_loop {
// CHECK: is_independent = true
void inside(int *a, int n) {
  CUDAOPT_LEVELIZE(a[0:3 * n])
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 3; ++j)
      a[3 * i + j] = i;
}
// A variable has the value that it was given last.
// CHECK-LABEL: struct reassigned_loop {
// CHECK-NOT: is_independent = true
// CHECK: body(
void reassigned(int *a, int n) {
  CUDAOPT_LEVELIZE(a[0:2 * n])
  for (int i = 0; i < n; ++i) {
    int k = 2 * i;
    a[k] = a[k] + 1;
    k = k + 2;
    a[k] = a[k] + 2;
  }
}
// CHECK-LABEL: struct kept_loop {
// CHECK: is_independent = true
void kept(int *a, int n) {
  CUDAOPT_LEVELIZE(a[0:2 * n])
  for (int i = 0; i < n; ++i) {
    int k = 2 * i;
    a[k] = a[k] + 1;
    k = k + 1;
    a[k] = a[k] + 2;
  }
}
// An unsigned number may wrap around.
// CHECK-LABEL: struct wraps_loop {
// CHECK-NOT: is_independent = true
// CHECK: body(
void wraps(int *a, unsigned m, int n) {
  CUDAOPT_LEVELIZE(a[0:m])
  for (int i = 0; i < n; ++i)
    a[unsigned(i) * m] = i;
}
// A place holds what was stored there last.
// CHECK-LABEL: struct stored_loop {
// CHECK-NOT: is_independent = true
// CHECK: body(
void stored(int *a, int *q, int n) {
  int k = q[0];
  q[0] = 500;
  int m = q[0];
  CUDAOPT_LEVELIZE(a[0:2 * n])
  for (int i = 0; i < n; ++i)
    a[i + m] = a[i + k] + i;
}
// CHECK-LABEL: struct untouched_loop {
// CHECK: is_independent = true
void untouched(int *a, const int *q, int n) {
  int k = q[0];
  int m = q[0];
  CUDAOPT_LEVELIZE(a[0:2 * n])
  for (int i = 0; i < n; ++i)
    a[i + m] = a[i + k] + i;
}
// A vector stays where it is while its elements change.
// CHECK-LABEL: struct elements_loop {
// CHECK: is_independent = true
void elements(std::vector<int> &v, const std::vector<int> &w, int n) {
  CUDAOPT_LEVELIZE()
  for (int i = 0; i < n; ++i)
    v[i] = v[i] + w[i];
}
// CHECK-LABEL: struct others_loop {
// CHECK-NOT: is_independent = true
// CHECK: body(
void others(std::vector<int> &v, int n) {
  CUDAOPT_LEVELIZE()
  for (int i = 0; i < n; ++i)
    v[i] = v[i + 1];
}
