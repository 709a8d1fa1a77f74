// REQUIRES: cuda
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cuda-opt -Rpass=.* -Rpass-missed=.* %cuda-path/bin/nvcc -arch=sm_90 -std=c++17 -c %s -o a.o 2>&1 | FileCheck %s
// RUN: %cuda-opt --no-compile-check -Rpass=.* -Rpass-missed=.* %cuda-path/bin/nvcc -arch=sm_90 -std=c++17 -c %s -o a.o 2>&1 | FileCheck --check-prefix=UNCHECKED %s
// RUN: %cuda-opt -Rpass-missed=.* --cuda-path=%cuda-path %s -o %t.cu -- -arch=sm_90 2>&1 | FileCheck --check-prefix=UNCHECKED %s
//
// Where registers may decide about a layout, a launched nvcc compiles the text to see;
// the tool alone, and without the check, does without the layout.
//
// What nvcc says of a kernel is found whatever its linkage: a spill in the new text is
// one.
// RUN: mkdir -p tk/bin && ln -s %cuda-path/include %cuda-path/nvvm tk && cp %S/../Inputs/spilling-nvcc.py tk/bin/nvcc
// RUN: cp %s extern.cu && sed 's/^__global__/static __global__/' %s > static.cu && sed 's/^__global__/namespace { __global__/; s/^void launch/} void launch/' %s > unnamed.cu && sed 's/^__global__/template <int N> __global__/; s/product<<</product<3><<</' %s > template.cu
// RUN: env NVCC=%cuda-path/bin/nvcc sh -c 'for f in extern static unnamed template; do %cuda-opt -Rpass-missed=.* tk/bin/nvcc -arch=sm_90 -std=c++17 -c $f.cu -o a.o; done' 2>&1 | FileCheck --check-prefix=SPILLS %s
//
// SPILLS: extern.cu{{.*}}array 'Bs' keeps its layout: {{.*}} of registers are spilled, not 0
// SPILLS: static.cu{{.*}}array 'Bs' keeps its layout: {{.*}} of registers are spilled, not 0
// SPILLS: unnamed.cu{{.*}}array 'Bs' keeps its layout: {{.*}} of registers are spilled, not 0
// SPILLS: template.cu{{.*}}array 'Bs' keeps its layout: {{.*}} of registers are spilled, not 0

// CHECK: shared array 'Bs' is stored as
// UNCHECKED: shared array 'Bs' keeps its layout: {{.*}} may cost a resident block
constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;

__global__ void product(float *C, const float *A, const float *B, int n) {
  __shared__ float As[BK][BM];
  __shared__ float Bs[BK][BN];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  float sum[TM][TN] = {};
  for (int k = 0; k < n; k += BK) {
    for (int i = 0; i < 4; ++i) {
      As[(t + 256 * i) / BM][(t + 256 * i) % BM] = A[k * n + t + 256 * i];
      Bs[(t + 256 * i) / BN][(t + 256 * i) % BN] = B[k * n + t + 256 * i];
    }
    __syncthreads();
    for (int j = 0; j < BK; ++j) {
      float a[TM], b[TN];
      for (int y = 0; y < TM; ++y)
        a[y] = As[j][ty * TM + y];
      for (int x = 0; x < TN; ++x)
        b[x] = Bs[j][tx * TN + x];
      for (int y = 0; y < TM; ++y)
        for (int x = 0; x < TN; ++x)
          sum[y][x] += a[y] * b[x];
    }
    __syncthreads();
  }
  for (int y = 0; y < TM; ++y)
    for (int x = 0; x < TN; ++x)
      C[(ty * TM + y) * n + tx * TN + x] = sum[y][x];
}

void launch(float *c, const float *a, const float *b, int n) {
  product<<<100, dim3(16, 16)>>>(c, a, b, n);
}
