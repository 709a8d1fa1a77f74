// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Rows of one level, executed by a warp.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROW_WAVE_HPP
#define CUDAOPT_LEVELIZE_ROW_WAVE_HPP

#include "cudaopt/levelize/row_cells.hpp"
#include "cudaopt/levelize/row_order.hpp"
#include "cudaopt/levelize/row_run.hpp"
#include "cudaopt/levelize/row_slots.hpp"
#include "cudaopt/levelize/watchdog.hpp"

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
  static constexpr unsigned batch = 4; ///< Loads on their way at a time.
  static constexpr unsigned few = 4;   ///< Cells polled from registers.
  static constexpr unsigned folds = 4; ///< Terms taken from slots at a time.

public:
  __device__ row_wave(const Loop &loop, const row_level_order &order,
                      const row_run &run, const slots &s, const cells &c)
      : L(loop), O(order), Run(run), Slots(s), Cells(c),
        Lane(threadIdx.x % 32) {}

  /// False if the watchdog ended it.
  __device__ bool execute(index_t block) {
    First = O.starts[block];
    const unsigned rows = unsigned(O.starts[block + 1] - First);
    const watchdog dog{&Run.control->stalled, Run.limit_ns};
    patience wait(dog);
    const bool is_row = begin(rows);
    const bool goes_on = rows == 1 ? execute_one(O.gates[block], wait)
                                   : execute_many(O.gates[block], wait, rows);
    if (!goes_on)
      return false;
    if (is_row) {
      const T result = pivots::finish(L, Row, Sum, Pivot);
      Cells.store(First + (rows == 1 ? 0 : Lane), result);
      if (Run.writes_through)
        L.x.data[Row] = result;
    }
    __syncwarp(); // Everybody has left the slots.
    return true;
  }

private:
  /// Whether this lane stores a row.
  __device__ bool begin(unsigned rows) {
    const bool has_row = rows == 1 || Lane < rows;
    Next = Count = Pending = 0;
    if (has_row) {
      const index_t s = First + (rows == 1 ? 0 : Lane);
      const index_t offset = O.offsets[s];
      Row = L.row(O.iteration(s));
      Left = O.offsets[s + 1] - offset;
      Term = L.begin(Row);
      Slots.at(Lane) = {Term, Term + Left, offset - Term, Row};
      Sum = L.start(Row);
      Pivot = pivots::load(L, Row);
    }
    __syncwarp();
    return rows == 1 ? Lane == 0 : has_row;
  }

  __device__ bool execute_many(std::uint32_t gate, patience &wait,
                               unsigned rows) {
    Count = Lane < rows ? unsigned(Left) : 0;
    fill_many(rows);
    fold_own();
    if (!await_gate(gate, wait))
      return false;
    while (__any_sync(full_warp, __popc(Pending) > int(few))) {
      poll();
      fold_own();
      if (__any_sync(full_warp, wait.is_over()))
        return false;
    }
    if (!await_few(wait))
      return false;
    fold_own();
    return true;
  }

  /// As many terms at a time as there are slots.
  __device__ bool execute_one(std::uint32_t gate, patience &wait) {
    for (bool is_first = true; Left > 0 || is_first; is_first = false) {
      const index_t room = index_t(Run.slots) * 32;
      Count = unsigned(Left < room ? Left : room);
      Next = 0;
      fill_one();
      fold_all();
      if (is_first && !await_gate(gate, wait))
        return false;
      while (__any_sync(full_warp, __popc(Pending) > int(few))) {
        poll();
        fold_all();
        if (__any_sync(full_warp, wait.is_over()))
          return false;
      }
      if (!await_few(wait))
        return false;
      fold_all();
      Term += Count;
      Left -= Count;
      if (Left > 0)
        __syncwarp(); // Everybody has folded what the slots held.
    }
    return true;
  }

  /// Loads the terms of \p rows rows, 1 << slot_bits lanes a row, so that
  /// neighbours read neighbouring terms.
  __device__ void fill_many(unsigned rows) {
    const unsigned bits = Run.slot_bits, a_pass = 32u >> bits;
    for (unsigned row = 0; row < rows; row += batch * a_pass)
      load_many(row, bits);
    __syncwarp();
  }
  __device__ void load_many(unsigned first, unsigned bits) {
    const unsigned p = Lane & ((1u << bits) - 1), a_pass = 32u >> bits;
    const unsigned ours = bits == 5 ? full_warp : (1u << (1u << bits)) - 1;
    index_t from[batch];
    bool valid[batch];
    raw r[batch];
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      const unsigned row = first + u * a_pass + (Lane >> bits);
      valid[u] = p < __shfl_sync(full_warp, Count, row & 31) && row < 32;
      if (valid[u]) {
        const auto &at = Slots.at(row);
        const index_t k = at.next + p;
        from[u] = O.sources[at.base + k];
        Slots.set_term(p, row, terms::load(L, k));
      }
    }
