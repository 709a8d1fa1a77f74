// RUN: %cuda-opt --passes=levelize -Rpass=.* %s -o %t.cu -- %cuda-flags -I %include-runtime -std=c++17 2> %t.err
// RUN: grep -v '^ *//' %t.cu | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: %cuda-opt --passes=levelize %t.cu -o %t.again.cu -- %cuda-flags -I %S/Inputs/declarations -I %include-runtime -std=c++17 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: cmp %t.cu %t.again.cu
// RUN: %host-cxx -x c++ -std=c++17 -DWITH_MAIN -Wall -Wextra -Wno-unused-parameter -Werror -pthread -I %include-runtime -I %S/Inputs %s -o %t.before
// RUN: %host-cxx -x c++ -std=c++17 -DWITH_MAIN -Wall -Wextra -Wno-unused-parameter -Werror -pthread -I %include-runtime -I %S/Inputs %t.cu -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=sequential %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=reserve %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=doall %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE=off %t.after | diff %t.expected -
//
// Loops of the literature become calls of the runtime, once, and compute the
// same bits on the CPU.
#include <cudaopt/annotations.h>

// AGAIN: 0 kernels, 0 arrays rewritten, 0 kept{{$}}

// The running example of document 003.
// REMARK: :[[#@LINE+6]]:3: remark: loop of 'update' runs in parallel, ordered by 1 array: its accesses are found at run time
// CHECK-LABEL: struct update_loop {
// CHECK: touch.write(A, w[i]);
// CHECK-NEXT: touch.read(A, r[i]);
void update(float *A, float *B, const int *w, const int *r, int m, int n) {
  CUDAOPT_LEVELIZE(A[0:m])
  for (int i = 0; i < n; ++i) {
    A[w[i]] = i;
    B[i] = A[r[i]];
  }
}
// CHECK: #line [[#@LINE-4]] "{{.*}}known-loops.cu"
// CHECK-NEXT: memory.store(A, w[i], float(i));
// CHECK-NEXT: B[i] = memory.load(A, r[i]);
// CHECK: #line [[#@LINE-15]] "{{.*}}known-loops.cu"
// CHECK: if (cudaopt::is_small<update_loop>(cudaopt::index_t(n), w, A, r, B) ||
// CHECK-NEXT: !cudaopt::run_loop(
// CHECK-NEXT: update_loop{w, {A, cudaopt::index_t(m), 0}, r, B},
// CHECK-NEXT: cudaopt::index_t(n),
// CHECK-NEXT: {cudaopt::index(w, n), cudaopt::index(r, n), cudaopt::out(B, n)})) {
// CHECK-NEXT: #line [[#@LINE-14]] "{{.*}}known-loops.cu"
// CHECK-NEXT: for (int i = 0; i < n; ++i) {

// CHECK-LABEL: struct random_access3_loop {
// CHECK: touch.read(A, r[i]);
// CHECK-NEXT: touch.read(A, s[i]);
// CHECK-NEXT: touch.write(A, w[i]);
// CHECK: const float A_1 = memory.load(A, r[i]); const float A_2 = memory.load(A, s[i]); memory.store(A, w[i], A_1 + cudaopt::product(A_2, 0.5f));
void random_access3(float *A, const int *w, const int *r, const int *s, int m,
                    int n) {
  CUDAOPT_LEVELIZE(A[0:m])
  for (int i = 0; i < n; ++i)
    A[w[i]] = A[r[i]] + A[s[i]] * 0.5f;
}

// REMARK: loop of 'do_all' runs in parallel, ordered by 1 array: no two of its iterations meet
// CHECK-LABEL: struct do_all_loop {
// CHECK: static constexpr bool is_independent = true;
void do_all(float *A, const float *B, int n) {
  CUDAOPT_LEVELIZE()
  for (int i = 0; i < n; ++i)
    A[i] = A[i] * B[i] + 1;
}

