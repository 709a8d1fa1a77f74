// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Systems of equations for loops over rows, on the host and on the device.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_ROW_SYSTEM_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_ROW_SYSTEM_HPP

#include "device_array.hpp"
#include "matrices.hpp"
#include "row_loops.hpp"

#include <string>

using cudaopt::index_t;

/// A system and the solution that one CPU core finds.
struct system_of_rows {
  std::string name;
  matrices::pattern p;
  std::int64_t levels = 0;
  std::vector<double> a, diagonal, b, x0, x;
  double cpu_ms = 0;

  /// \p is_sweep: a Gauss-Seidel sweep over all entries of the rows.
  system_of_rows(std::string name_, matrices::pattern p_, bool is_sweep)
      : name(std::move(name_)), p(std::move(p_)), levels(matrices::levels(p)) {
    matrices::random_numbers random(17);
    a.resize(p.col.size());
    for (std::int64_t i = 0; i < p.rows; ++i) {
      const double scale = 1.0 / double(p.ptr[i + 1] - p.ptr[i]);
      diagonal.push_back(1 + random.unit());
      b.push_back(random.unit() - 0.5);
      x0.push_back(random.unit());
      for (std::int64_t k = p.ptr[i]; k < p.ptr[i + 1]; ++k)
        a[k] = p.col[k] != i ? (random.unit() - 0.5) * scale
                             : (is_sweep ? 0 : diagonal.back());
    }
  }

  template <class Loop> void bind(Loop &loop) {
    loop.ptr = p.ptr.data();
    loop.col = p.col.data();
    loop.a = a.data();
    loop.b = b.data();
    if constexpr (std::is_same_v<Loop, row_loops::sweep>)
      loop.diagonal = diagonal.data();
  }
  template <class Loop> void run_on_cpu() {
    Loop loop;
    bind(loop);
    cudaopt::direct_memory memory;
    for (int again = 0; again < 2; ++again) {
      x = x0;
      loop.x = {x.data(), p.rows};
      const double begin = now_ms();
      for (index_t i = 0; i < p.rows; ++i)
        loop.body(i, memory);
      cpu_ms = now_ms() - begin;
    }
  }
};

struct on_gpu {
  device_array<index_t> ptr;
  device_array<int> col;
  device_array<double> a, diagonal, b, x0, x;

  explicit on_gpu(const system_of_rows &s)
      : ptr(s.p.ptr), col(s.p.col), a(s.a), diagonal(s.diagonal), b(s.b),
        x0(s.x0), x(s.x0) {}
  void reset(index_t rows) {
    REQUIRE(cudaMemcpy(x.data(), x0.data(), std::size_t(rows) * sizeof(double),
                       cudaMemcpyDeviceToDevice) == cudaSuccess);
  }
  template <class Loop> Loop loop(std::int64_t rows) const {
    Loop l;
    l.x = {x.data(), rows};
    l.ptr = ptr.data();
    l.col = col.data();
    l.a = a.data();
    l.b = b.data();
    if constexpr (std::is_same_v<Loop, row_loops::sweep>)
      l.diagonal = diagonal.data();
    return l;
  }
};

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_ROW_SYSTEM_HPP
