// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The runtime in a program that has errors, captures, devices and slow bodies
/// of its own. Prints PASS or FAIL for each condition. Needs a device; built by
/// hand:
///
///   nvcc -arch=native -O2 -std=c++17 -I runtime/include
///     test/Runtime/gpu/guest_test.cu -o guest_test && ./guest_test
//===----------------------------------------------------------------------===//

#include "cudaopt/host_loop.hpp"

#include <cstdio>
#include <limits>
#include <memory>
#include <vector>

using namespace cudaopt;

namespace {

/// y[to[i]] = x[from[i]] + 1, where x and y may be one. An iteration may break
/// its word and not store; all may take long.
struct copy_loop {
  static constexpr strategy_set strategies{
      strategy::doall,        strategy::renaming,
      strategy::tickets,      strategy::levels_cooperative,
      strategy::levels_graph, strategy::chains,
      strategy::reserve,      strategy::paper_levels,
      strategy::sequential};
  array<int> x, y;
  const int *from, *to;
  index_t silent = -1;
  long long cycles = 0; ///< Of a body.

  extents arrays() const { return extents_of(x, y); }
  template <class Visit> void each_pointer(Visit visit) {
    visit(x.data);
    visit(y.data);
    visit(from);
    visit(to);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.read(x, from[i]);
    touch.write(y, to[i]);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    int v = memory.load(x, from[i]) + 1;
#if defined(__CUDA_ARCH__)
    if (cycles)
      for (const long long begin = clock64(); clock64() - begin < cycles;)
        v += 0;
#endif
    if (i != silent)
      memory.store(y, to[i], v);
  }
};

constexpr strategy all[] = {
    strategy::renaming,     strategy::tickets,   strategy::levels_cooperative,
    strategy::levels_graph, strategy::chains,    strategy::reserve,
    strategy::paper_levels, strategy::sequential};

int Failures = 0;

void expect(bool is_right, const char *what, const char *of = "") {
  std::printf("%s %s %s\n", is_right ? "PASS" : "FAIL", what, of);
  Failures += !is_right;
}

/// x[i + 1] = x[i] + 1 for i < size, in managed memory.
struct chain {
  explicit chain(int n) : size(n) {
    cudaMallocManaged(&x, std::size_t(n + 1) * sizeof(int));
    cudaMallocManaged(&from, std::size_t(n) * sizeof(int));
    cudaMallocManaged(&to, std::size_t(n) * sizeof(int));
    for (int i = 0; i < n; ++i) {
      from[i] = i;
      to[i] = i + 1;
    }
    reset();
  }
  ~chain() {
    cudaFree(x);
    cudaFree(from);
    cudaFree(to);
  }
  chain(const chain &) = delete;
  chain &operator=(const chain &) = delete;

  void reset() {
    cudaDeviceSynchronize();
    for (int i = 0; i <= size; ++i)
      x[i] = 0;
  }
  bool is_right() const {
    cudaDeviceSynchronize();
    for (int i = 0; i <= size; ++i)
      if (x[i] != i)
        return false;
    return true;
  }
  copy_loop loop() const { return {{x, size + 1}, {x, size + 1}, from, to}; }

