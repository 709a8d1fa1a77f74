// RUN: cp %s %t.cpp
// RUN: %cuda-opt --passes=levelize %t.cpp -o %t.out.cpp -- -std=c++17 -I %include-runtime -I %S/Inputs 2>&1 | FileCheck %s
// RUN: %host-cxx -std=c++17 -Wall -Wextra -Werror -pthread -I %include-runtime -I %S/Inputs %t.cpp -o %t.before
// RUN: %host-cxx -std=c++17 -Wall -Wextra -Werror -pthread -I %include-runtime -I %S/Inputs %t.out.cpp -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
//
// Blocks have variables of their own, numbers of iterations are no ints, and
// what the user, or a header, has called plan or update_loop is no name of ours.
#include "taken_names.hpp"
#include <cstdio>
#include <cudaopt/annotations.h>

// CHECK-NOT: remark
// CHECK: 4 loops made parallel
// CHECK-NOT: remark
void blocks(int *a, int *b, const int *p, const int *q, int n) {
  CUDAOPT_LEVELIZE(a[0:n], b[0:n])
  for (int i = 0; i < n; ++i) {
    int t = p[i];
    {
      int t = q[i];
      a[t] += i;
    }
    {
      int t = p[i] ^ 1;
      a[t] = b[t] - i;
    }
    b[t] += 2;
  }
}
void steps(int *a, const int *p) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:64])
  for (int i = -2000000000; i < 2000000000; i += 100000000)
    a[p[(i / 100000000) & 63]] += i % 7;
  CUDAOPT_LEVELIZE(a[0:64], p[0:64])
  for (int i = 2147483647; i >= 0; i -= 300000000)
    a[p[i & 63]] += i % 7;
}
void keeps(int *plan, const int *p, int n) {
  CUDAOPT_LEVELIZE(plan[0:n], reuse(p))
  for (int i = 0; i < n; ++i)
    plan[p[i]] += 1;
}
int main() {
  int a[64], b[64], p[64], q[64];
  for (int i = 0; i < 64; ++i) {
    a[i] = b[i] = i;
    p[i] = i * 37 % 50;
    q[i] = i * 11 % 64;
  }
  blocks(a, b, p, q, 64);
  steps(a, p);
  keeps(b, p, 64);
  for (int i = 0; i < 64; ++i)
    std::printf("%d %d\n", a[i], b[i]);
}
