// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Loops of more than 2^31 iterations, and of more than 2^32. Needs 70 GB;
/// built by hand like fuzz_test.cu.
//===----------------------------------------------------------------------===//

#include "cudaopt/levelize.hpp"
#include "device_image.hpp"

#include <chrono>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

CUDAOPT_HOST_DEVICE inline std::uint8_t byte_of(index_t i) {
  return std::uint8_t(std::uint64_t(i) * 0x9e3779b97f4a7c15ull >> 56);
}

/// x[i] = byte_of(i)
struct fill_loop {
  array<std::uint8_t> x;
  static constexpr strategy_set strategies{strategy::doall};

  extents arrays() const { return extents_of(x); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.write(x, i);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.store(x, i, byte_of(i));
  }
};

/// x[i % x.size] = byte_of(i)
struct overwrite_loop : fill_loop {
  static constexpr strategy_set strategies{strategy::last_writer};
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.write(x, i % x.size);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.store(x, i % x.size, byte_of(i));
  }
};

/// x[i % x.size] += i
struct count_loop {
  array<std::uint64_t> x;
  static constexpr strategy_set strategies{strategy::atomic_reduction};

  extents arrays() const { return extents_of(x); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.update(x, i % x.size, plus{});
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.update(x, i % x.size, plus{}, std::uint64_t(i));
  }
};

/// x[i % x.size] = 3 * x[i % x.size] + i
struct chain_loop : count_loop {
  static constexpr strategy_set strategies{
      strategy::doall,   strategy::chains,       strategy::renaming,
      strategy::tickets, strategy::levels_graph, strategy::levels_cooperative,
      strategy::reserve, strategy::sequential};
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.read(x, i % x.size);
    touch.write(x, i % x.size);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    const std::uint64_t old = memory.load(x, i % x.size);
    memory.store(x, i % x.size, 3 * old + std::uint64_t(i));
  }
};

/// Sets \p wrong if x[j] is not expected(j).
template <class T, class Expected>
__global__ void compare_all(const T *x, index_t size, Expected expected,
                            int *wrong) {
  for (index_t j = detail::grid_thread(); j < size; j += detail::grid_threads())
    if (x[j] != T(expected(j)))
      *wrong = 1;
}

/// What the loops above leave in element j, each from its definition.
struct filled {
  __device__ std::uint64_t operator()(index_t j) const { return byte_of(j); }
};
struct overwritten {
  index_t n, size;
  __device__ std::uint64_t operator()(index_t j) const {
    return byte_of(j + (n - 1 - j) / size * size);
  }
};
struct counted {
  index_t n, size;
  __device__ std::uint64_t operator()(index_t j) const {
    std::uint64_t sum = 0;
    for (index_t i = j; i < n; i += size)
      sum += std::uint64_t(i);
    return sum;
  }
};
struct chained {
  index_t n, size;
  __device__ std::uint64_t operator()(index_t j) const {
    std::uint64_t value = 0;
    for (index_t i = j; i < n; i += size)
      value = 3 * value + std::uint64_t(i);
    return value;
  }
};

template <class T> class device_elements {
public:
  explicit device_elements(index_t size) : Size(size) {
    if (cudaMalloc(&Data, std::size_t(size) * sizeof(T)) != cudaSuccess ||
        cudaMalloc(&Wrong, sizeof(int)) != cudaSuccess)
      std::abort();
    clear();
  }
  ~device_elements() {
    (void)cudaFree(Data);
    (void)cudaFree(Wrong);
  }
  device_elements(const device_elements &) = delete;
  array<T> get() const { return {Data, Size, 0}; }
  void clear() const { (void)cudaMemset(Data, 0, Size * sizeof(T)); }
  template <class Expected> bool are(Expected expected) const {
    int wrong = 0;
    (void)cudaMemset(Wrong, 0, sizeof(int));
    compare_all<<<4096, 256>>>(Data, Size, expected, Wrong);
    return cudaMemcpy(&wrong, Wrong, sizeof(int), cudaMemcpyDeviceToHost) ==
               cudaSuccess &&
           wrong == 0;
  }

private:
  T *Data = nullptr;
  int *Wrong = nullptr;
  index_t Size;
};

/// Runs \p loop and compares with \p expected; refusals must be allowed.
template <class Loop, class T, class Expected>
void check_loop(results &out, const Loop &loop, index_t n,
                const device_elements<T> &x, Expected expected,
                const char *what, const options &wanted = {},
                bool may_refuse = false) {
  const auto begin = std::chrono::steady_clock::now();
  x.clear();
  plan p;
  status s = run(p, loop, n, wanted);
  if (s == status::ok)
    s = check(p);
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;
  std::printf("  %s of %lld: %s by %s, %.2f s\n", what,
              static_cast<long long>(n), name_of(s), name_of(p.info().chosen),
              took.count());
  const bool is_refusal =
      may_refuse && (s == status::out_of_memory || s == status::unsupported);
  out.expect(s == status::ok || is_refusal, what, name_of(s), n);
  if (s == status::ok)
    out.expect(x.are(expected), what, "values", n);
  out.expect(cudaPeekAtLastError() == cudaSuccess, what, "CUDA", n);
}

/// Condition: a loop of one kind has more iterations than 31 or 32 bits count.
int one_kind(index_t n) {
  results out;
  options wanted;
  {
    const device_elements<std::uint8_t> x(n);
    wanted.force = strategy::doall;
    check_loop(out, fill_loop{x.get()}, n, x, filled{}, "doall", wanted);
  }
  const device_elements<std::uint8_t> bytes(1'000'003);
  wanted.force = strategy::last_writer;
  check_loop(out, overwrite_loop{{bytes.get()}}, n, bytes,
             overwritten{n, 1'000'003}, "last_writer", wanted);
  for (index_t size : {index_t(61), index_t(1'000'003)}) {
    const device_elements<std::uint64_t> x(size);
    wanted.force = strategy::atomic_reduction;
    check_loop(out, count_loop{x.get()}, n, x, counted{n, size},
               size == 61 ? "atomic_reduction, few" : "atomic_reduction",
               wanted);
  }
  return out.report("one kind");
}

/// Condition: a loop that needs an order has more accesses than 32 bits count;
/// with little memory it runs in windows or is left to another strategy.
int any_kind(index_t n) {
  results out;
  constexpr index_t size = 1 << 22;
  const device_elements<std::uint64_t> x(size);
  chain_loop loop;
  loop.x = x.get();
  const chained expected{n, size};
  options wanted;
  wanted.max_scratch_bytes = std::size_t(8) << 30;
  for (strategy s : {strategy::tickets, strategy::renaming, strategy::chains,
                     strategy::automatic}) {
    wanted.force = s;
    check_loop(out, loop, n, x, expected, name_of(s), wanted,
               s != strategy::automatic);
  }
  return out.report("any kind");
}

} // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int failed = 0;
  for (index_t n : {(index_t(1) << 31) + 5, (index_t(1) << 32) + 5})
    failed |= one_kind(n);
  failed |= any_kind((index_t(1) << 31) + 5);
  const cudaError_t e = cudaDeviceSynchronize();
  std::printf("%s, %s\n", failed ? "FAILED" : "ok", cudaGetErrorString(e));
  return failed || e != cudaSuccess;
}
