// RUN: %cuda-opt -Rpass-analysis=predicted-time -o %t.cu %s -- %cuda-flags 2>&1 | FileCheck --check-prefix=H200 %s
// RUN: %cuda-opt --gpu=h100 -Rpass-analysis=predicted-time -o %t.cu %s -- %cuda-flags 2>&1 | FileCheck --check-prefix=H100 %s
// RUN: %cuda-opt --config='{Gpu: [mine, sm_90, sms=4, mhz=1000, float=4, integer=2, double=0.1, special=0.5, memory=16, cache=32, measured]}' -Rpass-analysis=predicted-time -o %t.cu %s -- %cuda-flags 2>&1 | FileCheck --check-prefix=MINE %s
//
// A GPU of another architecture than the one to optimize for says nothing.
// RUN: %cuda-opt --gpu="RTX 4090" -Rpass-analysis=predicted-time -o %t.cu %s -- %cuda-flags 2>&1 | FileCheck --check-prefix=H200 %s
// RUN: %cuda-opt --gpu="RTX 4090" --arch=sm_89 -Rpass-analysis=predicted-time -o %t.cu %s -- %cuda-flags 2>&1 | FileCheck --check-prefix=ADA %s
//
// RUN: %exits 2 %cuda-opt --gpu=H300 %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: %exits 2 %cuda-opt --gpu=mine,sm_90 %s 2>&1 | FileCheck --check-prefix=MISSING %s
//
// UNKNOWN: error: malformed --gpu=H300: unknown GPU 'H300' (known: H200, H100
// MISSING: error: malformed --gpu=mine,sm_90: 'mhz=' is missing
//
// Times are predicted for a GPU that is named, or stands for the architecture. What
// limits a kernel of doubles depends on it.
#include "cuda.h"

// H200: 'doubles' {{.*}} of the {{[0-9.]+}} us predicted for the H200 (issue slots 6{{.*}} device memory 3%
// H100: 'doubles' {{.*}} of the {{[0-9.]+}} us predicted for the H100 by its data sheet (issue slots 6{{.*}} device memory 4%
// MINE: 'doubles' {{.*}} of the {{[0-9.]+}} ms predicted for the mine (issue slots 2
// ADA: 'doubles' {{.*}} of the {{[0-9.]+}} us predicted for the RTX 4090 by its data sheet (issue slots 1
__global__ void doubles(double *out) {
  __shared__ double s[256];
  double x = out[threadIdx.x], y = threadIdx.x;
  s[threadIdx.x] = x;
  __syncthreads();
  int k = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < 100; ++i) {
    x = x * y + 1;
    k = (k ^ i) * 3 + (k >> 3);
    k = (k ^ i) * 5 + (k >> 2);
    k = (k ^ i) * 7 + (k >> 4);
  }
  out[threadIdx.x] = x + s[255 - threadIdx.x] + k;
}

void launch(double *p) { doubles<<<1000, 256>>>(p); }
