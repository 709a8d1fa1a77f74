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
  explicit host_scratch(std::size_t most) : left_(most ? most : no_limit) {}
  host_scratch(const host_scratch &) = delete;
  host_scratch &operator=(const host_scratch &) = delete;

  /// Takes \p bytes from the budget. Returns false, and takes nothing, if fewer
  /// are left.
  bool take(std::size_t bytes) {
    std::size_t left = left_.load(std::memory_order_relaxed);
    do {
      if (bytes > left)
        return false;
    } while (!left_.compare_exchange_weak(left, left - bytes,
                                          std::memory_order_relaxed));
    return true;
  }
  void give_back(std::size_t bytes) {
    left_.fetch_add(bytes, std::memory_order_relaxed);
  }
  std::size_t left() const { return left_.load(std::memory_order_relaxed); }

private:
  static constexpr std::size_t no_limit = ~std::size_t(0) / 2;
  std::atomic<std::size_t> left_;
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
    items_ = static_cast<T *>(std::calloc(std::size_t(size), sizeof(T)));
    if (!items_) {
      from.give_back(bytes_of(size));
      return status::out_of_memory;
    }
    from_ = &from;
    size_ = capacity_ = size;
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
    from_ = &from;
    for (index_t room = std::max(capacity, least); room >= least; room /= 2)
      if (grow(room))
        return status::ok;
    return status::out_of_memory;
  }
  /// Adds an item, after reserve() or take_from(). Returns false, and changes
  /// nothing, if there is no memory.
  bool append(const T &item) {
    if (size_ == capacity_ && !make_room())
      return false;
    items_[size_++] = item;
    return true;
  }
  void clear() { size_ = 0; }
  /// Removes all items, and lets append() take room from \p from. Room that is
  /// there already is kept.
  void take_from(host_scratch &from) {
    from_ = &from;
    size_ = 0;
  }
  /// Gives back the room that append() did not use.
  void shrink() {
    if (size_ == capacity_)
      return;
    if (size_ == 0)
      return reset();
    if (void *items =
            std::realloc(static_cast<void *>(items_), bytes_of(size_)))
      items_ = static_cast<T *>(items);
    from_->give_back(bytes_of(capacity_ - size_));
    capacity_ = size_;
  }
  void reset() {
    if (capacity_) {
      std::free(static_cast<void *>(items_));
      from_->give_back(bytes_of(capacity_));
    }
    items_ = nullptr;
    size_ = capacity_ = 0;
  }

  index_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t bytes() const { return bytes_of(capacity_); }
  T *begin() { return items_; }
  T *end() { return items_ + size_; }
  const T *begin() const { return items_; }
  const T *end() const { return items_ + size_; }
  T &operator[](index_t k) { return items_[k]; }
  const T &operator[](index_t k) const { return items_[k]; }
  T &back() { return items_[size_ - 1]; }
  const T &back() const { return items_[size_ - 1]; }

  void swap(host_array &o) noexcept {
    std::swap(from_, o.from_);
    std::swap(items_, o.items_);
    std::swap(size_, o.size_);
    std::swap(capacity_, o.capacity_);
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
    return grow(capacity_ + std::max(capacity_ / 2, least)) ||
           grow(capacity_ + std::max(capacity_ / 16, least));
  }
  /// Changes the capacity. The budget is charged for both sizes meanwhile,
  /// since the allocator may have two copies while it moves the items.
  bool grow(index_t capacity) {
    if (!fits(capacity) || !from_->take(bytes_of(capacity)))
      return false;
    void *items = std::realloc(static_cast<void *>(items_), bytes_of(capacity));
    from_->give_back(bytes_of(items ? capacity_ : capacity));
    if (!items)
      return false;
    items_ = static_cast<T *>(items);
    capacity_ = capacity;
    return true;
  }

  host_scratch *from_ = nullptr;
  T *items_ = nullptr;
  index_t size_ = 0, capacity_ = 0;
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
    return words_.allocate(from, (size + 63) / 64);
  }
  bool operator[](index_t k) const { return words_[k / 64] >> (k % 64) & 1; }
  void set(index_t k) { words_[k / 64] |= std::uint64_t(1) << (k % 64); }
  std::size_t bytes() const { return words_.bytes(); }

private:
  host_array<std::uint64_t> words_;
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_HOST_MEMORY_HPP
