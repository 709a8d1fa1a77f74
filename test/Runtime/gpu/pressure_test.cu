// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Plans on a device that has little memory or few processors left. Built by
/// hand like fuzz_test.cu, with -I benchmarks/levelize.
//===----------------------------------------------------------------------===//

#include "busy_processors.hpp"
#include "cudaopt/levelize.hpp"
#include "device_image.hpp"
#include "matrices.hpp"
#include "random_loop.hpp"

#include <chrono>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

template <class Loop>
status run_once(plan &p, const Loop &loop, index_t n, const options &wanted) {
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

/// Hashes of rows before.
struct hashed_rows : row_loop<hashed_rows, std::uint64_t> {
  const index_t *ptr;
  const int *col;

  CUDAOPT_HOST_DEVICE index_t begin(index_t i) const { return ptr[i]; }
  CUDAOPT_HOST_DEVICE index_t end(index_t i) const { return ptr[i + 1]; }
  CUDAOPT_HOST_DEVICE index_t source(index_t k) const { return col[k]; }
  CUDAOPT_HOST_DEVICE std::uint64_t start(index_t i) const { return i; }
  CUDAOPT_HOST_DEVICE std::uint64_t step(index_t, index_t, std::uint64_t x,
                                         std::uint64_t sum) const {
    return mix(sum, x);
  }
  CUDAOPT_HOST_DEVICE std::uint64_t finish(index_t, std::uint64_t sum) const {
    return sum;
  }
  void move(std::ptrdiff_t by) {
    x.data = moved(x.data, by);
    ptr = moved(ptr, by);
    col = moved(col, by);
  }
};

problem<hashed_rows> make_rows(const matrices::pattern &p) {
  problem<hashed_rows> made;
  image_builder image;
  made.iterations = p.rows;
  made.loop.x = {image.add<std::uint64_t>(p.rows), p.rows};
  made.loop.ptr = image.add(std::vector<index_t>(p.ptr.begin(), p.ptr.end()));
  made.loop.col = image.add(p.col);
  made.image = image.take();
  return made;
}

/// Kernels whose grid must be resident as a whole wait for the others.
bool is_cooperative(strategy s) {
  return s == strategy::levels_cooperative || s == strategy::reserve;
}

/// Loops beside somebody else's kernel.
class among_others {
public:
  /// Runs \p p alone and with half of the processors.
  template <class Loop>
  void check(const char *name, const problem<Loop> &p, options wanted) {
    const auto expected = p.expected();
    const device_image image(p.image);
    const Loop loop = p.at(image.data());
    wanted.where = backend::gpu;
    wanted.stall_ms = 2000;
    const std::string what =
        std::string(name) + ", " + name_of(wanted.force) + ":";
    double ms[2];
    strategy chosen = wanted.force;
    for (int turn = 0; turn < 3; ++turn) { // The first one loads the code.
      const bool is_busy = turn == 2;
      image.restore();
      if (is_busy)
        Others.begin(is_cooperative(chosen) ? 50 : 1500);
      plan made;
      const auto begin = std::chrono::steady_clock::now();
      const status s = run_once(made, loop, p.iterations, wanted);
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - begin;
      const bool were_there = Others.is_there();
      Others.end();
      ms[is_busy] = took.count();
      if (s == status::ok)
        chosen = made.info().chosen;
      Out.expect(s == status::ok || s == status::unsupported, what.c_str(),
                 name_of(s), turn);
      Out.expect(is_consistent(s, p, image, expected), what.c_str(), "data",
                 turn);
      Out.expect(!is_busy || were_there || is_cooperative(chosen), what.c_str(),
                 "waited, ms", (long long)ms[1]);
      Ran += is_busy && s == status::ok;
    }
    if (is_cooperative(chosen) || ms[1] <= Slowest * ms[0])
      return;
    Slowest = ms[1] / ms[0];
    std::printf("%s %.2f ms alone, %.2f ms beside others\n", what.c_str(),
                ms[0], ms[1]);
  }
  int report() {
    Out.expect(Ran > 40, "few loops ran", "", Ran);
    return Out.report("processors are busy");
  }

private:
  results Out;
  busy_half Others;
  double Slowest = 1;
  int Ran = 0;
};

/// Condition: another stream's kernel holds half of the processors, so that
/// grids made for all of them are resident in part. Who claims work ends while
/// that kernel is there; a cooperative kernel starts when it has gone.
int processors_are_busy() {
  random_engine random(62);
  among_others all;
  options wanted;
  for (family f :
       {family::mixed, family::writes, family::updates, family::independent,
        family::chains, family::overlapping, family::hot, family::near}) {
    const index_t n = f == family::hot || f == family::near ? 3000 : 200'000;
    const auto p = make_table_problem(random, f, n, 2 * n);
    for (int s = 0; s < num_strategies; ++s) {
      wanted.force = strategy(s);
      if (n == 3000 || wanted.force != strategy::sequential)
        all.check(name_of(f), p, wanted);
    }
  }
  const auto deep = make_table_problem(random, family::near, 200'000, 200'000);
  for (strategy s : {strategy::renaming, strategy::tickets}) {
    wanted.force = s;
    all.check("many near ones", deep, wanted);
  }
  // So many rows that lines are looked for.
  const auto rows = make_rows(matrices::star(900, 950));
  for (int runs : {1, 5, 100})
    for (strategy s :
         {strategy::automatic, strategy::owner, strategy::renaming}) {
      wanted.force = s;
      wanted.expected_runs = runs;
      all.check(("rows, runs " + std::to_string(runs)).c_str(), rows, wanted);
    }
  return all.report();
}

} // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int failed = memory_ends();
  failed |= processors_are_busy();
  const cudaError_t e = cudaDeviceSynchronize();
  std::printf("%s, %s\n", failed ? "FAILED" : "ok", cudaGetErrorString(e));
  return failed || e != cudaSuccess;
}
