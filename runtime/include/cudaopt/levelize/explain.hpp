// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// explain(): says in words what a plan found and why it chose its strategy,
/// for a programmer who wonders, such as
///
///   1048576 iterations with 2097152 accesses; about 12 levels.
///   Not doall: iterations depend on each other.
///   Runs by renaming on the GPU, expected to take 0.21 ms; inspected in 0.4
///   ms, 33554432 bytes of scratch.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_EXPLAIN_HPP
#define CUDAOPT_LEVELIZE_EXPLAIN_HPP

#include "cudaopt/levelize/detail/plan/explanation.hpp"
#include "cudaopt/levelize/plan.hpp"

namespace cudaopt {

/// Writes a description of a plan: counts, what was tried and why it was
/// refused, what was chosen and what the others are expected to take.
///
/// \code{.cpp}
/// void tell(const cudaopt::plan &plan) {
///   char text[2048];
///   cudaopt::explain(plan, text, sizeof(text));
///   std::fputs(text, stderr);
/// }
/// \endcode
///
/// \param p Any plan; one that is not valid is described as far as its
///     inspection got.
/// \param text Gets lines that end with a line feed, and a final 0. May be
///     null: then nothing is written.
/// \param size The bytes at \p text, the final 0 among them. 2048 are enough;
///     text that does not fit is cut off. 0 writes nothing.
///
/// Neither waits nor allocates; there are no errors. The text is for people and
/// may change.
inline void explain(const plan &p, char *text, std::size_t size) {
  detail::explain_plan(p.info(), p.is_valid(), text, size);
}

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_EXPLAIN_HPP
