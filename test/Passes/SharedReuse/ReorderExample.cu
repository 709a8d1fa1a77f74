// REQUIRES: cuda
// RUN: rm -rf %t && mkdir -p %t/common %t/registration %t/pictures
// RUN: cp %S/../../../examples/common/*.h %t/common
// RUN: %cuda-opt --passes=shared-reuse --reorder --reuse=bytes \
// RUN:   --report=json:%t/report.json -o %t/registration/registration.cu \
// RUN:   %S/../../../examples/registration/registration.cu -- -arch=sm_90
// RUN: FileCheck %s < %t/report.json
// RUN: %cuda-sim --quiet %t/registration/registration.cu --steps 1 \
// RUN:   --pictures %t/pictures -- -fmad=false | FileCheck %s --check-prefix=SIM
//
// One example of two relaxations that are independent, in half of the bytes, and of
// two that are not, as they were; both with the bits that the CPU computes.
//
// CHECK: "name": "relax",
// CHECK: "decision": "rewritten"
// CHECK: "shared_bytes": {
// CHECK-NEXT: "after": 6812,
// CHECK-NEXT: "before": 13596
// CHECK: "name": "relaxSheared",
// CHECK: "reason": "dependence-cycle"
// CHECK: "shared_bytes": {
// CHECK-NEXT: "after": 13596,
// CHECK-NEXT: "before": 13596
// SIM: differs from the CPU's by 0 at most
// SIM-NEXT: {{^}}PASSED
