// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Loops whose accesses come from tables of random numbers. Each value that is
/// stored is a hash of everything that the iteration read before, so that two
/// conflicting iterations in the wrong order change the result. For host and
/// device.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_RUNTIME_RANDOM_LOOP_HPP
#define CUDAOPT_TEST_RUNTIME_RANDOM_LOOP_HPP

#include "cudaopt/levelize/loop.hpp"

namespace cudaopt::test {

/// Not commutative: mix(mix(h, a), b) is not mix(mix(h, b), a).
CUDAOPT_HOST_DEVICE inline std::uint64_t mix(std::uint64_t h,
                                             std::uint64_t value) {
  h = (h ^ value) * 0xff51afd7ed558ccdull + 0x9e3779b97f4a7c15ull;
  h = (h ^ (h >> 32)) * 0xc4ceb9fe1a85ec53ull;
  return h ^ (h >> 29);
}

template <class T> T *moved(T *p, std::ptrdiff_t by) {
  if (!p)
    return p;
  return reinterpret_cast<T *>(reinterpret_cast<std::intptr_t>(p) + by);
}

struct table_entry {
  std::int32_t element;
  std::uint8_t array; ///< Its number in the loop.
  access_kind kind;
  std::uint8_t guard; ///< The access is made where guards[guard] is not 0.
};

/// Reads, writes and updates of up to four arrays, guarded, in any order.
struct table_loop {
  array<std::uint64_t> longs{nullptr, 0, 0};
  array<std::uint32_t> words{nullptr, 0, 1};
  array<std::uint16_t> halves{nullptr, 0, 2};
  array<std::uint64_t> others{nullptr, 0, 3};
  const index_t *begin = nullptr; ///< Entries of iteration i: [begin[i],
                                  ///< begin[i + 1]).
  const table_entry *entries = nullptr;
  const std::uint8_t *guards = nullptr;
  std::uint64_t *outputs = nullptr; ///< Of iteration i alone.

  extents arrays() const { return extents_of(longs, words, halves, others); }
  void move(std::ptrdiff_t by) {
    longs.data = moved(longs.data, by);
    words.data = moved(words.data, by);
    halves.data = moved(halves.data, by);
    others.data = moved(others.data, by);
    begin = moved(begin, by);
    entries = moved(entries, by);
    guards = moved(guards, by);
    outputs = moved(outputs, by);
  }

  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    for (index_t k = begin[i]; k < begin[i + 1]; ++k) {
      const table_entry e = entries[k];
      if (!guards[e.guard])
        continue;
      switch (e.array) {
      case 0:
        touch_one(touch, longs, e);
        break;
      case 1:
        touch_one(touch, words, e);
        break;
      case 2:
        touch_one(touch, halves, e);
        break;
      default:
        touch_one(touch, others, e);
      }
    }
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    std::uint64_t h = std::uint64_t(i) + 1;
    for (index_t k = begin[i]; k < begin[i + 1]; ++k) {
      const table_entry e = entries[k];
      if (!guards[e.guard])
        continue;
      switch (e.array) {
      case 0:
        access_one(memory, longs, e, h);
        break;
      case 1:
        access_one(memory, words, e, h);
        break;
      case 2:
        access_one(memory, halves, e, h);
        break;
      default:
        access_one(memory, others, e, h);
      }
    }
    outputs[i] = h;
  }

private:
  template <class Touch, class T>
  CUDAOPT_HOST_DEVICE static void touch_one(Touch &touch, const array<T> &a,
                                            table_entry e) {
    if (e.kind == access_kind::read)
      touch.read(a, e.element);
    else if (e.kind == access_kind::write)
      touch.write(a, e.element);
    else
      touch.update(a, e.element, plus{});
  }
  template <class Memory, class T>
  CUDAOPT_HOST_DEVICE static void access_one(Memory &memory, const array<T> &a,
                                             table_entry e, std::uint64_t &h) {
    h = mix(h, std::uint64_t(e.element));
    if (e.kind == access_kind::read)
      h = mix(h, std::uint64_t(memory.load(a, e.element)));
    else if (e.kind == access_kind::write)
      memory.store(a, e.element, T(h >> 7));
    else
      memory.update(a, e.element, plus{}, T(h >> 9));
  }
};

