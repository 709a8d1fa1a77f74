// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// 32 rows of a row_loop, executed by a warp.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROW_BLOCK_HPP
#define CUDAOPT_LEVELIZE_ROW_BLOCK_HPP

#include "cudaopt/levelize/row_cells.hpp"
#include "cudaopt/levelize/row_order.hpp"
#include "cudaopt/levelize/row_parts.hpp"
#include "cudaopt/levelize/watchdog.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

constexpr unsigned full_warp = ~0u;

/// One execution, as its kernel sees it.
struct row_run {
  index_t rows = 0;
  void *cells = nullptr;
  row_control *control = nullptr;
  std::uint64_t limit_ns = 0;  ///< Of a wait.
  unsigned slot_bits = 2;      ///< A row has 1 << slot_bits slots.
  unsigned nap_ns = 0;         ///< Between polls that found nothing.
  bool writes_through = false; ///< Rows read no old values: x is written at
                               ///< once.
};

/// Where terms wait for their fold: slot p of the row of lane r. Written by any
/// lane, folded by lane r. A slot holds the value of the source, or its
/// position as long as the value is not there. Rows are one longer than a warp
/// so that lanes that write one row hit different banks.
template <class Loop> class row_slots {
public:
  using T = typename Loop::value_type;
  using term = typename terms_of<Loop>::type;
  static constexpr bool has_terms = !std::is_empty_v<term>;
  static constexpr unsigned pitch = 33;

  __host__ __device__ static std::size_t bytes(unsigned slots) {
    std::size_t n = sizeof(std::int64_t);
    if (has_terms)
      n += (sizeof(term) + 7) / 8 * 8;
    return n * slots * pitch;
  }
  __device__ row_slots(char *memory, unsigned slots)
      : Values(reinterpret_cast<std::int64_t *>(memory)),
        Terms(reinterpret_cast<term *>(Values + std::size_t(slots) * pitch)) {}

  __device__ index_t source(unsigned p, unsigned r) const {
    return Values[p * pitch + r];
  }
  __device__ void set_source(unsigned p, unsigned r, index_t s) const {
    Values[p * pitch + r] = s;
  }
  __device__ T value(unsigned p, unsigned r) const {
    return *reinterpret_cast<const T *>(Values + p * pitch + r);
  }
  __device__ void set_value(unsigned p, unsigned r, T v) const {
    *reinterpret_cast<T *>(Values + p * pitch + r) = v;
  }
  __device__ term get_term(unsigned p, unsigned r) const {
    if constexpr (has_terms)
      return Terms[p * pitch + r];
    else
      return {};
  }
  __device__ void set_term(unsigned p, unsigned r, term t) const {
    if constexpr (has_terms)
      Terms[p * pitch + r] = t;
  }

private:
  std::int64_t *Values;
  term *Terms;
};

