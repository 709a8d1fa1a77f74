// REQUIRES: cuda
// RUN: %cuda-path/bin/nvcc --list-gpu-arch | sed s/compute_/sm_/ > %t
// RUN: xargs -I ARCH %cuda-opt --arch=ARCH --check %s -- %cuda-flags < %t
//
// Every architecture that nvcc knows is in our table.
#include "cuda.h"
__global__ void k(float *out) { out[threadIdx.x] = 1; }
