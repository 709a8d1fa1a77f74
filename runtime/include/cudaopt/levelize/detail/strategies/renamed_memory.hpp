// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The memory of strategy::renaming: each store of the loop has a cell of its
/// own, as each definition has a name in SSA form. Loads take the cell of the
/// store that they read from, or the array itself if there is none: the arrays
/// do not change while the loop runs. Afterwards write_final_stores() copies
/// the last store of each location to its array.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RENAMED_MEMORY_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RENAMED_MEMORY_HPP

#include "cudaopt/levelize/detail/strategies/store_versions.hpp"
#include "cudaopt/levelize/detail/strategies/watchdog.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// Cells for values of 4 bytes at most: one word holds value and epoch.
struct narrow_cells {
  using bits = std::uint32_t;
  using stored = std::uint64_t;
  stored *at;
  std::uint32_t epoch;

  /// Reads the cell of store \p k. Returns false if the store has not happened
  /// in this execution.
  __device__ bool try_load(std::uint64_t k, bits &value) const {
    const stored c = load_relaxed(at + k);
    value = bits(c);
    return std::uint32_t(c >> 32) == epoch;
  }
  __device__ void store(std::uint64_t k, bits value) const {
    store_relaxed(at + k, stored(epoch) << 32 | value);
  }
};

/// Cells for values of 8 bytes at most.
struct wide_cells {
  using bits = std::uint64_t;
  using stored = cell;
  stored *at;
  std::uint32_t epoch;

  __device__ bool try_load(std::uint64_t k, bits &value) const {
    const stored c = load_cell(at + k);
    value = c.value;
    return c.epoch == epoch;
  }
  __device__ void store(std::uint64_t k, bits value) const {
    store_cell(at + k, {value, epoch});
  }
};

/// What all iterations of an execution share.
template <class Number, class Cells> struct renamed_arrays {
  numbering<Number> entries, stores;
  const Number *of_reads, *of_updates; ///< of_updates null: there are none.
  Cells cells;
};

/// The memory of one iteration, whose first read and store have the numbers
/// `read` and `store`. Loads wait until their source has happened, or until the
/// watchdog ends the execution; then the value is undefined.
template <class Number, class Cells> class renamed_memory {
  using arrays = renamed_arrays<Number, Cells>;
  using bits = typename Cells::bits;

public:
  __device__ renamed_memory(const arrays &all, Number read, Number store,
                            const watchdog &guard)
      : all_(all), read_(read), store_(store), guard_(guard) {}

  template <class T>
  __device__ std::remove_const_t<T> load(const array<T> &a, index_t j) {
    return value_of(a, j, all_.of_reads[read_++]);
  }
  template <class T> __device__ void store(const array<T> &, index_t, T value) {
    if constexpr (fits<T>)
      all_.cells.store(store_, bits(bit_cast<bits_of<T>>(value)));
    ++store_;
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op op, T value) {
    store(a, j, op(value_of(a, j, all_.of_updates[store_]), value));
  }

private:
  /// Loops with other types are not renamed with these cells, but their bodies
  /// are compiled with them.
  template <class T>
  static constexpr bool fits = is_word<T> && sizeof(T) <= sizeof(bits);

  template <class T>
  __device__ std::remove_const_t<T> value_of(const array<T> &a, index_t j,
                                             Number source) {
    using value = std::remove_const_t<T>;
    if constexpr (fits<value>) {
      if (source != no_store<Number>) {
        bits found;
        spin_backoff wait(guard_);
        bool is_complete;
        do
          is_complete = all_.cells.try_load(source, found);
        while (!is_complete && !wait.is_over());
        if (is_complete)
          return bit_cast<value>(bits_of<value>(found));
      }
    }
    return a.data[j];
  }

  const arrays &all_;
  Number read_, store_;
  const watchdog &guard_;
};

/// Copies the final stores to the arrays, once no iteration reads these any
/// more.
template <class Number, class Cells>
__global__ void __launch_bounds__(block_threads)
    write_final_stores(const final_store<Number> *list, index_t size,
                       Cells cells, extents arrays, location_map map) {
  for (index_t k = grid_thread(); k < size; k += grid_threads()) {
    const final_store<Number> f = list[k];
    cells.epoch = 0;
    typename Cells::bits value;
    (void)cells.try_load(f.store, value);
    int a = 0;
    while (std::uint64_t(index_t(f.location) - map.origin[a]) >=
           std::uint64_t(map.size[a]))
      ++a;
    const index_t j = index_t(f.location) - map.origin[a];
    switch (arrays.items[a].element_bytes) {
    case 1:
      static_cast<std::uint8_t *>(arrays.items[a].data)[j] =
          std::uint8_t(value);
      break;
    case 2:
      static_cast<std::uint16_t *>(arrays.items[a].data)[j] =
          std::uint16_t(value);
      break;
    case 4:
      static_cast<std::uint32_t *>(arrays.items[a].data)[j] =
          std::uint32_t(value);
      break;
    default:
      static_cast<std::uint64_t *>(arrays.items[a].data)[j] =
          std::uint64_t(value);
    }
  }
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RENAMED_MEMORY_HPP
