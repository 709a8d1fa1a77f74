// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The benchmarks of "Runtime Dependence Computation and Execution of Loops on
/// Heterogeneous Systems" (Anantpur and Govindarajan, CGO 2013): one CPU core,
/// the paper's algorithm, plain kernels and our strategies. Figures in
/// parentheses are the paper's own.
///
///   paper [name] [scale]        scale divides the 1-D loops' iterations
///   nvcc -arch=sm_90 -O3 -std=c++17 -fmad=false -I runtime/include
///        benchmarks/levelize/paper.cu
///
/// Without fused operations, as the host has none, results are compared bit for
/// bit.
//===----------------------------------------------------------------------===//

#include "paper_rows.hpp"

#include "cudaopt/levelize/detail/strategies/renaming.hpp"
#include "cudaopt/levelize/detail/strategies/tickets.hpp"

using namespace cudaopt;
using namespace cudaopt::bench;

namespace {

array<float> add_array(image &data, index_t size, int number) {
  array<float> a{data.add<float>(size), size, number};
  fill(a.data, size, [](index_t k) { return float(k % 4093) * 0.25f; });
  return a;
}

const int *add_indices(image &data, index_t n, index_t bound, int seed) {
  int *p = data.add<int>(n);
  fill(p, n, [&](index_t k) {
    return seed == 0 ? int(k)
                     : int(hash(std::uint64_t(k) * 8 + std::uint64_t(seed)) %
                           std::uint64_t(bound));
  });
  return p;
}

/// randAcc and randAcc3, and doAll, whose indices count up.
template <int Reads>
void run_random(const paper_figures &figures, index_t n, bool counts_up) {
  image data(std::size_t(n) * 4 * (3 + Reads) + 8192);
  random_accesses<Reads> l;
  l.A = add_array(data, n, 0);
  l.w = add_indices(data, n, n, counts_up ? 0 : 1);
  for (int k = 0; k < Reads; ++k)
    l.r[k] = add_indices(data, n, n, counts_up ? 0 : 2 + k);
  l.B = data.add<float>(n);
  std::memset(l.B, 0, std::size_t(n) * 4);
  const std::size_t array_bytes = std::size_t(n) * 4;
  benchmark<random_accesses<Reads>> b(
      figures, data, {{{l, n}}}, (2 + Reads) * array_bytes, 2 * array_bytes);
  b.print_port();
  b.print_auxiliary();
  if (counts_up)
    b.print_proof();
  b.template print_ours<strategy::doall>("doall checked");
  if (!counts_up) {
    b.template print_ours<strategy::renaming>("renaming");
    b.template print_ours<strategy::tickets>("tickets");
  }
}

void run_convolution() {
  const index_t n = convolution::n, bytes = n * n * 4;
  image data(std::size_t(2 * bytes + 8192));
  convolution l;
  l.A = add_array(data, n * n, 0);
  l.B = add_array(data, n * n, 1);
  benchmark<convolution> b(convolution_figures, data, {{{l, n * n}}},
                           std::size_t(bytes), std::size_t(bytes));
  b.print_port();
  b.print_auxiliary();
  b.print_proof();
  b.print_ours<strategy::doall>("doall checked");
}

void run_fields() {
  const index_t n = fields::n;
  image data(std::size_t(n * (3 * n + 2) * 4 + 8192));
  fields f;
  f.ex = add_array(data, n * (n + 1), 0);
  f.ey = add_array(data, (n + 1) * n, 1);
  f.hz = add_array(data, n * n, 2);
  const fdtd_ey ey{f};
  const fdtd_ex ex{f};
  const fdtd_hz hz{f};
  const std::size_t bytes = std::size_t(n * (3 * n + 2) * 4);
  benchmark<fdtd_ey, fdtd_ex, fdtd_hz> b(
      fdtd_figures, data, {{{ey, n * n}, {ex, n * n}, {hz, n * n}}, 10}, bytes,
      bytes);
  b.print_port();
  b.print_auxiliary();
  b.print_reuse(50);
  b.print_proof();
  b.print_ours<strategy::doall>("doall checked");
}

void run_product() {
  const index_t n = matrix_product::n, bytes = n * n * 4;
  image data(std::size_t(3 * bytes + 8192));
  matrix_product l;
  l.a = add_array(data, n * n, 0);
  l.b = add_array(data, n * n, 1);
  l.c = add_array(data, n * n, 2);
  benchmark<matrix_product> b(gemm_figures, data, {{{l, n * n}}},
                              std::size_t(3 * bytes), std::size_t(bytes));
  b.print_port();
  b.print_auxiliary();
  b.print_proof();
  b.print_ours<strategy::doall>("doall checked");
}

void run_vectors() {
  const index_t n = matrix_vector<false>::n;
  image data(std::size_t(n * (n + 4) * 4 + 8192));
  matrix_vector<false> rows;
  matrix_vector<true> columns;
  rows.a = columns.a = add_array(data, n * n, 0);
  rows.x = add_array(data, n, 1);
  rows.y = add_array(data, n, 2);
  columns.x = add_array(data, n, 1);
  columns.y = add_array(data, n, 2);
  benchmark<matrix_vector<false>, matrix_vector<true>> b(
      mvt_figures, data, {{{rows, n}, {columns, n}}},
      std::size_t(n * (n + 4) * 4), std::size_t(2 * n * 4));
  b.print_port();
  b.print_auxiliary();
  b.print_proof();
  b.print_ours<strategy::doall>("doall checked");
}

} // namespace

int main(int argc, char **argv) {
  const char *only = argc > 1 ? argv[1] : "all";
  const index_t n = (index_t(1) << 26) / (argc > 2 ? std::atoi(argv[2]) : 1);
  auto wants = [&](const char *name) {
    return std::strcmp(only, "all") == 0 || std::strcmp(only, name) == 0;
  };
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (wants("randAcc"))
    run_random<1>(rand_acc_figures, n, false);
  if (wants("randAcc3"))
    run_random<3>(rand_acc3_figures, n, false);
  if (wants("doAll"))
    run_random<1>(do_all_figures, n, true);
  if (wants("2dconv"))
    run_convolution();
  if (wants("fdtd-2d"))
    run_fields();
  if (wants("gemm"))
    run_product();
  if (wants("mvt"))
    run_vectors();
}
