// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- %cuda-flags -I %include-runtime -std=c++17 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
// RUN: echo '#define touch(x) ((x) + 1)' > %t.head
// RUN: cat %t.head %s > %t.macro.cu
// RUN: %cuda-opt --passes=levelize %t.macro.cu -o %t.again.cu -- %cuda-flags -I %include-runtime -std=c++17 -DMACRO 2>&1 | FileCheck --check-prefix=MACRO %s
// RUN: diff %t.macro.cu %t.again.cu
//
// Text that means something else, or cannot stand, in front of the function.
#include "cuda.h"
#include <cudaopt/annotations.h>

// A char counts on behind its last value; the number of iterations would not.
// CHECK: marked loop of 'wraps' stays sequential: its iterator 'i' may wrap around
void wraps(int *a, const int *p) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:256])
  for (unsigned char i = 10; i != 5; ++i)
    a[p[i]] += i;
}
// CHECK: marked loop of 'wrapsWide' stays sequential: its iterator 'i' may wrap around
void wrapsWide(int *a, const int *p, long n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:256])
  for (unsigned i = 10; i != n; ++i)
    a[p[i & 255]] += i;
}
// CHECK: marked loop of 'typed' stays sequential: the type of 'i' is asked for, which is another one in the generated code; name the type
void typed(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    for (decltype(i) k = 0; k < 2; ++k)
      a[p[i]] += k;
}
// CHECK: marked loop of 'sized' stays sequential: the type of 'a' is asked for
void sized(const int *p, int n) {
  int a[64] = {};
  CUDAOPT_LEVELIZE()
  for (int i = 0; i < n; ++i)
    a[p[i] % (sizeof(decltype(a)) / sizeof(int))] += 1;
}
// CHECK: marked loop of 'asserts' stays sequential: the type of 'a' is asked for
void asserts(const int *p, int n) {
  int a[64] = {};
  CUDAOPT_LEVELIZE()
  for (int i = 0; i < n; ++i) {
    static_assert(sizeof(a) == 256, "");
    a[p[i]] += 1;
  }
}
// CHECK: marked loop of 'lines' stays sequential: a macro writes 'a number'
void lines(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64])
  for (int i = 0; i < n; ++i)
    a[(p[i] + __LINE__) % 64] += 1;
}
// CHECK: marked loop of 'counters' stays sequential: a macro writes 'a number'
void counters(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64])
  for (int i = 0; i < n; ++i)
    a[(p[i] + __COUNTER__) % 64] += 1;
}
struct Bits {
  int few : 5;
};
// CHECK: marked loop of 'bits' stays sequential: values of type 'bit-field' are not supported
void bits(Bits &sum, int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] += 1;
    sum.few += p[i] & 1;
  }
}
// CHECK: marked loop of 'attributes' stays sequential: a macro writes 'what stands in front of its function'
[[nodiscard]] // because
int attributes(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += 1;
  return 0;
}
int other; /* It has
            two lines. */ void behindComment(int *a, const int *p, int n) {
  // CHECK: marked loop of 'behindComment' stays sequential: a macro writes 'what stands in front of its function'
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += 1;
}
#ifdef OTHERWISE
static
#endif
// CHECK: marked loop of 'elsewhereStatic' stays sequential: a macro writes 'what stands in front of its function'
void elsewhereStatic(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += 1;
}
template <class T> T cube(T x) { return x * x * x; }
template <> int cube<int>(int x) { return x + 1; }
// CHECK: marked loop of 'specialized' stays sequential: it calls 'cube', which runs on the host only
void specialized(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += cube(i);
}
#ifdef MACRO
// MACRO: marked loop of 'plain' stays sequential: 'touch' is a name that the generated code needs; rename it
void plain(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += 1;
}
#endif

// CHECK: stays sequential: 'last' is volatile
void is_volatile_variable(int *a, const int *p, int n) {
  volatile int last;
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    last = i;
    a[p[i]] += 1;
  }
}
