// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What loops that cuda-opt rewrote call. A loop that cannot be run, or that
/// has no reason to be, is left to the program, which has it still:
///
///   if (!cudaopt::run_loop(update_loop{{A, m, 0}, w}, n,
///                          {cudaopt::index(w, n)})) {
///     for (int i = 0; i < n; ++i)
///       A[w[i]] += 1;
///   }
///
/// A loop has, besides what the runtime needs, each_pointer(visit), which
/// visits every pointer that leads to memory of the host.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_HOST_LOOP_HPP
#define CUDAOPT_HOST_LOOP_HPP

#include "cudaopt/annotations.h"
#include "cudaopt/levelize.hpp"
#include "cudaopt/levelize/loop_uses.hpp"
#include "cudaopt/levelize/staging.hpp"

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <type_traits>

namespace cudaopt {

namespace detail {

inline bool overlap(const void *a, std::size_t a_bytes, const void *b,
                    std::size_t b_bytes) {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return x < y + b_bytes && y < x + a_bytes && a_bytes && b_bytes;
}

/// True if nothing that is written lies where something else is used. Conflict
/// arrays may lie anywhere, unless the loop is independent because they do not.
/// False for sizes that cannot be.
inline bool lie_apart(const extents &arrays, bool is_independent,
                      std::initializer_list<memory_use> uses) {
  if (check_arrays(arrays) != status::ok)
    return false;
  for (const memory_use &one : uses)
    if (!is_possible(one))
      return false;
  auto bytes = [](const extent &e) {
    return e.size > 0 ? std::size_t(e.size) * e.element_bytes : 0;
  };
  for (int a = 0; a < arrays.count; ++a) {
    const extent &one = arrays.items[a];
    for (const memory_use &other : uses)
      if (overlap(one.data, bytes(one), other.data, other.bytes))
        return false;
    for (int b = a + 1; is_independent && b < arrays.count; ++b)
      if (overlap(one.data, bytes(one), arrays.items[b].data,
                  bytes(arrays.items[b])))
        return false;
  }
  for (const memory_use &one : uses)
    for (const memory_use &other : uses)
      if (one.is_written && &one != &other &&
          overlap(one.data, one.bytes, other.data, other.bytes))
        return false;
  return true;
}

/// Copies what the device does not reach, and tells \p loop where.
template <class Loop>
status move_to_device(staging &area, Loop &loop,
                      std::initializer_list<memory_use> uses) {
  const extents arrays = loop.arrays();
  for (int a = 0; a < arrays.count; ++a)
    area.declare(static_cast<char *>(arrays.items[a].data),
                 arrays.items[a].size * index_t(arrays.items[a].element_bytes),
                 transfer::in_out);
  for (const memory_use &use : uses)
    if (use.is_array)
      area.declare(const_cast<char *>(static_cast<const char *>(use.data)),
                   index_t(use.bytes),
                   use.is_written ? transfer::in_out : transfer::in);
  const status s = area.start();
  if (s == status::ok)
    loop.each_pointer([&](auto *&p) { p = area.on_device(p); });
  return s;
}

/// The data are half of the old and half of the new: nobody can go on.
[[noreturn]] inline void give_up(status s) {
  std::fprintf(stderr,
               "cudaopt: a parallel loop failed after it had modified data: "
               "%s\n",
               name_of(s));
  std::abort();
}

/// Nothing was modified: false, and the caller runs its own loop. Where that
/// cannot reach the data, a line says why it will fail.
inline bool leave_to_caller(status s, bool reaches_data) {
  if (!reaches_data)
    std::fprintf(stderr,
                 "cudaopt: a loop over memory of the device did not run there: "
                 "%s\n",
                 name_of(s));
  return false;
}

/// Whether an execution that ended so may have modified data.
inline bool may_have_modified(status s) {
  return s == status::cuda_error || s == status::stalled ||
         s == status::index_out_of_range;
}

/// True if copies to the device and back are expected to pay.
template <class Loop>
bool pays_copies(const Loop &loop, index_t iterations,
                 std::initializer_list<memory_use> uses, const options &o) {
#if CUDAOPT_CUDA
  const own_errors mine;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return false;
  std::size_t in = 0, out = 0;
  const extents arrays = loop.arrays();
  for (int a = 0; a < arrays.count; ++a)
    in += std::size_t(arrays.items[a].size) * arrays.items[a].element_bytes;
  out = in;
  for (const memory_use &use : uses)
    if (use.is_array) {
      in += use.bytes;
      out += use.is_written ? use.bytes : 0;
    }
  options once = o; // Copies are new each time, so inspections are, too.
  once.expected_runs = 1;
  return compare(loop, iterations, in, out, once).prefers_device();
#else
  (void)loop, (void)iterations, (void)uses, (void)o;
  return false;
#endif
}

/// True if the device has the data, or shall get them.
template <class Loop>
bool runs_on_device(const Loop &loop, index_t iterations,
                    std::initializer_list<memory_use> uses, const options &o,
                    bool is_resident) {
#if CUDAOPT_CUDA
  if (o.where == backend::cpu || o.force == strategy::sequential)
    return !reach_of(loop.arrays()).host;
  return is_resident || o.where == backend::gpu ||
         reach_of(loop.arrays()).device ||
         pays_copies(loop, iterations, uses, o);
#else
  (void)loop, (void)iterations, (void)uses, (void)o, (void)is_resident;
  return false;
#endif
}

/// True if the caller's own loop could run, too.
template <class Loop>
bool runs_on_host(const Loop &loop, std::initializer_list<memory_use> uses) {
#if CUDAOPT_CUDA
  if (!reach_of(loop.arrays()).host)
    return false;
  for (const memory_use &use : uses)
    if (use.is_array && !reach_of(use.data).host)
      return false;
#else
  (void)loop, (void)uses;
#endif
  return true;
}

/// True if what the loop writes is copied to the device, and back in the end.
template <class Loop>
bool writes_copies(const Loop &loop, std::initializer_list<memory_use> uses) {
#if CUDAOPT_CUDA
  const extents arrays = loop.arrays();
  for (int a = 0; a < arrays.count; ++a)
    if (reach_of(arrays.items[a].data).device)
      return false;
  for (const memory_use &use : uses)
    if (use.is_written && reach_of(use.data).device)
      return false;
#else
  (void)loop, (void)uses;
#endif
  return true;
}

/// True if the compiler of this file may give the caller's loop other bits than
/// the operations of its source have.
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

inline bool is_off() {
  return std::strcmp(variable("CUDAOPT_LEVELIZE"), "off") == 0;
}

} // namespace detail

namespace detail {

/// What run_loop() asks of the runtime.
inline options options_for(const loop_options &wanted, bool has_fallback,
                           bool is_ordered,
                           std::initializer_list<memory_use> uses) {
  options o = with_environment(wanted.Options);
  o.fallback = !has_fallback; // The caller's loop is as good.
  if (is_ordered)
    o.force = strategy::sequential;
  if (!has_fallback)
    o.where = backend::gpu; // The data are there.
  if (!wanted.Kept)
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

/// Inspects unless \p kept serves, executes, and waits. \p is_untouched:
/// nothing was modified, whatever the status.
template <class Loop>
status run_and_check(plan &kept, const Loop &loop, index_t iterations,
                     const options &o, bool &is_untouched) {
  bool serves = false;
  is_untouched = true;
  status s = still_serves(kept, loop.arrays(), iterations, o, nullptr, serves);
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

} // namespace detail

/// Runs \p iterations of \p loop with the result of running them in order.
/// Returns false if nothing was changed: the caller has the loop itself. Ends
/// the program, with a line, only if an execution failed that may have changed
/// data in place. What a body throws is the caller's.
template <class Loop>
bool run_loop(Loop loop, index_t iterations,
              std::initializer_list<memory_use> uses,
              const loop_options &wanted = {}) {
  if (iterations <= 0)
    return true;
  const bool has_fallback = detail::runs_on_host(loop, uses);
  const bool is_ordered =
      detail::is_off() ||
      (wanted.Options.exact && !wanted.IsApproximate &&
       detail::rounds_otherwise(loop)) ||
      !detail::lie_apart(loop.arrays(), detail::is_independent<Loop>::value,
                         uses);
  if (is_ordered && has_fallback)
    return false;
  plan once;
  plan &kept = wanted.Kept ? *wanted.Kept : once;
  options o = detail::options_for(wanted, has_fallback, is_ordered, uses);
  const bool is_staged =
      detail::runs_on_device(loop, iterations, uses, o, wanted.IsResident);
  const bool writes_copies = is_staged && detail::writes_copies(loop, uses);
  staging area(is_staged ? backend::gpu : backend::cpu);
  if (is_staged) {
    const status moved = detail::move_to_device(area, loop, uses);
    if (moved != status::ok)
      return detail::leave_to_caller(moved, has_fallback);
    // Indices are hashed where they are; their copies are new each time.
    if (area.bytes() != 0)
      o.when = reuse::never;
  }
  bool is_untouched = false;
  status s = detail::run_and_check(kept, loop, iterations, o, is_untouched);
  // Where copies are written the host's data are what they were.
  if (s != status::ok && (is_untouched || writes_copies))
    return detail::leave_to_caller(s, has_fallback);
  if (s == status::ok && area.bytes() != 0) {
    s = area.finish();
    if (s != status::ok && writes_copies && !area.has_modified_host())
      return detail::leave_to_caller(s, has_fallback);
  }
  if (s != status::ok)
    detail::give_up(s);
  return true;
}

} // namespace cudaopt

#endif // CUDAOPT_HOST_LOOP_HPP