/// Lane r has row r. All lanes fill slots for all rows; each lane folds its own
/// in order, as far as there are values. Who waits polls cells; values of rows
/// of the same warp come by shuffles. No lane ever waits for another inside a
/// branch: all polls are steps of one loop that the warp runs together.
template <class Loop, class Order> class row_block {
  using T = typename Loop::value_type;
  using terms = terms_of<Loop>;
  using term = typename terms::type;
  using pivots = pivots_of<Loop>;
  using sum_type = decltype(std::declval<const Loop &>().start(index_t()));
  using cells = row_cells<T>;
  using raw = typename cells::raw;
  static constexpr unsigned batch = 4;

public:
  __device__ row_block(const Loop &loop, const Order &order, const row_run &run,
                       const row_slots<Loop> &slots, const cells &c)
      : L(loop), O(order), Run(run), Slots(slots), Cells(c),
        Lane(threadIdx.x % 32) {}

  /// Positions [s, s + 32). False if the watchdog ended it.
  __device__ bool execute(index_t s) {
    begin(s);
    patience wait(watchdog{&Run.control->stalled, Run.limit_ns});
    while (true) {
      fold();
      if (unsigned empty = __ballot_sync(full_warp, !Done && Next == Count)) {
        fill(empty);
        continue;
      }
      if (__all_sync(full_warp, Done))
        return true;
      const bool moved = poll();
      if (__any_sync(full_warp, wait.is_over()))
        return false;
      if (Run.nap_ns && !__any_sync(full_warp, moved))
        __nanosleep(Run.nap_ns);
    }
  }

private:
  __device__ void begin(index_t s) {
    First = s;
    const index_t mine = s + Lane;
    Done = mine >= Run.rows;
    Next = Count = Pending = 0;
    if (Done)
      return;
    Row = L.row(O.iteration(mine));
    K = L.begin(Row);
    Base = O.base(L, mine, K);
    End = O.end(L, mine, Row, K);
    End = End > K ? End : K;
    Sum = L.start(Row);
    Pivot = pivots::load(L, Row);
  }

  /// Loads the next terms of the rows in the mask \p wanted: 1 << slot_bits
  /// lanes a row, so that neighbours read neighbouring terms.
  __device__ void fill(unsigned wanted) {
    const unsigned bits = Run.slot_bits, slots = 1u << bits;
    const unsigned rows = 32u >> bits; // A pass.
    const unsigned ours = (slots == 32 ? full_warp : (1u << slots) - 1);
    const index_t left = End - K;
    Next = 0;
    if (wanted >> Lane & 1) {
      Count = left < index_t(slots) ? unsigned(left) : slots;
      Pending = 0;
    }
    const unsigned count = wanted >> Lane & 1 ? Count : 0;
    __syncwarp(); // Everybody has folded what the slots held.
    for (unsigned pass = 0; pass < slots; pass += batch)
      if (wanted >> (pass * rows) &
          (bits == 2 ? full_warp : (1u << batch * rows) - 1))
        load(pass, bits, ours, count);
    if (wanted >> Lane & 1)
      K += Count;
    __syncwarp();
  }

  __device__ void load(unsigned pass, unsigned bits, unsigned ours,
                       unsigned count) {
    const unsigned p = Lane & ((1u << bits) - 1);
    index_t from[batch];
    term t[batch];
    bool valid[batch];
    raw r[batch];
    T old[batch];
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      const unsigned row = ((pass + u) << (5 - bits)) + (Lane >> bits);
      const index_t k = __shfl_sync(full_warp, K, row) + p;
      const index_t base = __shfl_sync(full_warp, Base, row);
      valid[u] = p < __shfl_sync(full_warp, count, row);
      from[u] = 0;
      if (valid[u]) {
        from[u] = O.source(L, First + row, base, k);
        t[u] = terms::load(L, k);
      }
    }
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      old[u] = T();
      if (valid[u] && from[u] < 0) {
        if constexpr (!ignores_old_values<Loop>::value)
          old[u] = L.x.data[~from[u]];
      }
      if (valid[u] && from[u] >= 0 && from[u] < First)
        r[u] = Cells.load(from[u]);
    }
