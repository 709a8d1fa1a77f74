// RUN: rm -rf %t && %exits 1 %cuda-fuzz --seed=7 --count=8 --plant=layout --keep=%t --quiet > %t.out
// RUN: FileCheck %s < %t.out
// RUN: cat %t/7-*-small-rewritten.cu | FileCheck %s --check-prefix=TEXT
//
// A wrong rewrite is reported with the kernel's number, made small, printed on
// both sides, kept in files, and is the exit code.
//
// CHECK: Different: kernel {{[0-9]+}} of seed 7: {{.+}}
// CHECK-NEXT: minimised: {{.+}}
// CHECK: __global__ void [[NAME:fz[0-9]+k]](
// CHECK: rewritten:
// CHECK: __global__ void [[NAME]](
// CHECK: kernels 8, {{.*}} different {{[1-9]}}, broken originals 0,
//
// TEXT: #define __global__
// TEXT: __global__ void fz