#define NI 16
#define NJ 8
// REMARK: loop of 'convolution' runs in parallel, ordered by 1 array: no two of its iterations meet
// CHECK-LABEL: struct convolution_loop {
// CHECK: const int i = int(1 + iteration);
void convolution(const float *A, float *B) {
  CUDAOPT_LEVELIZE(A[0:NI * NJ], B[0:NI * NJ])
  for (int i = 1; i < NI - 1; ++i)
    for (int j = 1; j < NJ - 1; ++j)
      B[i * NJ + j] = 0.2f * A[(i - 1) * NJ + (j - 1)] +
                      0.5f * A[i * NJ + j] - 0.8f * A[(i + 1) * NJ + (j + 1)];
}

// The length of rows is not known.
// REMARK: loop of 'fdtd' runs in parallel, ordered by 1 array: no two of its iterations meet
void fdtd(double *ey, const double *hz, int nx, int ny) {
  CUDAOPT_LEVELIZE(ey[0:nx * ny], hz[0:nx * ny])
  for (int i = 1; i < nx; i++)
    for (int j = 0; j < ny; j++)
      ey[i * ny + j] =
          ey[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
}

// REMARK: loop of 'gemm' runs in parallel, ordered by 1 array: no two of its iterations meet
void gemm(double *C, const double *A, const double *B, double alpha,
          double beta, int ni, int nj, int nk) {
  int i, j, k;
  CUDAOPT_LEVELIZE(C[0:ni * nj], A[0:ni * nk], B[0:nk * nj])
  for (i = 0; i < ni; i++)
    for (j = 0; j < nj; j++) {
      C[i * nj + j] *= beta;
      for (k = 0; k < nk; ++k)
        C[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
    }
}

// REMARK: loop of 'mvt' runs in parallel, ordered by 1 array: no two of its iterations meet
void mvt(double *x1, const double *a, const double *y1, int n) {
  CUDAOPT_LEVELIZE(x1[0:n], a[0:n * n], y1[0:n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x1[i] = x1[i] + a[i * n + j] * y1[j];
}

// A row may be longer than the distance of rows.
// REMARK: loop of 'rows_overlap' runs in parallel, ordered by 1 array: its accesses are found at run time
void rows_overlap(double *x, int n, int m, int length) {
  CUDAOPT_LEVELIZE(x[0:n * m + length])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length; j++)
      x[i * m + j] += i;
}

// CHECK-LABEL: struct triangular_loop
// CHECK-NEXT: : cudaopt::row_loop<triangular_loop, double> {
// CHECK: visit(this->x.data);
// CHECK: cudaopt::index_t begin(cudaopt::index_t i) const {
// CHECK-NEXT: return ptr[i];
// CHECK: cudaopt::index_t end(cudaopt::index_t i) const {
// CHECK-NEXT: return ptr[i + 1] - 1;
// CHECK: cudaopt::index_t source(cudaopt::index_t k) const {
// CHECK-NEXT: return col[k];
// CHECK: double start(cudaopt::index_t i) const {
// CHECK-NEXT: return b[i];
// CHECK: double step(cudaopt::index_t, cudaopt::index_t k,
// CHECK-NEXT: double x_1, double sum) const {
// CHECK: sum -= cudaopt::product(a[k], x_1);
// CHECK-NEXT: return sum;
// CHECK: double finish(cudaopt::index_t i, double sum) const {
// CHECK-NEXT: return sum / a[ptr[i + 1] - 1];
void triangular(const int *ptr, const int *col, const double *a,
                const double *b, double *x, int n, int nnz) {
  CUDAOPT_LEVELIZE(x[0:n], col[0:nnz], a[0:nnz], reuse(ptr, col))
  for (int i = 0; i < n; ++i) {
    double sum = b[i];
    for (int k = ptr[i]; k < ptr[i + 1] - 1; ++k)
      sum -= a[k] * x[col[k]];
    x[i] = sum / a[ptr[i + 1] - 1];
  }
}
// CHECK: if (static thread_local cudaopt::plan plan; cudaopt::is_small<triangular_loop>(cudaopt::index_t(n), b, ptr, a, col, x) ||
// CHECK-NEXT: !cudaopt::run_loop(
// CHECK-NEXT: triangular_loop{{[{][{][{]}}x, cudaopt::index_t(n), 0}, 0, 1}, b, ptr, a, col},
// CHECK-NEXT: cudaopt::index_t(n),
// CHECK-NEXT: {cudaopt::in(b, n), cudaopt::index(ptr, n + 1), cudaopt::in(a, nnz), cudaopt::index(col, nnz)}, cudaopt::loop_options().reused(plan))) {

// Its own elements are read anew if an iteration runs again: they wait, too.
// CHECK-LABEL: struct counted_loop {
// CHECK: cudaopt::array<int> b;
// CHECK: memory.update(b, i, cudaopt::plus{}, int(1));
void counted(int *a, int *b, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n], b[0:n], p[0:n])
  for (int i = 0; i < n; ++i) {
    b[i] = b[i] + 1;
    a[p[i]] = a[i] + b[i];
  }
}

// A row whose guard skips terms reads only the columns of the others.
// CHECK-LABEL: struct triangular_in_part_loop {
// CHECK: if (a[k] != 0) {
// CHECK-NEXT: touch.read(x, col[k]);
void triangular_in_part(const int *ptr, const int *col, const double *a,
                        const double *b, double *x, int n, int nnz) {
  CUDAOPT_LEVELIZE(x[0:n], col[0:nnz], a[0:nnz], reuse(ptr, col))
  for (int i = 0; i < n; ++i) {
    double sum = b[i];
    for (int k = ptr[i]; k < ptr[i + 1] - 1; ++k)
      if (a[k] != 0)
        sum -= a[k] * x[col[k]];
    x[i] = sum / a[ptr[i + 1] - 1];
  }
}

// The guard of a read is part of the slice.
// CHECK-LABEL: struct gauss_seidel_loop {
// CHECK: const int i = int(first_value - iteration);
// CHECK: if (col[k] != i) {
// CHECK-NEXT: touch.read(x, col[k]);
void gauss_seidel(const int *ptr, const int *col, const double *a,
                  const double *b, double *x, int n, int nnz) {
  CUDAOPT_LEVELIZE(x[0:n], ptr[0:n + 1], col[0:nnz], a[0:nnz], b[0:n])
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i], diagonal = 1;
    for (int k = ptr[i]; k < ptr[i + 1]; ++k)
      if (col[k] != i)
        sum -= a[k] * x[col[k]];
      else
        diagonal = a[k];
    x[i] = sum / diagonal;
  }
}

