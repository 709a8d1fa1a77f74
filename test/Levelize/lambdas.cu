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
// Lambdas with captures.
#include <cstdio>
#include <cudaopt/annotations.h>

// CHECK-LABEL: struct captures_loop {
// CHECK: cudaopt::fixed(n), cudaopt::fixed(shift)
long captures(int *a, const int *p, int n) {
  long total = 0;
  int shift = 2;
  auto update = [&, q = p](int times) {
    CUDAOPT_LEVELIZE(a[0:n], q[0:n])
    for (int i = 0; i < n; ++i) {
      a[q[i]] = a[i] * times + shift;
      total += a[i];
    }
  };
  update(2), shift = 3, update(1);
  return total;
}
int main() {
  int a[40], p[40];
  for (int i = 0; i < 40; ++i)
    a[i] = i, p[i] = i * 7 % 37;
  std::printf("%ld\n", captures(a, p, 40));
}