  int size;
  int *x = nullptr, *from = nullptr, *to = nullptr;
};

options by(strategy s) {
  options wanted;
  wanted.force = s;
  wanted.where = backend::gpu;
  return wanted;
}

/// Chains meet at two locations for strategy::chains: a loop that it takes.
void make_disjoint(chain &c) {
  for (int i = 0; i < c.size; ++i)
    c.from[i] = c.to[i];
}
bool is_disjoint_right(const chain &c) {
  cudaDeviceSynchronize();
  for (int i = 1; i <= c.size; ++i)
    if (c.x[i] != 1)
      return false;
  return true;
}

void leave_error() { (void)cudaFree(reinterpret_cast<void *>(8)); }

/// The program's error is still there, and is taken away.
bool has_error() { return cudaGetLastError() == cudaErrorInvalidValue; }

void keeps_errors(stream on, const char *what) {
  for (strategy s : all) {
    chain c(3000);
    if (s == strategy::chains)
      make_disjoint(c);
    (void)cudaGetLastError();
    leave_error();
    {
      plan p;
      const bool ran = run(p, c.loop(), c.size, by(s), on) == status::ok &&
                       execute(p, c.loop(), on) == status::ok &&
                       check(p) == status::ok && p.info().cuda_error == 0;
      expect(ran, what, name_of(s));
    }
    expect(has_error(), "the program's error is left", name_of(s));
    c.reset();
    plan p;
    expect(run(p, c.loop(), c.size, by(s), on) == status::ok &&
               check(p) == status::ok,
           "without an error", name_of(s));
    expect(cudaPeekAtLastError() == cudaSuccess, "none is left", name_of(s));
    expect(s == strategy::chains ? is_disjoint_right(c) : c.is_right(),
           "the result", name_of(s));
  }
}

void keeps_errors_of_run_loop() {
  chain c(3000);
  (void)cudaGetLastError();
  leave_error();
  loop_options wanted;
  wanted.inspection_options = by(strategy::tickets);
  expect(run_loop(c.loop(), c.size, {index(c.from, c.size)}, wanted) &&
             c.is_right(),
         "run_loop beside an error");
  expect(has_error(), "run_loop leaves the error");
  std::vector<int> host(3001), from(c.from, c.from + 3000),
      to(c.to, c.to + 3000);
  leave_error();
  copy_loop there{
      {host.data(), 3001}, {host.data(), 3001}, from.data(), to.data()};
  expect(run_loop(there, 3000,
                  {index(from.data(), 3000), index(to.data(), 3000)}, wanted) &&
             host[3000] == 3000,
         "run_loop with copies beside an error");
  expect(has_error(), "run_loop with copies leaves the error");
}

/// A pool that has no memory: the error is the runtime's, and told.
void takes_its_own_errors() {
  cudaMemPoolProps small{};
  small.allocType = cudaMemAllocationTypePinned;
  small.location.type = cudaMemLocationTypeDevice;
  small.maxSize = 1 << 20;
  cudaMemPool_t pool = nullptr;
  if (cudaMemPoolCreate(&pool, &small) != cudaSuccess)
    return expect(false, "a pool");
  {
    chain c(3'000'000);
    options wanted = by(strategy::renaming);
    wanted.pool = pool;
    plan p;
    expect(run(p, c.loop(), c.size, wanted) == status::out_of_memory,
           "a pool without memory");
    expect(cudaPeekAtLastError() == cudaSuccess, "its error is taken");
    c.to[7] = -1;
    expect(run_loop(c.loop(), c.size, {}, loop_options()) == false,
           "run_loop leaves what it cannot run");
    expect(c.x[1] == 0, "and changes nothing");
  }
  cudaDeviceSynchronize();
  cudaMemPoolDestroy(pool);
}

void resets_stalls() {
  for (strategy s : {strategy::renaming, strategy::tickets}) {
    chain c(1000);
    copy_loop loop = c.loop(), silent = loop;
    silent.silent = 300;
    options wanted = by(s);
    wanted.stall_ms = 200;
    plan p;
    expect(run(p, silent, 1000, wanted) == status::ok, "a stall", name_of(s));
    const status ended = check(p);
    // Tickets are signalled by who does not store, too.
    expect(ended == (s == strategy::renaming ? status::stalled : status::ok),
           "it is told", name_of(s));
    expect(check(p) == status::ok, "once", name_of(s));
    c.reset();
    expect(execute(p, loop) == status::ok && check(p) == status::ok &&
               c.is_right(),
           "the plan runs again", name_of(s));
  }
}

/// Two thousand bodies of a millisecond, one after the other: each waits for
/// two seconds, and none for 300 ms of standstill.
void waits_for_slow_bodies() {
  for (strategy s : {strategy::renaming, strategy::tickets}) {
    chain c(2000);
    copy_loop loop = c.loop();
    loop.cycles = 1'500'000;
    options wanted = by(s);
    wanted.stall_ms = 300;
    plan p;
    expect(run(p, loop, c.size, wanted) == status::ok &&
               check(p) == status::ok && c.is_right(),
           "slow bodies", name_of(s));
  }
}

void leaves_captures_alone() {
  for (strategy s :
       {strategy::tickets, strategy::renaming, strategy::reserve}) {
    chain c(3000);
    cudaStream_t on;
    cudaStreamCreate(&on);
    {
      plan p, other;
      options checked = by(s);
      expect(inspect(p, c.loop(), c.size, by(s), on) == status::ok, "inspect",
             name_of(s));
      checked.when = reuse::checked;
      checked.indices[0] = {c.from, 12000};
      cudaGraph_t graph = nullptr;
      cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal);
      const bool is_captured = execute(p, c.loop(), on) == status::ok;
      expect(is_captured != (s == strategy::reserve), "execute", name_of(s));
      expect(check(p) == status::capturing, "check says so", name_of(s));
      expect(inspect(other, c.loop(), c.size, by(s), on) == status::capturing,
             "inspect says so", name_of(s));
      expect(run(other, c.loop(), c.size, checked, on) == status::capturing,
             "run says so", name_of(s));
      expect(cudaStreamEndCapture(on, &graph) == cudaSuccess && graph,
             "the capture goes on", name_of(s));
      cudaGraphExec_t made = nullptr;
      if (is_captured && cudaGraphInstantiate(&made, graph, 0) == cudaSuccess) {
        cudaGraphLaunch(made, on);
        expect(check(p) == status::ok && c.is_right(), "the graph", name_of(s));
        cudaGraphExecDestroy(made);
      }
      cudaGraphDestroy(graph);
    }
    expect(cudaGetLastError() == cudaSuccess, "no error", name_of(s));
    cudaStreamDestroy(on);
  }
}