#pragma unroll
    for (unsigned u = 0; u < batch; ++u) {
      const unsigned row = ((pass + u) << (5 - bits)) + (Lane >> bits);
      bool is_ready = valid[u];
      if (valid[u]) {
        Slots.set_term(p, row, t[u]);
        if (from[u] < 0)
          Slots.set_value(p, row, old[u]);
        else if (from[u] < First && Cells.is_ready(r[u]))
          Slots.set_value(p, row, cells::value(r[u]));
        else {
          Slots.set_source(p, row, from[u]);
          is_ready = false;
        }
      }
      const unsigned waiting = __ballot_sync(full_warp, valid[u] && !is_ready);
      if (Lane >> (5 - bits) == pass + u)
        Pending |= waiting >> ((Lane & ((32u >> bits) - 1)) << bits) & ours;
    }
  }

  /// Folds the values that this lane has, in order.
  __device__ void fold() {
    if (Done)
      return;
    const index_t k = K - Count;
    const unsigned waiting = Next < 32 ? Pending >> Next : 0;
    unsigned run = waiting ? __ffs(waiting) - 1 : Count - Next;
    while (run > 0) {
      T v[batch];
      term t[batch];
#pragma unroll
      for (unsigned u = 0; u < batch; ++u)
        if (u < run) {
          v[u] = Slots.value(Next + u, Lane);
          t[u] = Slots.get_term(Next + u, Lane);
        }
#pragma unroll
      for (unsigned u = 0; u < batch; ++u)
        if (u < run)
          Sum = terms::step(L, Row, k + Next + u, v[u], Sum, t[u]);
      const unsigned done = run < batch ? run : batch;
      Next += done;
      run -= done;
    }
    if (Next == Count && K == End)
      finish();
  }

  __device__ void finish() {
    Result = pivots::finish(L, Row, Sum, Pivot);
    Cells.store(First + Lane, Result);
    if (Run.writes_through)
      L.x.data[Row] = Result;
    Done = true;
  }

  /// One look at what this lane waits for: at its next term and at the one
  /// after it that is missing. All lanes have pending terms or are done.
  __device__ bool poll() {
    index_t from = Done ? -1 : Slots.source(Next, Lane);
    const bool outside = !Done && from < First;
    unsigned later = 0;
    bool has_later = false;
    raw r, later_r;
    if (outside)
      r = Cells.load(from);
    if (!Done) {
      const unsigned others = Pending & ~((2u << Next) - 1);
      if (others) {
        later = __ffs(others) - 1;
        const index_t s = Slots.source(later, Lane);
        has_later = s < First;
        if (has_later)
          later_r = Cells.load(s);
      }
    }
    bool moved = forward(!Done && !outside, from,
                         __any_sync(full_warp, outside) ? 4 : 32);
    if (outside && Cells.is_ready(r)) {
      Slots.set_value(Next, Lane, cells::value(r));
      Pending &= ~(1u << Next);
      moved = true;
    }
    if (has_later && Cells.is_ready(later_r)) {
      Slots.set_value(later, Lane, cells::value(later_r));
      Pending &= ~(1u << later);
    }
    return moved;
  }

  /// Hands values from lane to lane, at most \p hops times. \p inside: this
  /// lane waits for position \p from, which is one of the warp's.
  __device__ bool forward(bool inside, index_t from, int hops) {
    bool moved = false;
    for (int hop = 0; hop < hops; ++hop) {
      const unsigned done = __ballot_sync(full_warp, Done);
      const unsigned source = unsigned(from - First) & 31;
      const bool arrived = inside && (done >> source & 1);
      if (!__any_sync(full_warp, arrived))
        break;
      const T v = __shfl_sync(full_warp, Result, source);
      if (!arrived)
        continue;
      moved = true;
      Sum = terms::step(L, Row, K - Count + Next, v, Sum,
                        Slots.get_term(Next, Lane));
      Pending &= ~(1u << Next);
      ++Next;
      fold();
      inside = false;
      if (!Done && Next < Count) {
        from = Slots.source(Next, Lane);
        inside = from >= First;
      }
    }
    return moved;
  }

  const Loop &L;
  const Order &O;
  const row_run &Run;
  const row_slots<Loop> &Slots;
  const cells &Cells;
  const unsigned Lane;

  index_t First;             ///< Position of lane 0's row.
  index_t Row, K, End, Base; ///< K is the first term that has no slot yet.
  unsigned Next, Count;      ///< Slots [Next, Count) are not yet folded.
  unsigned Pending;          ///< Those that have no value yet.
  sum_type Sum;
  typename pivots::type Pivot;
  T Result;
  bool Done;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_ROW_BLOCK_HPP
