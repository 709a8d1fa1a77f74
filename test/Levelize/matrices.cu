// REQUIRES: cuda
// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- -std=c++20 -I %include-runtime
// RUN: grep -v '^ *//' %t.cu | FileCheck %s
// RUN: %cuda-opt --passes=levelize %t.cu -o %t.again.cu -- -std=c++20 -I %include-runtime
// RUN: cmp %t.cu %t.again.cu
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Wno-unused-parameter -Werror -Wno-unknown-pragmas -pthread -I %include-runtime %s -o %t.before
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Wno-unused-parameter -Werror -pthread -I %include-runtime %t.cu -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=sequential %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
//
// Arrays of arrays have one number for each element; arrays that are only read
// keep their subscripts.
#include <cudaopt/annotations.h>
#include <array>
#include <cstdio>
#include <vector>

constexpr int N = 40, M = 8;

// CHECK-LABEL: struct rows_loop {
// CHECK-NEXT: const int (*p)[2];
// CHECK-NEXT: cudaopt::array<float> a;
// CHECK: touch.read(a, cudaopt::index_t(p[i][1]) * 8 + (i % M));
// CHECK-NEXT: touch.write(a, cudaopt::index_t(p[i][0]) * 8 + 3);
// CHECK: memory.store(a, cudaopt::index_t(p[i][0]) * 8 + 3, cudaopt::product(memory.load(a, cudaopt::index_t(p[i][1]) * 8 + (i % M)), 0.5f) + i);
// CHECK: rows_loop{p, {reinterpret_cast<float *>(a), cudaopt::index_t(rows) * 8, 0}, M},
// CHECK: {cudaopt::index(p, n)}
void rows(float (*a)[M], const int (*p)[2], int rows, int n) {
  CUDAOPT_LEVELIZE(a[0:rows], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i][0]][3] = a[p[i][1]][i % M] * 0.5f + i;
}

// CHECK-LABEL: struct cube_loop {
// CHECK: const double (*w)[4];
// CHECK: touch.update(cells, cudaopt::index_t(p[i]) * 12 + cudaopt::index_t(k) * 4 + (i & 3), cudaopt::plus{});
// CHECK: memory.update(cells, cudaopt::index_t(p[i]) * 12 + cudaopt::index_t(k) * 4 + (i & 3), cudaopt::plus{}, double(w[k][i & 3]));
// CHECK: {reinterpret_cast<double *>(cells), cudaopt::index_t(40) * 12, 0}
// CHECK: reinterpret_cast<const double (*)[4]>(w.data())
double cells[N][3][4];
void cube(const std::array<std::array<double, 4>, 3> &w, const std::vector<int> &p) {
  CUDAOPT_LEVELIZE()
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < 3; ++k)
      cells[p[i]][k][i & 3] += w[k][i & 3];
}

// No two iterations meet.
// CHECK-LABEL: struct smooth_loop {
// CHECK: is_independent = true
void smooth(double (&grid)[N][M], const double (&old)[N][M]) {
  CUDAOPT_LEVELIZE()
  for (int i = 1; i < N - 1; ++i)
    for (int j = 1; j < M - 1; ++j)
      grid[i][j] = old[i - 1][j] + old[i + 1][j] + old[i][j - 1];
}

// An iteration of its own may have a matrix; a row may be too short.
// CHECK-LABEL: struct locals_loop {
// CHECK-NOT: is_independent
// CHECK: int t[2][2] = {
void locals(int (*a)[4], const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    int t[2][2] = {{p[i], 1}, {2, 3}};
    t[1][0] += t[0][0];
    for (int k = 0; k < 5; ++k)
      a[i * 3 / 4][k % 4] += t[k & 1][k > 2];
  }
}

// The subscripts read what the loop writes.
// CHECK-LABEL: struct own_loop {
// CHECK: is_self_indexing = true
void own(int (*a)[2], int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[a[i][0]][a[i][1] & 1] = (i * 7) % n;
}

int main() {
  static float a[N][M];
  static int p[N][2], q[N][4], order[N], o[N][2];
  static double grid[N][M], old[N][M];
  std::array<std::array<double, 4>, 3> w;
  for (int i = 0; i < N; ++i) {
    p[i][0] = i * 7 % N, p[i][1] = i * 11 % N, order[i] = i * 13 % 17;
    o[i][0] = i * 3 % N, o[i][1] = i;
    for (int j = 0; j < M; ++j)
      a[i][j] = i + j, old[i][j] = i * j + 0.5;
  }
  for (auto &row : w)
    for (double &x : row)
      x = 1.0 / (3 + (&x - &w[0][0]));
  rows(a, p, N, N), cube(w, std::vector<int>(order, order + N));
  smooth(grid, old), locals(q, order, N), own(o, N);
  double s = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      s = s * 1.01 + a[i][j] + grid[i][j] + cells[i][j % 3][j % 4] + q[i][j & 3] + o[i][j & 1];
  std::printf("%a\n", s);
}
