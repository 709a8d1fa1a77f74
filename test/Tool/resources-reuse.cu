// REQUIRES: cuda
// RUN: %cuda-opt --cuda-path=%cuda-path --passes=shared-reuse -Rpass=.* -o %t.cu %s 2>&1 | FileCheck %s
// RUN: %cuda-opt --cuda-path=%cuda-path --passes=shared-reuse --verify-resources -Rpass-missed -o %t.cu %s 2>&1 | FileCheck %s --check-prefix=MEASURED
// RUN: diff %s %t.cu
//
// Registers are not known without nvcc. With --verify-resources they are: where they
// allow no more blocks, arrays keep their own bytes.

// CHECK: [[@LINE+2]]:17: remark: shared memory of kernel 'registers' takes 20480 bytes instead of 40960 (at least 20480): 8 blocks fit on a multiprocessor instead of 5
// MEASURED: [[@LINE+1]]:17: remark: shared memory of kernel 'registers' is not reused: it would take 20480 bytes, but registers allow no more blocks
__global__ void registers(float *Out, const float *In) {
  __shared__ float first[5120];
  __shared__ float second[5120];
  float Kept[96];
  for (int I = 0; I < 96; ++I)
    Kept[I] = In[threadIdx.x + 256 * I];
  for (int I = threadIdx.x; I < 5120; I += 256)
    first[I] = In[I];
  __syncthreads();
  for (int Round = 0; Round < 100; ++Round)
    for (int I = 0; I < 96; ++I)
      Kept[I] = Kept[I] * first[threadIdx.x * 20 + Round % 20] + Kept[(I + 1) % 96];
  __syncthreads();
  for (int I = threadIdx.x; I < 5120; I += 256)
    second[I] = Kept[5] * I;
  __syncthreads();
  float Sum = second[threadIdx.x ^ 1];
  for (int I = 0; I < 96; ++I)
    Sum += Kept[I] * I;
  Out[threadIdx.x] = Sum;
}

void launch(float *Out, const float *In) { registers<<<1, 256>>>(Out, In); }
