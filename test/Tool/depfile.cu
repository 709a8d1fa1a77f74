// RUN: rm -rf %t && mkdir -p "%t/a b" && cp %s "%t/a b/x.cu"
// RUN: %cuda-opt --quiet --depfile=%t/x.d -o %t/x.out.cu "%t/a b/x.cu" -- %cuda-flags
// RUN: FileCheck %s < %t/x.d
// RUN: %exits 2 %cuda-opt --depfile=%t/x.d %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=NEEDS
// RUN: mkdir -p %t/own/include && touch %t/own/include/__clang_cuda_builtin_vars.h
// RUN: %cuda-opt --resource-dir=%t/own --depfile=%t/x.d -o %t/x.out.cu %s -- %cuda-flags
// RUN: FileCheck %s --check-prefix=OWN < %t/x.d
//
// The rule names all files that were read; clang's headers are those that the
// user names.
//
// CHECK: x.out.cu: \
// CHECK-DAG: {{^}}  {{.*}}/a\ b/x.cu
// CHECK-DAG: {{^}}  {{.*}}/Inputs/cuda.h
// NEEDS: --depfile needs -o
// OWN: /own/include/__clang_cuda_builtin_vars.h
#include "cuda.h"
