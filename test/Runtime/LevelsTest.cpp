// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Levels of loops over sparse matrices are those that are known.
//===----------------------------------------------------------------------===//

#include "../../benchmarks/levelize/matrices.hpp"
#include "random_loop.hpp"

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

// Passes find the levels that one sweep finds.
TEST(Levels, OfPasses) {
  test::random_engine random(4);
  for (int t = 0; t < 2000; ++t) {
    const index_t n = 1 + test::below(random, 30);
    auto p =
        test::make_table_problem(random, test::family(t % test::num_families),
                                 n, 1 + test::below(random, 20));
    const auto loop = p.at(p.image.data());
    const location_map map = map_locations(loop.arrays());
    detail::cpu::access_table table;
    ASSERT_EQ(detail::cpu::record(loop, n, map, table), status::ok);
    using detail::cpu::exact_rules;
    const auto order =
        detail::cpu::order_accesses<exact_rules>(table, map.locations);
    EXPECT_EQ(detail::cpu::levels_of<exact_rules>(order, n),
              detail::cpu::levels_by_passes(order, n));
  }
}

// Each row needs the one before; no row needs another.
TEST(Levels, OfExtremes) {
  EXPECT_EQ(levels_of<solve_rows>(matrices::diagonals(5000, {1})), 5000);
  EXPECT_EQ(levels_of<project_rows>(matrices::diagonals(5000, {})), 1);
}
