// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the lanes of a warp share of its 32 rows, in shared memory: terms that
/// wait to be folded into their row's sum, and where the rows' remaining terms
/// are.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_SLOTS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_SLOTS_HPP

#include "cudaopt/levelize/detail/rows/row_parts.hpp"
#include "cudaopt/levelize/detail/support/memory.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Slot p of the row of lane r is written by any lane and folded by lane r. It
/// holds the value of the term's source, or the source's position as long as
/// the value is not there. Rows are one longer than a warp so that lanes that
/// write one row hit different banks. One slot more of all lanes is where 32
/// terms of a long row are staged.
template <class Loop> class row_slots {
public:
  using T = typename Loop::value_type;
  using term = typename terms_of<Loop>::type;
  static constexpr bool has_terms = !std::is_empty_v<term>;
  static constexpr unsigned pitch = 33; ///< Slots (p, 0) to (p + 1, 0).

  /// One row's state. Its terms [next, end) have no slots yet.
  struct place {
    index_t next, end;
    index_t base; ///< In an order by levels, term k has source base + k.
    index_t row;
  };

  /// The shared memory that a warp needs, with \p slots slots a row.
  __host__ __device__ static std::size_t bytes(unsigned slots) {
    std::size_t n = sizeof(std::int64_t);
    if (has_terms)
      n += (sizeof(term) + 7) / 8 * 8;
    return n * (slots + 1) * pitch + 32 * sizeof(place);
  }
  __device__ row_slots(char *memory, unsigned slots)
      : places_(reinterpret_cast<place *>(memory)),
        values_(reinterpret_cast<std::int64_t *>(places_ + 32)),
        terms_(reinterpret_cast<term *>(values_ +
                                        std::size_t(slots + 1) * pitch)) {}

  __device__ place &at(unsigned r) const { return places_[r]; }
  /// The index of slot (p, r), for the three functions after it.
  __device__ static unsigned index(unsigned p, unsigned r) {
    return p * pitch + r;
  }
  __device__ T value(unsigned i) const {
    return bit_cast<T>(bits_of<T>(values_[i]));
  }
  __device__ term get_term(unsigned i) const {
    if constexpr (has_terms)
      return terms_[i];
    else
      return {};
  }
  __device__ void set_value(unsigned i, T v) const {
    values_[i] = std::int64_t(bit_cast<bits_of<T>>(v));
  }
  __device__ index_t source(unsigned p, unsigned r) const {
    return values_[p * pitch + r];
  }
  __device__ void set_source(unsigned p, unsigned r, index_t s) const {
    values_[p * pitch + r] = s;
  }
  __device__ T value(unsigned p, unsigned r) const {
    return value(index(p, r));
  }
  __device__ void set_value(unsigned p, unsigned r, T v) const {
    set_value(index(p, r), v);
  }
  __device__ term get_term(unsigned p, unsigned r) const {
    return get_term(index(p, r));
  }
  __device__ void set_term(unsigned p, unsigned r, term t) const {
    if constexpr (has_terms)
      terms_[p * pitch + r] = t;
  }

private:
  place *places_;
  std::int64_t *values_;
  term *terms_;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_SLOTS_HPP
