// RUN: %python -c "print('int ;=\n' * 30)" > %t.cu
// RUN: %exits 3 %cuda-opt %t.cu -o %t.out -- %cuda-flags 2> %t.err
// RUN: grep -c ': error: ' %t.err | FileCheck %s --check-prefix=COUNT
// RUN: FileCheck %s < %t.err
//
// The first twenty errors say enough.
// COUNT: {{^21$}}
// CHECK: many-errors.cu.tmp.cu:1:{{[0-9]+}}: error:
// CHECK: many-errors.cu.tmp.cu:20:{{[0-9]+}}: error:
// CHECK-NOT: many-errors.cu.tmp.cu:21:
// CHECK: cuda-opt: error: 10 more errors are not shown
