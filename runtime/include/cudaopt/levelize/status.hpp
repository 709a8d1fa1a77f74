// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How a call ended (status), and the ways to run a loop (strategy). The
/// runtime throws nothing of its own; what slices and bodies throw on the host
/// is rethrown to the caller.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_STATUS_HPP
#define CUDAOPT_LEVELIZE_STATUS_HPP

#include "cudaopt/levelize/config.hpp"

namespace cudaopt {

/// What every call of the runtime returns. After all values but ok, cuda_error,
/// stalled and, of an execution, index_out_of_range, the arrays of the loop are
/// what they were.
enum class status : std::uint8_t {
  ok,
  /// The loop should run in order, and the caller wants to do that itself
  /// (options::fallback is false).
  not_profitable,
  /// An access outside of its array. If an inspection returns it, nothing was
  /// modified, and plan_info::bad_iteration is the first such iteration; for
  /// executions see execute().
  index_out_of_range,
  /// The device, the host, a pool or options::max_scratch_bytes has too little
  /// left.
  out_of_memory,
  /// The loop lacks a property that the strategy needs, or there is no valid
  /// plan, no backend or no file.
  unsupported,
  /// A call of CUDA failed: plan_info::cuda_error. After a kernel's failure
  /// data are undefined.
  cuda_error,
  /// The watchdog ended an execution in which nothing had moved for
  /// options::stall_ms; data are undefined.
  stalled,
  /// An option, an array's size, address or number, or the order of calls
  /// cannot be.
  invalid_argument,
  /// The call would wait for a stream that is captured; the capture goes on.
  capturing,
};

/// Returns a few words for messages, such as "out of memory".
///
/// \code{.cpp}
/// bool succeeded(cudaopt::status s) {
///   if (s != cudaopt::status::ok)
///     std::fprintf(stderr, "the loop did not run: %s\n", cudaopt::name_of(s));
///   return s == cudaopt::status::ok;
/// }
/// \endcode
///
/// \param s Any status; for a value that the enumeration lacks the result is
///     "". The text lives as long as the program.
inline const char *name_of(status s) {
  switch (s) {
  case status::ok:
    return "ok";
  case status::not_profitable:
    return "not profitable";
  case status::index_out_of_range:
    return "index out of range";
  case status::out_of_memory:
    return "out of memory";
  case status::unsupported:
    return "unsupported";
  case status::cuda_error:
    return "CUDA error";
  case status::stalled:
    return "stalled";
  case status::invalid_argument:
    return "invalid argument";
  case status::capturing:
    return "the stream is captured";
  }
  return "";
}

/// How a loop is run. All strategies give the result of the sequential loop bit
/// for bit, except atomic_reduction of floating point, which is taken only if
/// options::exact is false. The table in docs/Runtime.md has their costs.
///
/// A "location" is an element of a conflict array, or the bytes that elements
/// of overlapping arrays have in common. The "level" of an iteration is the
/// length of the longest chain of dependences that ends there.
enum class strategy : std::uint8_t {
  /// The cheapest one by the cost model that applies to the loop.
  automatic,
  /// In order, by one thread of the host, or of the device where the host does
  /// not reach the data. Checks no index.
  sequential,
  /// All iterations at once: none depends on another.
  doall,
  /// For loops that only write: of all writers to a location only the last one
  /// stores.
  last_writer,
  /// For loops that only update: atomics, privatized where few locations are
  /// hot. Exact only for operations that do not depend on the order.
  atomic_reduction,
  /// For loops that only update: the updates of each location, sorted, are
  /// folded in the loop's order.
  ordered_reduction,
  /// For loops whose iterations have at most one location each that others
  /// conflict over: one thread runs all iterations of a location, in order.
  chains,
  /// Level after level, one kernel each, in a CUDA graph.
  levels_graph,
  /// Level after level in one cooperative kernel, with a barrier between them.
  levels_cooperative,
  /// Dataflow: each location has one writer, and readers wait for its value. On
  /// the device for a row_loop only.
  owner,
  /// Dataflow: every write gets a cell of its own, so that only reads wait.
  renaming,
  /// Dataflow: a counter for each location says how many of its accesses have
  /// ended.
  tickets,
  /// Rounds of reservations and commits. The only parallel one for loops whose
  /// addresses depend on what they write (is_self_indexing).
  reserve,
  /// Algorithms 1-6 of Anantpur and Govindarajan (docs/Runtime.md), without
  /// their races.
  paper_levels,
};
/// The number of enumerators of strategy, automatic among them.
constexpr int num_strategies = int(strategy::paper_levels) + 1;

/// Returns the enumerator's name, as CUDAOPT_LEVELIZE_FORCE takes it.
/// \param s Any strategy; for a value that the enumeration lacks the result is
///     "". The text lives as long as the program.
inline const char *name_of(strategy s) {
  constexpr const char *names[num_strategies] = {
      "automatic",   "sequential",       "doall",
      "last_writer", "atomic_reduction", "ordered_reduction",
      "chains",      "levels_graph",     "levels_cooperative",
      "owner",       "renaming",         "tickets",
      "reserve",     "paper_levels"};
  return unsigned(s) < unsigned(num_strategies) ? names[int(s)] : "";
}

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_STATUS_HPP
