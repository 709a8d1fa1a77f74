// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Memory of the host with a budget (options::max_scratch_bytes). Nothing here
/// throws: these functions are called from within the program's slices, which
/// may be noexcept, and an exception of the runtime could not be told from one
/// of the slice.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_HOST_MEMORY_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_HOST_MEMORY_HPP

#include "cudaopt/levelize/detail/support/exceptions.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <type_traits>

namespace cudaopt::detail::cpu {

/// How many bytes an inspection and the plan that it makes may still allocate.
/// Several threads may take at the same time.
class host_scratch {
public:
  /// A budget of \p most bytes; 0 is no limit.
  explicit host_scratch(std::size_t most) : Left(most ? most : no_limit) {}
  host_scratch(const host_scratch &) = delete;
  host_scratch &operator=(const host_scratch &) = delete;

  /// Takes \p bytes from the budget. Returns false, and takes nothing, if fewer
  /// are left.
  bool take(std::size_t bytes) {
    std::size_t left = Left.load(std::memory_order_relaxed);
    do {
      if (bytes > left)
        return false;
    } while (!Left.compare_exchange_weak(left, left - bytes,
                                         std::memory_order_relaxed));
    return true;
  }
  void give_back(std::size_t bytes) {
    Left.fetch_add(bytes, std::memory_order_relaxed);
  }
  std::size_t left() const { return Left.load(std::memory_order_relaxed); }

private:
  static constexpr std::size_t no_limit = ~std::size_t(0) / 2;
  std::atomic<std::size_t> Left;
};

/// An array of \p T that takes its bytes from a host_scratch, which must
/// outlive it, and gives them back when it ends. Like std::vector, but it does
/// not throw, and indices are index_t.
template <class T> class host_array {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  host_array() = default;
  host_array(host_array &&o) noexcept { swap(o); }
  host_array &operator=(host_array &&o) noexcept {
    swap(o);
    return *this;
  }
  ~host_array() { reset(); }

  /// Makes \p size items whose bytes are 0; what was there is freed.
  status allocate(host_scratch &from, index_t size) {
    reset();
    if (size <= 0)
      return status::ok;
    if (!fits(size) || !from.take(bytes_of(size)))
      return status::out_of_memory;
    Items = static_cast<T *>(std::calloc(std::size_t(size), sizeof(T)));
    if (!Items) {
      from.give_back(bytes_of(size));
      return status::out_of_memory;
    }
    From = &from;
    Size = Capacity = size;
    return status::ok;
  }
  /// Makes \p size items that are \p value each.
  status allocate_filled(host_scratch &from, index_t size, T value) {
    const status s = allocate(from, size);
    std::fill(begin(), end(), value);
    return s;
  }
  /// Makes an array without items and with room for \p capacity of them; if the
  /// budget does not allow that, for a half, a quarter and so on. append() asks
  /// for more room when it needs some.
  status reserve(host_scratch &from, index_t capacity) {
    reset();
    From = &from;
    for (index_t room = std::max(capacity, least); room >= least; room /= 2)
      if (grow(room))
        return status::ok;
    return status::out_of_memory;
  }
  /// Adds an item, after reserve() or take_from(). Returns false, and changes
  /// nothing, if there is no memory.
  bool append(const T &item) {
    if (Size == Capacity && !make_room())
      return false;
    Items[Size++] = item;
    return true;
  }
  void clear() { Size = 0; }
  /// Removes all items, and lets append() take room from \p from. Room that is
  /// there already is kept.
  void take_from(host_scratch &from) {
    From = &from;
    Size = 0;
  }
  /// Gives back the room that append() did not use.
  void shrink() {
    if (Size == Capacity)
      return;
    if (Size == 0)
      return reset();
    if (void *items = std::realloc(static_cast<void *>(Items), bytes_of(Size)))
      Items = static_cast<T *>(items);
    From->give_back(bytes_of(Capacity - Size));
    Capacity = Size;
  }
  void reset() {
    if (Capacity) {
      std::free(static_cast<void *>(Items));
      From->give_back(bytes_of(Capacity));
    }
    Items = nullptr;
    Size = Capacity = 0;
  }

  index_t size() const { return Size; }
  bool empty() const { return Size == 0; }
  std::size_t bytes() const { return bytes_of(Capacity); }
  T *begin() { return Items; }
  T *end() { return Items + Size; }
  const T *begin() const { return Items; }
  const T *end() const { return Items + Size; }
  T &operator[](index_t k) { return Items[k]; }
  const T &operator[](index_t k) const { return Items[k]; }
  T &back() { return Items[Size - 1]; }
  const T &back() const { return Items[Size - 1]; }

  void swap(host_array &o) noexcept {
    std::swap(From, o.From);
    std::swap(Items, o.Items);
    std::swap(Size, o.Size);
    std::swap(Capacity, o.Capacity);
  }

private:
  static constexpr index_t least = 8;

  static bool fits(index_t size) {
    return std::uint64_t(size) <= std::uint64_t(PTRDIFF_MAX) / sizeof(T);
  }
  static std::size_t bytes_of(index_t size) {
    return std::size_t(size) * sizeof(T);
  }
  /// Grows by a half of the capacity, or, if the budget does not allow that, by
  /// a sixteenth.
  bool make_room() {
    return grow(Capacity + std::max(Capacity / 2, least)) ||
           grow(Capacity + std::max(Capacity / 16, least));
  }
  /// Changes the capacity. The budget is charged for both sizes meanwhile,
  /// since the allocator may have two copies while it moves the items.
  bool grow(index_t capacity) {
    if (!fits(capacity) || !From->take(bytes_of(capacity)))
      return false;
    void *items = std::realloc(static_cast<void *>(Items), bytes_of(capacity));
    From->give_back(bytes_of(items ? Capacity : capacity));
    if (!items)
      return false;
    Items = static_cast<T *>(items);
    Capacity = capacity;
    return true;
  }

  host_scratch *From = nullptr;
  T *Items = nullptr;
  index_t Size = 0, Capacity = 0;
};

/// Makes \p to a copy of \p from.
template <class T>
status copy_items(host_scratch &memory, const host_array<T> &from,
                  host_array<T> &to) {
  const status s = to.allocate(memory, from.size());
  if (s == status::ok)
    std::copy(from.begin(), from.end(), to.begin());
  return s;
}

/// One bit for each of \p size items.
class host_bits {
public:
  status allocate(host_scratch &from, index_t size) {
    return Words.allocate(from, (size + 63) / 64);
  }
  bool operator[](index_t k) const { return Words[k / 64] >> (k % 64) & 1; }
  void set(index_t k) { Words[k / 64] |= std::uint64_t(1) << (k % 64); }
  std::size_t bytes() const { return Words.bytes(); }

private:
  host_array<std::uint64_t> Words;
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_HOST_MEMORY_HPP
