// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Small loops for tests of what a program may do to the runtime.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_RUNTIME_CHAIN_LOOPS_HPP
#define CUDAOPT_TEST_RUNTIME_CHAIN_LOOPS_HPP

#include "cudaopt/host_loop.hpp"

#include <stdexcept>
#include <vector>

namespace cudaopt::test {

/// x[to[i]] = x[from[i]] + 1.
struct link_loop {
  array<std::uint64_t> x;
  const int *from, *to;

  extents arrays() const { return extents_of(x); }
  template <class Visit> void each_pointer(Visit visit) {
    visit(x.data);
    visit(from);
    visit(to);
  }
  template <class Touch> void slice(index_t i, Touch &touch) const {
    touch.read(x, from[i]);
    touch.write(x, to[i]);
  }
  template <class Memory> void body(index_t i, Memory &memory) const {
    memory.store(x, to[i], memory.load(x, from[i]) + 1);
  }
};

/// Throws in the body, or in the slice, of one iteration.
struct throwing_loop : link_loop {
  index_t bad_body = -1, bad_slice = -1;

  template <class Touch> void slice(index_t i, Touch &touch) const {
    if (i == bad_slice)
      throw std::runtime_error("slice");
    link_loop::slice(i, touch);
  }
  template <class Memory> void body(index_t i, Memory &memory) const {
    if (i == bad_body)
      throw std::runtime_error("body");
    link_loop::body(i, memory);
  }
};

/// B[w[i]] = A[w[i]] + 1.
struct two_arrays {
  array<int> A, B;
  const int *w;

  extents arrays() const { return extents_of(A, B); }
  template <class Touch> void slice(index_t i, Touch &touch) const {
    touch.read(A, w[i]);
    touch.write(B, w[i]);
  }
  template <class Memory> void body(index_t i, Memory &memory) const {
    memory.store(B, w[i], memory.load(A, w[i]) + 1);
  }
};

/// Data of x[i + 1] = x[i] + 1 for n iterations.
struct links {
  explicit links(int n) : data(std::size_t(n) + 1) {
    for (int i = 0; i < n; ++i) {
      from.push_back(i);
      to.push_back(i + 1);
    }
  }
  link_loop loop() {
    return {{data.data(), index_t(data.size())}, from.data(), to.data()};
  }
  std::vector<std::uint64_t> data;
  std::vector<int> from, to;
};

inline options by(strategy s, int threads = 2) {
  options wanted;
  wanted.force = s;
  wanted.threads = threads;
  return wanted;
}

/// That run a loop of reads and writes on the CPU.
constexpr strategy general[] = {strategy::sequential,
                                strategy::levels_graph,
                                strategy::levels_cooperative,
                                strategy::paper_levels,
                                strategy::owner,
                                strategy::renaming,
                                strategy::tickets,
                                strategy::reserve};

} // namespace cudaopt::test

#endif // CUDAOPT_TEST_RUNTIME_CHAIN_LOOPS_HPP
