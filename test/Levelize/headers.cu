// RUN: rm -rf %t && split-file %s %t && cd %t && cp one.hpp before.hpp
// RUN: %cuda-opt --passes=levelize -i one.hpp two.hpp -- -x cu %cuda-flags -I %include-runtime -std=c++17
// RUN: %host-cxx -std=c++17 -fsyntax-only -Wall -Wextra -Werror -I %include-runtime both.cpp
// RUN: cp one.hpp again.hpp && cp before.hpp one.hpp
// RUN: %cuda-opt --passes=levelize -i one.hpp -- -x cu %cuda-flags -I %include-runtime -std=c++17
// RUN: cmp one.hpp again.hpp
// RUN: FileCheck %s < one.hpp
//
// Headers do not know each other's names: the structs of their loops have names that
// rest on the text of the header, and are the same in each run.
//
// CHECK: struct update_loop_{{[0-9a-f]+}} {

//--- one.hpp
#pragma once
#include <cudaopt/annotations.h>
inline void update(int *a, const int *p, int n, int m) {
  CUDAOPT_LEVELIZE(a[0:m])
  for (int i = 0; i < n; ++i)
    a[p[i]] = a[p[i]] * 2 + i;
}
//--- two.hpp
#pragma once
#include <cudaopt/annotations.h>
inline void update(float *a, const int *p, int n, int m) {
  CUDAOPT_LEVELIZE(a[0:m])
  for (int i = 0; i < n; ++i)
    a[p[i]] = a[p[i]] * 3 - i;
}
//--- both.cpp
#include "one.hpp"
#include "two.hpp"
void run(int *a, float *b, const int *p, int n, int m) {
  update(a, p, n, m);
  update(b, p, n, m);
}
