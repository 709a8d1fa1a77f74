// REQUIRES: cuda
// The runtime's headers are C++20, too, and a loop that names its strategies
// needs no others.
// RUN: %runtime-nvcc -std=c++20 -arch=sm_90 -c %s -o %t.o

#include "cudaopt/levelize.hpp"

struct add_one {
  static constexpr cudaopt::strategy_set strategies{cudaopt::strategy::doall};
  cudaopt::array<float> x;

  cudaopt::extents arrays() const { return cudaopt::extents_of(x); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(cudaopt::index_t i, Touch &touch) const {
    touch.update(x, i, cudaopt::plus{});
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(cudaopt::index_t i, Memory &memory) const {
    memory.update(x, i, cudaopt::plus{}, 1.0f);
  }
};

cudaopt::status run_it(cudaopt::plan &p, const add_one &loop) {
  return cudaopt::run(p, loop, 100);
}
