// RUN: %cuda-fuzz --features=none --phases --passes=shared-reuse --reuse=bytes --seed=3 --count=60 --quiet | FileCheck %s
// RUN: %cuda-fuzz --features=none --phases --passes=bank-layout,shared-reuse --reuse=bytes --seed=3 --count=60 --quiet | FileCheck %s
// RUN: %cuda-fuzz --features=none --phases --passes=shared-reuse --reuse=poison --seed=3 --count=60 --quiet | FileCheck %s
//
// Kernels whose arrays live in turn compute the same where the arrays share bytes, and
// where they are overwritten as soon as they are said to be dead.
//
// CHECK: kernels 60, pairs {{[1-6][0-9]}}, rewritten {{[1-6][0-9]}},
// CHECK-SAME: different 0, broken originals 0, unsupported 0, crashes 0;
