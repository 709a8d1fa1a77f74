// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %cuda-opt --check a.cu -- %cuda-flags 2>&1 | FileCheck %s
//
// The first error is named also where it stands in a header, behind the way to it.
//
// CHECK: a.cu: clang reports 1 error; {{.*}}; first: ./a.h:1:{{.*}}: error: use of undeclared

//--- a.h
__device__ int f() { return undeclared; }
//--- a.cu
#include "cuda.h"
#include "a.h"
