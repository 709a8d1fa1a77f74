// RUN: %cuda-fuzz --idioms --seed=3 --first=821 --count=1 --quiet | FileCheck %s
//
// A plan that the checks of cuda-opt take back is told, and is no failure.
//
// CHECK: Refused: kernel 821 of seed 3: verification-failed: {{.+}}
// CHECK: kernels 1, {{.*}} different 0,
// CHECK: refused by checks of the plan 1
