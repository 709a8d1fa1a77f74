// REQUIRES: cuda
// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- -std=c++20 -I %include-runtime
// RUN: grep -v '^ *//' %t.cu | FileCheck %s
// RUN: %cuda-opt --passes=levelize %t.cu -o %t.again.cu -- -std=c++20 -I %include-runtime
// RUN: cmp %t.cu %t.again.cu
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Werror -Wno-unknown-pragmas -pthread -I %include-runtime %s -o %t.before
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Werror -pthread -I %include-runtime %t.cu -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=sequential %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
//
// A pragma is a mark, too; its line goes.
#include <cstdio>

// CHECK-NOT: #pragma cudaopt
// CHECK-LABEL: struct update_loop {
// CHECK: plan; cudaopt::is_small<
// CHECK: update_loop{
// CHECK: #line [[#@LINE+4]]
// CHECK-NEXT: for (int i = 0; i < n; ++i)
void update(int *a, const int *p, int n) {
#pragma cudaopt levelize a[0:n + 1] reuse(p) \
    strategy(tickets) // a comment
  for (int i = 0; i < n; ++i)
    a[p[i]] = a[i] + i;
}
// CHECK-LABEL: struct second_loop {
// CHECK-LABEL: struct second_loop_2 {
// CHECK: int main
void second(int *a, const int *p, int n, bool flag) {
  if (flag)
    #pragma cudaopt levelize a [0:n], reassoc
    for (int i = 0; i < n; ++i)
      a[p[i]] += i;
  else
    return;
  #pragma cudaopt levelize a[0:n] exact

  // Twice.
  for (int i = 0; i < n; ++i) a[p[i]] += i;
}
int main() {
  int a[50] = {}, p[50];
  unsigned s = 0;
  for (int i = 0; i < 50; ++i)
    p[i] = i * 7 % 31;
  update(a, p, 49), second(a, p, 50, true);
  for (int x : a)
    s = s * 3 + unsigned(x);
  std::printf("%u\n", s);
}
