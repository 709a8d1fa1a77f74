// REQUIRES: cuda
// RUN: %cuda-opt --cuda-path=%cuda-path --passes=shared-reuse --reuse=bytes -o %t.cu %s -- -arch=sm_90
// RUN: FileCheck %s < %t.cu
// RUN: %cuda-path/bin/nvcc -arch=sm_90 -Xptxas -v -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: %cuda-path/bin/nvcc -arch=sm_90 -Xptxas -v -c -o /dev/null %t.cu 2>&1 | FileCheck %s --check-prefix=AFTER
//
// The storage of CUB's block algorithms is a union of all of it, as its users write
// by hand; the greatest part, that of the sort, is all that is left.

#include <cub/cub.cuh>

// BEFORE: 18700 bytes smem
// AFTER: 9280 bytes smem
template <int THREADS> __global__ void sort(const int *in, int *out) {
  using Scan = cub::BlockScan<int, THREADS>;
  using Sort = cub::BlockRadixSort<int, THREADS, 8>;
  using Reduce = cub::BlockReduce<int, THREADS>;
  // CHECK: __shared__ union {
  // CHECK-NEXT: typename Scan::TempStorage scan;
  // CHECK-NEXT: typename Sort::TempStorage keys;
  // CHECK-NEXT: typename Reduce::TempStorage sum;
  // CHECK-NEXT: float stage[THREADS * 8];
  // CHECK-NEXT: } reused;
  __shared__ typename Scan::TempStorage scan;
  __shared__ typename Sort::TempStorage keys;
  __shared__ typename Reduce::TempStorage sum;
  __shared__ float stage[THREADS * 8];
  int items[8], prefix;
  for (int i = 0; i < 8; i++)
    stage[threadIdx.x + i * THREADS] = in[threadIdx.x + i * THREADS];
  __syncthreads();
  for (int i = 0; i < 8; i++)
    items[i] = stage[threadIdx.x * 8 + i];
  __syncthreads();
  Sort(keys).Sort(items);
  __syncthreads();
  Scan(scan).InclusiveSum(items[0], prefix);
  __syncthreads();
  int all = Reduce(sum).Sum(prefix);
  if (threadIdx.x == 0)
    out[THREADS] = all;
  out[threadIdx.x] = prefix;
}

void launch(const int *in, int *out) { sort<256><<<1, 256>>>(in, out); }
