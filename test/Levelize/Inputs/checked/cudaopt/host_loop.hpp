// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// In place of the runtime's header of this name: rewritten loops are checked
/// before they run.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_LEVELIZE_HOST_LOOP_HPP
#define CUDAOPT_TEST_LEVELIZE_HOST_LOOP_HPP

#include "../any_loop.hpp"

#include "cudaopt/annotations.h"

namespace cudaopt {

template <class Loop, class... Pointer>
bool is_small(index_t, Pointer...) {
  return false;
}

template <class Loop>
bool run_loop(const Loop &loop, index_t iterations,
              std::initializer_list<memory_use> uses,
              const loop_options &wanted = {}) {
  return checked::run(checked::any_loop_of<Loop>(loop), iterations, uses,
                      wanted);
}

} // namespace cudaopt

#endif // CUDAOPT_TEST_LEVELIZE_HOST_LOOP_HPP
