// RUN: cp %s %t.cpp
// RUN: %cuda-opt --passes=levelize %t.cpp -o %t.out.cpp -- -std=c++17 -DS=double -Dloop=turns -I %include-runtime
// RUN: FileCheck %s < %t.out.cpp
// RUN: %host-cxx -std=c++17 -DS=double -Dloop=turns -fsyntax-only -Wall -Wextra -Werror -I %include-runtime %t.out.cpp
//
// The runtime's header, and those that it includes, do not see the macros that
// the program has defined in front of it; the program goes on with them.
#include <cstdio>
#define T int
#define max(a, b) ((a) > (b) ? (a) : (b))
#define one 1
#define swap(a, b) (b, a)
#define STEPS 3
#define THREE 3

// CHECK: {{^}}#pragma push_macro("S")
// CHECK-NEXT: {{^}}#undef S
// CHECK-NEXT: {{^}}#pragma push_macro("STEPS")
// CHECK-NEXT: {{^}}#undef STEPS
// CHECK-NEXT: {{^}}#pragma push_macro("T")
// CHECK-NEXT: {{^}}#undef T
// CHECK-NEXT: {{^}}#pragma push_macro("loop")
// CHECK-NEXT: {{^}}#undef loop
// CHECK-NEXT: {{^}}#pragma push_macro("max")
// CHECK-NEXT: {{^}}#undef max
// CHECK-NEXT: {{^}}#pragma push_macro("one")
// CHECK-NEXT: {{^}}#undef one
// CHECK-NEXT: {{^}}#pragma push_macro("swap")
// CHECK-NEXT: {{^}}#undef swap
// CHECK-NEXT: {{^}}#include <cudaopt/host_loop.hpp>
// CHECK-NEXT: {{^}}#pragma pop_macro("S")
// CHECK-NEXT: {{^}}#pragma pop_macro("STEPS")
// CHECK-NEXT: {{^}}#pragma pop_macro("T")
// CHECK: {{^}}struct f_loop {
void f(double *x, const T *b, int n) {
#pragma cudaopt levelize x[0:50]
  for (int i = 0; i < n; ++i)
    x[b[i]] += i;
}
#define later(x) x
int main() {
  S x[50] = {};
  T loop[STEPS] = {one, 2, max(later(one), THREE)};
  f(x, loop, 3);
  std::printf("%g\n", x[1]);
}
