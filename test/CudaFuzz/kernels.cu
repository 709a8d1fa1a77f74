// RUN: %cuda-fuzz --features=none --seed=5 --count=100 --quiet | FileCheck %s
//
// What cuda-opt makes of random kernels is equal to what they were; none of
// them has a defect, and nothing in them is unknown to the interpreter.
//
// CHECK: kernels 100, pairs {{[5-9][0-9]}}, rewritten {{[4-9][0-9]}},
// CHECK-SAME: different 0, broken originals 0, unsupported 0, crashes 0;
