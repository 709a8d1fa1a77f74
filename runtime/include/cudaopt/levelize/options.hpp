// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a caller may ask of an inspection (options), and what the inspection
/// tells about itself (plan_info).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_OPTIONS_HPP
#define CUDAOPT_LEVELIZE_OPTIONS_HPP

#include "cudaopt/levelize/status.hpp"

#include <cstddef>

namespace cudaopt {

/// Where a plan runs. Automatic is what CUDAOPT_LEVELIZE=gpu|cpu says; without
/// that, the device if it reaches all conflict arrays, else the CPU.
enum class backend : std::uint8_t { automatic, gpu, cpu };

/// The published algorithm's own parameters, for strategy::paper_levels alone.
struct paper_options {
  /// Cells of the auxiliary array, as a share of the locations; below 1
  /// locations share cells. At least 1e-9; above 1 is 1.
  double auxiliary = 1.0;
  /// Chunks of the loop are halved and moved where conflicts are many;
  /// otherwise they stay as they are.
  bool dynamic_chunks = true;
  /// Level k + 1 is inspected while level k runs, in the first execution.
  bool pipelined = true;
};

/// When the plan of an earlier run() may serve again.
enum class reuse : std::uint8_t {
  /// Every run() inspects.
  never,
  /// The caller answers for it that slices read the same values as at the
  /// inspection.
  unchanged,
  /// If options::indices and options::slice_values have the hash that they had
  /// at the inspection.
  checked,
};

/// Memory that slices read, on the host or the device.
struct index_data {
  const void *data = nullptr; ///< Of any alignment; null ends a list.
  std::size_t bytes = 0;
};
/// The number of arrays that options::indices has room for.
constexpr int max_index_data = 8;

/// What a caller asks of inspect() and run(). The defaults are right for a loop
/// that runs once. A value that cannot be, such as a negative number, is
/// status::invalid_argument.
///
/// \code{.cpp}
/// cudaopt::options for_many_runs() {
///   cudaopt::options o;
///   o.expected_runs = 100;
///   o.max_scratch_bytes = std::size_t(1) << 30;
///   return o;
/// }
/// \endcode
struct options {
  /// The strategy to take; where the loop does not allow it, the inspection
  /// fails. Automatic is what CUDAOPT_LEVELIZE_FORCE says, else a choice by the
  /// model.
  strategy force = strategy::automatic;
  /// The backend. See backend.
  backend where = backend::automatic;
  /// If false, floating-point updates may be reassociated.
  bool exact = true;
  /// The number of executions that the plan is expected to see: an inspection
  /// may cost as much more as these gain. 0 is 1.
  int expected_runs = 1;
  /// The most bytes that the plan and its inspection may take together, of the
  /// device, or of the host for the CPU backend; 0 is as much as there is.
  /// Strategies that need more give way to the next.
  std::size_t max_scratch_bytes = 0;
  /// Iterations at a time: those that strategy::tickets on the device inspects
  /// together, and those of a round of strategy::reserve on the CPU. 0 lets the
  /// strategy choose.
  index_t window = 0;
  /// The pool of device memory to take from, of the device that is the current
  /// one. Null is the runtime's own: see keep_memory().
  memory_pool pool = nullptr;
  /// After so many milliseconds in which nothing has moved the watchdog ends an
  /// execution; 0 is CUDAOPT_LEVELIZE_STALL_MS, else 10 s. On the device one
  /// body must end within it.
  unsigned stall_ms = 0;
  /// The threads of the CPU backend, the caller's among them; 0 is as many as
  /// the machine runs at a time. Where fewer can be made, there are fewer.
  int threads = 0;
  /// When run() may skip the inspection.
  reuse when = reuse::never;
  /// All memory that slices read, for reuse::checked; the first entry whose
  /// data are null ends the list. What is missing here is not noticed when it
  /// changes.
  index_data indices[max_index_data];
  /// Stands for the numbers that slices read from the loop's members, in any
  /// way that differs when they do; compared together with indices.
  std::uint64_t slice_values = 0;
  /// Run the loop in order where nothing else pays. If false, an inspection
  /// returns status::not_profitable instead, for callers who have the loop
  /// itself.
  bool fallback = true;
  /// For strategy::paper_levels.
  paper_options paper;
};

/// What the last inspection of a plan found, tried and chose. Counts that the
/// strategy did not need are 0.
struct plan_info {
  /// The numbers of iterations, and of accesses to conflict arrays by all of
  /// them.
  index_t iterations = 0, accesses = 0;
  index_t locations = 0; ///< Distinct locations that were accessed.
  /// Whether there are any such accesses, as far as iterations were looked at.
  bool reads = false, writes = false, updates = false;
  /// The length of the longest chain of dependences, in iterations.
  index_t levels = 0;
  /// The same, estimated from a few windows of the loop.
  index_t estimated_levels = 0;
  /// The most accesses to one location.
  index_t longest_chain = 0;
  /// The first iteration with an index out of range; -1 if none is known.
  index_t bad_iteration = -1;
  strategy chosen = strategy::automatic; ///< The strategy of a valid plan.
  backend where = backend::automatic;    ///< The backend; automatic: neither.
  int inspections = 0;  ///< The number of inspections the plan has seen.
  float inspect_ms = 0; ///< The last inspection's time in ms, by a host clock.
  /// The time in ms that the model expects of one execution, by strategy; 0 for
  /// those that it was not asked about.
  float predicted_ms[num_strategies] = {};
  /// The size of the plan's tables, of device memory or, on the CPU, of host
  /// memory.
  std::size_t bytes = 0;
  /// The hash of the indices, for reuse::checked; otherwise 0.
  std::uint64_t pattern_hash[2] = {};
  int cuda_error = 0; ///< The cudaError_t of status::cuda_error.
  /// Whether the strategy came from options::force or the environment.
  bool was_forced = false;
  /// By strategy: what its inspection answered, if it was tried.
  status tried[num_strategies] = {};
  bool was_tried[num_strategies] = {};
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_OPTIONS_HPP
