// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the runtime needs to know of a loop `for (index_t i = 0; i < n; ++i)`.
///
/// A loop is a struct, copied to the device, with the loop's pointers and
/// invariant values as members:
///
///   struct update {                       // A[w[i]] = i; B[i] = A[r[i]];
///     cudaopt::array<float> A;
///     float *B;
///     const int *w, *r;
///
///     auto arrays() const { return cudaopt::extents_of(A); }
///
///     template <class Touch>              // which elements, in what order
///     CUDAOPT_HOST_DEVICE void slice(cudaopt::index_t i, Touch &touch) const {
///       touch.write(A, w[i]);
///       touch.read(A, r[i]);
///     }
///     template <class Memory>             // what the iteration does
///     CUDAOPT_HOST_DEVICE void body(cudaopt::index_t i, Memory &memory) const
///     {
///       memory.store(A, w[i], float(i));
///       B[i] = memory.load(A, r[i]);
///     }
///   };
///
/// `touch` has read(array, j), write(array, j) and update(array, j, op);
/// `memory` has load(array, j) -> T, store(array, j, value) and
/// update(array, j, op, value). The slice of an iteration makes the accesses of
/// its body, in the same order, and nothing else; it reads nothing that the
/// loop writes, unless the loop says so:
///
///   static constexpr bool is_self_indexing = true;
///
/// Then the slice reads conflict arrays by `touch.load(array, j) -> T`, which
/// is an access, too. What else the caller proved:
///
///   static constexpr bool is_independent = true;  // no two iterations meet
///
/// Both functions may run any number of times and on the host; the body's
/// effects outside of conflict arrays are idempotent (`B[i] = ...`).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_LOOP_HPP
#define CUDAOPT_LEVELIZE_LOOP_HPP

#include "cudaopt/levelize/array.hpp"
#include "cudaopt/levelize/rounding.hpp"
#include "cudaopt/levelize/row_parts.hpp"

namespace cudaopt {

/// Operations of `x = x op value`. Atomics exist for all of them; those with
/// `is_exact_in_any_order` for T give the same bits in any order.
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
/// keeps its order.
///
///   struct solve : cudaopt::row_loop<solve, double> {         // L x = b
///     const index_t *ptr; const int *col; const double *a, *b;
///     // Row i has terms [begin, end), each of which reads x[source].
///     index_t begin(index_t i) const { return ptr[i]; }
///     index_t end(index_t i) const { return ptr[i + 1] - 1; }
///     index_t source(index_t k) const { return col[k]; }
///     double start(index_t i) const { return b[i]; }
///     double step(index_t i, index_t k, double x, double sum) const {
///       return sum - a[k] * x;
///     }
///     double finish(index_t i, double sum) const {
///       return sum / a[ptr[i + 1] - 1];
///     }
///   };
///
/// (all CUDAOPT_HOST_DEVICE). A term whose source is the row itself gets the
/// old value, as does one whose source is a later row. Iteration t is row first
/// + stride * t: first = n - 1, stride = -1 for a backward sweep.
///
/// What step and finish read besides may be had before the values of x are
/// there, which takes its latency out of the chain of rows:
///
///     double term(index_t k) const { return a[k]; }
///     double step(index_t i, index_t k, double x, double sum, double t) const;
///     double pivot(index_t i) const { return a[ptr[i + 1] - 1]; }
///     double finish(index_t i, double sum, double p) const;
template <class Loop, class T> struct row_loop {
  using value_type = T;
  array<T> x;
  index_t first = 0;
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

namespace detail {

template <class Loop, class = void> struct is_row_loop : std::false_type {};
template <class Loop>
struct is_row_loop<
    Loop, std::void_t<typename Loop::value_type, decltype(&Loop::source)>>
    : std::is_base_of<row_loop<Loop, typename Loop::value_type>, Loop> {};

template <class Loop, class = void>
struct is_self_indexing : std::false_type {};
template <class Loop>
struct is_self_indexing<Loop, std::void_t<decltype(Loop::is_self_indexing)>>
    : std::bool_constant<Loop::is_self_indexing> {};

template <class Loop, class = void> struct is_independent : std::false_type {};
template <class Loop>
struct is_independent<Loop, std::void_t<decltype(Loop::is_independent)>>
    : std::bool_constant<Loop::is_independent> {};

} // namespace detail

/// What a touch is told of an access.
enum class access_kind : std::uint8_t { read = 0, write = 1, update = 2 };

/// The memory of a loop that runs without help: in order, or where nothing can
/// happen at the same time to the same location but relaxed accesses.
struct direct_memory;

} // namespace cudaopt

#include "cudaopt/levelize/direct_memory.hpp"

#endif // CUDAOPT_LEVELIZE_LOOP_HPP
