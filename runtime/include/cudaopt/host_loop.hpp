// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What loops that cuda-opt rewrote call: run_loop() and is_small(). A loop
/// that cannot be run in parallel, or that gains nothing by it, is left to the
/// program, which still has it:
///
///   if (cudaopt::is_small<update_loop>(n, A, w) ||
///       !cudaopt::run_loop(update_loop{{A, m, 0}, w}, n,
///                          {cudaopt::index(w, n)})) {
///     for (int i = 0; i < n; ++i)
///       A[w[i]] += 1;
///   }
///
/// A loop has, besides what loop.hpp asks for, each_pointer(visit), which calls
/// visit(p) with a reference to every pointer of the struct that leads to
/// memory of the host, so that copies on the device can take their places. This
/// program does what a rewritten one does:
///
/// \code{.cpp}
/// #include <cudaopt/host_loop.hpp>
///
/// struct update_loop {                                  // A[w[i]] += 1;
///   cudaopt::array<int> A;
///   const int *w;
///
///   auto arrays() const { return cudaopt::extents_of(A); }
///   template <class Visit> void each_pointer(Visit &&visit) {
///     visit(A.data);
///     visit(w);
///   }
///   template <class Touch>
///   CUDAOPT_HOST_DEVICE void slice(cudaopt::index_t i, Touch &touch) const {
///     touch.update(A, w[i], cudaopt::plus{});
///   }
///   template <class Memory>
///   CUDAOPT_HOST_DEVICE void body(cudaopt::index_t i, Memory &memory) const {
///     memory.update(A, w[i], cudaopt::plus{}, 1);
///   }
/// };
///
/// void count(int *A, cudaopt::index_t m, const int *w, cudaopt::index_t n) {
///   if (cudaopt::is_small<update_loop>(n, A, w) ||
///       !cudaopt::run_loop(update_loop{{A, m, 0}, w}, n,
///                          {cudaopt::index(w, n)})) {
///     for (cudaopt::index_t i = 0; i < n; ++i)
///       A[w[i]] += 1;
///   }
/// }
/// \endcode
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_HOST_LOOP_HPP
#define CUDAOPT_HOST_LOOP_HPP

#include "cudaopt/annotations.h"
#include "cudaopt/levelize.hpp"
#include "cudaopt/levelize/detail/support/exceptions.hpp"
#include "cudaopt/levelize/loop_site.hpp"
#include "cudaopt/levelize/loop_uses.hpp"
#include "cudaopt/levelize/staging.hpp"

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <type_traits>