// HPCG's symmetric sweep; the diagonal's term is added back.
// CHECK-LABEL: struct symmetric_loop
// CHECK-LABEL: struct symmetric_loop_2
void symmetric(const int *ptr, const int *col, const double *a,
               const double *diagonal, const double *b, double *x, int n,
               int nnz) {
  CUDAOPT_LEVELIZE(x[0:n], col[0:nnz], a[0:nnz])
  for (int i = 0; i < n; ++i) {
    double sum = b[i];
    for (int k = ptr[i]; k < ptr[i + 1]; ++k)
      sum -= a[k] * x[col[k]];
    sum += x[i] * diagonal[i];
    x[i] = sum / diagonal[i];
  }
  CUDAOPT_LEVELIZE(x[0:n], ptr[0:n + 1], col[0:nnz], a[0:nnz],
                   diagonal[0:n], b[0:n])
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int k = ptr[i]; k < ptr[i + 1]; ++k)
      sum -= a[k] * x[col[k]];
    sum += x[i] * diagonal[i];
    x[i] = sum / diagonal[i];
  }
}

// An incomplete factorization: a row is updated by the rows of its columns.
// CHECK-LABEL: struct factorize_loop {
// CHECK: if (col[m] == col[j]) {
// CHECK-NEXT: touch.read(a, k);
// CHECK-NEXT: touch.read(a, j);
// CHECK-NEXT: touch.update(a, m, cudaopt::plus{});
void factorize(const int *ptr, const int *col, const int *diagonal, double *a,
               int n, int nnz) {
  CUDAOPT_LEVELIZE(a[0:nnz], col[0:nnz], diagonal[0:n], ptr[0:n + 1])
  for (int i = 0; i < n; ++i)
    for (int k = ptr[i]; k < diagonal[i]; ++k) {
      const int row = col[k];
      a[k] /= a[diagonal[row]];
      for (int j = diagonal[row] + 1; j < ptr[row + 1]; ++j)
        for (int m = k + 1; m < ptr[i + 1]; ++m)
          if (col[m] == col[j])
            a[m] -= a[k] * a[j];
    }
}

