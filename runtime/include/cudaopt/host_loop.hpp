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
#include "cudaopt/levelize/detail/host_loop/large_loop.hpp"
#include "cudaopt/levelize/loop_uses.hpp"

#include <initializer_list>

namespace cudaopt {

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
/// plan is given back. The environment is that of levelize.hpp.
template <class Loop>
CUDAOPT_ALWAYS_INLINE bool run_loop(Loop loop, index_t iterations,
                                    std::initializer_list<memory_use> uses) {
  return detail::run_call<Loop>({loop, iterations, uses, nullptr});
}
/// The same with the clauses of the loop's mark.
/// \param wanted The clauses; a plan that they keep must not be in use by
/// another
///     call at the same time.
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
