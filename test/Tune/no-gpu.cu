// UNSUPPORTED: gpu
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %exits 3 %cuda-opt tune nvcc a.cu -o app -- ./app > log 2>&1
// RUN: FileCheck --input-file=log %s && not ls cuda-opt.tune
//
// Without a GPU nothing is built: one line says why.
//
// CHECK: cuda-opt: error: there is no GPU to measure on: {{.*}}
// CHECK-NOT: {{.}}
