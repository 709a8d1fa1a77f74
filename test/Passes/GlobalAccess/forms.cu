// RUN: %cuda-opt -q --passes=global-access --verify=machine -Rpass=.* -Rpass-missed=.* %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: grep -v "^ *//.*TEXT" %t.cu | FileCheck %s --check-prefix=TEXT
//
// The ways to write a walk, and what the new text has for each.
#include "cuda.h"

// The counter is declared in front of the loop, `<=` has one column more, two loads
// name one row, and a store that may be in the row is compared with it.
// CHECK: remark: threads read rows of 'a[i * n + j]' for each other
// CHECK: remark: rewrite of kernel 'outer' verified: equal
// TEXT-LABEL: void outer(
// TEXT: int j_begin = 1;
// TEXT: if (last >= 31 && j_begin <= last - 31 && __activemask() == 0xffffffff &&
// TEXT: ((char *)(&sum[i] + 1) <= (char *)a_row ||
// TEXT-NEXT: (char *)&sum[i] >= (char *)(a_row + (last - j_begin + 1))))) {
// TEXT: for (; j_begin <= last - 31; j_begin += 32) {
// TEXT: if (j_begin + 32 <= last - 31) {
// TEXT: for (j = j_begin; j < j_begin + 32; j++) {
// TEXT-NEXT: sum[i] += a_tile[warp][lane][j - j_begin] * a_tile[warp][lane][j - j_begin];
// TEXT: for (j = j_begin; j <= last; j++) {
// TEXT-NEXT: sum[i] += a[i * n + j] * a[i * n + j];
__global__ void outer(const float *a, float *sum, int n, int last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j;
  for (j = 1; j <= last; j++) {
    sum[i] += a[i * n + j] * a[i * n + j];
  }
}

// Doubles have tiles of 16 columns, of which a request copies two rows.
// CHECK: remark: threads read rows of 'a[r][c]' for each other
// CHECK: remark: rewrite of kernel 'wide' verified: equal
// TEXT-LABEL: void wide(
// TEXT: __shared__ double a_tile[4][32][17];
// TEXT: const double *a_from = a_row + (lane / 16 - lane) * a_pitch + lane % 16;
// TEXT: a_next[turn] = a_from[turn * 2 * a_pitch];
// TEXT: a_tile[warp][turn * 2 + lane / 16][lane % 16] = a_next[turn];
__global__ void wide(const double (*a)[64], double *y) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int c = 0; c < 64; ++c)
    s += a[r][c];
  y[r] = s;
}

// Blocks of several rows of threads; a subscript without sign may wrap, so that
// the last element is tested; the loop is the only statement of an `if`.
// CHECK: remark: threads read rows of 'a[r * n + c]' for each other
// CHECK: remark: rewrite of kernel 'square' verified: equal
// TEXT-LABEL: void square(
// TEXT: if (y)
// TEXT-NEXT: {
// TEXT: const int warp = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32
// TEXT: blockDim.x * blockDim.y * blockDim.z <= 256) {
// TEXT: &a[r * n + (n - 1)] == a_row + (n - c_begin) - 1)) {
// TEXT: s += a[r * n + c];
// TEXT-NEXT: }
// TEXT-NEXT: y[r] = s;
__global__ void square(const float *a, float *y, unsigned n) {
  const unsigned r =
      blockIdx.x * 256 + threadIdx.y * blockDim.x + threadIdx.x;
  float s = 0;
  if (y)
    for (unsigned c = 0; c < n; ++c)
      s += a[r * n + c];
  y[r] = s;
}

// A template: the type is written as the template writes it, and instances are
// asserted.
// CHECK: remark: threads read rows of 'a[r * n + c]' for each other
// CHECK: remark: rewrite of kernel 'generic' verified: equal
// TEXT-LABEL: void generic(
// TEXT: static_assert(
// TEXT: __shared__ T a_tile[8][32][17];
template <typename T> __global__ void generic(const T *a, T *y, int n) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  T s = 0;
  for (int c = 0; c < n; ++c)
    s += a[r * n + c];
  y[r] = s;
}

// What the loop writes to by steps of n, an other thread's row too, lies behind the
// row, or in front of it, in its first and in its last iteration.
// CHECK: remark: threads read rows of 'in[t * n + c]' for each other
// CHECK: remark: rewrite of kernel 'transpose' verified: equal
// TEXT-LABEL: void transpose(
// TEXT: ((char *)(&out[c_begin * rows + t] + 1) <= (char *)in_row && (char *)(&out[(n - 1) * rows + t] + 1) <= (char *)in_row ||
// TEXT-NEXT: (char *)&out[c_begin * rows + t] >= (char *)(in_row + (n - c_begin)) && (char *)&out[(n - 1) * rows + t] >= (char *)(in_row + (n - c_begin)))
__global__ void transpose(float *out, const float *in, int n, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < rows)
    for (int c = 0; c < n; c++)
      out[c * rows + t] = in[t * n + c];
}

// The last column is computed as the counter, not as the end; elements have the
// type of the language, whatever it is called; each instance's stores are compared.
// CHECK: remark: threads read rows of 'a[r * 200 + c]' for each other
// CHECK: remark: rewrite of kernel 'stores' verified: equal
// TEXT-LABEL: void stores(
// TEXT: __shared__ float a_tile
// TEXT: (char *)(&y[r] + 1) <= (char *)a_row
// TEXT: (char *)(&p[40 - (int)(n - 1)] + 1) <= (char *)a_row
namespace lib {
typedef float real;
typedef const real *vector;
} // namespace lib
template <bool B>
__global__ void stores(lib::vector a, float *y, float *p, unsigned n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int c = 0; c < n; ++c) {
    s += a[r * 200 + c];
    if constexpr (B)
      y[r] = s;
    else
      p[40 - c] = s;
  }
}

// A condition reads the element in each iteration, so that what depends on it may
// read it, too.
// CHECK: remark: threads read rows of 'a[r * n + c]' for each other
// CHECK: remark: rewrite of kernel 'sparse' verified: equal
// TEXT-LABEL: void sparse(
// TEXT: if (a_tile[warp][lane][c - c_begin] != 0)
// TEXT-NEXT: s += a_tile[warp][lane][c - c_begin] * x[c];
__global__ void sparse(const float *a, const float *x, float *y, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int c = 0; c < n; ++c)
    if (a[r * n + c] != 0)
      s += a[r * n + c] * x[c];
  y[r] = s;
}

void launch(float *a, double (*d)[64], float *y, double *z, int n) {
  outer<<<64, 256>>>(a, y, n, n - 1);
  wide<<<64, 128>>>(d, z);
  square<<<64, dim3(32, 8)>>>(a, y, n);
  generic<float><<<64, 256>>>(a, y, n);
  generic<double><<<64, 256>>>(*d, z, n);
  transpose<<<64, 256>>>(y, a, n, 64 * 256);
  stores<true><<<1, 256>>>(a, y, y, n);
  sparse<<<64, 256>>>(a, a, y, n);
  stores<false><<<1, 256>>>(a, y, y, n);
}
