// RUN: %cuda-fuzz --features=wrap,break,aggregate,lambda,partial-write,private-array,wide-access,internal-linkage --seed=11 --count=60 --quiet | FileCheck %s
//
// Kernels with features compute what they did; what each feature had is counted.
//
// CHECK: kernels 60, pairs {{[0-9]+}}, rewritten {{[1-9][0-9]+}},
// CHECK-SAME: different 0, broken originals 0, unsupported 0, crashes 0;
// CHECK: discarded for defects of their own {{[0-9]+}}; exit 0 (rewritten 0,
// CHECK-SAME: wrap {{[1-9][0-9]*}} (rewritten {{[1-9]}}
// CHECK-SAME: lambda {{[1-9][0-9]*}} (rewritten {{[0-9]}}
// CHECK: texts and results: sum {{[0-9a-f]{16}$}}
