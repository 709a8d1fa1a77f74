// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cells through which rows hand their values on. A cell holds a value and
/// the epoch (the number of the execution) that it belongs to, and is read and
/// written as one: who sees the epoch sees the value, without a fence. Cells
/// need no clearing between executions.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_CELLS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_CELLS_HPP

#include "cudaopt/levelize/detail/strategies/watchdog.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// What all blocks of a kernel share. Cells of all rows are written in each
/// execution, so that an epoch needs only to differ from the one before.
struct row_control {
  std::uint64_t next;     ///< The first block of rows that no warp has claimed.
  std::uint32_t finished; ///< Blocks of the grid that claim no more.
  std::uint32_t epoch;    ///< The epoch of this execution.
  watch_state watch;
};

/// The cells of values of type \p T: 8 bytes for at most 4 bytes, of which the
/// upper half is the epoch; 16 bytes for 8 bytes.
template <class T, bool Wide = (sizeof(T) > 4)> class row_cells {
public:
  static constexpr std::size_t cell_bytes = 8;
  using raw = std::uint64_t;

  __device__ row_cells(void *cells, std::uint32_t epoch)
      : cells_(static_cast<raw *>(cells)), epoch_(epoch) {}
  __device__ raw load(index_t j) const { return load_bits(cells_ + j); }
  __device__ bool is_ready(raw r) const {
    return std::uint32_t(r >> 32) == epoch_;
  }
  __device__ static T value(raw r) { return bit_cast<T>(bits_of<T>(r)); }
  /// What load() gives of a cell that holds \p v.
  __device__ raw ready(T v) const {
    return raw(epoch_) << 32 | raw(bit_cast<bits_of<T>>(v));
  }
  __device__ void store(index_t j, T v) const {
    store_bits(cells_ + j, ready(v));
  }

private:
  raw *cells_;
  std::uint32_t epoch_;
};

template <class T> class row_cells<T, true> {
public:
  static constexpr std::size_t cell_bytes = 16;
  using raw = cell;

  __device__ row_cells(void *cells, std::uint32_t epoch)
      : cells_(static_cast<cell *>(cells)), epoch_(epoch) {}
  __device__ raw load(index_t j) const { return load_cell(cells_ + j); }
  __device__ bool is_ready(const raw &r) const { return r.epoch == epoch_; }
  __device__ static T value(const raw &r) { return bit_cast<T>(r.value); }
  __device__ raw ready(T v) const {
    return {bit_cast<std::uint64_t>(v), epoch_};
  }
  __device__ void store(index_t j, T v) const {
    store_cell(cells_ + j, ready(v));
  }

private:
  cell *cells_;
  std::uint64_t epoch_;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_CELLS_HPP
