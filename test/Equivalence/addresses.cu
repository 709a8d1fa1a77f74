// RUN: %cuda-opt --passes=bank-layout --verify=machine -Rpass=.* -Rpass-missed=.* %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
//
// An address of shared memory that a kernel stores, hands on or compares is that
// of an element, not a number: arrays that move are no difference. What depends
// on the number is not compared.

#include "cuda.h"

// CHECK: shared array 'a' is stored as [32][36]
// CHECK: kernel 'stored' verified: proved equal for all data at <<<(1,1,1),(32,1,1)>>> [
__global__ void stored(int *Out, const int *In, unsigned long long *Where) {
  __shared__ int a[32][32];
  __shared__ int b[32];
  int T = threadIdx.x, Sum = 0;
  for (int R = 0; R < 32; ++R)
    a[R][T] = In[R * 32 + T];
  b[T] = T;
  __syncthreads();
  for (int C = 0; C < 32; ++C)
    Sum += a[T][C];
  Out[T] = Sum + b[31 - T];
  if (T == 0)
    *Where = (unsigned long long)&b[0];
}

__device__ int *Kept;

// CHECK: shared array 'a' is stored as [32][36]
// CHECK: kernel 'handed' verified: proved equal for all data at <<<(1,1,1),(32,1,1)>>> [
__global__ void handed(int *Out, const int *In) {
  __shared__ int a[32][32];
  __shared__ int b[128];
  int T = threadIdx.x, Sum = 0;
  for (int R = 0; R < 32; ++R)
    a[R][T] = In[R * 32 + T];
  for (int I = 0; I < 4; ++I)
    b[T + 32 * I] = In[T];
  if (T == 0)
    Kept = b;
  __syncthreads();
  for (int C = 0; C < 32; ++C)
    Sum += a[T][C];
  for (int *P = Kept; P != Kept + 128; ++P)
    Sum += *P;
  Out[T] = Sum;
}

// CHECK: shared array 'a' keeps its layout: the interpreter cannot check its kernel: {{.*}}depends on where a shared variable lies
__global__ void hashed(int *Out, const int *In, unsigned long long *Where) {
  __shared__ int a[32][32];
  __shared__ int b[32];
  int T = threadIdx.x, Sum = 0;
  for (int R = 0; R < 32; ++R)
    a[R][T] = In[R * 32 + T];
  b[T] = T;
  __syncthreads();
  for (int C = 0; C < 32; ++C)
    Sum += a[T][C];
  Out[T] = Sum + b[31 - T];
  if (T == 0)
    *Where = (unsigned long long)&b[0] * 2654435761u;
}

void launch(int *Out, const int *In, unsigned long long *Where) {
  stored<<<1, 32>>>(Out, In, Where);
  handed<<<1, 32>>>(Out, In);
  hashed<<<1, 32>>>(Out, In, Where);
}
