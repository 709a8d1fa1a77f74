// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes random loops (random_loop.hpp) with their data.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_RUNTIME_RANDOM_PROBLEM_HPP
#define CUDAOPT_TEST_RUNTIME_RANDOM_PROBLEM_HPP

#include "random_loop.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace cudaopt::test {

using random_engine = std::mt19937_64;

/// A loop with all its data in one piece of memory, which goes to a device and
/// back with one copy:
///
///   problem<table_loop> p = make_table_problem(random, family::mixed, 100, 9);
///   std::vector<std::uint64_t> expected = p.expected();
///   void *d = ...;                            // p.bytes() on the device
///   cudaMemcpy(d, p.image.data(), p.bytes(), cudaMemcpyHostToDevice);
///   run(p.at(d), p.iterations);
///   // copied back, the image must be `expected`.
template <class Loop> struct problem {
  std::vector<std::uint64_t> image;
  Loop loop; ///< Its pointers are into image as if that began at address 64.
  index_t iterations = 0;

  std::size_t bytes() const { return image.size() * sizeof(image[0]); }
  /// The loop over a copy of the image at \p base.
  Loop at(void *base) const {
    Loop l = loop;
    l.move(std::ptrdiff_t(reinterpret_cast<std::intptr_t>(base)) - 64);
    return l;
  }
  std::vector<std::uint64_t> expected() const {
    std::vector<std::uint64_t> copy = image;
    run_in_order(at(copy.data()), iterations);
    return copy;
  }
};

/// Lays out an image.
class image_builder {
public:
  /// \p size elements of 0, at a multiple of 64 bytes.
  template <class T> T *add(index_t size) {
    const std::size_t place = (Bytes.size() + 63) / 64 * 64;
    Bytes.resize(place + std::size_t(size) * sizeof(T));
    return reinterpret_cast<T *>(place + 64);
  }
  template <class T> const T *add(const std::vector<T> &values) {
    T *p = add<T>(index_t(values.size()));
    if (!values.empty())
      std::memcpy(host(p), values.data(), values.size() * sizeof(T));
    return p;
  }
  template <class T> T *host(T *p) {
    return reinterpret_cast<T *>(Bytes.data() +
                                 (reinterpret_cast<std::uintptr_t>(p) - 64));
  }
  std::vector<std::uint64_t> take() const {
    std::vector<std::uint64_t> image((Bytes.size() + 7) / 8);
    if (!Bytes.empty())
      std::memcpy(image.data(), Bytes.data(), Bytes.size());
    return image;
  }

private:
  std::vector<unsigned char> Bytes;
};

inline index_t below(random_engine &random, index_t bound) {
  return index_t(random() % std::uint64_t(bound));
}

/// What the accesses of a table_loop look like.
enum class family {
  mixed,       ///< Anything, one array.
  arrays,      ///< Anything, all four arrays.
  overlapping, ///< The same, and the arrays share bytes.
  guarded,     ///< Like arrays, most accesses are off in some loops.
  reads_many,  ///< Writes are rare.
  hot,         ///< One location takes part in most iterations.
  near,        ///< Iteration i accesses elements near to i.
  updates,     ///< Only updates.
  writes,      ///< Only writes.
  independent, ///< No two iterations meet, but to read.
  chains,      ///< Iterations conflict over at most one location each.
  owned,       ///< Iteration i alone writes its location, reads any.
  long_rows,   ///< Some iterations have very many accesses, most have none.
  blocks,      ///< Small loops one after the other, of one kind each problem.
};
constexpr int num_families = int(family::blocks) + 1;

inline const char *name_of(family f) {
  constexpr const char *names[num_families] = {
      "mixed",  "arrays", "overlapping", "guarded", "reads_many",
      "hot",    "near",   "updates",     "writes",  "independent",
      "chains", "owned",  "long_rows",   "blocks"};
  return names[int(f)];
}

/// Of family::blocks, in each of the small loops.
constexpr index_t block_iterations = 32;

/// One table being drawn.
class table_maker {
public:
  /// About \p elements elements in each array, at least 1.
  table_maker(random_engine &random, family f, index_t iterations,
              index_t elements)
      : Random(random), Family(f), Iterations(iterations),
        Elements(std::max<index_t>(elements, 1)) {
    if (f == family::independent || f == family::owned)
      Elements = std::max(Elements, 2 * Iterations + 1);
    Most = 1 + int(below(random, 6));
    BlockKind = int(below(random, 4));
    Owners.resize(std::size_t(Elements));
    std::iota(Owners.begin(), Owners.end(), 0);
    std::shuffle(Owners.begin(), Owners.end(), Random);
  }

  problem<table_loop> make() {
    problem<table_loop> p;
    p.iterations = Iterations;
    lay_out(p.loop);
    draw();
    p.loop.outputs = Image.add<std::uint64_t>(Iterations);
    p.loop.begin = Image.add(Begin);
    p.loop.entries = Image.add(Entries);
    p.loop.guards = Image.add(draw_guards());
    p.image = Image.take();
    return p;
  }

private:
  bool uses_all_arrays() const {
    return Family == family::arrays || Family == family::overlapping ||
           Family == family::guarded;
  }

