// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang-plugin -Rpass=.* a.cu 2>&1 | FileCheck %s --check-prefix=PAD
// RUN: %clang-plugin -Rpass=.* %t/sub/a.cu 2>&1 | FileCheck %s --check-prefix=XOR --allow-empty
// RUN: %clang-plugin -Rpass=.* -fplugin-arg-cudaopt-layout=pad -fplugin-arg-cudaopt-no-quiet sub/a.cu 2>&1 | FileCheck %s --check-prefixes=PAD,SUMMARY
// RUN: %clang-plugin -Rpass=.* -fplugin-arg-cudaopt-config-file=.cuda-opt sub/a.cu 2>&1 | FileCheck %s --check-prefixes=PAD,SUMMARY
// RUN: not %clang-plugin -fplugin-arg-cudaopt-config="{Layuot: pad}" a.cu 2>&1 | FileCheck %s --check-prefix=KEY
//
// The plugin reads the .cuda-opt of its source; its arguments count more.
//
// PAD: remark: shared array 'tile' is stored as [32][33]
// SUMMARY: a.cu: 1 kernel, 1 array rewritten
// XOR: remark: shared array 'tile' is stored as [32][32] c ^ r
// XOR-NOT: 1 kernel
// KEY: error: cuda-opt: --config:1:2: unknown key 'Layuot'; did you mean 'Layout'?

// What only the tool can do is told, once, and the original is compiled.
// RUN: env CUDAOPT_CACHE_DIR=%t.cache %clang-plugin -x cuda -Rpass=.* tool/a.cu 2>&1 | FileCheck %s --check-prefix=TOOL
// RUN: %clang-plugin -Rpass=.* -fplugin-arg-cudaopt-no-verify-resources tool/a.cu 2>&1 | FileCheck %s --check-prefix=PAD
//
// TOOL: warning: tool/a.cu: 'verify-resources' is for the tool, not the plugin; compiling the original
// TOOL-NOT: {{remark|warning}}

// The dependency file names the configuration, as a file that may go.
// RUN: %host-cxx -x cuda %cuda-flags -fplugin=%plugin -c -emit-llvm -o a.bc -MD -MP -MF a.d a.cu
// RUN: FileCheck %s --check-prefix=DEPS < a.d
//
// Its lines are broken where they get long: that depends on where the tests are.
//
// DEPS: a.bc: a.cu
// DEPS: /.cuda-opt{{( .)?$}}
// DEPS: {{^/.*}}/.cuda-opt:{{$}}

//--- .cuda-opt
Layout: pad
//--- sub/.cuda-opt
Layout: xor
Quiet: true
//--- tool/.cuda-opt
VerifyResources: true
InheritParentConfig: true
//--- a.cu
#include "cuda.h"
__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
//--- sub/a.cu
#include "cuda.h"
__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
//--- tool/a.cu
#include "cuda.h"
__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
