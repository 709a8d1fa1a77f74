// RUN: %cuda-opt -q --passes=global-access -Rpass=.* -Rpass-missed=.* %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
//
// Walks that are left as they are: why, and where. None is staged.
//
// CHECK-NOT: threads read rows
#include "cuda.h"

#define ROW (blockIdx.x * blockDim.x + threadIdx.x)

// CHECK: [[#@LINE + 3]]:3: remark: each thread reads its own row of 'a[ROW * n + c]', 32 sectors a request: what it reads cannot be told in front of the loop: the loop is none of the form for (i = first; i < end; ++i)
__global__ void inHead(const float *a, float *y, int n) {
  float s = 0;
  for (int c = 0; n > c; s += a[ROW * n + c], ++c)
    if (c == 7)
      continue;
  y[ROW] = s;
}

// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: the loop does more than compute, load and store (it may be left in the middle)
__global__ void leaves(const float *a, float *y, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c) {
    s += a[r * n + c];
    if (s > 100)
      break;
  }
  y[r] = s;
}

// A value that is read ahead must not be one that the barrier makes visible.
// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: the loop does more than compute, load and store (__syncthreads)
__global__ void waits(const float *a, float *y, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c) {
    __syncthreads();
    s += a[r * n + c];
  }
  y[r] = s;
}

// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: the loop does more than compute, load and store ('last' outlives an iteration)
__global__ void keeps(const float *a, float *y, int n) {
  int r = ROW;
  for (int c = 0; c < n; ++c) {
    __shared__ float last[256];
    y[r] += a[r * n + c] - last[255 - threadIdx.x];
    last[threadIdx.x] = a[r * n + c];
  }
}

// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: this store of the loop may change the row
__global__ void scatters(const float *a, float *y, const int *p, int n) {
  int r = ROW;
  for (int c = 0; c < n; ++c)
    y[p[c]] = a[r * n + c];
}

// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: this store of the loop may change the row
__global__ void inPlace(float *a, const float *x, int n) {
  int r = ROW;
  for (int c = 1; c < n; ++c)
    a[x[c] > 0 ? c : r] = a[r * n + c];
}

// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: the threads of a warp may read rows of different lengths
__global__ void ragged(const float *a, const int *length, float *y, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < length[r]; ++c)
    s += a[r * n + c];
  y[r] = s;
}

// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: some iterations do not read it
__global__ void masked(const float *a, const int *on, float *y, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c)
    if (on[c])
      s += a[r * n + c];
  y[r] = s;
}

// CHECK: remark: each thread reads its own row of 'a[at]', 32 sectors a request: what it reads cannot be told in front of the loop: its subscript is computed in the loop, or from memory
__global__ void named(const float *a, float *y, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c) {
    const int at = r * n + c;
    s += a[at];
  }
  y[r] = s;
}

// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: a tile of it does not fit: launches decide how much shared memory is left
__global__ void dynamic(const float *a, float *y, int n) {
  extern __shared__ float part[];
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c)
    s += a[r * n + c];
  part[threadIdx.x] = s;
  __syncthreads();
  y[r] = part[255 - threadIdx.x];
}

// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: its text cannot be edited: a directive tells how to compile the loop
__global__ void unrolled(const float *a, float *y, int n) {
  int r = ROW;
  float s = 0;
#pragma unroll 4
  for (int c = 0; c < n; ++c)
    s += a[r * n + c];
  y[r] = s;
}

// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: its text cannot be edited: the kernel has a label, which a jump may come to
__global__ void jumps(const float *a, float *y, int n) {
  int r = ROW;
  float s = 0;
  if (n < 0)
    goto end;
  for (int c = 0; c < n; ++c)
    s += a[r * n + c];
end:
  y[r] = s;
}

// CHECK: remark: each thread reads its own row of 'SUM(a, n)', 32 sectors a request: its text cannot be edited: a macro or a directive stands in the loop
#define SUM(A, N) for (int c = 0; c < N; ++c) s += A[ROW * N + c]
__global__ void macro(const float *a, float *y, int n) {
  float s = 0;
  SUM(a, n);
  y[ROW] = s;
}