  void lay_out(table_loop &l) {
    const index_t n = Elements;
    const index_t bytes = n * 8;
    std::uint64_t *storage =
        Image.add<std::uint64_t>(uses_all_arrays() ? 4 * n + 64 : n);
    auto *base = reinterpret_cast<unsigned char *>(storage);
    l.longs.data = storage;
    l.longs.size = Sizes[0] = n;
    if (uses_all_arrays()) {
      // Apart, or anywhere in the first one's bytes and beyond.
      const bool overlap = Family == family::overlapping;
      auto place = [&](int a, index_t grain) {
        return overlap ? below(Random, 2 * n) * grain : a * (bytes + 64);
      };
      l.words.data = reinterpret_cast<std::uint32_t *>(base + place(1, 4));
      l.words.size = Sizes[1] = n;
      l.halves.data = reinterpret_cast<std::uint16_t *>(base + place(2, 2));
      l.halves.size = Sizes[2] = n;
      l.others.data = reinterpret_cast<std::uint64_t *>(base + place(3, 8));
      l.others.size = Sizes[3] = n;
    }
    const index_t words = uses_all_arrays() ? 4 * n + 64 : n;
    for (index_t k = 0; k < words; ++k)
      Image.host(storage)[k] = Random();
  }

  void draw() {
    Begin.push_back(0);
    for (index_t i = 0; i < Iterations; ++i) {
      draw_row(i);
      Begin.push_back(index_t(Entries.size()));
    }
  }

  void add(access_kind kind, index_t element, int array = 0) {
    Entries.push_back({std::int32_t(element), std::uint8_t(array), kind,
                       std::uint8_t(below(Random, 16))});
  }
  access_kind any_kind() { return access_kind(below(Random, 3)); }

  void draw_row(index_t i) {
    const index_t accesses = below(Random, Most + 1);
    switch (Family) {
    case family::mixed:
    case family::arrays:
    case family::overlapping:
    case family::guarded:
      for (index_t k = 0; k < accesses; ++k) {
        const int a = uses_all_arrays() ? int(below(Random, 4)) : 0;
        add(any_kind(), below(Random, Sizes[a]), a);
      }
      return;
    case family::reads_many:
      for (index_t k = 0; k < accesses; ++k)
        add(below(Random, 20) ? access_kind::read : any_kind(),
            below(Random, Elements));
      return;
    case family::hot:
      for (index_t k = 0; k < accesses; ++k)
        add(any_kind(), below(Random, 3) ? Owners[0] : below(Random, Elements));
      return;
    case family::near:
      for (index_t k = 0; k < accesses; ++k)
        add(any_kind(), (i + below(Random, 8)) % Elements);
      return;
    case family::updates:
    case family::writes:
      for (index_t k = 0; k < accesses; ++k)
        add(Family == family::updates ? access_kind::update
                                      : access_kind::write,
            below(Random, Elements));
      return;
    case family::independent:
    case family::owned:
      return draw_owner(i, accesses);
    case family::chains:
      return draw_chain(accesses);
    case family::blocks:
      return draw_in_block(i / block_iterations, accesses);
    case family::long_rows:
      if (below(Random, 8) == 0)
        for (index_t k = below(Random, 8 * Most * Most); k > 0; --k)
          add(below(Random, 4) ? access_kind::read : any_kind(),
              below(Random, Elements));
      return;
    }
  }

  /// Elements Owners[0 .. Iterations) belong to one iteration each, in
  /// independent loops the others are never written.
  void draw_owner(index_t i, index_t accesses) {
    for (index_t k = 0; k < accesses; ++k) {
      if (Family == family::owned)
        add(access_kind::read, below(Random, Elements));
      else
        add(access_kind::read,
            Owners[Iterations + below(Random, Elements - Iterations)]);
      if (below(Random, 4) == 0)
        add(any_kind(), Owners[i]);
    }
    if (Family == family::owned || below(Random, 8))
      add(access_kind::write, Owners[i]);
  }

  /// Each small loop has elements of its own.
  void draw_in_block(index_t block, index_t accesses) {
    const index_t blocks = Iterations / block_iterations + 1;
    const index_t size = std::max<index_t>(Elements / blocks, 1);
    const index_t first = block * size % Elements;
    const index_t used = std::min(
        {size, Elements - first, index_t(1 + block % block_iterations)});
    const index_t mine = first + below(Random, used);
    for (index_t k = 0; k < accesses; ++k)
      if (BlockKind == 0)
        add(any_kind(), first + below(Random, used));
      else if (BlockKind == 3) // One location an iteration.
        add(any_kind(), mine);
      else
        add(BlockKind == 1 ? access_kind::update : access_kind::write,
            first + below(Random, used));
  }

