// RUN: %cuda-fuzz --features=none --phases --seed=1 --count=200 --print-kernel > %t.cu
// RUN: FileCheck %s --input-file=%t.cu
//
// Phase programs have barriers in loops, in branches and in functions, threads that
// return, and phases without a barrier between them.
//
// CHECK-DAG: __device__ void phase{{[0-9]}}_{{[0-9]+}}(
// CHECK-DAG: (&s{{[0-9]}})[{{[0-9]+}}][{{[0-9]+}}]
// CHECK-DAG: phase{{[0-9]}}_{{[0-9]+}}(out, in, flags, n, acc, t, s0
// CHECK-DAG: if (n > 2) {
// CHECK-DAG: for (int t = 0; t < {{[2-4]}}; ++t) {
// CHECK-DAG: return;
// CHECK-DAG: atomicAdd(&s