#pragma unroll
    for (unsigned u = 0; u < batch; ++u)
      if (valid[u])
        r[u] = fetch(from[u]);
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      const unsigned row = first + u * a_pass + (Lane >> bits);
      bool is_ready = true;
      if (valid[u])
        is_ready = take(p, row, from[u], r[u]);
      const unsigned waiting = __ballot_sync(full_warp, !is_ready);
      if ((Lane - first - u * a_pass) < a_pass)
        Pending = waiting >> ((Lane & (a_pass - 1)) << bits) & ours;
    }
  }

  /// Loads Count terms of the one row from Term on.
  __device__ void fill_one() {
    const index_t base = Slots.at(Lane).base;
    Pending = 0;
    for (unsigned first = 0; first * 32 < Count; first += batch) {
      index_t from[batch];
      raw r[batch];
#pragma unroll
      for (unsigned u = 0; u < batch; ++u) {
        const unsigned q = (first + u) * 32 + Lane;
        if (q < Count) {
          from[u] = O.sources[base + Term + q];
          Slots.set_term(first + u, Lane, terms::load(L, Term + q));
        }
      }
#pragma unroll
      for (unsigned u = 0; u < batch; ++u)
        if ((first + u) * 32 + Lane < Count)
          r[u] = fetch(from[u]);
#pragma unroll
      for (unsigned u = 0; u < batch; ++u)
        if ((first + u) * 32 + Lane < Count &&
            !take(first + u, Lane, from[u], r[u]))
          Pending |= 1u << (first + u);
    }
    __syncwarp();
  }

  /// Starts the load of what \p from names.
  __device__ raw fetch(index_t from) const {
    if (from >= 0)
      return Cells.load(from);
    if constexpr (ignores_old_values<Loop>::value)
      return Cells.ready(T());
    else
      return Cells.ready(L.x.data[~from]);
  }
  /// Whether \p r is a value; else the slot holds what to poll.
  __device__ bool take(unsigned p, unsigned r, index_t from,
                       const raw &found) const {
    const bool is_ready = Cells.is_ready(found);
    if (is_ready)
      Slots.set_value(p, r, cells::value(found));
    else
      Slots.set_source(p, r, from);
    return is_ready;
  }

  /// Waits for a row a few levels before: who polls all that he misses for
  /// longer keeps others from theirs.
  __device__ bool await_gate(std::uint32_t gate, patience &wait) const {
    if (gate == row_level_order::nobody || !__any_sync(full_warp, Pending != 0))
      return true;
    while (!__any_sync(full_warp, Cells.is_ready(Cells.load(gate))))
      if (__any_sync(full_warp, wait.is_over()))
        return false;
    return true;
  }

  /// Looks once at all cells that this lane misses.
  __device__ void poll() {
    for (unsigned left = Pending; __any_sync(full_warp, left != 0);) {
      unsigned bit[few];
      raw r[few];
#pragma unroll
      for (unsigned u = 0; u < few; ++u) {
        bit[u] = left & (0u - left);
        left ^= bit[u];
        if (bit[u])
          r[u] = Cells.load(Slots.source(__ffs(bit[u]) - 1, Lane));
      }
#pragma unroll
      for (unsigned u = 0; u < few; ++u)
        arrive(bit[u], r[u]);
    }
  }
  __device__ void arrive(unsigned bit, const raw &r) {
    if (!(Pending & bit) || !Cells.is_ready(r))
      return;
    Slots.set_value(__ffs(bit) - 1, Lane, cells::value(r));
    Pending ^= bit;
  }

  /// Waits for the last terms; no lane misses more than a few.
  __device__ bool await_few(patience &wait) {
    unsigned bit[few], left = Pending;
    index_t from[few];
#pragma unroll
    for (unsigned u = 0; u < few; ++u) {
      bit[u] = left & (0u - left);
      left ^= bit[u];
      from[u] = bit[u] ? Slots.source(__ffs(bit[u]) - 1, Lane) : 0;
    }
    while (__any_sync(full_warp, Pending != 0)) {
      raw r[few];
#pragma unroll
      for (unsigned u = 0; u < few; ++u)
        if (Pending & bit[u])
          r[u] = Cells.load(from[u]);
#pragma unroll
      for (unsigned u = 0; u < few; ++u)
        arrive(bit[u], r[u]);
      if (__any_sync(full_warp, wait.is_over()))
        return false;
    }
    return true;
  }

  /// Folds this lane's row as far as there are values.
  __device__ void fold_own() {
    const unsigned missing = Next < 32 ? Pending >> Next : 0;
    const unsigned end = missing ? Next + __ffs(missing) - 1 : Count;
    fold(end, [&](unsigned q, T &v, term &t) {
      v = Slots.value(q, Lane);
      t = Slots.get_term(q, Lane);
    });
  }
  /// Folds the one row as far as there are values, by all lanes alike.
  __device__ void fold_all() {
    __syncwarp(); // Values of other lanes are there.
    const unsigned mine = Pending ? (__ffs(Pending) - 1) * 32 + Lane : Count;
    fold(__reduce_min_sync(full_warp, mine), [&](unsigned q, T &v, term &t) {
      v = Slots.value(q / 32, q % 32);
      t = Slots.get_term(q / 32, q % 32);
    });
  }
  /// The next terms are read while those before are added.
  template <class Read> __device__ void fold(unsigned end, Read read) {
    if (Next >= end)
      return;
    const unsigned last = end - 1;
    T v[folds], w[folds];
    term t[folds], s[folds];
#pragma unroll
    for (unsigned u = 0; u < folds; ++u)
      read(min(Next + u, last), v[u], t[u]);
    for (; Next < end; Next += folds) {
#pragma unroll
      for (unsigned u = 0; u < folds; ++u)
        read(min(Next + folds + u, last), w[u], s[u]);
#pragma unroll
      for (unsigned u = 0; u < folds; ++u)
        if (Next + u < end)
          Sum = terms::step(L, Row, Term + Next + u, v[u], Sum, t[u]);
#pragma unroll
      for (unsigned u = 0; u < folds; ++u) {
        v[u] = w[u];
        t[u] = s[u];
      }
    }
    Next = end;
  }

  const Loop &L;
  const row_level_order &O;
  const row_run &Run;
  const slots &Slots;
  const cells &Cells;
  const unsigned Lane;

  index_t First;        ///< Position of the first row.
  index_t Row;          ///< This lane's, or the one.
  index_t Term;         ///< The first in slots.
  index_t Left;         ///< Terms that are not done, those in slots included.
  unsigned Next, Count; ///< Slots [Next, Count) are not yet folded.
  unsigned Pending;     ///< This lane's slots that have no value yet.
  sum_type Sum;
  typename pivots::type Pivot;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_ROW_WAVE_HPP
