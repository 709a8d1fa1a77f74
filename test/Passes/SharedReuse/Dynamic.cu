// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --verify=machine -Rpass=.* -Rpass-missed=.* %s -- %cuda-flags 2>%t.err | grep -v '^ *//' > %t.cu
// RUN: FileCheck %s --input-file=%t.cu
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.err
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --check %t.cu -- %cuda-flags -I%S
//
// What no compiler accepts as static memory becomes dynamic memory, for which all
// launches ask, if each has room for that; the greatest object does if that is enough.
#include "cuda.h"

// SAYS-DAG: rewrite of kernel 'one_array' verified: proved equal for all data
// PLAN-LABEL: plan one_array
// PLAN: bytes 65536 -> 65536, bound 65536; blocks 0 -> 3
// PLAN-NEXT: dynamic only: bytes 65536 of one_array 65536 of one_array
// CHECK-LABEL: void one_array(
// CHECK-NEXT:   struct Dynamic {
// CHECK-NEXT:     float only[256][64];
// CHECK-NEXT:   };
// CHECK-NEXT:   extern __shared__ __align__(16) unsigned char dynamic_of_one_array[];
// CHECK-NEXT:   auto &only = reinterpret_cast<Dynamic &>(dynamic_of_one_array).only;
__global__ void one_array(float *out) {
  __shared__ float only[256][64];
  int t = threadIdx.x;
  for (int r = 0; r < 256; r++)
    only[r][t] = out[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < 256; r++)
    out[r * 64 + t] = only[r][63 - t];
}

// Two share bytes, which is not enough; the small one stays static, and so does what
// the lambda copies.
// SAYS-DAG: rewrite of kernel 'several' verified: proved equal for all data
// PLAN-LABEL: plan several
// PLAN: storage (first | third): bytes 99328 -> 66560, bound 66560; blocks 0 -> 3
// CHECK-LABEL: void several(
// CHECK: struct Dynamic {
// CHECK-NEXT: union {
// CHECK-NEXT:   float first[128][64];
// CHECK-NEXT:   float third[128][64];
// CHECK-NEXT: };
// CHECK-NEXT: };
// CHECK: __shared__ float second[128][64];
// CHECK: __shared__ float factor[256];
// CHECK: return reinterpret_cast<Dynamic &>(dynamic_of_several).third[r][t ^ 2] * factor[(t + r) & 255];
__global__ void several(float *out, const float *in) {
  __shared__ float first[128][64];
  __shared__ float second[128][64];
  __shared__ float third[128][64];
  __shared__ float factor[256];
  int t = threadIdx.x;
  for (int i = t; i < 256; i += 64)
    factor[i] = in[i];
  for (int r = 0; r < 128; r++)
    first[r][t] = in[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < 128; r++)
    second[r][t] = first[r][63 - t];
  __syncthreads();
  for (int r = 0; r < 128; r++)
    third[r][t] = second[127 - r][t ^ 1];
  __syncthreads();
  auto at = [=](int r) { return third[r][t ^ 2] * factor[(t + r) & 255]; };
  for (int r = 0; r < 128; r++)
    out[r * 64 + t] = at(r);
}

// SAYS-DAG: rewrite of kernel 'sized' verified: proved equal for all data
// PLAN-LABEL: plan sized
// PLAN: dynamic tile: bytes 65536 of sized<float, 256> 49408 of sized<float, 193>
template <class T, int Rows> __global__ void sized(T *out) {
  __shared__ T tile[Rows][64];
  int t = threadIdx.x;
  for (int r = 0; r < Rows; r++)
    tile[r][t] = out[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < Rows; r++)
    out[r * 64 + t] = tile[r][63 - t];
}

// PLAN-LABEL: plan in_if
// PLAN: 65536 bytes, where a compiler allows 49152; dynamic shared memory (extern __shared__) may be larger, but the launch of line [[#@LINE + 57]] is no statement of a block
__global__ void in_if(float *out) {
  __shared__ float only[256][64];
  only[255 - threadIdx.x][0] = out[0];
  __syncthreads();
  out[threadIdx.x] = only[192 + threadIdx.x][0];
}

// PLAN-LABEL: plan has_some
// PLAN: may be larger, but the launch of line [[#@LINE + 49]] has dynamic memory already
__global__ void has_some(float *out) {
  __shared__ float only[256][64];
  only[255 - threadIdx.x][0] = out[0];
  __syncthreads();
  out[threadIdx.x] = only[192 + threadIdx.x][0];
}

// PLAN-LABEL: plan passed_on
// PLAN: may be larger, but line [[#@LINE + 41]] names the kernel other than to launch it
__global__ void passed_on(float *out) {
  __shared__ float only[256][64];
  only[255 - threadIdx.x][0] = out[0];
  __syncthreads();
  out[threadIdx.x] = only[192 + threadIdx.x][0];
}

// PLAN-LABEL: plan much
// PLAN: may be larger, but not so large
__global__ void much(float *out) {
  __shared__ float only[1024][64];
  only[1023 - threadIdx.x][0] = out[0];
  __syncthreads();
  out[threadIdx.x] = only[960 + threadIdx.x][0];
}


using Launch = void(float *);
void take(Launch *);

// CHECK-LABEL: void launch(
// CHECK-NEXT: cudaFuncSetAttribute(one_array, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
// CHECK-NEXT: one_array<<<1, 64, 65536>>>(out);
// CHECK-NEXT: cudaFuncSetAttribute(one_array, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
// CHECK-NEXT: one_array<<<dim3(1), dim3(64), 65536, 0>>>(out);
// CHECK-NEXT: cudaFuncSetAttribute(several, cudaFuncAttributeMaxDynamicSharedMemorySize, 32768);
// CHECK-NEXT: several<<<1, 64, 32768>>>(out, in);
// CHECK-NEXT: cudaFuncSetAttribute(sized<float, 256>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
// CHECK-NEXT: sized<float, 256><<<1, 64, 65536>>>(out);
// CHECK-NEXT: cudaFuncSetAttribute(sized<float, 193>, cudaFuncAttributeMaxDynamicSharedMemorySize, 49408);
// CHECK-NEXT: sized<float, 193><<<1, 64, 49408>>>(out);
void launch(float *out, const float *in) {
  one_array<<<1, 64>>>(out);
  one_array<<<dim3(1), dim3(64), 0, 0>>>(out);
  several<<<1, 64>>>(out, in);
  sized<float, 256><<<1, 64>>>(out);
  sized<float, 193><<<1, 64>>>(out);
  if (out)
    in_if<<<1, 64>>>(out);
  has_some<<<1, 64, 16>>>(out);
  take(passed_on);
  much<<<1, 64>>>(out);
}

// PLAN-LABEL: plan in_lambda
// PLAN: may be larger, but the launch of line [[#@LINE + 8]] stands in a lambda
__global__ void in_lambda(float *out) {
  __shared__ float only[256][64];
  only[255 - threadIdx.x][0] = out[0];
  __syncthreads();
  out[threadIdx.x] = only[192 + threadIdx.x][0];
}
void launchInLambda(float *out) {
  [&] { in_lambda<<<1, 64>>>(out); }();
}
