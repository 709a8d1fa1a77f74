// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Levels of loops over sparse matrices are those that are known.
//===----------------------------------------------------------------------===//

#include "../../benchmarks/levelize/matrices.hpp"

#include "cudaopt/levelize.hpp"

#include <gtest/gtest.h>

using namespace cudaopt;

namespace {

/// Row i of a lower triangular solve.
struct solve_rows {
  static constexpr strategy_set strategies{strategy::levels_graph};
  array<double> x;
  const matrices::pattern *p;

  extents arrays() const { return extents_of(x); }
  template <class Touch> void slice(index_t i, Touch &touch) const {
    for (std::int64_t k = p->ptr[i]; k < p->ptr[i + 1]; ++k)
      if (p->col[k] < i)
        touch.read(x, p->col[k]);
    touch.write(x, i);
  }
  template <class Memory> void body(index_t, Memory &) const {}
};

/// Row i of a sweep that updates what the row touches.
struct project_rows : solve_rows {
  template <class Touch> void slice(index_t i, Touch &touch) const {
    for (std::int64_t k = p->ptr[i]; k < p->ptr[i + 1]; ++k)
      touch.update(x, p->col[k], plus{});
  }
};

template <class Loop> index_t levels_of(const matrices::pattern &p) {
  std::vector<double> x(std::size_t(p.rows));
  Loop loop;
  loop.x = {x.data(), p.rows, 0};
  loop.p = &p;
  options wanted;
  wanted.force = strategy::levels_graph;
  wanted.threads = 1;
  plan made;
  EXPECT_EQ(inspect(made, loop, p.rows, wanted), status::ok);
  return made.info().levels;
}

} // namespace

// Stencils of 5, 7 and 27 points, solved and swept.
TEST(Levels, OfStencils) {
  const auto plane = matrices::star(100, 100),
             cube = matrices::star(20, 20, 20);
  EXPECT_EQ(levels_of<solve_rows>(plane), 199);
  EXPECT_EQ(levels_of<project_rows>(plane), 298);
  EXPECT_EQ(levels_of<solve_rows>(cube), 58);
  EXPECT_EQ(levels_of<project_rows>(cube), 115);
  EXPECT_EQ(levels_of<solve_rows>(matrices::box(16, 16, 16)), 1 + 7 * 15);
}

// A million unknowns, as in the benchmarks.
TEST(Levels, OfLargeStencils) {
  EXPECT_EQ(levels_of<solve_rows>(matrices::star(1000, 1000)), 1999);
  EXPECT_EQ(levels_of<solve_rows>(matrices::star(100, 100, 100)), 298);
}

// Each row needs the one before; no row needs another.
TEST(Levels, OfExtremes) {
  EXPECT_EQ(levels_of<solve_rows>(matrices::diagonals(5000, {1})), 5000);
  EXPECT_EQ(levels_of<project_rows>(matrices::diagonals(5000, {})), 1);
}
