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
      : L(loop), O(order), Run(run), Slots(s), Cells(c),
        Lane(threadIdx.x % 32) {}

  /// Executes the rows of \p block. Returns false if the watchdog ended it.
  __device__ bool execute(index_t block) {
    begin(O.rows(block, Run.positions));
    const bool is_row = !Done;
    const watchdog dog{&Run.control->watch, Run.limit_ns};
    spin_backoff wait(dog);
    while (true) {
      settle();
      if (unsigned empty = __ballot_sync(full_warp, !Done && Next == Count)) {
        fill(empty);
        continue;
      }
      if (__all_sync(full_warp, Done))
        break;
      if (!await(wait))
        return false;
    }
    if (is_row && Run.writes_through)
      L.x.data[Slots.at(Lane).row] = Result;
    return true;
  }

private:
  __device__ void begin(loop_order::range rows) {
    First = rows.begin;
    Own = L.row(First);
    const index_t mine = First + Lane;
    Done = mine >= rows.end;
    Next = Count = Pending = 0;
    IsSettled = IsLast = IsWhole = IsOutside = false;
    WaitBit = SourceLane = 0;
    From = -1;
    __syncwarp(); // All lanes are done with the rows before.
    if (!Done) {
      const index_t row = L.row(mine), k = L.begin(row), end = L.end(row);
      Slots.at(Lane) = {k, end, 0, row};
      IsWhole = k >= end;
      Sum = L.start(row);
      Pivot = pivots::load(L, row);
    }
    IsSettled = Done;
    __syncwarp();
  }

  /// Folds \p v as the term in slot \p p.
  __device__ void fold(unsigned p, T v, term t) {
    const auto &at = Slots.at(Lane);
    Sum = terms::step(L, at.row, at.next - Count + p, v, Sum, t);
  }

  /// Folds the values that this lane has, in order, and then finds the source
  /// of the next one. Afterwards the lane's row is done, or all its slots are
  /// folded, or it waits for From.
  __device__ void settle() {
    if (Done || IsSettled)
      return;
    const unsigned waiting = Next < 32 ? Pending >> Next : 0;
    unsigned run = waiting ? __ffs(waiting) - 1 : Count - Next;
    while (run > 0) {
      T v[folds];
      term t[folds];
#pragma unroll
      for (unsigned u = 0; u < folds; ++u)
        if (u < run) {
          v[u] = Slots.value(Next + u, Lane);
          t[u] = Slots.get_term(Next + u, Lane);
        }
#pragma unroll
      for (unsigned u = 0; u < folds; ++u)
        if (u < run)
          fold(Next + u, v[u], t[u]);
      const unsigned done = run < folds ? run : folds;
      Next += done;
      run -= done;
    }
    if (Next < Count)
      look();
    else if (IsWhole)
      finish();
  }

  /// Finds out what slot Next waits for: a lane of this warp or a cell.
  __device__ void look() {
    From = Slots.source(Next, Lane);
    NextTerm = Slots.get_term(Next, Lane);
    IsOutside = From < First;
    SourceLane = unsigned(From - First) & 31;
    WaitBit = IsOutside ? 0 : 1u << SourceLane;
    IsLast = IsWhole && Next + 1 == Count;
    IsSettled = true;
  }

  __device__ void finish() {
    Result = pivots::finish(L, Slots.at(Lane).row, Sum, Pivot);
    Cells.store(First + Lane, Result);
    Done = IsSettled = true;
  }

  /// Folds \p v, the value that slot Next waited for.
  __device__ void arrive(T v) {
    fold(Next, v, NextTerm);
    ++Next;
    WaitBit = 0;
    IsOutside = false;
    if (IsLast) {
      finish();
      return;
    }
    if (Next < Count && (Pending >> Next & 1))
      look();
    else
      IsSettled = false;
  }

  /// Polls until some lane is to be settled, or all are done. On entry all
  /// lanes are done or settled. Returns false if the watchdog ended it.
  __device__ bool await(spin_backoff &wait) {
    while (true) {
      const bool outside = IsOutside;
      raw r;
      if (outside)
        r = Cells.load(From);
      forward(__any_sync(full_warp, outside) ? 2 : 32);
      if (outside && Cells.is_ready(r))
        arrive(cells::value(r));
      const bool is_over = wait.is_over();
      if (__any_sync(full_warp, !IsSettled || is_over))
        return !__any_sync(full_warp, is_over);
      if (__all_sync(full_warp, Done))
        return true;
    }
  }

  /// Hands results from lane to lane, at most \p hops times.
  __device__ void forward(int hops) {
    unsigned done = __ballot_sync(full_warp, Done), before = 0;
    for (; hops && done != before; --hops) {
      const T v = __shfl_sync(full_warp, Result, SourceLane);
      if (done & WaitBit)
        arrive(v);
      before = done;
      done = __ballot_sync(full_warp, Done);
    }
  }

  /// Loads the next terms of the rows in the mask \p wanted: 1 << slot_bits
  /// lanes a row, so that neighbours read neighbouring terms.
  __device__ void fill(unsigned wanted) {
    const unsigned bits = Run.slot_bits, size = 1u << bits;
    const unsigned rows = 32u >> bits; // Rows of a pass.
    if constexpr (std::is_arithmetic_v<sum_type>)
      stream_rows(wanted);
    const bool is_mine = wanted >> Lane & 1;
    unsigned count = 0;
    if (is_mine) {
      const auto &at = Slots.at(Lane);
      const index_t left = at.end - at.next;
      count = left < index_t(size) ? unsigned(left) : size;
      IsWhole = left <= index_t(size);
      Count = count;
      Next = Pending = 0;
      IsSettled = false;
    }
    __syncwarp(); // All lanes have folded what the slots held.
    for (unsigned pass = 0; pass < size; pass += batch)
      if (wanted >> (pass * rows) & ((1u << batch * rows) - 1))
        load(pass, bits, count);
    __syncwarp();
    if (is_mine)
      Slots.at(Lane).next += count;
    __syncwarp();
  }

  /// Loads the terms of the rows of `batch` passes from \p pass on. \p count is
  /// the number of this lane's own terms to load.
  __device__ void load(unsigned pass, unsigned bits, unsigned count) {
    const unsigned size = 1u << bits, p = Lane & (size - 1);
    const unsigned ours = size == 32 ? full_warp : (1u << size) - 1;
    index_t from[batch];
    bool valid[batch];
    term t[batch];
    row_value<Loop> found[batch];
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      const unsigned row = ((pass + u) << (5 - bits)) + (Lane >> bits);
      valid[u] = p < __shfl_sync(full_warp, count, row);
      from[u] = First;
      if (valid[u]) {
        const index_t k = Slots.at(row).next + p;
        from[u] = O.source(L, First + row, k);
        t[u] = terms::load(L, k);
      }
    }
