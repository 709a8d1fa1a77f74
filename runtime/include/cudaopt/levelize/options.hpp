// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a caller may ask for, and what a plan tells.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_OPTIONS_HPP
#define CUDAOPT_LEVELIZE_OPTIONS_HPP

#include "cudaopt/levelize/status.hpp"

#include <cstddef>

namespace cudaopt {

/// Where a plan runs. The environment's CUDAOPT_LEVELIZE=gpu|cpu|off wins over
/// automatic.
enum class backend : std::uint8_t { automatic, gpu, cpu };

/// The paper's own knobs, for strategy::paper_levels alone.
struct paper_options {
  /// Cells of the auxiliary array over locations; locations share cells
  /// below 1.
  double auxiliary = 1.0;
  bool dynamic_chunks = true; ///< Else static ones.
  bool pipelined = true;      ///< Inspect level k + 1 while k runs.
};

/// When the plan of an earlier run() may serve again.
enum class reuse : std::uint8_t {
  never,     ///< Every run() inspects.
  unchanged, ///< The caller says that the slices read the same values as at the
             ///< inspection.
  checked,   ///< If options::indices have the hash that they had then.
};

/// Memory that slices read, on the host or the device.
struct index_data {
  const void *data = nullptr;
  std::size_t bytes = 0;
};
constexpr int max_index_data = 8;

struct options {
  strategy force = strategy::automatic;
  backend where = backend::automatic;
  bool exact = true;     ///< Else floating point may be reassociated.
  int expected_runs = 1; ///< Executions that a plan will see.
  /// No more memory than this, of the device, or of the host for the CPU
  /// backend, inspections included; 0 is as much as there is.
  std::size_t max_scratch_bytes = 0;
  index_t window =
      0; ///< Iterations inspected at a time; 0 lets the plan choose.
  memory_pool pool = nullptr; ///< Null is the runtime's own; see keep_memory().
  /// The watchdog ends an execution in which nothing has moved for so long; 0
  /// is CUDAOPT_LEVELIZE_STALL_MS or 10 s.
  unsigned stall_ms = 0;
  int threads = 0; ///< Of the CPU backend; 0 is all.
  reuse when = reuse::never;
  /// All that slices read, for reuse::checked; the first whose data are null
  /// ends the list.
  index_data indices[max_index_data];
  /// A hash of what slices read besides; compared in the same way.
  std::uint64_t slice_values = 0;
  /// Run the loop in order where nothing else pays; false returns
  /// status::not_profitable, for callers who have the loop itself.
  bool fallback = true;
  paper_options paper;
};

struct plan_info {
  index_t iterations = 0, accesses = 0;
  index_t locations =
      0; ///< Distinct ones that were accessed; 0 if not counted.
  bool reads = false, writes = false, updates = false; ///< Any, if counted.
  index_t levels = 0;           ///< 0 if they were not computed.
  index_t estimated_levels = 0; ///< 0 if they were not estimated.
  index_t longest_chain =
      0; ///< Most accesses to one location; 0 if not counted.
  index_t bad_iteration = -1; ///< First with an index out of range.
  strategy chosen = strategy::automatic;
  backend where = backend::automatic;
  int inspections = 0;  ///< That the plan has seen.
  float inspect_ms = 0; ///< Of the last one.
  /// What the model expects of one execution; 0 where it was not asked.
  float predicted_ms[num_strategies] = {};
  std::size_t bytes = 0; ///< Of scratch.
  std::uint64_t pattern_hash[2] = {};
  int cuda_error = 0;
  /// How an automatic choice came about.
  bool was_forced = false;
  status tried[num_strategies] = {}; ///< What inspections answered.
  bool was_tried[num_strategies] = {};
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_OPTIONS_HPP
