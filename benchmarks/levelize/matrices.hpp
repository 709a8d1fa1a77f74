// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Patterns of sparse matrices, made or read, for benchmarks and tests of loops
/// over rows. Host only.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_MATRICES_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_MATRICES_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace matrices {

/// Compressed rows, columns ascending; every row has its diagonal.
struct pattern {
  std::int64_t rows = 0;
  std::vector<std::int64_t> ptr{0};
  std::vector<int> col;

  std::int64_t terms() const { return std::int64_t(col.size()); }
  /// Ends a row whose columns were appended in any order, twice or outside.
  void end_row() {
    col.push_back(int(rows));
    std::sort(col.begin() + ptr.back(), col.end());
    col.erase(std::unique(col.begin() + ptr.back(), col.end()), col.end());
    ptr.push_back(terms());
    ++rows;
  }
};

/// A small generator, the same everywhere.
class random_numbers {
public:
  explicit random_numbers(std::uint64_t seed) : State(seed * 2 + 1) {}
  std::uint64_t next() {
    State ^= State >> 12;
    State ^= State << 25;
    State ^= State >> 27;
    return State * 0x2545F4914F6CDD1Dull;
  }
  std::int64_t below(std::int64_t n) { return std::int64_t(next() >> 11) % n; }
  double unit() { return double(next() >> 11) * 0x1p-53; }

private:
  std::uint64_t State;
};

/// The entries up to the diagonal.
inline pattern lower(const pattern &full) {
  pattern p;
  p.rows = full.rows;
  p.ptr.reserve(std::size_t(full.rows) + 1);
  p.col.reserve(full.col.size() / 2 + std::size_t(full.rows));
  for (std::int64_t i = 0; i < full.rows; ++i) {
    for (std::int64_t k = full.ptr[i]; k < full.ptr[i + 1]; ++k)
      if (full.col[k] <= i)
        p.col.push_back(full.col[k]);
    p.ptr.push_back(p.terms());
  }
  return p;
}

/// The levels of a sweep over the rows in order, from new values alone.
inline std::int64_t levels(const pattern &p) {
  std::vector<int> level(std::size_t(p.rows), 1);
  int most = 0;
  for (std::int64_t i = 0; i < p.rows; ++i) {
    for (std::int64_t k = p.ptr[i]; k < p.ptr[i + 1] && p.col[k] < i; ++k)
      level[i] = std::max(level[i], level[p.col[k]] + 1);
    most = std::max(most, level[i]);
  }
  return most;
}

/// Points of a grid and their neighbours (x, y, z) with
/// |x| + |y| + |z| <= \p steps and no coordinate beyond \p reach.
inline pattern stencil(int nx, int ny, int nz, int steps, int reach) {
  pattern p;
  const std::int64_t n = std::int64_t(nx) * ny * nz;
  p.ptr.reserve(std::size_t(n) + 1);
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        for (int c = -reach; c <= reach; ++c)
          for (int b = -reach; b <= reach; ++b)
            for (int a = -reach; a <= reach; ++a)
              if (std::abs(a) + std::abs(b) + std::abs(c) <= steps &&
                  x + a >= 0 && x + a < nx && y + b >= 0 && y + b < ny &&
                  z + c >= 0 && z + c < nz)
                p.col.push_back(((z + c) * ny + y + b) * nx + x + a);
        ++p.rows;
        p.ptr.push_back(p.terms());
      }
  return p;
}
inline pattern star(int nx, int ny, int nz = 1) {
  return stencil(nx, ny, nz, 1, 1);
}
inline pattern box(int nx, int ny, int nz = 1) {
  return stencil(nx, ny, nz, 3, 1);
}

/// Rows of \p terms random columns out of the \p reach before them.
inline pattern random_before(std::int64_t n, int terms, std::int64_t reach) {
  pattern p;
  random_numbers random{std::uint64_t(n + terms)};
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t first = std::max<std::int64_t>(0, i - reach);
    for (int k = 0; k < terms && i > 0; ++k)
      p.col.push_back(int(first + random.below(i - first)));
    p.end_row();
  }
  return p;
}

/// Row i reads the rows i - d for each distance d.
inline pattern diagonals(std::int64_t n, const std::vector<int> &distances) {
  pattern p;
  for (std::int64_t i = 0; i < n; ++i) {
    for (int d : distances)
      if (i >= d)
        p.col.push_back(int(i - d));
    p.end_row();
  }
  return p;
}

