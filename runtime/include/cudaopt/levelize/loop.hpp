// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the runtime needs to know of a loop `for (index_t i = 0; i < n; ++i)`.
///
/// A loop is a struct, copied to the device by value, with the loop's pointers
/// and invariant values as members. The inspector runs its slice(), which names
/// the elements of conflict arrays that an iteration accesses; the executor
/// runs its body(), which does the work:
///
/// \code{.cpp}
/// struct scatter {                        // A[w[i]] = i; B[i] = A[r[i]];
///   cudaopt::array<float> A;
///   float *B;
///   const int *w, *r;
///
///   auto arrays() const { return cudaopt::extents_of(A); }
///
///   template <class Touch>                // which elements, in what order
///   CUDAOPT_HOST_DEVICE void slice(cudaopt::index_t i, Touch &touch) const {
///     touch.write(A, w[i]);
///     touch.read(A, r[i]);
///   }
///   template <class Memory>               // what the iteration does
///   CUDAOPT_HOST_DEVICE void body(cudaopt::index_t i, Memory &memory) const {
///     memory.store(A, w[i], float(i));
///     B[i] = memory.load(A, r[i]);
///   }
/// };
/// \endcode
///
/// The accesses, by array and index, in elements from 0:
///
///   touch.read(a, j), touch.write(a, j)     of any array of arrays()
///   touch.update(a, j, op)                  op is one of the types below
///   memory.load(a, j) -> T                  of `const T` arrays, too
///   memory.store(a, j, value)
///   memory.update(a, j, op, value)          a[j] = op(a[j], value)
///
/// The type of \p touch and of \p memory depends on the strategy, so that both
/// functions are templates. The caller owes:
///
/// - The slice of an iteration makes the accesses of its body, in the same
///   order, and no others: a missing one gives wrong results or a stall. It
///   reads nothing that the loop writes, unless the loop says
///
///     static constexpr bool is_self_indexing = true;
///
///   Then the slice reads conflict arrays by `touch.load(a, j) -> T`, which is
///   an access, too. Only strategy::reserve, whose executions ask the slices
///   again, strategy::sequential, and strategy::doall if the loop
///   is_independent, too, run such loops.
/// - Both functions are callable on the host and on the device, by several
///   threads at a time and any number of times. The effects of the body outside
///   of conflict arrays are idempotent (`B[i] = ...`, not `++count`), and no
///   other iteration reads or writes there.
/// - Conflict arrays may overlap each other. Nothing else that the loop writes
///   may overlap anything that it uses.
///
/// What else a loop may say of itself, as static constexpr members:
///
///   bool is_independent = true;       the caller proved that no two iterations
///                                     access one location, unless both read
///   bool has_products_in_sums = true; host compilers may contract its own
///                                     operations: see rounding.hpp
///   auto strategies = cudaopt::strategy_set(...);  those that are compiled
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_LOOP_HPP
#define CUDAOPT_LEVELIZE_LOOP_HPP

#include "cudaopt/levelize/array.hpp"
#include "cudaopt/levelize/detail/rows/row_parts.hpp"
#include "cudaopt/levelize/detail/support/loop_traits.hpp"
#include "cudaopt/levelize/direct_memory.hpp"
#include "cudaopt/levelize/rounding.hpp"