#pragma unroll
    for (unsigned u = 0; u < batch; ++u)
      found[u] = fetch(from[u]);
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      const unsigned row = ((pass + u) << (5 - bits)) + (Lane >> bits);
      bool is_ready = true;
      if (valid[u]) {
        is_ready = from[u] < First && found[u].is_ready(Cells, from[u]);
        if (is_ready)
          Slots.set_value(p, row, found[u].get(from[u]));
        else
          Slots.set_source(p, row, from[u]);
        Slots.set_term(p, row, t[u]);
      }
      const unsigned waiting = __ballot_sync(full_warp, !is_ready);
      if (Lane >> (5 - bits) == pass + u)
        Pending |= waiting >> ((Lane & ((32u >> bits) - 1)) << bits) & ours;
    }
  }

  /// Starts the loads of the value that \p from names.
  __device__ row_value<Loop> fetch(index_t from) const {
    return {L, Cells, from, First, Own};
  }

  /// Folds long rows, which have more than four fillings of their slots left,
  /// by stream_row().
  __device__ void stream_rows(unsigned wanted) {
    const auto &mine = Slots.at(Lane);
    const bool is_long = (wanted >> Lane & 1) &&
                         mine.end - mine.next > index_t(4) << Run.slot_bits;
    for (unsigned rows = __ballot_sync(full_warp, is_long); rows;
         rows &= rows - 1)
      stream_row(__ffs(rows) - 1);
  }

  /// Folds the row of lane \p r up to its first missing value, 32 terms at a
  /// time: each lane loads one term, all lanes add all of them in order, and
  /// the next 32 are loaded meanwhile.
  __device__ void stream_row(unsigned r) {
    const auto at = Slots.at(r);
    const unsigned done = __ballot_sync(full_warp, Done);
    const unsigned stage = 1u << Run.slot_bits; // The slot after the last.
    sum_type sum = __shfl_sync(full_warp, Sum, r);
    index_t k = at.next, from = source_of(at, r, k + Lane);
    index_t next = source_of(at, r, k + 32 + Lane);
    term t{}, coming{};
    row_value<Loop> found = fetch(from);
    if (k + Lane < at.end)
      t = terms::load(L, k + Lane);
    while (k < at.end) {
      const unsigned lane = unsigned(from - First) & 31;
      const T own = __shfl_sync(full_warp, Result, lane);
      const bool is_inside = from >= First;
      const bool is_ready =
          k + Lane < at.end &&
          (is_inside ? (done >> lane & 1) != 0 : found.is_ready(Cells, from));
      if (is_ready) {
        Slots.set_value(stage, Lane, is_inside ? own : found.get(from));
        Slots.set_term(stage, Lane, t);
      }
      __syncwarp();
      const unsigned missing = ~__ballot_sync(full_warp, is_ready);
      const unsigned count = missing ? __ffs(missing) - 1 : 32;
      from = next;
      found = fetch(from);
      if (k + 32 + Lane < at.end)
        coming = terms::load(L, k + 32 + Lane);
      next = source_of(at, r, k + 64 + Lane);
#pragma unroll 2
      for (unsigned u = 0; u < count; ++u)
        sum = terms::step(L, at.row, k + u, Slots.value(stage, u), sum,
                          Slots.get_term(stage, u));
      __syncwarp();
      t = coming;
      k += count;
      if (count < 32)
        break;
    }
    if (Lane == r) {
      Slots.at(r).next = k;
      Sum = sum;
    }
    __syncwarp();
  }

  __device__ index_t source_of(const typename slots::place &at, unsigned r,
                               index_t k) const {
    return k < at.end ? O.source(L, First + r, k) : First;
  }

  const Loop &L;
  const loop_order &O;
  const row_run &Run;
  const slots &Slots;
  const cells &Cells;
  const unsigned Lane;

  index_t First;        ///< The position of lane 0's row.
  index_t Own;          ///< The number of that row.
  index_t From;         ///< The position that slot Next waits for.
  unsigned Next, Count; ///< Slots [Next, Count) are not yet folded.
  unsigned Pending; ///< Slots that had no value yet; those before Next do not
                    ///< count.
  sum_type Sum;
  typename pivots::type Pivot;
  T Result;
  term NextTerm;       ///< The term() of slot Next.
  unsigned SourceLane; ///< The lane that has row From, if one of the warp has.
  unsigned WaitBit;    ///< That lane's bit, if this lane waits for it; else 0.
  bool IsOutside;      ///< This lane waits for From, a row of another block.
  bool IsSettled;      ///< Done, or the members that depend on Next are right.
  bool IsLast;         ///< After slot Next, the row is done.
  bool IsWhole;        ///< The row has no terms after those in slots.
  bool Done;           ///< The row's result is stored, or there is no row.
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_BLOCK_HPP
