// RUN: %host-cxx -x c++ -E -P -w -U__clang_major__ -D__clang_major__=15 -I %S/../../runtime/include %s | FileCheck %s --check-prefix=OLD
// RUN: %host-cxx -x c++ -E -P -I %S/../../runtime/include %s | FileCheck %s --check-prefix=NEW
//
// Before version 16, clang has no annotations of statements: the mark is nothing there.
#include <cudaopt/annotations.h>
// OLD: void f(int *x, const int *b, int n) {
// OLD-NEXT: for (
// NEW: {{\[\[}}clang::annotate("cudaopt::levelize=" "x[0:50]"){{\]\]}} for (
void f(int *x, const int *b, int n) {
  CUDAOPT_LEVELIZE(x[0:50]) for (int i = 0; i < n; ++i)
    x[b[i]] += i;
}
