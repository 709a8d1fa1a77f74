// RUN: %host-cxx -x c++ -std=c++20 -w -I %S/../../tools/cuda-fuzz/shim %s -o %t
// RUN: not %t | FileCheck %s
//
// A pair whose original crashes says nothing; one whose rewritten kernel does is wrong.
// CHECK: broken: kernel 2
// CHECK: crashed: kernel 3
// CHECK: pairs 3, different 0, unordered 0, crashed 1, broken 1,
#include "pairs.h"
#include <csignal>

static shim::memory right(shim::order) { return {1}; }
static shim::memory crashes(shim::order) {
  raise(SIGSEGV);
  return {};
}
const shim::pair shim::pairs[] = {
    {1, right, right}, {2, crashes, right}, {3, right, crashes}, {4, right, right}, {}};
int main() { return shim::run_all(); }
