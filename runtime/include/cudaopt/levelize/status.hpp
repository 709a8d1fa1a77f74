// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How a call ended, and the ways to run a loop. The runtime throws nothing of
/// its own; what slices and bodies throw on the host is the caller's.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_STATUS_HPP
#define CUDAOPT_LEVELIZE_STATUS_HPP

#include "cudaopt/levelize/config.hpp"

namespace cudaopt {

enum class status : std::uint8_t {
  ok,
  not_profitable,     ///< The sequential loop is faster; nothing was modified.
  index_out_of_range, ///< An access outside its array; nothing was modified.
  out_of_memory,      ///< Of the device, the host, or max_scratch_bytes;
                      ///< nothing was modified.
  unsupported,        ///< The loop has no property that the strategy needs.
  cuda_error,         ///< See plan_info::cuda_error.
  stalled,            ///< The watchdog ended an execution; data are undefined.
  invalid_argument,   ///< An option, or an array's size or number, is none that
                      ///< there can be; nothing was modified.
  capturing,          ///< The call would wait for a stream that is captured;
                      ///< nothing was modified, the capture goes on.
};

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

/// All give the result of the sequential loop bit for bit, except
/// atomic_reduction of floating point.
enum class strategy : std::uint8_t {
  automatic,
  sequential,        ///< One CPU thread, in order.
  doall,             ///< All at once: no iteration depends on another.
  last_writer,       ///< A loop that only writes: each location's last writer
                     ///< stores.
  atomic_reduction,  ///< A loop that only updates, with atomics.
  ordered_reduction, ///< The same in the loop's order: sorted by location.
  chains,       ///< At most one conflicting location an iteration: a thread
                ///< runs all iterations of a location in order.
  levels_graph, ///< A kernel for each level of independent iterations.
  levels_cooperative, ///< One kernel for all levels.
  owner,              ///< Dataflow; iteration i alone writes its location.
  renaming,           ///< Dataflow; every write has a cell of its own.
  tickets,            ///< Dataflow; a counter for each location.
  reserve,            ///< Rounds, for loops whose addresses depend on what they
                      ///< write.
  paper_levels,       ///< Algorithms 1-6 of document 003, repaired.
};
constexpr int num_strategies = int(strategy::paper_levels) + 1;

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
