// REQUIRES: cuda
// RUN: %cuda-path/bin/nvcc --list-gpu-arch | sed s/compute_/sm_/ > %t
// RUN: xargs -I ARCH %cuda-opt --arch=ARCH --check %s -- %cuda-flags < %t
// RUN: %exits 3 %cuda-opt %s -- -arch=sm_30 2>&1 | FileCheck %s
//
// CHECK: error: nvcc {{[0-9.]+}} does not compile for 'sm_30', but for sm_{{[0-9]+}} and later ones
// Every architecture that nvcc knows is in our table.
#include "cuda.h"
__global__ void k(float *out) { out[threadIdx.x] = 1; }
