// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Levels of loops over sparse matrices are those that are known.
//===----------------------------------------------------------------------===//

#include "../../benchmarks/levelize/matrix_market.hpp"
#include "random_loop.hpp"

#include "cudaopt/levelize.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

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
    const detail::location_map map = detail::map_locations(loop.arrays());
    detail::cpu::host_scratch memory(0); // Outlives what takes from it.
    detail::cpu::access_table table;
    ASSERT_EQ(detail::cpu::record(memory, loop, n, map, table), status::ok);
    using detail::cpu::exact_rules;
    detail::cpu::access_order order;
    detail::cpu::host_array<index_t> levels, by_passes;
    ASSERT_EQ(detail::cpu::order_accesses<exact_rules>(memory, table,
                                                       map.locations, order),
              status::ok);
    ASSERT_EQ(detail::cpu::find_levels<exact_rules>(memory, order, n, levels),
              status::ok);
    ASSERT_EQ(detail::cpu::find_levels_by_passes(memory, order, n, by_passes),
              status::ok);
    EXPECT_TRUE(std::equal(levels.begin(), levels.end(), by_passes.begin(),
                           by_passes.end()));
  }
}

// Files: one triangle of a symmetric matrix with comments, all of a general
// one, triplets that count from 0, and what is none of these.
TEST(Levels, OfFiles) {
  const std::string path = testing::TempDir() + "levels_of_files.mtx";
  const auto read = [&](const char *text) {
    std::ofstream(path) << text;
    return matrices::read_matrix_market(path);
  };
  const auto symmetric =
      read("%%MatrixMarket matrix coordinate real symmetric\n% three\n%\n"
           "4 4 3\n2 1 0.5\n4 2 1e-3\n3 3 7\n");
  EXPECT_EQ(symmetric.ptr, (std::vector<std::int64_t>{0, 2, 5, 6, 8}));
  EXPECT_EQ(symmetric.col, (std::vector<int>{0, 1, 0, 1, 3, 2, 1, 3}));
  EXPECT_EQ(levels_of<solve_rows>(symmetric), 3);
  const auto general = read("%%MatrixMarket matrix coordinate pattern general\n"
                            "3 3 2\n3 1\n1 3\n");
  EXPECT_EQ(general.col, (std::vector<int>{0, 2, 1, 0, 2}));
  EXPECT_EQ(levels_of<solve_rows>(matrices::lower(general)), 2);
  const auto triplets = read("0 0 2.5\n2 0 1\n2 1 -1\n");
  EXPECT_EQ(triplets.col, (std::vector<int>{0, 1, 0, 1, 2}));
  EXPECT_EQ(read("%%MatrixMarket matrix array real general\n2 2\n").rows, 0);
  std::remove(path.c_str());
  EXPECT_EQ(matrices::read_matrix_market(path).rows, 0);
}

// Matrices of the SuiteSparse collection and others, if CUDAOPT_TEST_MATRICES
// names a folder that has them.
TEST(Levels, OfKnownMatrices) {
  const char *folder = std::getenv("CUDAOPT_TEST_MATRICES");
  if (!folder)
    GTEST_SKIP() << "CUDAOPT_TEST_MATRICES is not set";
  const std::pair<const char *, index_t> known[] = {
      {"1138_bus.mtx", 21},      {"ani4_amd_chol.mtx", 299},
      {"bcsstk13.mtx", 577},     {"bcsstk16.txt", 690},
      {"delaunay_n13.mtx", 490}, {"lap2D_5pt_n100.mtx", 199}};
  int found = 0;
  for (const auto &[name, levels] : known) {
    const auto p = matrices::lower(
        matrices::read_matrix_market(std::string(folder) + "/" + name));
    if (p.rows == 0)
      continue;
    ++found;
    EXPECT_EQ(levels_of<solve_rows>(p), levels) << name;
    EXPECT_EQ(matrices::levels(p), levels) << name;
  }
  EXPECT_GT(found, 0) << "no matrix in " << folder;
}

// Each row needs the one before; no row needs another.
TEST(Levels, OfExtremes) {
  EXPECT_EQ(levels_of<solve_rows>(matrices::diagonals(5000, {1})), 5000);
  EXPECT_EQ(levels_of<project_rows>(matrices::diagonals(5000, {})), 1);
}
