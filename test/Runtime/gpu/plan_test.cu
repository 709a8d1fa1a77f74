// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Plans on a device: refusals, budgets, reuse, graphs, staging, stalls. Built
/// by hand like fuzz_test.cu.
//===----------------------------------------------------------------------===//

#include "cudaopt/levelize.hpp"

#include <cstdio>
#include <numeric>
#include <vector>

using namespace cudaopt;

namespace {

/// x[to[i]] = x[from[i]] + 1; one iteration may break its word and not store.
struct copy_loop {
  static constexpr strategy_set strategies{
      strategy::doall,        strategy::renaming,
      strategy::tickets,      strategy::levels_cooperative,
      strategy::levels_graph, strategy::chains,
      strategy::reserve,      strategy::sequential};
  array<std::uint64_t> x;
  const int *from, *to;
  index_t silent = -1;

  extents arrays() const { return extents_of(x); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.read(x, from[i]);
    touch.write(x, to[i]);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    const std::uint64_t v = memory.load(x, from[i]) + 1;
    if (i != silent)
      memory.store(x, to[i], v);
  }
};

int Failures = 0;

void expect(bool is_right, const char *what, const char *of = "") {
  if (is_right)
    return;
  ++Failures;
  std::printf("FAILED: %s %s (CUDA: %s)\n", what, of,
              cudaGetErrorString(cudaPeekAtLastError()));
}

template <class T> class on_device_vector {
public:
  explicit on_device_vector(const std::vector<T> &v) : Size(v.size()) {
    cudaMalloc(&Data, Size * sizeof(T));
    *this = v;
  }
  ~on_device_vector() { cudaFree(Data); }
  on_device_vector(const on_device_vector &) = delete;
  void operator=(const std::vector<T> &v) {
    cudaMemcpy(Data, v.data(), Size * sizeof(T), cudaMemcpyHostToDevice);
  }
  std::vector<T> get() const {
    std::vector<T> v(Size);
    cudaMemcpy(v.data(), Data, Size * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
  }
  T *data() const { return Data; }

private:
  T *Data = nullptr;
  std::size_t Size;
};

/// x[i + distance] = x[i] + 1 for i < n.
struct chains_problem {
  chains_problem(int n, int distance)
      : from_host(std::size_t(n)), to_host(std::size_t(n)),
        zeros(std::size_t(n + distance)), x(zeros), from(indices(0)),
        to(indices(distance)), size(n) {}

  copy_loop loop() const {
    return {{x.data(), index_t(zeros.size()), 0}, from.data(), to.data(), -1};
  }
  bool is_right() const {
    std::vector<std::uint64_t> expected = zeros;
    for (std::size_t i = 0; i < from_host.size(); ++i)
      expected[std::size_t(to_host[i])] =
          expected[std::size_t(from_host[i])] + 1;
    return x.get() == expected;
  }
  const std::vector<int> &indices(int distance) {
    std::vector<int> &v = distance ? to_host : from_host;
    std::iota(v.begin(), v.end(), distance);
    return v;
  }

  std::vector<int> from_host, to_host;
  std::vector<std::uint64_t> zeros;
  on_device_vector<std::uint64_t> x;
  on_device_vector<int> from, to;
  int size;
};

options by(strategy s) {
  options wanted;
  wanted.force = s;
  return wanted;
}

constexpr strategy inspecting[] = {
    strategy::doall,  strategy::renaming,           strategy::tickets,
    strategy::chains, strategy::levels_cooperative, strategy::levels_graph};

void refuses_indices_out_of_range() {
  for (strategy s : inspecting)
    for (int bad : {-1, 1009}) {
      chains_problem c(1000, 9);
      c.to_host[500] = c.from_host[700] = bad;
      c.to = c.to_host;
      c.from = c.from_host;
      plan p;
      expect(run(p, c.loop(), 1000, by(s)) == status::index_out_of_range,
             "an index out of range", name_of(s));
      expect(p.info().bad_iteration == 500, "the first bad iteration",
             name_of(s));
      expect(c.x.get() == c.zeros, "memory untouched", name_of(s));
    }
}

void runs_few_iterations() {
  for (index_t n : {0, 1})
    for (strategy s : inspecting) {
      chains_problem c(1, 1);
      plan p;
      expect(run(p, c.loop(), n, by(s)) == status::ok && check(p) == status::ok,
             "few iterations", name_of(s));
      expect(c.x.get()[1] == std::uint64_t(n), "their result", name_of(s));
    }
}

/// Prints what is chosen.
void chooses() {
  for (int distance : {1, 1000, 300'000})
    for (int runs : {1, 100}) {
      chains_problem c(200'000, distance);
      options wanted;
      wanted.expected_runs = runs;
      plan p;
      expect(run(p, c.loop(), 200'000, wanted) == status::ok &&
                 check(p) == status::ok && c.is_right(),
             "an automatic choice");
      char text[2000];
      explain(p, text, sizeof(text));
      std::printf("distance %d, %d runs:\n%s", distance, runs, text);
    }
}

void keeps_its_budget() {
  chains_problem c(50'000, 7);
  options wanted;
  wanted.max_scratch_bytes = 1 << 20;
  plan p;
  expect(run(p, c.loop(), 50'000, wanted) == status::ok &&
             check(p) == status::ok && c.is_right(),
         "a small budget");
  expect(p.info().bytes <= wanted.max_scratch_bytes, "its bytes");
  std::printf("1 MB of scratch: %s\n", name_of(p.info().chosen));
}

void serves_again() {
  chains_problem c(50'000, 50'000);
  options wanted = by(strategy::tickets);
  wanted.when = reuse::checked;
  wanted.indices[0] = {c.from.data(), 50'000 * sizeof(int)};
  wanted.indices[1] = {c.to.data(), 50'000 * sizeof(int)};
  plan p;
  for (int k = 0; k < 3; ++k)
    expect(run(p, c.loop(), 50'000, wanted) == status::ok, "a checked run");
  expect(p.info().inspections == 1, "one inspection");
  c.from_host[40'000] = 50'001;
  c.from = c.from_host;
  c.x = c.zeros;
  expect(run(p, c.loop(), 50'000, wanted) == status::ok &&
             check(p) == status::ok && c.is_right(),
         "a run after a change");
  expect(p.info().inspections == 2, "a second inspection");
}

void goes_into_graphs() {
  for (strategy s : inspecting) {
    chains_problem c(20'000, s == strategy::doall ? 20'000 : 40);
    plan p;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    if (inspect(p, c.loop(), 20'000, by(s), stream) != status::ok) {
      std::printf("%s does not take the loop for graphs\n", name_of(s));
      continue;
    }
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    expect(execute(p, c.loop(), stream) == status::ok, "capture", name_of(s));
    cudaStreamEndCapture(stream, &graph);
    const bool is_made =
        graph && cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess;
    expect(is_made, "a graph", name_of(s));
    for (int k = 0; is_made && k < 3; ++k) {
      c.x = c.zeros;
      cudaGraphLaunch(executable, stream);
      cudaStreamSynchronize(stream);
      expect(c.is_right(), "a graph's result", name_of(s));
    }
    p.invalidate(); // Before its stream.
    cudaGetLastError();
    cudaStreamDestroy(stream);
  }
}

/// Host arrays that overlap, declared apart.
void stages_host_memory() {
  const int n = 5'000'000, distance = 1'000'000;
  std::vector<std::uint64_t> x(std::size_t(n + distance)), expected = x;
  std::vector<int> from(static_cast<std::size_t>(n)), to(from);
  std::iota(from.begin(), from.end(), 0);
  std::iota(to.begin(), to.end(), distance);
  for (int i = 0; i < n; ++i)
    expected[std::size_t(i + distance)] = expected[std::size_t(i)] + 1;
  staging area;
  area.declare(x.data(), n, transfer::in_out);
  area.declare(x.data() + distance, n, transfer::in_out);
  area.declare(from.data(), n, transfer::in);
  area.declare(to.data(), n, transfer::in);
  expect(area.start() == status::ok, "staging");
  expect(area.on_device(x.data()) + distance ==
             area.on_device(x.data() + distance),
         "overlaps on the device");
  const copy_loop loop{{area.on_device(x.data()), n + distance, 0},
                       area.on_device(from.data()),
                       area.on_device(to.data()),
                       -1};
  {
    plan p;
    expect(run(p, loop, n) == status::ok, "a staged loop");
    expect(area.finish() == status::ok && x == expected, "its result");
  }
  on_device_vector<int> there(from);
  staging in_place;
  in_place.declare(there.data(), n, transfer::in);
  expect(in_place.start() == status::ok &&
             in_place.on_device(there.data()) == there.data() &&
             in_place.bytes() == 0,
         "device memory in place");
}

void ends_stalls() {
  chains_problem c(1000, 1);
  copy_loop loop = c.loop();
  loop.silent = 300;
  options wanted = by(strategy::renaming);
  wanted.stall_ms = 200;
  plan p;
  expect(run(p, loop, 1000, wanted) == status::ok &&
             check(p) == status::stalled,
         "a stall");
  loop.silent = -1;
  c.x = c.zeros;
  expect(run(p, loop, 1000, wanted) == status::ok && check(p) == status::ok &&
             c.is_right(),
         "the plan after a stall");
}

} // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  refuses_indices_out_of_range();
  runs_few_iterations();
  chooses();
  keeps_its_budget();
  serves_again();
  goes_into_graphs();
  stages_host_memory();
  ends_stalls();
  std::printf("%d failures, CUDA: %s\n", Failures,
              cudaGetErrorString(cudaDeviceSynchronize()));
  return Failures != 0;
}
