// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Plans on a device that has little memory or few processors left. Built by
/// hand like fuzz_test.cu.
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

/// Until \p ends is set, or for three seconds.
__global__ void spin(const volatile int *ends) {
  const long long begin = clock64();
  while (*ends == 0 && clock64() - begin < 6'000'000'000ll)
    __nanosleep(1000);
}

/// On half of all processors most threads are taken while it lives. Blocks on
/// each processor would keep it from giving kernels that sort their shared
/// memory.
class busy_half {
public:
  busy_half() {
    if (cudaHostAlloc(&Ends, sizeof(int), cudaHostAllocMapped) != cudaSuccess ||
        cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking) !=
            cudaSuccess)
      std::abort();
  }
  ~busy_half() {
    end();
    (void)cudaStreamDestroy(Stream);
    (void)cudaFreeHost(const_cast<int *>(Ends));
  }
  busy_half(const busy_half &) = delete;
  void begin() {
    *Ends = 0;
    spin<<<detail::processor_count() / 2, 1024, 0, Stream>>>(Ends);
  }
  bool is_there() const { return cudaStreamQuery(Stream) == cudaErrorNotReady; }
  void end() {
    *Ends = 1;
    (void)cudaStreamSynchronize(Stream);
  }

private:
  volatile int *Ends = nullptr;
  cudaStream_t Stream = nullptr;
};

/// Kernels of a grid that must be resident as a whole wait for the others.
bool is_cooperative(strategy s) {
  return s == strategy::levels_cooperative || s == strategy::reserve;
}

/// Condition: another stream's kernel holds half of the processors, so that
/// not all blocks of a dataflow are resident. It ends all the same.
int processors_are_busy() {
  results out;
  random_engine random(62);
  busy_half others;
  for (family f : {family::mixed, family::near, family::hot}) {
    const index_t n = f == family::mixed ? 2'000'000 : 20'000;
    const auto p = make_table_problem(random, f, n, n);
    const auto expected = p.expected();
    const device_image image(p.image);
    const table_loop loop = p.at(image.data());
    for (strategy s :
         {strategy::renaming, strategy::tickets, strategy::levels_cooperative,
          strategy::levels_graph, strategy::reserve}) {
      options wanted;
      wanted.force = s;
      for (int turn = 0; turn < 2; ++turn) { // The first one loads the code.
        image.restore();
        plan made;
        if (turn)
          others.begin();
        status answer = inspect(made, loop, n, wanted);
        out.expect(!turn || others.is_there(), name_of(s), "spins", 0);
        if (turn && is_cooperative(s))
          others.end();
        if (answer == status::ok)
          answer = execute(made, loop);
        if (answer == status::ok)
          answer = check(made);
        out.expect(answer == status::ok, name_of(s), name_of(answer), turn);
        out.expect(!turn || is_cooperative(s) || others.is_there(), name_of(s),
                   "still spins", 0);
        others.end();
        out.expect(image.read() == expected, name_of(s), name_of(f), turn);
      }
    }
  }
  return out.report("busy processors");
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
