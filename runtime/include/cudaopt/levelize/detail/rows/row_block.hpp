// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How a warp executes a block of up to 32 rows in the loop's own order
/// (loop_order), where rows may wait for rows of the same block.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_BLOCK_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_BLOCK_HPP

#include "cudaopt/levelize/detail/rows/row_cells.hpp"
#include "cudaopt/levelize/detail/rows/row_order.hpp"
#include "cudaopt/levelize/detail/rows/row_run.hpp"
#include "cudaopt/levelize/detail/rows/row_slots.hpp"
#include "cudaopt/levelize/detail/rows/row_value.hpp"
#include "cudaopt/levelize/detail/strategies/watchdog.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Lane r has row r. All lanes fill slots for all rows; each lane folds its own
/// in order, as far as there are values. Who waits polls cells; values of rows
/// of the same warp come by shuffles. No lane ever waits for another inside a
/// branch: all polls are steps of one loop that the warp runs together.
template <class Loop> class row_block {
  using T = typename Loop::value_type;
  using terms = terms_of<Loop>;
  using term = typename terms::type;
  using pivots = pivots_of<Loop>;
  using sum_type = decltype(std::declval<const Loop &>().start(index_t()));
  using slots = row_slots<Loop>;
  using cells = row_cells<T>;
  using raw = typename cells::raw;
  static constexpr unsigned batch = 2; ///< Loads of a lane in flight at a time.
  static constexpr unsigned folds = 4; ///< Terms taken from slots at a time.

public:
  __device__ row_block(const Loop &loop, const loop_order &order,
                       const row_run &run, const slots &s, const cells &c)
      : loop_(loop), order_(order), run_(run), slots_(s), cells_(c),
        lane_(threadIdx.x % 32) {}

  /// Executes the rows of \p block. Returns false if the watchdog ended it.
  __device__ bool execute(index_t block) {
    begin(order_.rows(block, run_.positions));
    const bool is_row = !done_;
    const watchdog dog{&run_.control->watch, run_.limit_ns};
    spin_backoff wait(dog);
    while (true) {
      settle();
      if (unsigned empty =
              __ballot_sync(full_warp, !done_ && next_ == count_)) {
        fill(empty);
        continue;
      }
      if (__all_sync(full_warp, done_))
        break;
      if (!await(wait))
        return false;
    }
    if (is_row && run_.writes_through)
      loop_.x.data[slots_.at(lane_).row] = result_;
    return true;
  }

private:
  __device__ void begin(loop_order::range rows) {
    first_ = rows.begin;
    own_ = loop_.row(first_);
    const index_t mine = first_ + lane_;
    done_ = mine >= rows.end;
    next_ = count_ = pending_ = 0;
    is_settled_ = is_last_ = is_whole_ = is_outside_ = false;
    wait_bit_ = source_lane_ = 0;
    from_ = -1;
    __syncwarp(); // All lanes are done with the rows before.
    if (!done_) {
      const index_t row = loop_.row(mine), k = loop_.begin(row),
                    end = loop_.end(row);
      slots_.at(lane_) = {k, end, 0, row};
      is_whole_ = k >= end;
      sum_ = loop_.start(row);
      pivot_ = pivots::load(loop_, row);
    }
    is_settled_ = done_;
    __syncwarp();
  }

  /// Folds \p v as the term in slot \p p.
  __device__ void fold(unsigned p, T v, term t) {
    const auto &at = slots_.at(lane_);
    sum_ = terms::step(loop_, at.row, at.next - count_ + p, v, sum_, t);
  }

  /// Folds the values that this lane has, in order, and then finds the source
  /// of the next one. Afterwards the lane's row is done, or all its slots are
  /// folded, or it waits for From.
  __device__ void settle() {
    if (done_ || is_settled_)
      return;
    const unsigned waiting = next_ < 32 ? pending_ >> next_ : 0;
    unsigned run = waiting ? __ffs(waiting) - 1 : count_ - next_;
    while (run > 0) {
      T v[folds];
      term t[folds];
#pragma unroll
      for (unsigned u = 0; u < folds; ++u)
        if (u < run) {
          v[u] = slots_.value(next_ + u, lane_);
          t[u] = slots_.get_term(next_ + u, lane_);
        }
#pragma unroll
      for (unsigned u = 0; u < folds; ++u)
        if (u < run)
          fold(next_ + u, v[u], t[u]);
      const unsigned done = run < folds ? run : folds;
      next_ += done;
      run -= done;
    }
    if (next_ < count_)
      look();
    else if (is_whole_)
      finish();
  }

  /// Finds out what slot Next waits for: a lane of this warp or a cell.
  __device__ void look() {
    from_ = slots_.source(next_, lane_);
    next_term_ = slots_.get_term(next_, lane_);
    is_outside_ = from_ < first_;
    source_lane_ = unsigned(from_ - first_) & 31;
    wait_bit_ = is_outside_ ? 0 : 1u << source_lane_;
    is_last_ = is_whole_ && next_ + 1 == count_;
    is_settled_ = true;
  }

  __device__ void finish() {
    result_ = pivots::finish(loop_, slots_.at(lane_).row, sum_, pivot_);
    cells_.store(first_ + lane_, result_);
    done_ = is_settled_ = true;
  }

  /// Folds \p v, the value that slot Next waited for.
  __device__ void arrive(T v) {
    fold(next_, v, next_term_);
    ++next_;
    wait_bit_ = 0;
    is_outside_ = false;
    if (is_last_) {
      finish();
      return;
    }
    if (next_ < count_ && (pending_ >> next_ & 1))
      look();
    else
      is_settled_ = false;
  }

  /// Polls until some lane is to be settled, or all are done. On entry all
  /// lanes are done or settled. Returns false if the watchdog ended it.
  __device__ bool await(spin_backoff &wait) {
    while (true) {
      const bool outside = is_outside_;
      raw r;
      if (outside)
        r = cells_.load(from_);
      forward(__any_sync(full_warp, outside) ? 2 : 32);
      if (outside && cells_.is_ready(r))
        arrive(cells::value(r));
      const bool is_over = wait.is_over();
      if (__any_sync(full_warp, !is_settled_ || is_over))
        return !__any_sync(full_warp, is_over);
      if (__all_sync(full_warp, done_))
        return true;
    }
  }

  /// Hands results from lane to lane, at most \p hops times.
  __device__ void forward(int hops) {
    unsigned done = __ballot_sync(full_warp, done_), before = 0;
    for (; hops && done != before; --hops) {
      const T v = __shfl_sync(full_warp, result_, source_lane_);
      if (done & wait_bit_)
        arrive(v);
      before = done;
      done = __ballot_sync(full_warp, done_);
    }
  }

  /// Loads the next terms of the rows in the mask \p wanted: 1 << slot_bits
  /// lanes a row, so that neighbours read neighbouring terms.
  __device__ void fill(unsigned wanted) {
    const unsigned bits = run_.slot_bits, size = 1u << bits;
    const unsigned rows = 32u >> bits; // Rows of a pass.
    if constexpr (std::is_arithmetic_v<sum_type>)
      stream_rows(wanted);
    const bool is_mine = wanted >> lane_ & 1;
    unsigned count = 0;
    if (is_mine) {
      const auto &at = slots_.at(lane_);
      const index_t left = at.end - at.next;
      count = left < index_t(size) ? unsigned(left) : size;
      is_whole_ = left <= index_t(size);
      count_ = count;
      next_ = pending_ = 0;
      is_settled_ = false;
    }
    __syncwarp(); // All lanes have folded what the slots held.
    for (unsigned pass = 0; pass < size; pass += batch)
      if (wanted >> (pass * rows) & ((1u << batch * rows) - 1))
        load(pass, bits, count);
    __syncwarp();
    if (is_mine)
      slots_.at(lane_).next += count;
    __syncwarp();
  }

  /// Loads the terms of the rows of `batch` passes from \p pass on. \p count is
  /// the number of this lane's own terms to load.
  __device__ void load(unsigned pass, unsigned bits, unsigned count) {
    const unsigned size = 1u << bits, p = lane_ & (size - 1);
    const unsigned ours = size == 32 ? full_warp : (1u << size) - 1;
    index_t from[batch];
    bool valid[batch];
    term t[batch];
    row_value<Loop> found[batch];
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      const unsigned row = ((pass + u) << (5 - bits)) + (lane_ >> bits);
      valid[u] = p < __shfl_sync(full_warp, count, row);
      from[u] = first_;
      if (valid[u]) {
        const index_t k = slots_.at(row).next + p;
        from[u] = order_.source(loop_, first_ + row, k);
        t[u] = terms::load(loop_, k);
      }
    }
#pragma unroll
    for (unsigned u = 0; u < batch; ++u)
      found[u] = fetch(from[u]);
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      const unsigned row = ((pass + u) << (5 - bits)) + (lane_ >> bits);
      bool is_ready = true;
      if (valid[u]) {
        is_ready = from[u] < first_ && found[u].is_ready(cells_, from[u]);
        if (is_ready)
          slots_.set_value(p, row, found[u].get(from[u]));
        else
          slots_.set_source(p, row, from[u]);
        slots_.set_term(p, row, t[u]);
      }
      const unsigned waiting = __ballot_sync(full_warp, !is_ready);
      if (lane_ >> (5 - bits) == pass + u)
        pending_ |= waiting >> ((lane_ & ((32u >> bits) - 1)) << bits) & ours;
    }
  }

  /// Starts the loads of the value that \p from names.
  __device__ row_value<Loop> fetch(index_t from) const {
    return {loop_, cells_, from, first_, own_};
  }

  /// Folds long rows, which have more than four fillings of their slots left,
  /// by stream_row().
  __device__ void stream_rows(unsigned wanted) {
    const auto &mine = slots_.at(lane_);
    const bool is_long = (wanted >> lane_ & 1) &&
                         mine.end - mine.next > index_t(4) << run_.slot_bits;
    for (unsigned rows = __ballot_sync(full_warp, is_long); rows;
         rows &= rows - 1)
      stream_row(__ffs(rows) - 1);
  }

  /// Folds the row of lane \p r up to its first missing value, 32 terms at a
  /// time: each lane loads one term, all lanes add all of them in order, and
  /// the next 32 are loaded meanwhile.
  __device__ void stream_row(unsigned r) {
    const auto at = slots_.at(r);
    const unsigned done = __ballot_sync(full_warp, done_);
    const unsigned stage = 1u << run_.slot_bits; // The slot after the last.
    sum_type sum = __shfl_sync(full_warp, sum_, r);
    index_t k = at.next, from = source_of(at, r, k + lane_);
    index_t next = source_of(at, r, k + 32 + lane_);
    term t{}, coming{};
    row_value<Loop> found = fetch(from);
    if (k + lane_ < at.end)
      t = terms::load(loop_, k + lane_);
    while (k < at.end) {
      const unsigned lane = unsigned(from - first_) & 31;
      const T own = __shfl_sync(full_warp, result_, lane);
      const bool is_inside = from >= first_;
      const bool is_ready =
          k + lane_ < at.end &&
          (is_inside ? (done >> lane & 1) != 0 : found.is_ready(cells_, from));
      if (is_ready) {
        slots_.set_value(stage, lane_, is_inside ? own : found.get(from));
        slots_.set_term(stage, lane_, t);
      }
      __syncwarp();
      const unsigned missing = ~__ballot_sync(full_warp, is_ready);
      const unsigned count = missing ? __ffs(missing) - 1 : 32;
      from = next;
      found = fetch(from);
      if (k + 32 + lane_ < at.end)
        coming = terms::load(loop_, k + 32 + lane_);
      next = source_of(at, r, k + 64 + lane_);
#pragma unroll 2
      for (unsigned u = 0; u < count; ++u)
        sum = terms::step(loop_, at.row, k + u, slots_.value(stage, u), sum,
                          slots_.get_term(stage, u));
      __syncwarp();
      t = coming;
      k += count;
      if (count < 32)
        break;
    }
    if (lane_ == r) {
      slots_.at(r).next = k;
      sum_ = sum;
    }
    __syncwarp();
  }

  __device__ index_t source_of(const typename slots::place &at, unsigned r,
                               index_t k) const {
    return k < at.end ? order_.source(loop_, first_ + r, k) : first_;
  }

  const Loop &loop_;
  const loop_order &order_;
  const row_run &run_;
  const slots &slots_;
  const cells &cells_;
  const unsigned lane_;

  index_t first_;         ///< The position of lane 0's row.
  index_t own_;           ///< The number of that row.
  index_t from_;          ///< The position that slot Next waits for.
  unsigned next_, count_; ///< Slots [Next, Count) are not yet folded.
  unsigned pending_; ///< Slots that had no value yet; those before Next do not
                     ///< count.
  sum_type sum_;
  typename pivots::type pivot_;
  T result_;
  term next_term_; ///< The term() of slot Next.
  unsigned
      source_lane_;   ///< The lane that has row From, if one of the warp has.
  unsigned wait_bit_; ///< That lane's bit, if this lane waits for it; else 0.
  bool is_outside_;   ///< This lane waits for From, a row of another block.
  bool is_settled_;   ///< Done, or the members that depend on Next are right.
  bool is_last_;      ///< After slot Next, the row is done.
  bool is_whole_;     ///< The row has no terms after those in slots.
  bool done_;         ///< The row's result is stored, or there is no row.
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_BLOCK_HPP