namespace cudaopt {

/// Operations of updates, `x = x op value`: plus, multiplies, minimum, maximum,
/// bit_and, bit_or, bit_xor. A body passes one as `cudaopt::plus{}`. Each is
/// rounded by itself: a product that is the value does not become a part of the
/// sum. Atomics exist for all of them; those with `is_exact_in_any_order` for T
/// give the same bits in any order. `id` numbers them, from 0.
#define CUDAOPT_OPERATION(NAME, ID, EXPRESSION, EXACT)                         \
  struct NAME {                                                                \
    static constexpr unsigned id = ID;                                         \
    template <class T> static constexpr bool is_exact_in_any_order = EXACT;    \
    template <class T> CUDAOPT_HOST_DEVICE T operator()(T a, T b) const {      \
      return EXPRESSION;                                                       \
    }                                                                          \
  };
CUDAOPT_OPERATION(plus, 0, detail::rounded_sum(a, b), std::is_integral_v<T>)
CUDAOPT_OPERATION(multiplies, 1, T(product(a, b)), std::is_integral_v<T>)
CUDAOPT_OPERATION(minimum, 2, b < a ? b : a, std::is_integral_v<T>)
CUDAOPT_OPERATION(maximum, 3, a < b ? b : a, std::is_integral_v<T>)
CUDAOPT_OPERATION(bit_and, 4, T(a &b), true)
CUDAOPT_OPERATION(bit_or, 5, T(a | b), true)
CUDAOPT_OPERATION(bit_xor, 6, T(a ^ b), true)
#undef CUDAOPT_OPERATION

/// A loop over rows whose iteration i writes x[i] once, at its end, from
/// elements of x that it reads one after the other: triangular solves,
/// Gauss-Seidel, incomplete factorisations of one value a row. Rows give more
/// speed than a body, since several lanes may read for one row while the fold
/// keeps its order. The base class makes slice() and body() of the members that
/// \p Loop has:
///
/// \code{.cpp}
/// struct solve : cudaopt::row_loop<solve, double> { // L x = b, rows of CSR
///   using index_t = cudaopt::index_t;               // whose diagonal is last
///   const index_t *ptr;
///   const int *col;
///   const double *a, *b;
///   // Row i has terms [begin, end), each of which reads x[source].
///   CUDAOPT_HOST_DEVICE index_t begin(index_t i) const { return ptr[i]; }
///   CUDAOPT_HOST_DEVICE index_t end(index_t i) const {
///     return ptr[i + 1] - 1;
///   }
///   CUDAOPT_HOST_DEVICE index_t source(index_t k) const { return col[k]; }
///   CUDAOPT_HOST_DEVICE double start(index_t i) const { return b[i]; }
///   CUDAOPT_HOST_DEVICE double step(index_t, index_t k, double x,
///                                   double sum) const {
///     return sum - a[k] * x;
///   }
///   CUDAOPT_HOST_DEVICE double finish(index_t i, double sum) const {
///     return sum / a[ptr[i + 1] - 1];
///   }
/// };
///
/// cudaopt::status solve_once(double *x, cudaopt::index_t n,
///                            const cudaopt::index_t *ptr, const int *col,
///                            const double *a, const double *b) {
///   solve rows;
///   rows.x = {x, n};
///   rows.ptr = ptr;
///   rows.col = col;
///   rows.a = a;
///   rows.b = b;
///   cudaopt::plan plan;
///   return cudaopt::run(plan, rows, n);
/// }
/// \endcode
///
/// Iteration t is row first + stride * t, and there are as many iterations as
/// rows are run: first = n - 1, stride = -1 for a backward sweep. Each row that
/// runs must be an element of x. A term whose source is a row that has run
/// before gets its new value; one whose source is the row itself or a later row
/// gets the old one. x must not overlap anything else that the loop reads.
///
/// What step and finish read besides x may be loaded before the values of x are
/// there, which takes its latency out of the chain of rows. Then the loop has
/// term() with a step() of five arguments, or pivot() with a finish() of three:
///
///     double term(index_t k) const { return a[k]; }
///     double step(index_t i, index_t k, double x, double sum, double t) const;
///     double pivot(index_t i) const { return a[ptr[i + 1] - 1]; }
///     double finish(index_t i, double sum, double p) const;
///
/// A loop that says `static constexpr bool ignores_old_values = true` may be
/// given T() instead of an old value.
template <class Loop, class T> struct row_loop {
  using value_type = T;
  array<T> x;         ///< The rows' values; the only conflict array.
  index_t first = 0;  ///< The row of iteration 0.
  index_t stride = 1; ///< 1 or -1.

  CUDAOPT_HOST_DEVICE index_t row(index_t t) const {
    return first + stride * t;
  }
  CUDAOPT_HOST_DEVICE index_t iteration(index_t row) const {
    return stride * (row - first);
  }
  extents arrays() const { return extents_of(x); }

  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t t, Touch &touch) const {
    const Loop &loop = static_cast<const Loop &>(*this);
    const index_t i = row(t);
    for (index_t k = loop.begin(i), end = loop.end(i); k < end; ++k)
      touch.read(x, loop.source(k));
    touch.write(x, i);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t t, Memory &memory) const {
    const Loop &loop = static_cast<const Loop &>(*this);
    const index_t i = row(t);
    auto sum = loop.start(i);
    for (index_t k = loop.begin(i), end = loop.end(i); k < end; ++k)
      sum = detail::terms_of<Loop>::step(loop, i, k,
                                         memory.load(x, loop.source(k)), sum,
                                         detail::terms_of<Loop>::load(loop, k));
    memory.store(x, i,
                 detail::pivots_of<Loop>::finish(
                     loop, i, sum, detail::pivots_of<Loop>::load(loop, i)));
  }
};

/// How a slice accesses an element.
enum class access_kind : std::uint8_t { read = 0, write = 1, update = 2 };

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_LOOP_HPP
