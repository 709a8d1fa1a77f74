// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// run_loop(), for loops that are not left to the program at once: inspects,
/// executes, copies, and decides what a failure means for the program.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_LARGE_LOOP_HPP
#define CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_LARGE_LOOP_HPP

#include "cudaopt/levelize/detail/host_loop/loop_site.hpp"
#include "cudaopt/levelize/detail/host_loop/memory_overlap.hpp"
#include "cudaopt/levelize/detail/host_loop/placement.hpp"
#include "cudaopt/levelize/detail/plan/pattern.hpp"
#include "cudaopt/levelize/detail/support/environment.hpp"
#include "cudaopt/levelize/detail/support/exceptions.hpp"
#include "cudaopt/levelize/run.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cudaopt::detail {

/// Ends the program: the data are half old and half new, so that neither the
/// program's own loop nor what follows could go on.
[[noreturn]] inline void give_up(status s) {
  std::fprintf(stderr,
               "cudaopt: a parallel loop failed after it had modified data: "
               "%s\n",
               name_of(s));
  std::abort();
}

/// Returns false, what run_loop() returns if nothing was modified and the
/// program is to run its own loop. Where that cannot reach the data, a line on
/// stderr says why it will fail.
inline bool leave_to_caller(status s, bool reaches_data) {
  if (!reaches_data)
    std::fprintf(stderr,
                 "cudaopt: a loop over memory of the device did not run there: "
                 "%s\n",
                 name_of(s));
  return false;
}

/// Returns true if an execution that ended so may have modified data.
inline bool may_have_modified(status s) {
  return s == status::cuda_error || s == status::stalled ||
         s == status::index_out_of_range;
}

/// Returns true if the compiler of this file may give the caller's loop other
/// bits than the operations of its source have, as by contraction or
/// -ffast-math. Then the runtime, which rounds each operation, could not give
/// the same result.
template <class Loop> bool rounds_otherwise(Loop &loop) {
  if constexpr (may_contract && has_products_in_sums<Loop>::value)
    return true;
  bool has_floats = false;
  if constexpr (may_reassociate)
    loop.each_pointer([&](auto *p) {
      has_floats |= std::is_floating_point_v<std::remove_cv_t<
          std::remove_all_extents_t<std::remove_pointer_t<decltype(p)>>>>;
    });
  return has_floats;
}

/// Returns true if the environment wants loops to run in order.
inline bool is_off() {
  return std::strcmp(variable("CUDAOPT_LEVELIZE"), "off") == 0;
}

/// What run_loop() asks of the runtime. With a kept plan the inspection may
/// serve again if the index arrays are unchanged; where there are more of them
/// than options::indices has room for, it never does. \p is_ordered: the loop
/// must run in order, on the device, as the host does not reach the data.
inline options options_for(const loop_options &wanted, bool has_fallback,
                           bool is_ordered,
                           std::initializer_list<memory_use> uses) {
  options o = with_environment(wanted.inspection_options);
  o.fallback = !has_fallback; // The caller's loop is as good.
  if (is_ordered)
    o.force = strategy::sequential;
  if (!has_fallback)
    o.where = backend::gpu; // The data are there.
  if (!wanted.kept)
    return o;
  o.when = reuse::checked;
  o.expected_runs = 8;
  int count = 0;
  for (const memory_use &use : uses)
    if (use.is_index && count == max_index_data)
      o.when = reuse::never;
    else if (use.is_index)
      o.indices[count++] = {use.data, use.bytes};
  return o;
}

/// Inspects unless \p kept serves, executes, and waits. Sets \p is_untouched if
/// nothing was modified, whatever the status. A plan whose execution failed is
/// not used again.
template <class Loop>
status run_and_check(plan &kept, const Loop &loop, index_t iterations,
                     const options &o, bool &is_untouched) {
  bool serves = false;
  is_untouched = true;
  status s = is_reusable(contents_of(kept), loop.arrays(), iterations, o,
                         nullptr, serves);
  if (s == status::ok && !serves)
    s = cudaopt::inspect(kept, loop, iterations, o);
  if (s != status::ok)
    return s;
  s = cudaopt::execute(kept, loop);
  if (s == status::ok)
    s = cudaopt::check(kept);
  is_untouched = !may_have_modified(s);
  if (s != status::ok)
    kept.invalidate();
  return s;
}

/// run_loop(), for loops with iterations. \p site learns from the answer which
/// loops are too short to ask again: see is_small().
template <class Loop>
CUDAOPT_NOINLINE bool
run_large(loop_site &site, Loop &given, index_t iterations,
          std::initializer_list<memory_use> uses, const loop_options &wanted) {
  Loop loop = given; // Staging changes its pointers.
  const bool has_fallback = runs_on_host(loop, uses);
  const bool stays_always =
      is_off() || (wanted.inspection_options.exact && !wanted.is_approximate &&
                   rounds_otherwise(loop));
  const bool is_ordered =
      stays_always ||
      !are_disjoint(loop.arrays(), is_independent<Loop>::value, uses);
  if (is_ordered && has_fallback) {
    if (stays_always)
      site.learn_small(iterations, given);
    return false;
  }
  plan once;
  plan &kept = wanted.kept ? *wanted.kept : once;
  options o = options_for(wanted, has_fallback, is_ordered, uses);
  const bool is_staged =
      runs_on_device(loop, iterations, uses, o, wanted.is_resident);
  const bool writes_copies = is_staged && detail::writes_copies(loop, uses);
  staging area(is_staged ? backend::gpu : backend::cpu);
  if (is_staged) {
    const status moved = move_to_device(area, loop, uses);
    if (moved != status::ok)
      return leave_to_caller(moved, has_fallback);
    // Indices are hashed where they are; their copies are new each time.
    if (area.bytes() != 0)
      o.when = reuse::never;
  }
  bool is_untouched = false;
  status s = run_and_check(kept, loop, iterations, o, is_untouched);
  if (s == status::not_profitable && has_fallback)
    site.learn_small(iterations, given);
  // Where copies are written the host's data are what they were.
  if (s != status::ok && (is_untouched || writes_copies))
    return leave_to_caller(s, has_fallback);
  if (s == status::ok && area.bytes() != 0) {
    s = area.finish();
    if (s != status::ok && writes_copies && !area.has_modified_host())
      return leave_to_caller(s, has_fallback);
  }
  if (s != status::ok)
    give_up(s);
  site.learn_large(iterations);
  return true;
}

/// The arguments of a call of run_loop(), in memory. One call with its address,
/// which saves all registers and throws nothing, does all the work: so the
/// program's own loop beside that call is compiled as if there were none.
template <class Loop> struct loop_call {
  Loop loop;
  index_t iterations;
  std::initializer_list<memory_use> uses;
  const loop_options *wanted;   ///< Null for the default.
  passed_exception thrown = {}; ///< What the work threw, for the caller.

  CUDAOPT_COLD CUDAOPT_SAVES_REGISTERS bool run() noexcept {
    bool has_run = true;
    thrown.call([&] {
      has_run =
          iterations <= 0 || run_large(site_of<Loop>, loop, iterations, uses,
                                       wanted ? *wanted : loop_options());
    });
    return has_run;
  }
};

template <class Loop>
CUDAOPT_ALWAYS_INLINE bool run_call(loop_call<Loop> call) {
  const bool has_run = call.run();
  if (call.thrown.is_pending())
    call.thrown.rethrow();
  return has_run;
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_LARGE_LOOP_HPP
