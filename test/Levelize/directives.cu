// REQUIRES: cuda
// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- -std=c++20 -I %include-runtime 2>&1 | FileCheck %s
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Werror -Wno-unknown-pragmas -pthread -I %include-runtime %s -o %t.before
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Werror -Wno-unknown-pragmas -pthread -I %include-runtime %t.cu -o %t.after
// RUN: %host-cxx -x c++ -std=c++20 -DVERBOSE -fopenmp -pthread -I %include-runtime %t.cu -fsyntax-only
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
//
// Directives in front of a loop that do nothing to its text do not keep it.
#include <cstdio>
#include <cudaopt/annotations.h>
#define SCALE 3

// CHECK: directives.cu: 0 kernels, 0 arrays rewritten, 0 kept; 9 loops made parallel
void earlier_pragmas(int *a, const int *p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    a[i] = i;
#pragma GCC diagnostic push
#pragma unroll 4
  for (int i = 0; i < 4; ++i)
    a[i] += 1;
#pragma GCC diagnostic pop
#pragma scop
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] = a[i] * SCALE;
  }
#pragma endscop
}
// A hint for the loop around it.
void outer_hint(int *a, const int *p, int n) {
#pragma unroll 2
  for (int k = 0; k < 2; ++k) {
    CUDAOPT_LEVELIZE(a[0:n])
    for (int i = 0; i < n; ++i)
      a[p[i]] += a[i];
  }
}
void conditional(int *a, const int *p, int n) {
#ifdef VERBOSE
  std::printf("conditional\n");
#else
  int silent = 1;
  (void)silent;
#endif
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += i;
}
// What stands behind the loop says nothing.
int behind(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += SCALE * i;
#undef SCALE
#ifdef VERBOSE
  std::printf("%d\n", n);
#endif
  return a[0];
}
#define SCALE 3
// Another macro than those of the loop.
void defined(int *a, const int *p, int n) {
#define FIRST 7
  a[0] = FIRST;
#undef FIRST
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += i;
}
// Counters of the function that are used in front of the loop only, or get a
// value before they are used again.
int counters(int *a, const int *p, int n, int flag) {
  int i, k = 4, sum = 0;
  for (i = 0; i < k; ++i)
    sum += a[i];
  if (flag) {
    CUDAOPT_LEVELIZE(a[0:n])
    for (i = 0; i < n; ++i) {
      k = p[i];
      a[k] += k;
    }
    for (k = 0; k < 2; ++k)
      sum += a[k];
  } else {
    sum += k + i;
  }
  CUDAOPT_LEVELIZE(a[0:n], p[0:n])
  for (i = n - 1; i >= 0; --i) {
    k = p[i];
    a[k] += a[i];
  }
  return sum;
}
// The value of one of two variables is no name for them.
void chosen(int *x, const int *b, const int *p, int n) {
  int k;
  CUDAOPT_LEVELIZE(x[0:n], b[0:n], p[0:n])
  for (k = 0; k < n; ++k)
    x[k] += b[n > 7 ? p[k] : k];
}
struct Mesh {
#if 1
  int unused = 0;
#endif
  void add(int *a, const int *p, int n) {
    CUDAOPT_LEVELIZE(a[0:n])
    for (int i = 0; i < n; ++i)
      a[p[i]] += 1;
  }
};
int main() {
  int a[50] = {}, p[50];
  unsigned s = 0;
  for (int i = 0; i < 50; ++i)
    p[i] = i * 7 % 31;
  earlier_pragmas(a, p, 50), outer_hint(a, p, 50), conditional(a, p, 50);
  s += unsigned(behind(a, p, 50));
  defined(a, p, 50);
  s += unsigned(counters(a, p, 50, 1)) + unsigned(counters(a, p, 50, 0));
  Mesh().add(a, p, 50);
  chosen(a, p, p, 50);
  // Not a part of a loop that is understood: it writes to no array.
  for (int x : a)
    s = s * 3 + unsigned(x);
  std::printf("%u\n", s);
}
