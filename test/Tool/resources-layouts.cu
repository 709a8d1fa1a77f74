// REQUIRES: cuda
// RUN: %cuda-opt --cuda-path=%cuda-path --passes=bank-layout -Rpass-missed=.* -o %t.cu %s 2>&1 | FileCheck %s
// RUN: %cuda-opt --cuda-path=%cuda-path --passes=bank-layout --verify-resources -Rpass-missed -o %t.cu %s 2>&1 | FileCheck %s --check-prefix=MEASURED
// RUN: diff %s %t.cu
//
// With --verify-resources it is known how many warps the registers leave, and a
// layout whose instructions do not pay for so few is taken back. Without, none is
// taken where private arrays take many registers.

// CHECK: [[@LINE+3]]:21: remark: shared array 'AS' keeps its layout: {{.*}}: each thread keeps arrays of 832 bytes in registers
// MEASURED: [[@LINE+2]]:21: remark: shared array 'AS' keeps its layout: {{.*}}, as only {{[0-9]}} warps fit on a multiprocessor (520 wavefronts of a block before, 208 after)
__global__ void registers(double *Out, const double *In) {
  __shared__ double AS[1664];
  double Kept[104];
  for (int I = 0; I < 104; ++I)
    Kept[I] = In[I];
  for (int I = threadIdx.x; I < 1664; I += 32)
    AS[I] = I;
  __syncthreads();
  for (int Round = 0; Round < 1; ++Round)
    for (int I = 0; I < 104; ++I)
      Kept[I] = Kept[I] * In[Round] + Kept[(I + 1) % 104];
  double Sum = 0;
#pragma unroll 1
  for (int K = 0; K < 52; ++K)
    Sum += AS[threadIdx.x * 52 + K];
  for (int I = 0; I < 104; ++I)
    Sum += Kept[I] * I;
  Out[threadIdx.x] = Sum;
}

void launch(double *Out, const double *In) { registers<<<100, 32>>>(Out, In); }
