// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- %cuda-flags -I %include-runtime -std=c++17 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
//
// A loop with a call, a lambda or an allocation that is not understood stays as it
// is, and its author hears why.
#include "cuda.h"
#include <cudaopt/annotations.h>

extern "C" int printf(const char *, ...);
// CHECK: stays sequential: it calls 'printf', whose body is not known here
void prints(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = printf("");
}
#define ONE 1
inline int host_only(int x) { return x + ONE; }
// CHECK: stays sequential: it calls 'host_only', which runs on the host only; add __host__ __device__
void calls_host(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = host_only(i);
}
namespace outer {
constexpr int step = 1;
inline int hidden(int x) { return x + step; }
namespace inner {
constexpr int step = 2;
// CHECK: stays sequential: it calls 'hidden', which runs on the host only; add __host__ __device__
void calls_hidden(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = hidden(i);
}
} // namespace inner
// CHECK: stays sequential: two things that it uses are called 'step'; rename one
void calls_same_name(int *a, const int *p, int n, int step) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = hidden(i) * step;
}
} // namespace outer
__device__ __host__ inline int impure(int x) {
  static int calls = 0;
  return x + ++calls;
}
// CHECK: stays sequential: it calls 'impure', which does more than compute a value from numbers
void calls_impure(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = impure(i);
}
__device__ __host__ inline int depth(int x) {
  return x > 0 ? 1 + depth(x / 2) : 0;
}
// CHECK: stays sequential: it calls 'depth', which calls itself
void calls_recursive(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = depth(i);
}
// CHECK: stays sequential: a call through a pointer has no known target
void calls_pointer(int *a, const int *p, int n, int (*f)(int)) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = f(i);
}
struct Shape {
  virtual int area(int x) const;
  int plain(int x) const { return x; }
};
// CHECK: stays sequential: the call of 'area' is virtual
void calls_virtual(int *a, const int *p, int n, const Shape &s) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = s.area(i);
}
// CHECK: stays sequential: it calls 'plain', a member function
void calls_member(int *a, const int *p, int n, const Shape &s) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = s.plain(i);
}
// CHECK: stays sequential: it contains a lambda
void has_lambda(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    auto f = [] {};
    a[p[i]] = 1;
  }
}
// CHECK: stays sequential: it allocates or frees memory
void allocates(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] = 1;
    delete p;
  }
}
