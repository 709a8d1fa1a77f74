// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Tickets: for each access a counter and a number, so that the access may
/// happen once the counter has reached the number. There is one counter for
/// each location, whether accesses wait for writes, for reads or for both.
/// Every access that a later one may wait for adds 1 to its location's counter
/// when its iteration has ended;
///
///   a store waits for all accesses before it,
///   a read waits for those up to the last store before it.
///
/// This is enough for the read: none of the accesses after that store can have
/// ended before the store, so that the counter cannot have reached the number
/// by other accesses than those that it stands for.
///
/// For example, the accesses `store, read, read, store` of one location need 0,
/// 1, 1 and 3 on its counter.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKET_TABLE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKET_TABLE_HPP

#include "cudaopt/levelize/detail/inspect/access_order.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// The ticket of one access.
template <class Number> class ticket {
public:
  /// need() has 30 bits.
  static constexpr index_t most_needed = index_t(1) << 30;

  ticket() = default;
  __device__ ticket(Number counter, std::uint32_t need, bool stores,
                    bool signals)
      : counter_(counter),
        word_(need << 2 | std::uint32_t(stores) << 1 | signals) {}

  __device__ Number counter() const { return counter_; }
  __device__ std::uint32_t need() const { return word_ >> 2; }
  __device__ bool stores() const { return word_ & 2; }
  __device__ bool signals() const { return word_ & 1; }

private:
  Number counter_;
  std::uint32_t word_;
};

/// The tickets of a loop, on the device.
template <class Number> struct ticket_view {
  numbering<Number> entries;
  const ticket<Number> *tickets;
};

/// Makes the ticket of each access of an access_order.
template <class Number> struct ticket_visit {
  ticket<Number> *tickets; ///< By place in the order.
  /// Counters are numbered by location; otherwise by the first place of the
  /// location in the order, where there are fewer accesses than locations.
  bool by_location;

  __device__ void operator()(const ordered_access<Number> &a) const {
    const bool stores = access_key<Number>::stores(a.key);
    const Number need = stores     ? a.group_begin - a.location_begin
                        : a.stored ? a.stored - a.location_begin
                                   : 0;
    tickets[a.place] = ticket<Number>(
        by_location ? access_key<Number>::location(a.key) : a.location_begin,
        std::uint32_t(need), stores,
        stores ? a.is_followed : a.is_followed_store);
  }
};

/// The tickets of all accesses, in the loop's order.
template <class Number> struct ticket_table {
  access_list<Number> list;
  buffer<ticket<Number>> tickets;
  index_t counters = 0; ///< The number of counters that tickets name.

  ticket_view<Number> view() const { return {list.entries(), tickets.data()}; }
  std::size_t bytes() const { return list.bytes() + tickets.bytes(); }

  /// Makes the tickets; list.summary is known. Waits for the stream.
  template <class Loop> status make(inspection &work, const Loop &loop) {
    const index_t accesses = list.summary.accesses();
    counters = std::min(accesses, work.map.locations);
    access_order<Number> order(work);
    status s = number_accesses(work, loop, list);
    if (s == status::ok)
      s = order.sort(loop, list);
    if (s == status::ok)
      s = tickets.allocate(work.memory, accesses);
    if (s == status::ok)
      s = order.visit(
          list,
          ticket_visit<Number>{tickets.data(), work.map.locations <= accesses});
    if (s == status::ok)
      s = order.by_entry(tickets);
    if (s == status::ok &&
        work.info.longest_chain >= index_t(ticket<Number>::most_needed))
      return status::unsupported;
    return s;
  }
};

/// The tickets of one iteration: asks for them one after the other, which is
/// enough, since counters only grow.
template <class Number> class ticket_waits {
public:
  __device__ ticket_waits(const ticket_view<Number> &all, index_t i)
      : all_(all), next_(all.entries.begin(i)), begin_(next_),
        end_(all.entries.begin(i + 1)) {}

  /// Returns true if the iteration may run; then what it waited for is visible
  /// to this thread (a fence). Goes on where the last call stopped.
  __device__ bool are_over(const std::uint32_t *counters) {
    for (; next_ < end_; ++next_) {
      const ticket<Number> t = all_.tickets[next_];
      signals_ |= t.signals();
      if (t.need() == 0)
        continue;
      waited_ = true;
      if (load_relaxed(counters + t.counter()) < t.need())
        return false;
    }
    if (waited_)
      fence();
    return true;
  }
  /// Adds to the counters that later accesses wait for: the iteration has
  /// ended.
  __device__ void signal(std::uint32_t *counters) const {
    if (!signals_)
      return;
    fence();
    for (Number k = begin_; k < end_; ++k) {
      const ticket<Number> t = all_.tickets[k];
      if (t.signals())
        add_relaxed(counters + t.counter());
    }
  }
  template <class Visit> __device__ void for_each(Visit visit) const {
    for (Number k = begin_; k < end_; ++k)
      visit(all_.tickets[k]);
  }

private:
  __device__ static void fence() {
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
  }
  __device__ static void add_relaxed(std::uint32_t *counter) {
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(counter)
                 : "memory");
  }

  const ticket_view<Number> &all_;
  Number next_, begin_, end_;
  bool waited_ = false, signals_ = false;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKET_TABLE_HPP
