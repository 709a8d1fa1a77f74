// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// One random loop by one strategy of the CPU, by any team and rules.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_RUNTIME_CPU_RUN_HPP
#define CUDAOPT_TEST_RUNTIME_CPU_RUN_HPP

#include "random_problem.hpp"

#include "cudaopt/levelize.hpp"

#include <ostream>

namespace cudaopt::test {

enum class outcome { right, wrong, stalled, unsupported, refused };

inline std::ostream &operator<<(std::ostream &out, outcome o) {
  constexpr const char *names[] = {"right", "wrong", "stalled", "unsupported",
                                   "refused"};
  return out << names[int(o)];
}

template <class Rules, class Loop, class Team>
outcome run_by(const problem<Loop> &p,
               const std::vector<std::uint64_t> &expected, strategy s,
               Team &team, const options &wanted = {}) {
  namespace cpu = detail::cpu;
  std::vector<std::uint64_t> image = p.image;
  const Loop loop = p.at(image.data());
  const extents arrays = loop.arrays();
  const detail::location_map map = detail::map_locations(arrays);
  plan_info info;
  cpu::host_scratch memory(wanted.max_scratch_bytes);
  cpu::inspection in{p.iterations, arrays, map, wanted, info, memory};
  std::unique_ptr<detail::plan_state> state;
  status answer = cpu::inspect<Rules>(s, in, loop, state);
  if (answer == status::unsupported)
    return outcome::unsupported;
  if (answer != status::ok || image != p.image)
    return outcome::refused;
  if (s == strategy::reserve)
    answer = cpu::on_cpu<strategy::reserve>::execute_by<Rules>(
        static_cast<cpu::on_cpu<strategy::reserve>::state &>(*state), loop,
        p.iterations, team);
  else
    answer = cpu::execute_by(team, s, *state, loop, p.iterations);
  if (answer == status::stalled)
    return outcome::stalled;
  return answer == status::ok && image == expected ? outcome::right
                                                   : outcome::wrong;
}

/// Draws a problem of any kind and calls `f(problem, name)`.
template <class F>
void with_random_problem(random_engine &random, index_t most_iterations,
                         F &&f) {
  const index_t n = 1 + below(random, most_iterations);
  const index_t m = 1 + below(random, 1 + below(random, 2 * most_iterations));
  const bool coin = random() & 1;
  switch (below(random, num_families + 6)) {
  case 0:
    return f(make_update_problem<std::uint32_t, plus>(random, n, m), "words");
  case 1:
    return f(make_update_problem<double, plus>(random, n, m), "doubles");
  case 2:
    return f(make_rows_problem<double>(random, n, coin), "rows of doubles");
  case 3:
    return f(make_rows_problem<std::uint64_t>(random, n, coin), "rows");
  case 4:
    return f(make_rows_problem<std::uint64_t>(random, n, coin, true, 4),
             "lower rows");
  case 5:
    return f(make_self_indexing_problem(random, n, m), "self-indexing");
  default:
    const auto one = family(below(random, num_families));
    return f(make_table_problem(random, one, n, m), name_of(one));
  }
}

} // namespace cudaopt::test

#endif // CUDAOPT_TEST_RUNTIME_CPU_RUN_HPP
