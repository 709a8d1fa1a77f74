// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Plans on a device that has little memory left. Built by hand like
/// fuzz_test.cu.
//===----------------------------------------------------------------------===//

#include "cudaopt/levelize.hpp"
#include "device_image.hpp"
#include "random_loop.hpp"

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

status run_once(plan &p, const table_loop &loop, index_t n,
                const options &wanted) {
  const status s = run(p, loop, n, wanted);
  return s == status::ok ? check(p) : s;
}

/// Whether \p p, which answered \p s, left behind what it should.
template <class Problem>
bool is_consistent(status s, const Problem &p, const device_image &image,
                   const std::vector<std::uint64_t> &expected) {
  return image.read() == (s == status::ok ? expected : p.image);
}

/// A pool of at most \p bytes, a multiple of what the device maps at a time.
memory_pool small_pool(std::size_t bytes) {
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location.type = cudaMemLocationTypeDevice;
  wanted.maxSize = bytes;
  memory_pool pool = nullptr;
  if (cudaMemPoolCreate(&pool, &wanted) != cudaSuccess)
    std::abort();
  return pool;
}

/// Condition: strategies have less memory than they ask for, by the budget of
/// the options or since a pool is full. Each is right or modifies nothing, and
/// the automatic choice finds one that is right.
int memory_ends() {
  results out;
  random_engine random(61);
  const index_t n = 50'000;
  for (family f : {family::mixed, family::writes, family::updates,
                   family::independent, family::chains, family::overlapping}) {
    const auto p = make_table_problem(random, f, n, 2 * n);
    const auto expected = p.expected();
    const device_image image(p.image);
    const table_loop loop = p.at(image.data());
    int refusals = 0;
    const memory_pool full = small_pool(std::size_t(2) << 20);
    auto check_with = [&](options wanted, bool must_run) {
      image.restore();
      wanted.where = backend::gpu;
      plan made;
      const status s = run_once(made, loop, n, wanted);
      refusals += s == status::out_of_memory;
      out.expect(s == status::ok || (!must_run && (s == status::out_of_memory ||
                                                   s == status::unsupported)),
                 name_of(f), name_of(s), int(wanted.force));
      out.expect(is_consistent(s, p, image, expected), name_of(f), "data",
                 int(wanted.force));
      if (s == status::ok && wanted.max_scratch_bytes)
        out.expect(made.info().bytes <= wanted.max_scratch_bytes, name_of(f),
                   "budget", int(wanted.force));
    };
    for (std::size_t bytes : {64ul, 40'000ul, 1ul << 20, 4ul << 20, 16ul << 20})
      for (int s = 0; s < num_strategies; ++s) {
        options wanted;
        wanted.force = strategy(s);
        wanted.max_scratch_bytes = bytes;
        if (strategy(s) != strategy::sequential)
          check_with(wanted, s == 0);
      }
    out.expect(refusals > 0, name_of(f), "nothing was refused");
    for (int s = 0; s < num_strategies; ++s) {
      options wanted;
      wanted.force = strategy(s);
      wanted.pool = full;
      if (strategy(s) != strategy::sequential)
        check_with(wanted, s == 0);
    }
    (void)cudaMemPoolDestroy(full);
  }
  // What was freed may go back to the system, and comes again.
  out.expect(keep_memory(0) == status::ok, "keep_memory", "0");
  out.expect(keep_memory(std::size_t(1) << 30) == status::ok, "keep_memory",
             "1 GB");
  return out.report("memory ends");
}

} // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const int failed = memory_ends();
  const cudaError_t e = cudaDeviceSynchronize();
  std::printf("%s, %s\n", failed ? "FAILED" : "ok", cudaGetErrorString(e));
  return failed || e != cudaSuccess;
}
