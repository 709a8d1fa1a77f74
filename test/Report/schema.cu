// REQUIRES: jsonschema
// RUN: %cuda-opt --assume-closed-world -q --reuse=bytes --report=json:%t.forms.json -o %t.cu %S/Inputs/forms.cu -- %cuda-flags -I %include-runtime
// RUN: %cuda-opt --assume-closed-world -q --report=json:%t.assumed.json -o %t.cu %s -- %cuda-flags
// RUN: echo 'int nothing;' > %t.empty.cu
// RUN: %cuda-opt --assume-closed-world -q --report=json:%t.empty.json -o %t.cu %t.empty.cu -- %cuda-flags
// RUN: %cuda-opt --assume-closed-world -q --reorder --verify=off --report=json:%t.order.json -o %t.cu %S/Inputs/forms.cu -- %cuda-flags -I %include-runtime
// RUN: python3 %S/Inputs/check-json.py %S/../../docs/report.schema.json %t.forms.json %t.assumed.json %t.empty.json %t.order.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=FIELDS < %t.forms.json
//
// The schema in docs describes every field of every report.
//
// CHECK: 4 reports are valid
//
// Pairs in place, places of variables, lines of intervals, what lanes access,
// and loops are among them.
//
// FIELDS: "element": "[threadIdx.y][threadIdx.x]"
// FIELDS: "in_place": [{{$}}
// FIELDS-NEXT: [
// FIELDS-NEXT: "first",
// FIELDS-NEXT: "second"
// FIELDS: "class": "inspected",
// FIELDS-NEXT: "conflict_arrays": [
// FIELDS-NEXT: "A"
// FIELDS: "reason": "loop-carried"

#include "cuda.h"

// No launch tells the shape of the block.
__global__ void assumed(float *Out) {
  __shared__ float a[1024];
  a[threadIdx.x * 32 % 1024] = Out[0];
}
