// RUN: rm -rf %t && split-file %s %t
// RUN: %cuda-opt --passes=levelize -Rpass-missed=. %t/a.cpp -o %t/b.cpp -- -std=c++17 -I %include-runtime -I %t 2>&1 | FileCheck %s
// RUN: %host-cxx -std=c++17 -pthread -I %include-runtime -I %t %t/a.cpp -o %t/before
// RUN: %host-cxx -std=c++17 -pthread -I %include-runtime -I %t %t/b.cpp -o %t/after
// RUN: %t/before > %t/expected
// RUN: env CUDAOPT_LEVELIZE_FORCE=tickets %t/after | diff %t/expected -
//
// Names of the generated code do not hide those that macros and functions of
// headers mean, nor those of the loop in other scopes.

// CHECK-DAG: a.cpp:[[#]]:{{.*}}'is_independent' is a name that the generated code needs
// CHECK-DAG: a.cpp:[[#]]:{{.*}}'has_products_in_sums' is a name that the generated code needs
// CHECK-DAG: a.cpp:[[#]]:{{.*}}two things that it uses are called 'weight'
// CHECK-DAG: a.cpp:[[#]]:{{.*}}'cudaopt' is a name that the generated code needs
// CHECK: 2 loops made parallel, 4 kept
//--- names.hpp
constexpr int iteration = 7;
#define ITER iteration
constexpr int is_independent = 5, the_body = 3, weight = 4;
enum { has_products_in_sums = 6 };
inline int independent(int k) { return k * 2 + is_independent; }
inline int bodily(int k) { return k * 2 + the_body; }
inline int weighed(int k) { return k * 2 + weight; }
//--- a.cpp
#include "names.hpp"
#include <cstdio>
#include <cudaopt/annotations.h>
void macro(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i) {
    int k = ITER;
    a[p[i]] = a[p[i]] * 3 + k;
  }
}
void renamed(int *a, const int *body, int n) {
  CUDAOPT_LEVELIZE(a[0:64], body[0:n])
  for (int i = 0; i < n; ++i)
    a[body[i]] = a[body[i]] * 3 + bodily(i);
}
void callee(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i)
    a[i] = a[p[i]] * 3 + independent(p[i]);
}
void scopes(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i) {
    int q = has_products_in_sums;
    {
      int has_products_in_sums = p[i];
      a[i] += has_products_in_sums * 2;
    }
    a[i] = a[p[i]] * 2 + q;
  }
}
void captured(int *a, const int *p, int weight, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i)
    a[i] = a[p[i]] * 3 + weighed(i) + weight;
}
namespace inner {
namespace cudaopt {
struct index_t {};
} // namespace cudaopt
void hidden(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = a[i] * 3 + 1;
}
} // namespace inner
int main() {
  int a[64], p[64];
  for (int i = 0; i < 64; ++i) {
    a[i] = i;
    p[i] = i * 7 % 50;
  }
  macro(a, p, 5);
  renamed(a, p, 5);
  callee(a, p, 5);
  scopes(a, p, 5);
  captured(a, p, 9, 5);
  inner::hidden(a, p, 5);
  for (int i = 0; i < 64; ++i)
    std::printf("%d\n", a[i]);
}