// The text in front of the loop would name another W.
// CHECK: remark: each thread reads its own row of 'a[r * W + c]', 32 sectors a request: its text cannot be edited: 'W' is declared in the loop
enum { W = 70 };
__global__ void hides(const float *a, float *y, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c) {
    enum { W = 69 };
    s += a[r * W + c];
  }
  y[r] = s;
}

// A product without sign may lead a store anywhere in between.
// CHECK: remark: each thread reads its own row of 'a[r * 3 * n + 1 + c]', 32 sectors a request: this store of the loop may change the row
__global__ void wraps(float *a, float *p, float *y, int n) {
  int r = ROW;
  float s = 0;
  for (unsigned c = 0; c < n; ++c) {
    s += a[r * 3 * n + 1 + c];
    if (c % 2 == 0)
      p[(int)(c * 0x80000002u)] = s;
  }
  y[r] = s;
}

// Blocks that wait for each other must all be resident.
// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: the loop does more than compute, load and store (an atomic operation: other blocks may wait for this one)
__global__ void arrives(const float *a, float *y, int *arrived, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c)
    s += a[r * n + c];
  atomicAdd(arrived, 1);
  while (atomicAdd(arrived, 0) < 64 * 256)
    ;
  y[r] = s;
}

// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: the loop does more than compute, load and store (gridSync: other blocks may wait for this one)
__device__ void gridSync(int *arrived);
__global__ void calls(const float *a, float *y, int *arrived, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c)
    s += a[r * n + c];
  gridSync(arrived);
  y[r] = s;
}

// Blocks of 1024 threads have 64 registers a thread.
// CHECK: remark: each thread reads its own row of {{.*}}: a tile of it does not fit: 49152 bytes of shared memory are left, and the registers of the largest block
__global__ void large(const char *a, const char *b, const char *d,
                      const char *e, float *y, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c)
    s += a[r * n + c] + b[r * n + c] + d[r * n + c] + e[r * n + c];
  y[r] = s;
}

// What one instance stores may be a row's, what the other one stores may not.
// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 'a[r * n + 1 + c]', 32 sectors a request: what it reads cannot be told in front of the loop: instances of the template read different elements
template <bool B> __global__ void differs(const float *a, float *y, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c) {
    s += a[r * n + c];
    if constexpr (B)
      s += a[r * n + 1 + c];
  }
  y[r] = s;
}

// CHECK: remark: each thread reads its own row of 'a[r * n + c]', 32 sectors a request: its text cannot be edited: an argument of the template is const or volatile
template <typename T> __global__ void constant(T *a, float *y, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c)
    s += a[r * n + c];
  y[r] = s;
}

// Lanes are side by side, or read one element: nothing to gain, nothing to say.
// CHECK-NOT: remark
__global__ void columns(const float *a, float *y, int n) {
  int r = ROW;
  float s = 0;
  for (int c = 0; c < n; ++c)
    s += a[c * n + r] * a[c];
  y[r] = s;
}

void launch(float *a, float *y, const int *p, int n) {
  inHead<<<64, 256>>>(a, y, n);
  leaves<<<64, 256>>>(a, y, n);
  waits<<<64, 256>>>(a, y, n);
  keeps<<<64, 256>>>(a, y, n);
  scatters<<<64, 256>>>(a, y, p, n);
  inPlace<<<64, 256>>>(a, y, n);
  ragged<<<64, 256>>>(a, p, y, n);
  masked<<<64, 256>>>(a, p, y, n);
  named<<<64, 256>>>(a, y, n);
  dynamic<<<64, 256, 1024>>>(a, y, n);
  unrolled<<<64, 256>>>(a, y, n);
  jumps<<<64, 256>>>(a, y, n);
  macro<<<64, 256>>>(a, y, n);
  hides<<<64, 256>>>(a, y, n);
  wraps<<<64, 256>>>(a, a, y, n);
  arrives<<<64, 256>>>(a, y, nullptr, n);
  const char *bytes = (const char *)a;
  calls<<<64, 256>>>(a, y, nullptr, n);
  large<<<64, 1024>>>(bytes, bytes, bytes, bytes, y, n);
  differs<true><<<64, 256>>>(a, y, n);
  differs<false><<<64, 256>>>(a, y, n);
  constant<const float><<<64, 256>>>(a, y, n);
  columns<<<64, 256>>>(a, y, n);
}
