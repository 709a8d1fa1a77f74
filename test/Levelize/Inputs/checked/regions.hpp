// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The memory that a loop declares: its contents, and copies elsewhere, as a
/// device has them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_LEVELIZE_REGIONS_HPP
#define CUDAOPT_TEST_LEVELIZE_REGIONS_HPP

#include "any_loop.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cudaopt::checked {

using bytes = std::vector<unsigned char>;

/// Disjoint pieces of memory.
class regions {
public:
  /// All that \p loop declares.
  regions(const any_loop &loop, std::initializer_list<memory_use> uses) {
    const extents arrays = loop.arrays();
    for (int a = 0; a < arrays.count; ++a)
      add(arrays.items[a].data,
          std::size_t(arrays.items[a].size) * arrays.items[a].element_bytes);
    for (const memory_use &use : uses)
      if (use.is_array)
        add(const_cast<void *>(use.data), use.bytes);
    merge();
  }

  bytes contents() const {
    bytes result;
    for (const piece &p : Pieces)
      result.insert(result.end(), p.begin, p.end);
    return result;
  }
  void restore(const bytes &from) const {
    const unsigned char *at = from.data();
    for (const piece &p : Pieces) {
      std::memcpy(p.begin, at, p.size());
      at += p.size();
    }
  }

  struct piece {
    unsigned char *begin, *end;
    std::size_t size() const { return std::size_t(end - begin); }
  };
  const std::vector<piece> &pieces() const { return Pieces; }

private:
  void add(void *data, std::size_t size) {
    auto *begin = static_cast<unsigned char *>(data);
    if (begin && size)
      Pieces.push_back({begin, begin + size});
  }
  void merge() {
    std::sort(Pieces.begin(), Pieces.end(),
              [](const piece &a, const piece &b) { return a.begin < b.begin; });
    std::vector<piece> merged;
    for (const piece &p : Pieces)
      if (merged.empty() || p.begin >= merged.back().end)
        merged.push_back(p);
      else
        merged.back().end = std::max(merged.back().end, p.end);
    Pieces = std::move(merged);
  }

  std::vector<piece> Pieces;
};

/// Copies of regions, while the originals are zero. What is around a copy is
/// zero, too, and must stay so.
class relocation final : public any_map {
public:
  explicit relocation(const regions &r) : Original(r), Contents(r.contents()) {
    for (const regions::piece &p : r.pieces()) {
      // Aligned like the original.
      Copies.emplace_back(p.size() + 2 * around + alignment);
      std::memcpy(begin_of(p, Copies.back()), p.begin, p.size());
      std::memset(p.begin, 0, p.size());
    }
  }
  ~relocation() { Original.restore(Contents); }
  relocation(const relocation &) = delete;

  void *operator()(void *q) const override {
    std::size_t at = 0;
    for (const regions::piece &p : Original.pieces()) {
      if (q >= p.begin && q < p.end)
        return begin_of(p, Copies[at]) +
               (static_cast<unsigned char *>(q) - p.begin);
      ++at;
    }
    return nullptr; // Not declared, or empty.
  }

  /// What the copies hold; empty if something beside them was written.
  bytes contents() const {
    bytes result;
    std::size_t at = 0, beside = 0;
    for (const regions::piece &p : Original.pieces()) {
      const bytes &copy = Copies[at++];
      const unsigned char *begin = begin_of(p, copy);
      result.insert(result.end(), begin, begin + p.size());
      beside += std::count_if(copy.data(), begin, is_set);
      beside +=
          std::count_if(begin + p.size(), copy.data() + copy.size(), is_set);
      beside += std::count_if(p.begin, p.end, is_set);
    }
    return beside ? bytes() : result;
  }

private:
  static constexpr std::size_t around = 256, alignment = 64;

  static bool is_set(unsigned char c) { return c != 0; }
  static unsigned char *begin_of(const regions::piece &p, const bytes &copy) {
    const auto data = reinterpret_cast<std::uintptr_t>(copy.data());
    const auto like = reinterpret_cast<std::uintptr_t>(p.begin);
    return const_cast<unsigned char *>(copy.data()) + around +
           (like - data) % alignment;
  }

  const regions &Original;
  bytes Contents;
  std::vector<bytes> Copies;
};

} // namespace cudaopt::checked

#endif // CUDAOPT_TEST_LEVELIZE_REGIONS_HPP
