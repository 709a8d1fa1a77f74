// REQUIRES: cuda
// The runtime compiles without a warning for a loop and all strategies.
// RUN: %runtime-nvcc -std=c++17 -O0 -Xptxas -O0 -c %s -o %t.o

#include "random_loop.hpp"

#include "cudaopt/levelize.hpp"

cudaopt::status run_it(cudaopt::plan &p, const cudaopt::test::table_loop &loop,
                       cudaStream_t s) {
  return cudaopt::run(p, loop, 100, {}, s);
}