/// A recursive matrix graph of 2^scale rows, lower triangle.
inline pattern rmat(int scale, int edges_a_row, double a, double b, double c) {
  const std::int64_t n = std::int64_t(1) << scale;
  random_numbers random{std::uint64_t(scale)};
  std::vector<std::pair<int, int>> edges;
  edges.reserve(std::size_t(n) * edges_a_row);
  for (std::int64_t e = 0; e < n * edges_a_row; ++e) {
    std::int64_t i = 0, j = 0;
    for (int bit = 0; bit < scale; ++bit) {
      const double r = random.unit();
      const bool down = r >= a + b,
                 right = r >= a && (r < a + b || r >= a + b + c);
      i = 2 * i + down;
      j = 2 * j + right;
    }
    if (i != j)
      edges.push_back({int(std::max(i, j)), int(std::min(i, j))});
  }
  std::sort(edges.begin(), edges.end());
  pattern p;
  std::size_t e = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (; e < edges.size() && edges[e].first == i; ++e)
      p.col.push_back(edges[e].second);
    p.end_row();
  }
  return p;
}

/// Points jittered off a grid, each with its \p k nearest neighbours; lower
/// triangle. \p shuffled numbers the points at random.
inline pattern mesh(int nx, int ny, int nz, int k, bool shuffled) {
  const std::int64_t n = std::int64_t(nx) * ny * nz;
  random_numbers random{std::uint64_t(n + k)};
  std::vector<float> at(std::size_t(n) * 3);
  std::vector<int> number(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    number[i] = int(i);
    at[3 * i] = float(double(i % nx) + random.unit());
    at[3 * i + 1] = float(double(i / nx % ny) + random.unit());
    at[3 * i + 2] = float(nz > 1 ? double(i / nx / ny) + random.unit() : 0);
  }
  if (shuffled)
    for (std::int64_t i = n - 1; i > 0; --i)
      std::swap(number[i], number[random.below(i + 1)]);
  std::vector<std::pair<int, int>> edges;
  edges.reserve(std::size_t(n) * k);
  std::vector<std::pair<float, int>> near;
  for (std::int64_t i = 0; i < n; ++i) {
    near.clear();
    const int x = int(i % nx), y = int(i / nx % ny), z = int(i / nx / ny);
    for (int c = std::max(z - 1, 0); c <= std::min(z + 1, nz - 1); ++c)
      for (int b = std::max(y - 1, 0); b <= std::min(y + 1, ny - 1); ++b)
        for (int a = std::max(x - 1, 0); a <= std::min(x + 1, nx - 1); ++a) {
          const int j = (c * ny + b) * nx + a;
          if (j == i)
            continue;
          float d = 0;
          for (int q = 0; q < 3; ++q)
            d += (at[3 * i + q] - at[3 * j + q]) *
                 (at[3 * i + q] - at[3 * j + q]);
          near.push_back({d, j});
        }
    const int m = std::min(k, int(near.size()));
    std::partial_sort(near.begin(), near.begin() + m, near.end());
    for (int q = 0; q < m; ++q) {
      const int u = number[i], v = number[near[q].second];
      edges.push_back({std::max(u, v), std::min(u, v)});
    }
  }
  std::sort(edges.begin(), edges.end());
  pattern p;
  std::size_t e = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (; e < edges.size() && edges[e].first == i; ++e)
      p.col.push_back(edges[e].second);
    p.end_row();
  }
  return p;
}

/// Rows whose lengths follow a power law, up to \p longest, over random columns
/// before them.
inline pattern power_law(std::int64_t n, double exponent, int longest) {
  pattern p;
  random_numbers random{std::uint64_t(n) + 7};
  for (std::int64_t i = 0; i < n; ++i) {
    const double length = std::pow(1 - random.unit(), -1 / (exponent - 1));
    const auto terms = std::int64_t(std::min<double>(length, longest));
    for (std::int64_t k = 0; k < std::min(terms, i); ++k)
      p.col.push_back(int(random.below(i)));
    p.end_row();
  }
  return p;
}

/// Dense blocks of \p size rows along the diagonal, each of which also reads
/// the block before it at \p links random columns.
inline pattern dense_blocks(std::int64_t n, int size, int links) {
  pattern p;
  random_numbers random{std::uint64_t(n) + 3};
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t block = i / size * size;
    for (std::int64_t j = block; j < i; ++j)
      p.col.push_back(int(j));
    for (int k = 0; k < links && block; ++k)
      p.col.push_back(int(block - size + random.below(size)));
    p.end_row();
  }
  return p;
}

/// Chains of \p size rows; the last \p wide rows read each block's last row.
inline pattern block_arrow(std::int64_t n, int size, int wide) {
  pattern p;
  for (std::int64_t i = 0; i < n; ++i) {
    if (i >= n - wide)
      for (std::int64_t j = size - 1; j < n - wide; j += size)
        p.col.push_back(int(j));
    else if (i % size)
      p.col.push_back(int(i - 1));
    p.end_row();
  }
  return p;
}

/// A complete binary tree, leaves first: a row reads its children.
inline pattern tree(std::int64_t n) {
  pattern p;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t from_root = n - 1 - i;
    for (std::int64_t child : {2 * from_root + 1, 2 * from_root + 2})
      if (child < n)
        p.col.push_back(int(n - 1 - child));
    p.end_row();
  }
  return p;
}

