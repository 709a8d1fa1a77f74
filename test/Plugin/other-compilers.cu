// REQUIRES: gcc
// RUN: not %gcc -fplugin=%plugin -x c++ -fsyntax-only %s 2>&1 | FileCheck %s
//
// A compiler for which the plugin is not made says so, and what to do instead.
//
// CHECK: cuda-opt: error: this plugin is for clang {{[0-9.]+}}, not for a compiler that is not clang; without a plugin, any compiler works: cuda-opt <compiler> <arguments>
// CHECK-NOT: {{.}}
int main() {}
