// REQUIRES: cuda
// RUN: %cuda-opt --verify=machine -Rpass=. -Rpass-missed=. -o %t.cu \
// RUN:   %S/../../examples/cell-proliferation/variants/HostLoop.cu \
// RUN:   -- --cuda-path=%cuda-path -std=c++20 -arch=sm_90 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=SOURCE --input-file=%t.cu
//
// Of the host loop's kernel, the arrays of parents and daughters share their
// bytes; that rows of ten words have no bank conflicts, since they are read two
// words at a time, is seen as well.
//
// CHECK-DAG: 'in' keeps its layout: no access conflicts
// CHECK-DAG: 'out' keeps its layout: no access conflicts
// CHECK-DAG: takes 10240 bytes instead of 15360 {{.*}} 16 blocks {{.*}} instead of 14
// SOURCE: __shared__ union {
// SOURCE-NEXT: in[THREADS][CELL_WORDS];
// SOURCE-NEXT: out[THREADS][2 * CELL_WORDS];
