// REQUIRES: cuda
// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- -std=c++20 -I %include-runtime
// RUN: FileCheck %s < %t.cu
// RUN: %runtime-clang -std=c++20 %t.cu
// RUN: %runtime-nvcc -std=c++20 -c -o %t.o %t.cu
//
// The device takes what is written: clang and nvcc without a warning.
#include <algorithm>
#include <array>
#include <cudaopt/annotations.h>
#include <vector>

inline double damp(double x) { return std::min(x * 0.5, 40.0); }
constexpr int wrap(int i, int n) { return i < n ? i : i - n; }

// CHECK: struct rows_loop {
template <class T, int N>
void rows(T (*a)[N], const std::vector<std::array<int, 2>> &p, T by, int m) {
  CUDAOPT_LEVELIZE(a[0:m])
  for (std::size_t i = 0; i < p.size(); ++i)
    a[wrap(p[i][0], m)][i % N] += T(damp(by)) * T(a[p[i][1]][0]);
}
template void rows<float, 4>(float (*)[4],
                             const std::vector<std::array<int, 2>> &, float,
                             int);
template void rows<double, 4>(double (*)[4],
                              const std::vector<std::array<int, 2>> &, double,
                              int);

// CHECK: struct smallest_loop {
int smallest(float *a, const std::vector<int> &order, const float *v, int n) {
  int last = 0;
  CUDAOPT_LEVELIZE(a[0:n], v[0:n])
  for (int i : order) {
    if (v[i] < a[i])
      a[i] = v[i];
    last = std::max(last, i);
  }
  return last;
}

// CHECK: struct triangular_loop
template <class T>
void triangular(const int *ptr, const int *col, const T *a, T *x, int n,
                int nnz) {
  CUDAOPT_LEVELIZE(x[0:n], col[0:nnz], a[0:nnz], reuse(ptr, col))
  for (int i = 0; i < n; ++i) {
    T sum = a[ptr[i]];
    for (int k = ptr[i]; k < ptr[i + 1]; ++k)
      sum -= a[k] * x[col[k]];
    x[i] = sum;
  }
}
template void triangular(const int *, const int *, const float *, float *, int,
                         int);
