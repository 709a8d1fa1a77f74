// RUN: mkdir -p %t && cp %s %t/main.cu && cp %S/../Inputs/column.cuh %t/column.cuh
// RUN: %cuda-opt -i %t/main.cu --report=json:%t/report.json -- %cuda-flags
// RUN: diff %S/../Inputs/column.cuh %t/column.cuh
// RUN: FileCheck %s < %t/report.json
//
// A template in a header may have other instances in other files: what is proved
// of those seen here need not hold for them.

// CHECK: "reason":{{ ?}}"template-in-header"
#include "cuda.h"
#include "column.cuh"
void launch(float *Out) { column<32><<<1, 32>>>(Out); }
