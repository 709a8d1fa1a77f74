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
///   strategy_set.hpp       the strategies that are compiled for a loop
///   run.hpp                inspect(), execute(), run(), check()
///   plan.hpp, options.hpp  what an inspection keeps, what can be asked for
///   status.hpp             errors, and the strategies that can run a loop
///   explain.hpp            a plan in words
///   saved_plan.hpp         save() and load() a plan's decision
///   staging.hpp            copies of host memory on the device
///   profit.hpp             compare(): is the device worth those copies?
///   calibrate.hpp          measures what steps cost on a device
///   device_model.hpp       those costs
///   memory_pools.hpp       keep_memory()
///   rounding.hpp           product(), quotient(): no contraction to FMA
///   divisor.hpp            division by a number that is known beforehand
///   direct_memory.hpp      calls a body without the runtime
///   config.hpp             CUDAOPT_HOST_DEVICE, and whether there is a device
///   loop_uses.hpp          the arguments of run_loop() (cudaopt/host_loop.hpp)
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
/// - Environment, read by each inspection; what the options ask for wins, and
///   other values are ignored:
///
///     CUDAOPT_LEVELIZE=auto|gpu|cpu|off   where loops run; off: in order
///     CUDAOPT_LEVELIZE_FORCE=strategy     a strategy's name, such as tickets
///     CUDAOPT_LEVELIZE_STALL_MS=number    the watchdog's limit, 1 to 999999999
///     CUDAOPT_LEVELIZE_TRACE=1            a line on stderr for each inspection
///     CUDAOPT_CACHE_DIR=directory         where measured models are kept;
///                                         else ~/.cache/cudaopt
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_HPP
#define CUDAOPT_LEVELIZE_HPP

#include "cudaopt/levelize/array.hpp"
#include "cudaopt/levelize/calibrate.hpp"
#include "cudaopt/levelize/config.hpp"
#include "cudaopt/levelize/detail/strategies.hpp"
#include "cudaopt/levelize/device_model.hpp"
#include "cudaopt/levelize/direct_memory.hpp"
#include "cudaopt/levelize/divisor.hpp"
#include "cudaopt/levelize/explain.hpp"
#include "cudaopt/levelize/loop.hpp"
#include "cudaopt/levelize/memory_pools.hpp"
#include "cudaopt/levelize/options.hpp"
#include "cudaopt/levelize/plan.hpp"
#include "cudaopt/levelize/profit.hpp"
#include "cudaopt/levelize/rounding.hpp"
#include "cudaopt/levelize/run.hpp"
#include "cudaopt/levelize/saved_plan.hpp"
#include "cudaopt/levelize/staging.hpp"
#include "cudaopt/levelize/status.hpp"
#include "cudaopt/levelize/strategy_set.hpp"

#endif // CUDAOPT_LEVELIZE_HPP
