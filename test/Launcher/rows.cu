// REQUIRES: cuda
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cuda-opt --passes=+global-access -Rpass=.* %cuda-path/bin/nvcc -arch=sm_90 -Xptxas -v -c %s -o a.o 2>&1 | FileCheck %s
// RUN: %cuda-opt -Rpass=.* %cuda-path/bin/nvcc -arch=sm_90 -Xptxas -v -c %s -o a.o 2>&1 | FileCheck --check-prefix=ALONE %s
//
// A file without shared arrays is rewritten if a pass runs that needs none.
//
// CHECK: remark: threads read rows of 'a[r * n + c]' for each other
// CHECK: 33792 bytes smem
// ALONE-NOT: {{remark|smem}}

static __global__ void sums(const float *a, float *y, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int c = 0; c < n; ++c)
    s += a[r * n + c];
  y[r] = s;
}

void launch(const float *a, float *y, int n) { sums<<<64, 256>>>(a, y, n); }
