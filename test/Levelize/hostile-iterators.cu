// RUN: cp %s %t.cpp
// RUN: %cuda-opt --passes=levelize -Rpass-missed=. %t.cpp -o %t.out.cpp -- -std=c++17 -I %include-runtime 2>&1 | FileCheck %s
//
// An iterator that is narrower than int wraps around; where it is compared as
// an unsigned number the loop then ends, after fewer iterations than its bound.
#include <cudaopt/annotations.h>

// CHECK: remark: marked loop of 'narrow' stays sequential: {{.*}}'i'
void narrow(int *a, const int *p, unsigned n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (short i = 0; i < n; ++i)
    a[p[i]] += 1;
}
// CHECK: remark: marked loop of 'narrower' stays sequential: {{.*}}'i'
void narrower(int *a, const int *p, unsigned long n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (signed char i = 0; i < n; ++i)
    a[p[i]] += 1;
}
// CHECK: 1 loop made parallel, 2 kept (loop-iterator-wraps)
void wide(int *a, const int *p, unsigned n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += 1;
}
