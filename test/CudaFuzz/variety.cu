// RUN: %cuda-fuzz --features=none --seed=1 --count=300 --print-kernel > %t.cu
// RUN: %cuda-opt -o %t.out.cu %t.cu -- -nocudainc -nocudalib 2>&1 | FileCheck %s --check-prefix=OPT
// RUN: FileCheck %s --input-file=%t.cu
//
// The kernels have what real ones have, and half of their arrays conflicts.
//
// OPT-NOT: warning
// OPT: 300 kernels, {{[2-9][0-9][0-9]}} arrays rewritten
//
// CHECK-DAG: __shared__ char s{{[0-9]}}[
// CHECK-DAG: __shared__ short s{{[0-9]}}[
// CHECK-DAG: __shared__ long long s{{[0-9]}}[
// CHECK-DAG: __shared__ double s{{[0-9]}}[{{[0-9A-Z_]+}}][
// CHECK-DAG: __shared__ float4 s{{[0-9]}}[
// CHECK-DAG: __shared__ Mixed s{{[0-9]}}[
// CHECK-DAG: __shared__ T s{{[0-9]}}[
// CHECK-DAG: __shared__ float s{{[0-9]}}[{{[0-9]+}}][{{[0-9]+}}][{{[0-9]+}}];
// CHECK-DAG: __shared__ float s{{[0-9]}}[{{[0-9]+ \* [0-9]+}}];
// CHECK-DAG: extern __shared__ float dynamic
// CHECK-DAG: template <int W, class T>
// CHECK-DAG: #define WIDTH_
// CHECK-DAG: const int width =
// CHECK-DAG: for (int t = 0; t < {{[2-4]}}; ++t) {
// CHECK-DAG: atomicAdd(&s
// CHECK-DAG: if (flags[tid % 64] > 0) {
// CHECK-DAG: if (tid > 100000) {
// CHECK-DAG: if (tid < n) {
// CHECK-DAG: ((tid & 2) ? s
// CHECK-DAG: wrapped(
// CHECK-DAG: __restrict__ out
// CHECK-DAG: dim3(20, 3, 1)
// CHECK-DAG: dim3(8, 8, 4)