void finds_array_numbers() {
  chain a(1000), b(1000);
  for (strategy s : {strategy::renaming, strategy::tickets, strategy::doall}) {
    copy_loop loop{{a.x, 1001, 5}, {b.x, 1001, 5}, a.from, a.to};
    a.reset();
    b.reset();
    plan p;
    expect(run(p, loop, 1000, by(s)) == status::ok && check(p) == status::ok &&
               b.x[1000] == 1 && b.x[0] == 0,
           "arrays with one number", name_of(s));
    loop.y.size = 500;
    expect(run(p, loop, 1000, by(s)) == status::index_out_of_range &&
               p.info().bad_iteration == 499,
           "the size of the second array", name_of(s));
  }
}

void refuses_nonsense() {
  chain c(100);
  plan p;
  expect(run(p, c.loop(), 100, by(strategy(77))) == status::invalid_argument,
         "strategy(77)");
  options wanted = by(strategy::tickets);
  wanted.window = -1;
  expect(run(p, c.loop(), 100, wanted) == status::invalid_argument, "window");
  for (index_t size :
       {index_t(-1), index_t(1) << 61, std::numeric_limits<index_t>::max()}) {
    copy_loop loop = c.loop();
    loop.x.size = size;
    expect(run(p, loop, 100, by(strategy::tickets)) == status::invalid_argument,
           "a size");
  }
  device_model model;
  expect(calibrate(-1, model) == status::invalid_argument, "calibrate(-1)");
}

/// Plans and their memory belong to the device of their inspection.
void keeps_to_its_device() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  if (devices < 2)
    return (void)std::printf("SKIP one device only\n");
  for (strategy s : all) {
    chain c(3000);
    if (s == strategy::chains)
      make_disjoint(c);
    auto p = std::make_unique<plan>();
    expect(inspect(*p, c.loop(), c.size, by(s)) == status::ok, "inspect",
           name_of(s));
    cudaSetDevice(1);
    expect(execute(*p, c.loop()) == status::ok && check(*p) == status::ok,
           "another current device", name_of(s));
    p.reset();
    int now = -1;
    cudaGetDevice(&now);
    expect(now == 1 && cudaDeviceSynchronize() == cudaSuccess &&
               cudaPeekAtLastError() == cudaSuccess,
           "it is left as it was", name_of(s));
    cudaSetDevice(0);
    expect(s == strategy::chains ? is_disjoint_right(c) : c.is_right(),
           "the result", name_of(s));
  }
}

} // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  keeps_errors(nullptr, "beside an error");
  keeps_errors(cudaStreamPerThread, "beside an error, stream of the thread");
  keeps_errors_of_run_loop();
  takes_its_own_errors();
  resets_stalls();
  waits_for_slow_bodies();
  leaves_captures_alone();
  finds_array_numbers();
  refuses_nonsense();
  keeps_to_its_device();
  std::printf("%d failures, CUDA: %s\n", Failures,
              cudaGetErrorString(cudaDeviceSynchronize()));
  return Failures != 0;
}
