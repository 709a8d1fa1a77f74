// RUN: %cuda-opt --passes=+global-access --verify=machine -Rpass=.* %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: grep -v "^ *//.*TEXT" %t.cu | FileCheck %s --check-prefix=TEXT
// RUN: %cuda-opt --passes=+global-access %t.cu -- %cuda-flags 2>/dev/null | diff %t.cu -
// RUN: %cuda-opt --passes=-bank-layout,+global-access --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=DEFAULT --allow-empty
// RUN: not %cuda-opt --passes=bank-layout,+global-access %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=SIGNS
//
// Each thread walks a row of its own: the warp reads the rows in tiles, in a text
// that the pass leaves as it is, and in which bank-layout counts no conflict.
//
// PLAN: stage 'a[r * n + c]' of the loop at line [[#]]: 32 columns for 8 warps
// DEFAULT-NOT: stage
// SIGNS: error: malformed --passes=bank-layout,+global-access: give each name a sign, or none
#include "cuda.h"

// CHECK: [[#@LINE + 6]]:10: remark: threads read rows of 'a[r * n + c]' for each other, through shared memory: sectors a request 32 -> 4
// CHECK: remark: rewrite of kernel 'product' verified: equal
__global__ void product(const float *a, const float *x, float *y, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int c = 0; c < n; ++c)
    s += a[r * n + c] * x[c];
  y[r] = s;
}
// CHECK: matrix-vector.cu: 1 kernel, 0 arrays rewritten, 0 kept; 1 loop reads rows in tiles, 0 kept{{$}}

// TEXT:      float s = 0;
// TEXT-NEXT: // The warp reads its rows in tiles: lanes side by side, elements side by side.
// TEXT-NEXT: __shared__ float a_tile[8][32][33];
// TEXT-NEXT: const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
// TEXT-NEXT: int c_begin = 0;
// TEXT-NEXT: if (n >= 32 && __activemask() == 0xffffffff &&
// TEXT-NEXT:     blockDim.x <= 256 && blockDim.y == 1 && blockDim.z == 1) {
// TEXT-NEXT:   const float *const a_row = &a[r * n + c_begin];
// TEXT-NEXT:   const long long a_first = __shfl_sync(0xffffffff, (long long)a_row, 0);
// TEXT-NEXT:   const long long a_pitch =
// TEXT-NEXT:       (__shfl_sync(0xffffffff, (long long)a_row, 1) - a_first) / int(sizeof(float));
// TEXT-NEXT:   if (__all_sync(0xffffffff,
// TEXT-NEXT:           (long long)a_row == a_first + lane * a_pitch * int(sizeof(float)))) {
// TEXT-NEXT:     const float *a_from = a_row - lane * a_pitch + lane;
// TEXT-NEXT:     float a_next[32];
// TEXT-NEXT:     __syncwarp();
// TEXT-NEXT: #pragma unroll
// TEXT-NEXT:     for (int turn = 0; turn < 32; ++turn)
// TEXT-NEXT:       a_next[turn] = a_from[turn * a_pitch];
// TEXT-NEXT:     for (; c_begin <= n - 32; c_begin += 32) {
// TEXT-NEXT:       __syncwarp();
// TEXT-NEXT: #pragma unroll
// TEXT-NEXT:       for (int turn = 0; turn < 32; ++turn)
// TEXT-NEXT:         a_tile[warp][turn][lane] = a_next[turn];
// TEXT-NEXT:       __syncwarp();
// TEXT-NEXT:       if (c_begin + 32 <= n - 32) {
// TEXT-NEXT:         a_from += 32;
// TEXT-NEXT: #pragma unroll
// TEXT-NEXT:         for (int turn = 0; turn < 32; ++turn)
// TEXT-NEXT:           a_next[turn] = a_from[turn * a_pitch];
// TEXT-NEXT:       }
// TEXT-NEXT:       for (int c = c_begin; c < c_begin + 32; ++c)
// TEXT-NEXT:         s += a_tile[warp][lane][c - c_begin] * x[c];
// TEXT-NEXT:     }
// TEXT-NEXT:   }
// TEXT-NEXT: }
// TEXT-NEXT: for (int c = c_begin; c < n; ++c)
// TEXT-NEXT:   s += a[r * n + c] * x[c];
// TEXT-NEXT: y[r] = s;

void launch(const float *a, const float *x, float *y, int n) {
  product<<<64, 256>>>(a, x, y, n);
}
