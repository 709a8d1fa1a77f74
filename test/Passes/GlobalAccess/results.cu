// REQUIRES: cuda
// RUN: %cuda-opt --passes=global-access %s -o %t.cu -- -arch=sm_90 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: %cuda-sim %s > %t.before
// RUN: %cuda-sim %t.cu > %t.after
// RUN: diff %t.before %t.after
// RUN: FileCheck %s < %t.after
//
// Staged kernels compute what they did: rows that end in the middle of a tile, in
// front of it and behind, and at the end of memory; warps without some of their
// lanes; blocks that have no tiles; rows at unequal distances; a store into the
// row. Nothing races.
//
// SUMMARY: 4 loops read rows in tiles, 0 kept
// CHECK-COUNT-47: sum
// CHECK-NOT: {{error|race}}

#include <cstdio>
#include <cstdlib>

__global__ void product(const float *a, const float *x, float *y, int n,
                        int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float s = 0;
  for (int c = 0; c < n; ++c)
    s += a[r * n + c] * x[c];
  y[r] = s;
}

// With `into` = 1, each thread adds to the last element of its row.
__global__ void adds(float *a, int n, int rows, int into) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float *sum = into ? a : a + rows * n;
  int at = into ? r * n + n - 1 : r;
  if (r < rows)
    for (int c = 0; c < n; ++c)
      sum[at] += a[r * n + c];
}

// The rows of the last warp are not equally far apart.
__global__ void swaps(const float *a, float *y, int n) {
  const int r = threadIdx.x;
  const int row = r ^ (r >= 96);
  double s = 0;
  for (int c = 1; c <= n - 1; ++c)
    s += a[row * n + c];
  y[r] = float(s);
}

__global__ void transpose(float *out, const float *in, int n, int rows) {
  const int t =
      (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (t < rows)
    for (int c = 0; c < n; c++)
      out[c * rows + t] = in[t * n + c];
}

static float *A, *X, *Y;

static void show(const char *What, int Rows, int N, const float *From,
                 int Count) {
  float *Host = (float *)malloc(Count * 4);
  cudaMemcpy(Host, From, Count * 4, cudaMemcpyDeviceToHost);
  double Sum = 0;
  for (int I = 0; I < Count; ++I)
    Sum = Sum * 0.9375 + Host[I];
  printf("%s %d x %d: sum %.17g\n", What, Rows, N, Sum);
  free(Host);
}

static void fill(int Count) {
  float *Host = (float *)malloc(Count * 4);
  for (int I = 0; I < Count; ++I)
    Host[I] = (I * 7919 % 1009 - 500) / 256.f;
  cudaMemcpy(A, Host, Count * 4, cudaMemcpyHostToDevice);
  free(Host);
}

int main() {
  cudaMalloc(&A, 200000);
  cudaMalloc(&X, 1024);
  cudaMalloc(&Y, 200000);
  fill(50000);
  cudaMemcpy(X, A, 1024, cudaMemcpyDeviceToDevice);
  for (int N : {1, 31, 32, 33, 64, 100, 127, 250}) {
    fill(50000);
    product<<<2, 64>>>(A + 50000 - 100 * N, X, Y, N, 100);
    show("product", 100, N, Y, 100);
    swaps<<<1, 128>>>(A, Y, N);
    show("swaps", 128, N, Y, 128);
    transpose<<<1, dim3(16, 8)>>>(Y, A, N, 100);
    show("transpose", 100, N, Y, 100 * N);
    for (int Into : {0, 1}) {
      fill(50000);
      adds<<<2, 64>>>(A, N, 100, Into);
      show("adds", 100, N, A, 101 * N);
    }
  }
  const int Large = 96 * (A != nullptr);
  fill(50000);
  for (int N : {32, 33, 70})
    for (int Threads : {33, Large}) {
      product<<<2, Threads>>>(A, X, Y, N, 150);
      show("product", 150, N, Y, 60);
    }
  adds<<<2, dim3(32, 2)>>>(A, 64, 64, 0);
  show("adds", 64, 64, A, 65 * 64);
}
