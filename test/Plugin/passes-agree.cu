// REQUIRES: cuda
// RUN: rm -rf %t.cache
// RUN: env CUDAOPT_CACHE_DIR=%t.cache %host-cxx --cuda-path=%cuda-path -Wno-unknown-cuda-version --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90a -fplugin=%plugin -fplugin-arg-cudaopt-o=%t.cu -Xcuda-ptxas -v -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: env CUDAOPT_CACHE_DIR= %host-cxx --cuda-path=%cuda-path -Wno-unknown-cuda-version --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90a -fplugin=%plugin --cuda-host-only -fplugin-arg-cudaopt-o=%t.host.cu -c %s -o %t.o
// RUN: cmp %t.cu %t.host.cu
//
// All jobs of a command compile one text, told only once; a job for the host
// alone finds the same one.
//
// CHECK: passes-agree.cu: 1 kernel, 1 array rewritten
// CHECK: 4224 bytes smem
// CHECK-NOT: array
// CHECK: 4224 bytes smem



__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
