// RUN: cp %s %t.cpp
// RUN: %cuda-opt --passes=levelize %t.cpp -o %t.out.cpp -- -std=c++17 -I %include-runtime 2>&1 | FileCheck %s
// RUN: %host-cxx -std=c++17 -Wall -Wextra -Werror -pthread -I %include-runtime %t.cpp -o %t.before
// RUN: %host-cxx -std=c++17 -Wall -Wextra -Werror -pthread -I %include-runtime %t.out.cpp -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
//
// A file of plain C++ is parsed as such, and its loops run on the CPU.
#include <cstdio>
#include <cudaopt/annotations.h>

#ifdef __CUDACC__
#error "not plain"
#endif

static int next(int i, int n) { return (i * 7 + 1) % n; }

// CHECK: 1 loop made parallel
void update(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = a[next(i, n)] + i;
}
int main() {
  int a[60] = {}, p[60];
  unsigned s = 0;
  for (int i = 0; i < 60; ++i)
    p[i] = i * 7919 % 31;
  update(a, p, 60);
  for (int x : a)
    s = s * 3 + unsigned(x);
  std::printf("%u\n", s);
}
