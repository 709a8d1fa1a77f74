// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The runtime's one header for programs. It runs
/// `for (i = 0; i < n; ++i) body(i)` in parallel where the addresses are known
/// only at run time and iterations may depend on each other, with the result of
/// the sequential loop, bit for bit (docs/Runtime.md). It is an inspector and
/// an executor: inspect() finds the dependences, execute() respects them, and a
/// cudaopt::plan keeps what was found.
///
/// \code{.cpp}
/// #include <cudaopt/levelize.hpp>
/// #include <vector>
///
/// struct scatter {                      // A[w[i]] = i; B[i] = A[r[i]];
///   cudaopt::array<float> A;
///   float *B;
///   const int *w, *r;
///
///   auto arrays() const { return cudaopt::extents_of(A); }
///   template <class Touch>
///   CUDAOPT_HOST_DEVICE void slice(cudaopt::index_t i, Touch &touch) const {
///     touch.write(A, w[i]);
///     touch.read(A, r[i]);
///   }
///   template <class Memory>
///   CUDAOPT_HOST_DEVICE void body(cudaopt::index_t i, Memory &memory) const {
///     memory.store(A, w[i], float(i));
///     B[i] = memory.load(A, r[i]);
///   }
/// };
///
/// cudaopt::status run_it(std::vector<float> &a, std::vector<float> &b,
///                        const std::vector<int> &w,
///                        const std::vector<int> &r) {
///   const auto n = cudaopt::index_t(w.size());
///   cudaopt::plan plan;
///   cudaopt::status s = cudaopt::run(
///       plan,
///       scatter{{a.data(), cudaopt::index_t(a.size())},
///               b.data(),
///               w.data(),
///               r.data()},
///       n);
///   return s == cudaopt::status::ok ? cudaopt::check(plan) : s;
/// }
/// \endcode
///
/// The interface, by header of cudaopt/levelize (those in detail/ are not for
/// programs and change without notice):
///
///   loop.hpp, array.hpp    what a loop is, and its arrays
///   run.hpp                inspect(), execute(), run(), check()
///   plan.hpp, options.hpp  what an inspection keeps, what can be asked for
///   status.hpp             errors, and the strategies that can run a loop
///   staging.hpp            copies of host memory on the device
///   profit.hpp             compare(): is the device worth those copies?
///   explain.hpp            a plan in words
///   saved_plan.hpp         save() and load() a plan's decision
///   calibrate.hpp          measures what steps cost on a device
///   memory_pools.hpp       keep_memory()
///   rounding.hpp           product(), quotient(): no contraction to FMA
///   divisor.hpp            division by a number that is known beforehand
///   config.hpp             CUDAOPT_HOST_DEVICE, and whether there is a device
///   loop_site.hpp, loop_uses.hpp   what rewritten loops say of themselves
///
/// Common to all functions:
///
/// - Errors are cudaopt::status values. The runtime throws nothing of its own;
///   what slices and bodies throw on the host reaches the caller. The last
///   error of CUDA that the calling thread has is neither taken nor changed.
/// - Several threads may call the runtime at the same time with different
///   plans. One plan, or one staging, is used by one thread at a time.
/// - Streams are those of the current device; with a C++ compiler alone there
///   is no device, and a stream is a null pointer that is ignored.
/// - Environment: CUDAOPT_LEVELIZE, CUDAOPT_LEVELIZE_FORCE,
///   CUDAOPT_LEVELIZE_STALL_MS and CUDAOPT_LEVELIZE_TRACE (environment.hpp),
///   read by each inspection; CUDAOPT_CACHE_DIR, else HOME, where measured
///   models are kept (device_model.hpp).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_HPP
#define CUDAOPT_LEVELIZE_HPP

#include "cudaopt/levelize/calibrate.hpp"
#include "cudaopt/levelize/detail/strategies/atomic_reduction.hpp"
#include "cudaopt/levelize/detail/strategies/chains.hpp"
#include "cudaopt/levelize/detail/strategies/device_sequential.hpp"
#include "cudaopt/levelize/detail/strategies/doall.hpp"
#include "cudaopt/levelize/detail/strategies/last_writer.hpp"
#include "cudaopt/levelize/detail/strategies/levels.hpp"
#include "cudaopt/levelize/detail/strategies/ordered_reduction.hpp"
#include "cudaopt/levelize/detail/strategies/owner.hpp"
#include "cudaopt/levelize/detail/strategies/paper_levels.hpp"
#include "cudaopt/levelize/detail/strategies/renaming.hpp"
#include "cudaopt/levelize/detail/strategies/reserve.hpp"
#include "cudaopt/levelize/detail/strategies/tickets.hpp"
#include "cudaopt/levelize/explain.hpp"
#include "cudaopt/levelize/loop.hpp"
#include "cudaopt/levelize/profit.hpp"
#include "cudaopt/levelize/run.hpp"
#include "cudaopt/levelize/saved_plan.hpp"
#include "cudaopt/levelize/staging.hpp"

#endif // CUDAOPT_LEVELIZE_HPP
