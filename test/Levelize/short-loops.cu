// REQUIRES: gcc
// RUN: cp %s %t.cpp
// RUN: %cuda-opt -q --passes=levelize %t.cpp -o %t.out.cpp -- -std=c++17 -I %include-runtime
// RUN: %gcc -O2 -std=c++17 -I %include-runtime -S -o - %t.out.cpp | FileCheck %s
//
// What calls the runtime stands apart from the loop that runs without it.
#include <cudaopt/annotations.h>

// CHECK: {{^}}_Z5countPKiiPii:
// CHECK-NOT: loop_call
// CHECK: {{^}}_Z5countPKiiPii.cold:
// CHECK: loop_call
void count(const int *keys, int n, int *counts, int m) {
  CUDAOPT_LEVELIZE(counts[0:m])
  for (int i = 0; i < n; ++i)
    ++counts[keys[i]];
}
