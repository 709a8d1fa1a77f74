// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How a warp executes a block of rows of one level (row_level_order): up to 32
/// short rows, or one long row.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_WAVE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_WAVE_HPP

#include "cudaopt/levelize/detail/rows/row_cells.hpp"
#include "cudaopt/levelize/detail/rows/row_order.hpp"
#include "cudaopt/levelize/detail/rows/row_run.hpp"
#include "cudaopt/levelize/detail/rows/row_slots.hpp"
#include "cudaopt/levelize/detail/rows/row_value.hpp"
#include "cudaopt/levelize/detail/strategies/watchdog.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// A block of up to 32 short rows, a lane each, or of one row, whose terms all
/// lanes have. No row waits for another of its block, so that the warp goes
/// through one sequence: all terms are read; the block waits until its level is
/// near; cells that are still missing are polled, all at a time; and then
/// nothing is between the last value's arrival and the rows' own cells but the
/// additions that the loop's order puts after it.
///
/// Slot (p, r) is written and polled by lane r. It is the term p of row r, or
/// the term 32 p + r of the one row.
template <class Loop> class row_wave {
  using T = typename Loop::value_type;
  using terms = terms_of<Loop>;
  using term = typename terms::type;
  using pivots = pivots_of<Loop>;
  using sum_type = decltype(std::declval<const Loop &>().start(index_t()));
  using slots = row_slots<Loop>;
  using cells = row_cells<T>;
  using raw = typename cells::raw;
  static constexpr unsigned batch = 4; ///< Loads of a lane in flight at a time.
  static constexpr unsigned many = 6;  ///< Cells that a lane polls at a time.
  static constexpr unsigned folds = 8; ///< Terms taken from slots at a time.
  static constexpr int steps = 4; ///< The same where lanes have other numbers.

public:
  __device__ row_wave(const Loop &loop, const row_level_order &order,
                      const row_run &run, const slots &s, const cells &c)
      : loop_(loop), order_(order), run_(run), slots_(s), cells_(c),
        lane_(threadIdx.x % 32) {}

  /// Executes the rows of \p block. Returns false if the watchdog ended it.
  __device__ bool execute(index_t block) {
    first_ = std::int32_t(order_.starts[block]);
    const unsigned rows = order_.starts[block + 1] - unsigned(first_);
    const watchdog dog{&run_.control->watch, run_.limit_ns};
    spin_backoff wait(dog);
    const bool is_row = begin(rows);
    for (bool is_first = true; left_ > 0 || is_first; is_first = false)
      if (!execute_slots(rows,
                         is_first ? order_.level_gates[block] : order_.no_gate,
                         wait))
        return false;
    if (is_row) {
      const T result = pivots::finish(loop_, row_, sum_, pivot_);
      cells_.store(first_ + (rows == 1 ? 0 : lane_), result);
      if (run_.writes_through)
        loop_.x.data[row_] = result;
    }
    __syncwarp(); // All lanes are done with the slots.
    return true;
  }

private:
  /// Sets up the state of a block of \p rows rows. Returns true if this lane
  /// stores a row's result: its own, or, for a block of one row, lane 0.
  __device__ bool begin(unsigned rows) {
    own_ = loop_.row(order_.iteration(first_));
    const bool has_row = rows == 1 || lane_ < rows;
    left_ = next_ = 0;
    if (has_row) {
      const index_t s = first_ + (rows == 1 ? 0 : lane_);
      const index_t offset = order_.offsets[s];
      row_ = loop_.row(order_.iteration(s));
      left_ = order_.offsets[s + 1] - offset;
      term_ = loop_.begin(row_);
      slots_.at(lane_) = {term_, term_ + left_, offset - term_, row_};
      sum_ = loop_.start(row_);
      pivot_ = pivots::load(loop_, row_);
    }
    __syncwarp();
    return rows == 1 ? lane_ == 0 : has_row;
  }

  /// Folds all terms of several rows, or as many of one row as there are slots.
  /// Both cases share the code that polls, waits and folds, so that it stays in
  /// the instruction cache. Returns false if the watchdog ended it.
  __device__ bool execute_slots(unsigned rows, std::uint32_t gate,
                                spin_backoff &wait) {
    const bool is_one = rows == 1;
    const index_t room = is_one ? index_t(run_.slots) * 32 : left_;
    term_ += next_;
    count_ = unsigned(left_ < room ? left_ : room);
    left_ -= count_;
    next_ = pending_ = 0;
    __syncwarp(); // All lanes have folded what the slots held.
    if (is_one)
      fill_one();
    else
      fill_many();
    for (bool is_first = true;; is_first = false) {
      if (is_one)
        fold_all();
      else
        fold_own();
      if (is_first && !await_gate(gate, wait))
        return false;
      if (!misses(is_first ? 1 : many))
        break;
      poll();
      if (__any_sync(full_warp, wait.is_over()))
        return false;
    }
    if (misses(0)) {
      const unsigned count = count_ - next_;
      const unsigned most = warp_max(count);
      if (!await_last(wait))
        return false;
      if (is_one)
        fold_all();
      else
        fold_together(count, most);
    }
    return true;
  }

  /// Loads the terms of \p rows rows, 1 << slot_bits lanes a row, so that
  /// neighbours read neighbouring terms.
  __device__ void fill_many() {
    const unsigned bits = run_.slot_bits, a_pass = 32u >> bits;
    const unsigned rows = 32 - __clz(__ballot_sync(full_warp, count_ != 0));
#pragma unroll 1
    for (unsigned row = 0; row < rows; row += batch * a_pass)
      load_many(row, bits);
#pragma unroll 1
    for (unsigned row = 0; row < rows; row += batch * a_pass)
      look_up_many(row, bits);
    __syncwarp();
  }
  /// Loads the sources of the next `batch` passes of rows, from row \p first
  /// on, into their slots.
  __device__ void load_many(unsigned first, unsigned bits) const {
    const unsigned p = lane_ & ((1u << bits) - 1), a_pass = 32u >> bits;
    std::int32_t from[batch];
    bool valid[batch];
    term t[batch];
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      const unsigned row = first + u * a_pass + (lane_ >> bits);
      valid[u] = p < __shfl_sync(full_warp, count_, row & 31) && row < 32;
      from[u] = 0;
      t[u] = term();
      if (valid[u]) {
        const auto &at = slots_.at(row);
        const index_t k = at.next + p;
        from[u] = order_.sources[at.base + k];
        t[u] = terms::load(loop_, k);
      }
    }
#pragma unroll
    for (unsigned u = 0; u < batch; ++u)
      if (valid[u]) {
        const unsigned row = first + u * a_pass + (lane_ >> bits);
        slots_.set_source(p, row, from[u]);
        slots_.set_term(p, row, t[u]);
      }
  }
  /// Replaces sources in slots by the values that they name, as far as those
  /// are ready; the others become bits of Pending.
  __device__ void look_up_many(unsigned first, unsigned bits) {
    const unsigned p = lane_ & ((1u << bits) - 1), a_pass = 32u >> bits;
    const unsigned ours = bits == 5 ? full_warp : (1u << (1u << bits)) - 1;
    std::int32_t from[batch];
    bool valid[batch];
    row_value<Loop> found[batch];
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      const unsigned row = first + u * a_pass + (lane_ >> bits);
      valid[u] = p < __shfl_sync(full_warp, count_, row & 31) && row < 32;
      from[u] = valid[u] ? std::int32_t(slots_.source(p, row)) : first_;
    }