namespace cudaopt {

namespace detail {

/// Returns true if two extents have a byte in common.
inline bool overlap(const void *a, std::size_t a_bytes, const void *b,
                    std::size_t b_bytes) {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return x < y + b_bytes && y < x + a_bytes && a_bytes && b_bytes;
}

/// Returns true if nothing that is written overlaps something else that is
/// used: then the loop's accesses through different pointers are independent,
/// as its struct says. Conflict arrays may overlap each other, unless the loop
/// was proved to be independent on the assumption that they do not. Returns
/// false for sizes that cannot be.
inline bool are_disjoint(const extents &arrays, bool is_independent,
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

/// Copies to the device what it does not reach, and sets the pointers of
/// \p loop to the copies.
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

/// Returns true if copies to the device and back are expected to pay.
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

/// Returns true if the loop is to run on the device: it has the data, or is to
/// get copies.
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

/// Returns true if the caller's own loop could run, too: host code reaches all
/// data.
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

/// Returns true if all that the loop writes is copied to the device, and back
/// in the end: until then a failure leaves the host's data as they were.
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

/// Inspects unless \p kept serves, executes, and waits. Sets \p is_untouched if
/// nothing was modified, whatever the status. A plan whose execution failed is
/// not used again.
template <class Loop>
status run_and_check(plan &kept, const Loop &loop, index_t iterations,
                     const options &o, bool &is_untouched) {
  bool serves = false;
  is_untouched = true;
  status s = is_reusable(kept, loop.arrays(), iterations, o, nullptr, serves);
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
      is_off() ||
      (wanted.Options.exact && !wanted.IsApproximate && rounds_otherwise(loop));
  const bool is_ordered =
      stays_always ||
      !are_disjoint(loop.arrays(), is_independent<Loop>::value, uses);
  if (is_ordered && has_fallback) {
    if (stays_always)
      site.learn_small(iterations, given);
    return false;
  }
  plan once;
  plan &kept = wanted.Kept ? *wanted.Kept : once;
  options o = options_for(wanted, has_fallback, is_ordered, uses);
  const bool is_staged =
      runs_on_device(loop, iterations, uses, o, wanted.IsResident);
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

} // namespace detail

/// Runs a loop with the result of running it in order, or leaves it to the
/// caller. The example is at the top of this file.
///
/// \param loop The loop's struct: see there.
/// \param iterations The number of iterations; at 0 and below there is nothing
///     to do, and the result is true.
/// \param uses All memory that the loop uses besides its conflict arrays, by
///     in(), index(), out() and fixed(). Where something that the loop writes
///     overlaps anything else of it, the loop is left to the caller; conflict
///     arrays may overlap each other unless the loop is_independent.
///
/// Returns true if all iterations have run. Returns false if nothing was
/// modified and the caller is to run its own loop: because that is expected to
/// be faster, because the loop cannot be run with the same bits, because the
/// environment says CUDAOPT_LEVELIZE=off, or for any error, such as an index
/// out of range or too little memory. If host code does not reach the data a
/// line on stderr says so, and the caller's loop will fail.
///
/// Ends the program by std::abort(), with a line on stderr, only if an
/// execution failed that may have changed data in place: a kernel that failed,
/// a stall, a copy back to the host that broke off.
///
/// What a slice or a body throws on the host is rethrown when all threads have
/// stopped; after a body's some iterations have run, in any order.
///
/// Where: on the device if it reaches the conflict arrays, else by copies if
/// compare() expects them to pay or the mark says resident; else on the CPU.
/// Returns when everything has happened, copies back among it. It works in the
/// default stream, for which it waits: kernels of other streams that use the
/// data must have ended.
///
/// Several threads may call it at the same time, also for one loop, but not
/// with one kept plan. Memory: what inspect() and staging take; all but a kept
/// plan is given back. Environment: environment.hpp and device_model.hpp.
template <class Loop>
CUDAOPT_ALWAYS_INLINE bool run_loop(Loop loop, index_t iterations,
                                    std::initializer_list<memory_use> uses) {
  return detail::run_call<Loop>({loop, iterations, uses, nullptr});
}
/// The same with \p wanted, the clauses of the loop's mark.
template <class Loop>
CUDAOPT_ALWAYS_INLINE bool run_loop(Loop loop, index_t iterations,
                                    std::initializer_list<memory_use> uses,
                                    const loop_options &wanted) {
  return detail::run_call<Loop>({loop, iterations, uses, &wanted});
}

/// Returns true if the program should run so few iterations of its loop itself,
/// as run_loop() has found for as many before. It is called before run_loop(),
/// so that short loops that are called very often pay for nothing else: it
/// takes a nanosecond, never waits and takes no memory.
///
/// \tparam Loop The loop's struct. What is learnt belongs to this type, and all
///     threads of the program share it.
/// \param iterations The number of iterations.
/// \param pointers The pointers that each_pointer() of the loop visits, in its
///     order, eight at most. Where there is a device they must be those for
///     which run_loop() found that, since others may lead to its memory.
///
/// Every 1024 calls, and after longer periods as long as the answer stays the
/// same, up to 65536, it returns false once, so that a wrong answer ends.
template <class Loop, class... Pointer>
inline bool is_small(index_t iterations, Pointer... pointers) {
  return detail::site_of<Loop>.is_small(iterations, pointers...);
}

} // namespace cudaopt

#endif // CUDAOPT_HOST_LOOP_HPP