/// Rows of the second half read \p terms random rows of the first.
inline pattern two_levels(std::int64_t n, int terms) {
  pattern p;
  random_numbers random{std::uint64_t(n) + 1};
  for (std::int64_t i = 0; i < n; ++i) {
    for (int k = 0; k < terms && i >= n / 2; ++k)
      p.col.push_back(int(random.below(n / 2)));
    p.end_row();
  }
  return p;
}

/// A five-point grid whose even points come first.
inline pattern red_black(int nx, int ny) {
  pattern p;
  const std::int64_t n = std::int64_t(nx) * ny;
  std::vector<int> number(static_cast<std::size_t>(n));
  int next = 0;
  for (int colour : {0, 1})
    for (int i = 0; i < n; ++i)
      if ((i % nx + i / nx) % 2 == colour)
        number[i] = next++;
  std::vector<int> at(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    at[number[i]] = i;
  for (std::int64_t r = 0; r < n; ++r) {
    const int i = at[r], x = i % nx, y = i / nx;
    if (r >= n / 2) {
      const int around[4][2] = {{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}};
      for (auto &[a, b] : around)
        if (a >= 0 && a < nx && b >= 0 && b < ny && number[b * nx + a] < r)
          p.col.push_back(number[b * nx + a]);
    }
    p.end_row();
  }
  return p;
}

struct named {
  std::string name;
  std::function<pattern()> make; ///< Lower triangles.
};

/// From shallow to deep, from empty rows to rows of 10^5 terms.
inline std::vector<named> suite() {
  using std::int64_t;
  auto low = [](pattern p) { return lower(p); };
  return {
      {"5pt_1000x1000", [=] { return low(star(1000, 1000)); }},
      {"5pt_3162x3162", [=] { return low(star(3162, 3162)); }},
      {"5pt_100x10000", [=] { return low(star(100, 10000)); }},
      {"9pt_1000x1000", [=] { return low(box(1000, 1000)); }},
      {"7pt_100^3", [=] { return low(star(100, 100, 100)); }},
      {"7pt_215^3", [=] { return low(star(215, 215, 215)); }},
      {"27pt_104^3", [=] { return low(box(104, 104, 104)); }},
      {"ilu1_5pt_700", [=] { return low(stencil(700, 700, 1, 2, 2)); }},
      {"ilu3_5pt_700", [=] { return low(stencil(700, 700, 1, 4, 4)); }},
      {"ilu1_7pt_80", [=] { return low(stencil(80, 80, 80, 2, 2)); }},
      {"ilu3_7pt_60", [=] { return low(stencil(60, 60, 60, 4, 4)); }},
      {"rmat_20x8", [=] { return rmat(20, 8, .57, .19, .19); }},
      {"rmat_20x16_flat", [=] { return rmat(20, 16, .45, .22, .22); }},
      {"mesh2d_1000", [=] { return mesh(1000, 1000, 1, 6, false); }},
      {"mesh2d_1000_shuffled", [=] { return mesh(1000, 1000, 1, 6, true); }},
      {"mesh3d_100", [=] { return mesh(100, 100, 100, 12, false); }},
      {"mesh3d_100_shuffled", [=] { return mesh(100, 100, 100, 12, true); }},
      {"power_law_1M", [] { return power_law(1000000, 2.1, 100000); }},
      {"power_law_1M_mild", [] { return power_law(1000000, 2.8, 10000); }},
      {"band_2000x8", [] { return random_before(1000000, 8, 2000); }},
      {"band_100000x8", [] { return random_before(1000000, 8, 100000); }},
      {"band_64x4", [] { return random_before(300000, 4, 64); }},
      {"random_1Mx8", [] { return random_before(1000000, 8, 1000000); }},
      {"random_4Mx8", [] { return random_before(4000000, 8, 4000000); }},
      {"random_300kx64", [] { return random_before(300000, 64, 300000); }},
      {"bidiagonal_1M", [] { return diagonals(1000000, {1}); }},
      {"chains_32", [] { return diagonals(1000000, {32}); }},
      {"chains_1000", [] { return diagonals(1000000, {1000}); }},
      {"lags_1_7_30",
       [] {
         return diagonals(300000, {1, 7, 30});
       }},
      {"dense_blocks_32", [] { return dense_blocks(300000, 32, 4); }},
      {"block_arrow", [] { return block_arrow(1000000, 100, 16); }},
      {"tree_1M", [] { return tree((1 << 20) - 1); }},
      {"two_levels_4M", [] { return two_levels(4000000, 13); }},
      {"red_black_2000", [] { return red_black(2000, 2000); }},
      {"diagonal_10M", [] { return diagonals(10000000, {}); }},
  };
}

} // namespace matrices

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_MATRICES_HPP
