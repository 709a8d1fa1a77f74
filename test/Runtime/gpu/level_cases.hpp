// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How many levels a loop has, from the definition, and loops whose levels are
/// known.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_RUNTIME_GPU_LEVEL_CASES_HPP
#define CUDAOPT_TEST_RUNTIME_GPU_LEVEL_CASES_HPP

#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/loop.hpp"

#include <algorithm>
#include <vector>

namespace cudaopt::test {

/// The number of levels, from the definition.
struct level_touch {
  const detail::location_map &map;
  index_t *stored, *loaded; ///< Levels of locations.
  index_t level = 1;
  bool sets = false; ///< The second pass.

  template <class T>
  CUDAOPT_HOST_DEVICE void read(const array<T> &a, index_t j) {
    one(a.number(), j, false);
  }
  template <class T>
  CUDAOPT_HOST_DEVICE void write(const array<T> &a, index_t j) {
    one(a.number(), j, true);
  }
  template <class T, class Op>
  CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op) {
    one(a.number(), j, true);
  }

private:
  CUDAOPT_HOST_DEVICE static void raise(index_t &level, index_t to) {
    level = level < to ? to : level;
  }
  CUDAOPT_HOST_DEVICE void one(int a, index_t j, bool stores) {
    for (unsigned k = 0; k < map.span[a]; ++k) {
      const index_t l = map.first(a, j) + k;
      if (sets) {
        raise(stores ? stored[l] : loaded[l], level);
      } else {
        raise(level, stored[l] + 1);
        if (stores)
          raise(level, loaded[l] + 1);
      }
    }
  }
};

template <class Loop>
index_t longest_path(const Loop &loop, index_t iterations) {
  const detail::location_map map = detail::map_locations(loop.arrays());
  std::vector<index_t> stored(std::size_t(map.locations)), read = stored;
  index_t longest = 0;
  for (index_t i = 0; i < iterations; ++i) {
    level_touch touch{map, stored.data(), read.data()};
    loop.slice(i, touch);
    touch.sets = true;
    loop.slice(i, touch);
    longest = std::max(longest, touch.level);
  }
  return longest;
}

enum class sweep { lower, gauss_seidel, kaczmarz };

/// A stencil on a box: its lower triangular solve, its Gauss-Seidel sweep, or
/// the same with updates of all neighbours.
struct stencil_loop {
  array<float> x;
  index_t nx, ny, nz;
  bool has_corners; ///< 27 points, else 7.
  sweep kind;

  extents arrays() const { return extents_of(x); }
  template <class Visit>
  CUDAOPT_HOST_DEVICE void neighbours(index_t i, Visit visit) const {
    const index_t at[] = {i % nx, i / nx % ny, i / nx / ny};
    for (index_t dz = -1; dz <= 1; ++dz)
      for (index_t dy = -1; dy <= 1; ++dy)
        for (index_t dx = -1; dx <= 1; ++dx) {
          const index_t px = at[0] + dx, py = at[1] + dy, pz = at[2] + dz;
          if (px < 0 || py < 0 || pz < 0 || px >= nx || py >= ny || pz >= nz)
            continue;
          if (has_corners || dx * dx + dy * dy + dz * dz <= 1)
            visit((pz * ny + py) * nx + px);
        }
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    neighbours(i, [&](index_t j) {
      if (kind == sweep::kaczmarz)
        touch.update(x, j, plus{});
      else if (j < i || (kind == sweep::gauss_seidel && j > i))
        touch.read(x, j);
    });
    if (kind != sweep::kaczmarz)
      touch.write(x, i);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    float sum = 1;
    neighbours(i, [&](index_t j) {
      if (kind == sweep::kaczmarz)
        memory.update(x, j, plus{}, 1.0f);
      else if (j < i || (kind == sweep::gauss_seidel && j > i))
        sum += 0.125f * memory.load(x, j);
    });
    if (kind != sweep::kaczmarz)
      memory.store(x, i, sum);
  }
};

} // namespace cudaopt::test

#endif // CUDAOPT_TEST_RUNTIME_GPU_LEVEL_CASES_HPP
