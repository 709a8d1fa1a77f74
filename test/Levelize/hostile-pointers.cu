// RUN: cp %s %t.cpp
// RUN: %cuda-opt --passes=levelize -Rpass-missed=. %t.cpp -o %t.out.cpp -- -std=c++17 -I %include-runtime 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.out.cpp
// RUN: %host-cxx -std=c++17 -pthread -I %include-runtime %t.out.cpp -o %t.after
// RUN: %t.after > %t.found
// RUN: env CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.found -
// RUN: %host-cxx -std=c++17 -I %include-runtime %t.cpp -o %t.before
// RUN: %t.before | diff - %t.found
//
// What a loop reads behind a pointer is read in front of it only where its
// first iteration is sure to, and where there is one.
#include <cstdio>
#include <cudaopt/annotations.h>

struct settings {
  int by;
  float *y;
  const settings *next;
};

// CHECK: may not read 's->by', and the pointer may lead nowhere then
void under(int *a, const settings *s, bool has, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i) {
    if (has)
      a[p[i]] += s->by;
    else
      a[p[i]] -= 1;
  }
}
// CHECK: may not read 's->by'
void chosen(int *a, const settings *s, bool has, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += has ? s->by : 1;
}
// CHECK: may not read 's->by'
void behind(int *a, const settings *s, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i) {
    if (p[i] < 64)
      continue;
    a[p[i]] += s->by;
  }
}
// CHECK: may not read 's->next->by'
void further(int *a, const settings *s, bool has, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] += s->by;
    if (has)
      a[p[i]] += s->next->by;
  }
}
// CHECK: 2 loops made parallel, 4 kept (loop-unreached)
// TEXT: if (cudaopt::index_t(n) <= 0 || cudaopt::is_small<member_loop>(
void member(settings *s, const int *p, int n) {
  CUDAOPT_LEVELIZE(s->y[0:64], p[0:n])
  for (int i = 0; i < n; ++i)
    s->y[p[i]] += s->by;
}
// TEXT: if (cudaopt::is_small<bound_loop>(
void bound(int *a, const settings *s, const int *p) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:64])
  for (int i = 0; i < s->by; ++i)
    a[p[i]] += 1;
}
int main() {
  int a[64] = {}, p[64];
  float y[64] = {};
  for (int i = 0; i < 64; ++i)
    p[i] = i * 5 % 64;
  settings inner{3, y, nullptr}, s{2, y, &inner};
  under(a, nullptr, false, p, 64);
  under(a, &s, true, p, 64);
  chosen(a, nullptr, false, p, 64);
  behind(a, nullptr, p, 64);
  further(a, &inner, false, p, 64);
  further(a, &s, true, p, 64);
  member(nullptr, p, 0);
  member(&s, p, 64);
  bound(a, &s, p);
  for (int i = 0; i < 64; ++i)
    std::printf("%d %g\n", a[i], y[i]);
}
