// REQUIRES: cuda
// RUN: %cuda-opt --cuda-path=%cuda-path --print=work %s | FileCheck %s
//
// The bodies of the toolkit's functions are not parsed. Those that compute small
// structs are known: their operands do not go through memory.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Four warps: 16 products of two halves each, which take the pipe for two cycles.
// CHECK: work of _Z5pairsP7__half2PKS_: {{[0-9]+}} instructions (1{{[2-4][0-9]}} float
// CHECK-SAME: 8 global requests of 32 sectors
__global__ void pairs(__half2 *out, const __half2 *in) {
  const int t = blockIdx.x * 128 + threadIdx.x;
  __half2 sum = in[t];
  for (int i = 0; i < 16; ++i)
    sum = __hfma2(sum, sum, sum);
  out[t] = sum;
}

// CHECK: work of _Z6assignP6__halfPKS_: {{[0-9]+}} instructions ({{[1-4][0-9]}} float
// CHECK-SAME: 8 global requests of 16 sectors
__global__ void assign(__half *out, const __half *in) {
  const int t = blockIdx.x * 128 + threadIdx.x;
  __half sum = in[t];
  sum += sum * sum;
  sum -= __half(sum);
  out[t] = sum;
}

// CHECK: work of _Z6bfloatP13__nv_bfloat16PKS_: {{.*}} 8 global requests of 16 sectors
__global__ void bfloat(__nv_bfloat16 *out, const __nv_bfloat16 *in) {
  const int t = blockIdx.x * 128 + threadIdx.x;
  out[t] = __hmul(in[t], in[t]);
}

void launch(__half2 *h, __half *s, __nv_bfloat16 *b) {
  pairs<<<100, 128>>>(h, h);
  assign<<<100, 128>>>(s, s);
  bfloat<<<100, 128>>>(b, b);
}
