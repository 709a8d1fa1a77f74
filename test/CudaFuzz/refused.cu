// RUN: %cuda-fuzz --phases --seed=1 --first=154 --count=1 --quiet | FileCheck %s
//
// A plan that the checks of cuda-opt take back is told, and is no failure.
//
// CHECK: Refused: kernel 154 of seed 1: verification-failed: {{.+}}
// CHECK: kernels 1, {{.*}} different 0,
// CHECK: refused by checks of the plan 1