/// Only `x[..] op= value`.
template <class T, class Op> struct update_loop {
  array<T> x;
  const index_t *begin = nullptr;
  const std::int32_t *elements = nullptr;
  const T *values = nullptr;

  extents arrays() const { return extents_of(x); }
  void move(std::ptrdiff_t by) {
    x.data = moved(x.data, by);
    begin = moved(begin, by);
    elements = moved(elements, by);
    values = moved(values, by);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    for (index_t k = begin[i]; k < begin[i + 1]; ++k)
      touch.update(x, elements[k], Op{});
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    for (index_t k = begin[i]; k < begin[i + 1]; ++k)
      memory.update(x, elements[k], Op{}, values[k]);
  }
};

/// Row i reads elements of x, its own and later ones among them. The products
/// of floating-point steps are exact: contraction changes nothing.
template <class T> struct random_rows : row_loop<random_rows<T>, T> {
  const index_t *ptr = nullptr;
  const std::int32_t *columns = nullptr;

  void move(std::ptrdiff_t by) {
    this->x.data = moved(this->x.data, by);
    ptr = moved(ptr, by);
    columns = moved(columns, by);
  }
  CUDAOPT_HOST_DEVICE index_t begin(index_t i) const { return ptr[i]; }
  CUDAOPT_HOST_DEVICE index_t end(index_t i) const { return ptr[i + 1]; }
  CUDAOPT_HOST_DEVICE index_t source(index_t k) const { return columns[k]; }
  CUDAOPT_HOST_DEVICE T start(index_t i) const { return T(i % 97 + 1); }
  CUDAOPT_HOST_DEVICE T step(index_t, index_t k, T value, T sum) const {
    if constexpr (std::is_floating_point_v<T>)
      return sum * T(0.5) + value;
    else
      return T(mix(sum, std::uint64_t(value) + std::uint64_t(k)));
  }
  CUDAOPT_HOST_DEVICE T finish(index_t, T sum) const {
    if constexpr (std::is_floating_point_v<T>)
      return sum / T(3);
    else
      return sum;
  }
};

/// Where an iteration accesses x depends on what it finds in x.
struct self_indexing_loop {
  static constexpr bool is_self_indexing = true;

  array<std::uint64_t> x;
  /// Bit 0: the element that is written comes from a second indirection; bit
  /// 1: one more element is read; bit 2: a second one is written.
  const std::uint8_t *features = nullptr;
  const std::int32_t *first = nullptr;
  std::uint64_t *outputs = nullptr;

  extents arrays() const { return extents_of(x); }
  void move(std::ptrdiff_t by) {
    x.data = moved(x.data, by);
    features = moved(features, by);
    first = moved(first, by);
    outputs = moved(outputs, by);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    const unsigned f = features[i];
    const std::uint64_t a = touch.load(x, first[i]);
    index_t j = at(a);
    if (f & 1)
      j = at(touch.load(x, j));
    else
      touch.read(x, j);
    if (f & 2)
      touch.read(x, at(a + 3));
    touch.write(x, j);
    if (f & 4)
      touch.write(x, at(a / 7 + std::uint64_t(i)));
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    const unsigned f = features[i];
    const std::uint64_t a = memory.load(x, first[i]);
    std::uint64_t h = mix(std::uint64_t(i), a);
    index_t j = at(a);
    const std::uint64_t b = memory.load(x, j);
    h = mix(h, b);
    if (f & 1)
      j = at(b);
    if (f & 2)
      h = mix(h, memory.load(x, at(a + 3)));
    memory.store(x, j, h);
    if (f & 4)
      memory.store(x, at(a / 7 + std::uint64_t(i)), mix(h, 5));
    outputs[i] = h;
  }

private:
  CUDAOPT_HOST_DEVICE index_t at(std::uint64_t value) const {
    return index_t(value % std::uint64_t(x.size));
  }
};

/// The reference.
template <class Loop>
CUDAOPT_HOST_DEVICE void run_in_order(const Loop &loop, index_t iterations) {
  direct_memory memory;
  for (index_t i = 0; i < iterations; ++i)
    loop.body(i, memory);
}

} // namespace cudaopt::test

#include "random_problem.hpp"

#endif // CUDAOPT_TEST_RUNTIME_RANDOM_LOOP_HPP