// CHECK-LABEL: struct kaczmarz_loop {
// CHECK: touch.read(x, col[k]);
// CHECK: touch.update(x, col[k], cudaopt::plus{});
void kaczmarz(const int *ptr, const int *col, const double *a,
              const double *b, double *x, int n, int nnz) {
  CUDAOPT_LEVELIZE(x[0:n], col[0:nnz], a[0:nnz])
  for (int i = 0; i < n; ++i) {
    double residual = b[i], norm = 1;
    for (int k = ptr[i]; k < ptr[i + 1]; ++k) {
      residual -= a[k] * x[col[k]];
      norm += a[k] * a[k];
    }
    for (int k = ptr[i]; k < ptr[i + 1]; ++k)
      x[col[k]] += residual / norm * a[k];
  }
}

// CHECK-LABEL: struct histogram_loop {
// CHECK: touch.update(bins, in[i] & 15, cudaopt::plus{});
// CHECK: memory.update(bins, in[i] & 15, cudaopt::plus{}, static_cast<unsigned int>(1));
void histogram(unsigned *bins, const int *in, int n) {
  CUDAOPT_LEVELIZE(bins[0:16], reassoc, strategy(atomic_reduction))
  for (int i = 0; i < n; i++)
    bins[in[i] & 15]++; // count
}
// CHECK: cudaopt::loop_options().reassociated().forced(cudaopt::strategy::atomic_reduction)

// Particles give their charge to the corners of their cells.
// CHECK-LABEL: struct deposit_loop {
// CHECK: const int cell = int(pos[i]) % 15;
// CHECK-NEXT: touch.update(rho, cell, cudaopt::plus{});
// CHECK-NEXT: touch.update(rho, cell + 1, cudaopt::plus{});
// CHECK-NOT: double weight
// CHECK: void body
void deposit(double *rho, const double *pos, const double *charge, int n) {
  CUDAOPT_LEVELIZE(rho[0:16])
  for (int i = 0; i < n; ++i) {
    const int cell = int(pos[i]) % 15;
    const double weight = pos[i] - int(pos[i]);
    rho[cell] += charge[i] * (1 - weight);
    rho[cell + 1] += charge[i] * weight;
  }
}

// A difference adds the negation.
// CHECK-LABEL: struct edges_loop {
// CHECK: memory.update(mesh_flux, mesh_to[e], cudaopt::plus{}, cudaopt::negated(double(f)));
struct Mesh {
  const int *from, *to;
  double *flux;
  int edges;
};
void edges(const Mesh &mesh, const double *u, int nodes) {
  CUDAOPT_LEVELIZE(mesh.flux[0:nodes], u[0:nodes])
  for (int e = 0; e < mesh.edges; ++e) {
    const double f = u[mesh.from[e]] - u[mesh.to[e]];
    mesh.flux[mesh.from[e]] += f;
    mesh.flux[mesh.to[e]] -= f;
  }
}
// CHECK: cudaopt::fixed(mesh.edges)

// REMARK: loop of 'matching' runs in parallel, ordered by 1 array: its accesses depend on what it writes
// CHECK-LABEL: struct matching_loop {
// CHECK: static constexpr bool is_self_indexing = true;
// CHECK: if (touch.load(mate, u) < 0 && touch.load(mate, v) < 0) {
// CHECK-NEXT: touch.write(mate, u);
// CHECK-NEXT: touch.write(mate, v);
void matching(int *mate, const int *from, const int *to, int nodes, int n) {
  CUDAOPT_LEVELIZE(mate[0:nodes])
  for (int e = 0; e < n; ++e) {
    const int u = from[e], v = to[e];
    if (mate[u] < 0 && mate[v] < 0) {
      mate[u] = v;
      mate[v] = u;
    }
  }
}

