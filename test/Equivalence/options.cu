// RUN: %exits 2 %cuda-opt --verify=maybe %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not %clang-plugin -fplugin-arg-cudaopt-verify=machine %s 2>&1 | FileCheck %s --check-prefix=PLUGIN
// RUN: %clang-plugin -fplugin-arg-cudaopt-verify=plan %s
// RUN: %cuda-opt --verify=off --report=json:%t.json %s -o %t.cu -- %cuda-flags
// RUN: FileCheck %s --check-prefix=OFF --input-file=%t.json
// RUN: %cuda-opt --verify=machine --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PRINT
//
// BAD: cuda-opt: error: unknown check in --verify=maybe (known: plan, machine, off)
// PLUGIN: error: cuda-opt: 'verify=machine' is for the tool, not the plugin
// OFF: "verify": "off"
//
// Stages are printed as they are before the machine looks at them: it would
// reject this race.
// PRINT: layout tile [32][32] -> [32][33]

#include "cuda.h"

__global__ void race(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, float *In) { race<<<1, dim3(32, 32)>>>(Out, In); }
