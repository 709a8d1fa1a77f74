// RUN: %cuda-fuzz --phases --seed=1 --first=131 --count=1 --quiet | FileCheck %s
//
// A plan that the checks of cuda-opt take back is told, and is no failure.
//
// CHECK: Refused: kernel 131 of seed 1: code-disagrees: {{.+}}
// CHECK: kernels 1, {{.*}} different 0,
// CHECK: refused by checks of the plan 1