  /// The first half of Owners is shared, the others are only read.
  void draw_chain(index_t accesses) {
    const index_t shared = (Elements + 1) / 2;
    const index_t mine = Owners[below(Random, shared)];
    for (index_t k = 0; k < accesses; ++k)
      if (Elements > shared && below(Random, 3) == 0)
        add(access_kind::read,
            Owners[shared + below(Random, Elements - shared)]);
      else
        add(any_kind(), mine);
  }

  std::vector<std::uint8_t> draw_guards() {
    std::vector<std::uint8_t> guards(16, 1);
    if (Family == family::guarded) {
      const index_t percent = 1 + below(Random, 99);
      for (std::uint8_t &g : guards)
        g = below(Random, 100) < percent;
    }
    return guards;
  }

  random_engine &Random;
  family Family;
  index_t Iterations, Elements;
  int Most = 0;
  int BlockKind = 0; ///< Anything, updates, writes, one location.
  index_t Sizes[4] = {};
  std::vector<index_t> Owners; ///< A permutation of the elements.
  image_builder Image;
  std::vector<index_t> Begin;
  std::vector<table_entry> Entries;
};

inline problem<table_loop> make_table_problem(random_engine &random, family f,
                                              index_t iterations,
                                              index_t elements) {
  return table_maker(random, f, iterations, elements).make();
}

/// Values of doubles are such that every sum rounds.
template <class T, class Op>
problem<update_loop<T, Op>> make_update_problem(random_engine &random,
                                                index_t iterations,
                                                index_t elements) {
  const index_t most = 1 + below(random, 4);
  std::vector<index_t> begin{0};
  std::vector<std::int32_t> indices;
  std::vector<T> values;
  auto draw = [&] {
    if constexpr (std::is_floating_point_v<T>)
      return T(double(random() >> 11) * 0x1p-53 + 0.001);
    else
      return T(random());
  };
  for (index_t i = 0; i < iterations; ++i) {
    for (index_t k = below(random, most + 1); k > 0; --k) {
      indices.push_back(std::int32_t(below(random, elements)));
      values.push_back(draw());
    }
    begin.push_back(index_t(indices.size()));
  }
  problem<update_loop<T, Op>> p;
  image_builder image;
  p.iterations = iterations;
  p.loop.x = {image.add<T>(elements), elements, 0};
  for (index_t j = 0; j < elements; ++j)
    image.host(p.loop.x.data)[j] = draw();
  p.loop.begin = image.add(begin);
  p.loop.elements = image.add(indices);
  p.loop.values = image.add(values);
  p.image = image.take();
  return p;
}

/// \p backward: the sweep goes from the last row to the first. \p bandwidth:
/// sources are at most that far from the row; 0 is anywhere. \p lower: only
/// rows that ran before are read.
template <class T>
problem<random_rows<T>> make_rows_problem(random_engine &random, index_t rows,
                                          bool backward, bool lower = false,
                                          index_t bandwidth = 0) {
  const index_t most = 1 + below(random, 8);
  std::vector<index_t> ptr{0};
  std::vector<std::int32_t> columns;
  for (index_t i = 0; i < rows; ++i) {
    index_t first = bandwidth ? std::max<index_t>(0, i - bandwidth) : 0;
    index_t last = bandwidth ? std::min(rows, i + bandwidth + 1) : rows;
    if (lower && backward)
      first = i + 1;
    else if (lower)
      last = i;
    for (index_t k = below(random, most + 1); k > 0 && first < last; --k)
      columns.push_back(std::int32_t(first + below(random, last - first)));
    ptr.push_back(index_t(columns.size()));
  }
  problem<random_rows<T>> p;
  image_builder image;
  p.iterations = rows;
  p.loop.x = {image.add<T>(rows), rows, 0};
  if (backward) {
    p.loop.first = rows - 1;
    p.loop.stride = -1;
  }
  for (index_t j = 0; j < rows; ++j)
    image.host(p.loop.x.data)[j] = T(random() % 1000);
  p.loop.ptr = image.add(ptr);
  p.loop.columns = image.add(columns);
  p.image = image.take();
  return p;
}

inline problem<self_indexing_loop>
make_self_indexing_problem(random_engine &random, index_t iterations,
                           index_t elements) {
  std::vector<std::uint8_t> features;
  std::vector<std::int32_t> first;
  for (index_t i = 0; i < iterations; ++i) {
    features.push_back(std::uint8_t(below(random, 8)));
    first.push_back(std::int32_t(below(random, elements)));
  }
  problem<self_indexing_loop> p;
  image_builder image;
  p.iterations = iterations;
  p.loop.x = {image.add<std::uint64_t>(elements), elements, 0};
  for (index_t j = 0; j < elements; ++j)
    image.host(p.loop.x.data)[j] = random();
  p.loop.outputs = image.add<std::uint64_t>(iterations);
  p.loop.features = image.add(features);
  p.loop.first = image.add(first);
  p.image = image.take();
  return p;
}

} // namespace cudaopt::test

#endif // CUDAOPT_TEST_RUNTIME_RANDOM_PROBLEM_HPP