#pragma unroll
    for (unsigned u = 0; u < batch; ++u)
      found[u] = fetch(from[u]);
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      const unsigned row = first + u * a_pass + (lane_ >> bits);
      const bool is_ready = found[u].is_ready(cells_, from[u]);
      if (valid[u] && is_ready)
        slots_.set_value(p, row, found[u].get(from[u]));
      const unsigned waiting = __ballot_sync(full_warp, valid[u] && !is_ready);
      if ((lane_ - first - u * a_pass) < a_pass)
        pending_ = waiting >> ((lane_ & (a_pass - 1)) << bits) & ours;
    }
  }

  /// Loads Count terms of the one row from Term on.
  __device__ void fill_one() {
    const index_t base = slots_.at(lane_).base;
#pragma unroll 1
    for (unsigned first = 0; first * 32 < count_; first += batch) {
      std::int32_t from[batch];
      term t[batch];
      row_value<Loop> found[batch];
#pragma unroll
      for (unsigned u = 0; u < batch; ++u) {
        const unsigned q = (first + u) * 32 + lane_;
        from[u] = first_;
        if (q < count_) {
          from[u] = order_.sources[base + term_ + q];
          t[u] = terms::load(loop_, term_ + q);
        }
      }
#pragma unroll
      for (unsigned u = 0; u < batch; ++u)
        found[u] = fetch(from[u]);
#pragma unroll
      for (unsigned u = 0; u < batch; ++u)
        if ((first + u) * 32 + lane_ < count_ &&
            !take(first + u, lane_, from[u], found[u], t[u]))
          pending_ |= 1u << (first + u);
    }
    __syncwarp();
  }

  /// Starts the loads of the value that \p from names.
  __device__ row_value<Loop> fetch(std::int32_t from) const {
    return {loop_, cells_, from, first_, own_};
  }
  /// Fills slot (\p p, \p r) and returns true if \p found is ready; otherwise
  /// the slot holds the position to poll.
  __device__ bool take(unsigned p, unsigned r, std::int32_t from,
                       const row_value<Loop> &found, term t) const {
    const bool is_ready = found.is_ready(cells_, from);
    if (is_ready)
      slots_.set_value(p, r, found.get(from));
    else
      slots_.set_source(p, r, from);
    slots_.set_term(p, r, t);
    return is_ready;
  }

  /// Waits for the block's gate, a row a few levels before: a warp that polled
  /// all its missing sources for longer would take bandwidth from those whose
  /// sources are due. Returns false if the watchdog ended it.
  __device__ bool await_gate(std::uint32_t gate, spin_backoff &wait) const {
    if (gate == row_level_order::no_gate ||
        !__any_sync(full_warp, pending_ != 0))
      return true;
    while (!__any_sync(full_warp, cells_.is_ready(cells_.load(index_t(gate)))))
      if (__any_sync(full_warp, wait.is_over()))
        return false;
    return true;
  }

  /// Returns true if some lane misses more than \p most terms.
  __device__ bool misses(unsigned most) const {
    return __any_sync(full_warp, unsigned(__popc(pending_)) > most);
  }
  /// A missing term that a lane polls.
  struct wanted {
    unsigned bit;      ///< Its bit of Pending; 0 if there is no such term.
    unsigned at;       ///< The index of its slot.
    std::int32_t from; ///< The position whose cell is polled.
  };
  /// Takes the lowest bit of \p left. If there is none, repeats the cell of
  /// \p other, since all lanes load equally many.
  __device__ wanted take_next(unsigned &left, const wanted &other) const {
    const unsigned bit = left & (0u - left);
    left ^= bit;
    if (!bit)
      return {0, other.at, other.from};
    const unsigned p = __ffs(bit) - 1;
    return {bit, slots::index(p, lane_), std::int32_t(slots_.source(p, lane_))};
  }
  /// A cell and a slot that this lane may load and write without harm.
  __device__ wanted nothing_wanted() const {
    return {0, slots::index(run_.slots, lane_), first_};
  }

  /// Looks once at all cells that this lane misses.
  __device__ void poll() {
    for (unsigned left = pending_; __any_sync(full_warp, left != 0);) {
      wanted w[many];
      raw r[many];
#pragma unroll
      for (unsigned u = 0; u < many; ++u)
        w[u] = take_next(left, nothing_wanted());
#pragma unroll
      for (unsigned u = 0; u < many; ++u)
        r[u] = cells_.load(w[u].from);
#pragma unroll
      for (unsigned u = 0; u < many; ++u)
        if (w[u].bit && cells_.is_ready(r[u])) {
          slots_.set_value(w[u].at, cells::value(r[u]));
          pending_ ^= w[u].bit;
        }
    }
  }

  /// Waits for the last terms, of which no lane misses more than `many`. False
  /// if the watchdog ended it.
  __device__ bool await_last(spin_backoff &wait) {
    if (misses(4))
      return await_cells<many>(wait);
    if (misses(2))
      return await_cells<4>(wait);
    return misses(1) ? await_cells<2>(wait) : await_cells<1>(wait);
  }
  /// Waits for at most \p Most cells a lane. The loop does nothing but load and
  /// compare: all addresses are computed before it, and values are written only
  /// when all are ready, so that the time from the last value's arrival on is
  /// short. A lane that misses fewer polls one cell several times.
  template <unsigned Most> __device__ bool await_cells(spin_backoff &wait) {
    if (!misses(0))
      return true;
    unsigned left = pending_;
    wanted w[Most];
#pragma unroll
    for (unsigned u = 0; u < Most; ++u)
      w[u] = take_next(left, u ? w[u ? u - 1 : 0] : nothing_wanted());
    const bool misses_none = pending_ == 0;
    pending_ = 0;
    while (true) {
      raw r[Most];
#pragma unroll
      for (unsigned u = 0; u < Most; ++u)
        r[u] = cells_.load(w[u].from);
      bool is_ready = true;
#pragma unroll
      for (unsigned u = 0; u < Most; ++u)
        is_ready &= cells_.is_ready(r[u]);
      if (__all_sync(full_warp, is_ready || misses_none)) {
#pragma unroll
        for (unsigned u = 0; u < Most; ++u)
          slots_.set_value(w[u].at, cells::value(r[u]));
        return true;
      }
      if (__any_sync(full_warp, wait.is_over()))
        return false;
    }
  }

  /// Folds this lane's row up to the first missing value.
  __device__ void fold_own() {
    const unsigned missing = next_ < 32 ? pending_ >> next_ : 0;
    const unsigned end = missing ? next_ + __ffs(missing) - 1 : count_;
    const unsigned count = end - next_;
    fold_together(count, warp_max(count));
  }
  /// Folds the next \p count terms of this lane's row. All lanes go \p most
  /// steps, as far as one of them does: lanes that leave a loop each when they
  /// are done would go one after the other.
  __device__ void fold_together(unsigned count, unsigned most) {
    if constexpr (!slots::has_terms) {
      if (count)
        fold<slots::pitch>(slots::index(next_, lane_), term_ + next_, count);
    } else if (most) {
      unsigned at = slots::index(next_, lane_);
      index_t k = term_ + next_;
      int left = int(count);
      ahead now = read(at, left);
#pragma unroll 1
      for (int all = int(most); all > 0; all -= 2 * steps) {
        const ahead next = read(at + steps * slots::pitch, left - steps);
        add(k, now, left);
        at += 2 * steps * slots::pitch;
        now = read(at, left - 2 * steps);
        add(k + steps, next, left - steps);
        k += 2 * steps;
        left -= 2 * steps;
      }
    }
    next_ += count;
  }
  /// Terms that are loaded while those before them are added.
  struct ahead {
    T v[steps];
    term t[steps];
  };
  __device__ ahead read(unsigned at, int left) const {
    ahead a;
#pragma unroll
    for (int u = 0; u < steps; ++u) {
      a.v[u] = T();
      a.t[u] = term();
      if (u < left) {
        a.v[u] = slots_.value(at + unsigned(u) * slots::pitch);
        a.t[u] = slots_.get_term(at + unsigned(u) * slots::pitch);
      }
    }
    return a;
  }
  __device__ void add(index_t k, const ahead &a, int left) {
#pragma unroll
    for (int u = 0; u < steps; ++u)
      if (u < left)
        sum_ = terms::step(loop_, row_, k + u, a.v[u], sum_, a.t[u]);
  }
  /// Folds the block's only row up to the first missing value. All lanes
  /// compute the same sum, so that each has it.
  __device__ void fold_all() {
    __syncwarp(); // The slots that other lanes filled are visible.
    const unsigned mine =
        pending_ ? (__ffs(pending_) - 1) * 32 + lane_ : count_;
    const unsigned end = warp_min(mine);
    while (next_ < end) {
      const unsigned stop = min(end, (next_ / 32 + 1) * 32);
      fold<1>(slots::index(next_ / 32, next_ % 32), term_ + next_,
              stop - next_);
      next_ = stop;
    }
  }
  /// Folds \p count terms, the first of which is term \p k of the loop and has
  /// the slot with index \p at; slots are \p Stride apart.
  template <unsigned Stride>
  __device__ void fold(unsigned at, index_t k, unsigned count) {
#pragma unroll 1
    for (; count >= folds; count -= folds) {
      add<folds, Stride>(at, k);
      at += folds * Stride;
      k += folds;
    }
    if (count & 4) {
      add<4, Stride>(at, k);
      at += 4 * Stride;
      k += 4;
    }
    if (count & 2) {
      add<2, Stride>(at, k);
      at += 2 * Stride;
      k += 2;
    }
    if (count & 1)
      add<1, Stride>(at, k);
  }
  template <unsigned Terms, unsigned Stride>
  __device__ void add(unsigned at, index_t k) {
    T v[Terms];
    term t[Terms];
#pragma unroll
    for (unsigned u = 0; u < Terms; ++u) {
      v[u] = slots_.value(at + u * Stride);
      t[u] = slots_.get_term(at + u * Stride);
    }
#pragma unroll
    for (unsigned u = 0; u < Terms; ++u)
      sum_ = terms::step(loop_, row_, k + u, v[u], sum_, t[u]);
  }

  const Loop &loop_;
  const row_level_order &order_;
  const row_run &run_;
  const slots &slots_;
  const cells &cells_;
  const unsigned lane_;

  std::int32_t first_;    ///< The position of the block's first row.
  index_t own_;           ///< The number of that row.
  index_t row_;           ///< The row of this lane, or the only one.
  index_t term_;          ///< The term in slot 0.
  index_t left_;          ///< The number of terms that have not been in slots.
  unsigned next_, count_; ///< Slots [Next, Count) are not yet folded.
  unsigned pending_;      ///< This lane's slots that have no value yet.
  sum_type sum_;
  typename pivots::type pivot_;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_WAVE_HPP
