// UNSUPPORTED: gpu
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %exits 3 %cuda-opt calibrate 2>&1 | FileCheck %s
// RUN: not ls .cuda-opt
//
// CHECK: cuda-opt: error: there is no GPU to measure on: {{.*}}
// CHECK-NOT: {{.}}