// CHECK-LABEL: struct unite_loop {
// CHECK: while (touch.load(parent, u) != u) {
// CHECK-NEXT: u = touch.load(parent, u);
void unite(int *parent, const int *from, const int *to, int nodes, int n) {
  CUDAOPT_LEVELIZE(parent[0:nodes])
  for (int e = 0; e < n; ++e) {
    int u = from[e], v = to[e];
    while (parent[u] != u)
      u = parent[u];
    while (parent[v] != v)
      v = parent[v];
    if (u < v)
      parent[v] = u;
    else if (v < u)
      parent[u] = v;
  }
}

// CHECK-LABEL: struct twice_indirect_loop {
// CHECK: touch.update(A, B[C[i]], cudaopt::bit_xor{});
void twice_indirect(int *A, const int *B, const int *C, int m, int n) {
  CUDAOPT_LEVELIZE(A[0:m], B[0:m])
  for (int i = 0; i < n; ++i)
    A[B[C[i]]] ^= i;
}

// REMARK: loop of 'overlapping' runs in parallel, ordered by 2 arrays
// CHECK-LABEL: struct overlapping_loop {
// CHECK: cudaopt::extents_of(B, A)
void overlapping(int *A, int *B, const int *p, int m, int n) {
  CUDAOPT_LEVELIZE(A[0:m], B[0:m])
  for (int i = 0; i < n; ++i) {
    A[p[i]] = B[i] + 1;
    B[p[i]] += A[i];
  }
}
// CHECK: overlapping_loop{{[{]}}{B, cudaopt::index_t(m), 0}, p, {A, cudaopt::index_t(m), 1}},

// A sum is an array of one element.
// CHECK-LABEL: struct sum_loop {
// CHECK: memory.update(total, 0, cudaopt::plus{}, double(a[i]));
double sum(const double *a, int *last, const int *p, int n) {
  double total = 0;
  CUDAOPT_LEVELIZE(last[0:16], p[0:n], a[0:n])
  for (int i = 0; i < n; ++i) {
    if (p[i] % 3 == 0)
      continue;
    total += a[i];
    last[p[i] & 15] = i;
  }
  return total;
}
// CHECK: {&total, cudaopt::index_t(1), 0}

// The else is not the rewritten loop's; two loops of a function have two names.
// CHECK-LABEL: struct branches_loop {
// CHECK-LABEL: struct branches_loop_2 {
// CHECK: { if (cudaopt::is_small<
// CHECK: } }
// CHECK-NEXT: #line
// CHECK-NEXT: else
// CHECK-NEXT: return -1;
int branches(int *a, const int *p, int n, bool flag) {
  if (flag)
    CUDAOPT_LEVELIZE(a[0:n])
    for (int i = 0; i < n; ++i)
      a[p[i]] += i;
  else
    return -1;
  CUDAOPT_LEVELIZE(a[0:n]) for (int i = 0; i < n; ++i) a[p[i]] = 1; // tail
  return a[p[0]];
}

namespace grid {
class Solver {
public:
  // CHECK: namespace grid {
  // CHECK-NEXT: namespace {
  // CHECK: struct relax_loop {
  // CHECK: memory.store(x, color[i], cudaopt::quotient((memory.load(x, color[i]) + h), 2));
  // CHECK: relax_loop{this->color, {this->x, cudaopt::index_t(n), 0}, this->h},
  void relax() {
    CUDAOPT_LEVELIZE(x[0:n], color[0:n])
    for (long i = 0; i != n; ++i)
      x[color[i]] = (this->x[color[i]] + h) / 2;
  }
  double *x;
  const int *color;
  double h;
  int n;
};
} // namespace grid

// nvcc fails where an unnamed namespace is in another.
namespace {
// CHECK: namespace {
// CHECK-NOT: namespace
// CHECK: struct hidden_loop {
// CHECK-NOT: namespace
// CHECK: void hidden(
void hidden(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] -= i;
}
} // namespace

#ifdef WITH_MAIN
#include "known_loops_main.hpp"
#endif
