// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Histograms, scatters of which the last one wins, spanning forests and greedy
/// matchings: strategies for loops that only update, only write, or index by
/// what they write, beside plain atomics and a scatter without an order.
///
///   updates [log2 of the iterations]
///   nvcc -arch=sm_90 -O3 -std=c++17 -fmad=false -I runtime/include
///        benchmarks/levelize/updates.cu
//===----------------------------------------------------------------------===//

#include "program_runs.hpp"
#include "record.hpp"

#include "cudaopt/levelize/detail/strategies/atomic_reduction.hpp"
#include "cudaopt/levelize/detail/strategies/chains.hpp"
#include "cudaopt/levelize/detail/strategies/last_writer.hpp"
#include "cudaopt/levelize/detail/strategies/ordered_reduction.hpp"
#include "cudaopt/levelize/detail/strategies/reserve.hpp"

using namespace cudaopt;
using namespace cudaopt::bench;

namespace {

/// x[at[i]] += v[i]
template <class T> struct histogram {
  array<T> x;
  const int *at;
  const T *v;

  extents arrays() const { return extents_of(x); }
  void move(std::ptrdiff_t by) {
    x.data = moved(x.data, by);
    at = moved(at, by);
    v = moved(v, by);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.update(x, at[i], plus{});
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.update(x, at[i], plus{}, v[i]);
  }
};

/// x[at[i]] = v[i]
template <class T> struct scatter : histogram<T> {
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.write(this->x, this->at[i]);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.store(this->x, this->at[i], this->v[i]);
  }
};

template <class T> __global__ void plain_atomics(histogram<T> l, index_t n) {
  const index_t i = detail::grid_thread();
  if (i < n)
    atomicAdd(l.x.data + l.at[i], l.v[i]);
}

/// Kruskal's forest: the slice follows what the loop writes.
struct forest {
  static constexpr bool is_self_indexing = true;
  array<int> parent;
  const int *u, *v;

  extents arrays() const { return extents_of(parent); }
  void move(std::ptrdiff_t by) {
    parent.data = moved(parent.data, by);
    u = moved(u, by);
    v = moved(v, by);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE int root(Memory &memory, int x) const {
    for (int p; (p = memory.load(parent, x)) != x;)
      x = p;
    return x;
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    const int a = root(touch, u[i]), b = root(touch, v[i]);
    if (a != b)
      touch.write(parent, a < b ? b : a);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    const int a = root(memory, u[i]), b = root(memory, v[i]);
    if (a != b)
      memory.store(parent, a < b ? b : a, a < b ? a : b);
  }
};

/// Greedy matching: an edge is taken if both ends are free.
struct matching : forest {
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    if (touch.load(parent, u[i]) == 0 && touch.load(parent, v[i]) == 0) {
      touch.write(parent, u[i]);
      touch.write(parent, v[i]);
    }
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    if (memory.load(parent, u[i]) == 0 && memory.load(parent, v[i]) == 0) {
      memory.store(parent, u[i], v[i] + 1);
      memory.store(parent, v[i], u[i] + 1);
    }
  }
};

/// On the host, whose result is the reference.
template <class Loop>
double reference_ms(image &data, const Loop &loop, index_t n) {
  data.fix();
  const double ms = time_of([&] {
    direct_memory memory;
    for (index_t i = 0; i < n; ++i)
      loop.body(i, memory);
  });
  data.fix_reference();
  return ms;
}

/// \p name is of the loop.
template <strategy S, class Loop>
void print(const std::string &name, image &data, const Loop &host, index_t n,
           bool exact = true) {
  const program<Loop> p = program<Loop>{{{host, n}}, 1}.at(data.to_device());
  options wanted;
  wanted.exact = exact;
  const run_result r = run_by<S>(p, data, wanted, false, 5);
  double again = 0;
  strategy_run<S, Loop> runs(p, wanted);
  if (r.answer == status::ok) {
    (void)runs.run(data, true, 1);
    again = median_of(5, [&] { runs.execute(); });
  }
  std::printf("  %-20s %-12s inspect %8.3f ms, one-shot %8.3f, again %8.3f  "
              "%s\n",
              name_of(S), name_of(r.answer), r.inspect_ms, r.total_ms, again,
              !exact       ? ""
              : r.is_right ? "right"
                           : "WRONG");
  std::fflush(stdout);
  if (r.answer != status::ok)
    return;
  REQUIRE(!exact || r.is_right);
  record(name.c_str(), name_of(S), "once_ms", r.total_ms);
  record(name.c_str(), name_of(S), "again_ms", again);
  if (exact)
    record(name.c_str(), name_of(S), "right", r.is_right);
}

template <class T> void run_histogram(const char *type, index_t n, index_t m) {
  image data(std::size_t(n * (4 + sizeof(T)) + m * sizeof(T) + 8192));
  histogram<T> l;
  l.x = {data.add<T>(m), m, 0};
  int *at = data.add<int>(n);
  T *v = data.add<T>(n);
  fill(at, n, [&](index_t i) {
    return int(hash(std::uint64_t(i)) % std::uint64_t(m));
  });
  fill(v, n, [](index_t i) { return T(1 + i % 1000) / T(8); });
  std::memset(l.x.data, 0, std::size_t(m) * sizeof(T));
  l.at = at;
  l.v = v;
  const double cpu = reference_ms(data, l, n);
  histogram<T> device = l;
  data.restore();
  device.move(data.to_device());
  const double plain = kernel_ms(
      [&] { plain_atomics<<<unsigned((n + 255) / 256), 256>>>(device, n); });
  std::printf("histogram of %s, %lld in %lld bins: CPU %.1f ms, plain atomics "
              "%.3f ms\n",
              type, (long long)n, (long long)m, cpu, plain);
  const std::string name = "histogram of " + std::to_string(n) + " " + type +
                           " in " + std::to_string(m) + " bins";
  record(name.c_str(), "one core", "time_ms", cpu);
  record(name.c_str(), "plain atomics", "time_ms", plain);
  print<strategy::atomic_reduction>(name, data, l, n, std::is_integral_v<T>);
  print<strategy::ordered_reduction>(name, data, l, n);
  print<strategy::chains>(name, data, l, n);
}

void run_scatter(index_t n, index_t m) {
  image data(std::size_t(n * 8 + m * 4 + 8192));
  scatter<float> l;
  l.x = {data.add<float>(m), m, 0};
  int *at = data.add<int>(n);
  float *v = data.add<float>(n);
  fill(at, n, [&](index_t i) {
    return int(hash(std::uint64_t(i)) % std::uint64_t(m));
  });
  fill(v, n, [](index_t i) { return float(i % 100003); });
  std::memset(l.x.data, 0, std::size_t(m) * 4);
  l.at = at;
  l.v = v;
  const double cpu = reference_ms(data, l, n);
  scatter<float> device = l;
  data.restore();
  device.move(data.to_device());
  detail::on_device<strategy::doall>::state state;
  const double racy = kernel_ms([&] {
    (void)detail::on_device<strategy::doall>::execute(state, device, n,
                                                      nullptr);
  });
  std::printf("scatter, %lld to %lld: CPU %.1f ms, in no order %.3f ms\n",
              (long long)n, (long long)m, cpu, racy);
  const std::string name =
      "scatter of " + std::to_string(n) + " to " + std::to_string(m);
  record(name.c_str(), "one core", "time_ms", cpu);
  record(name.c_str(), "in no order", "time_ms", racy);
  print<strategy::last_writer>(name, data, l, n);
  print<strategy::chains>(name, data, l, n);
}

/// A random graph's edges.
template <class Loop>
void run_graph(const char *name, index_t vertices, index_t edges,
               bool is_forest) {
  image data(std::size_t(edges * 8 + vertices * 4 + 8192));
  Loop l;
  l.parent = {data.add<int>(vertices), vertices, 0};
  int *u = data.add<int>(edges), *v = data.add<int>(edges);
  for (index_t k = 0; k < vertices; ++k)
    l.parent.data[k] = is_forest ? int(k) : 0;
  auto any = [&](index_t i) {
    return int(hash(std::uint64_t(i)) % std::uint64_t(vertices));
  };
  fill(u, edges, [&](index_t i) { return any(2 * i); });
  fill(v, edges, [&](index_t i) { return any(2 * i + 1); });
  l.u = u;
  l.v = v;
  const double cpu = reference_ms(data, l, edges);
  std::printf("%s, %lld vertices, %lld edges: CPU %.1f ms\n", name,
              (long long)vertices, (long long)edges, cpu);
  const std::string sized = std::string(name) + ", " +
                            std::to_string(vertices) + " vertices, " +
                            std::to_string(edges) + " edges";
  record(sized.c_str(), "one core", "time_ms", cpu);
  print<strategy::reserve>(sized, data, l, edges);
}

} // namespace

int main(int argc, char **argv) {
  const index_t n = index_t(1) << (argc > 1 ? std::atoi(argv[1]) : 26);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  for (index_t m : {n, n / 64, n >> 12, n >> 16, index_t(64)})
    run_histogram<float>("float", n, m);
  run_histogram<float>("float", n / 64, 1);
  for (index_t m : {n, n >> 16})
    run_histogram<int>("int", n, m);
  for (index_t m : {n, n >> 16})
    run_scatter(n, m);
  run_graph<matching>("greedy matching", n / 16, n / 4, false);
  run_graph<forest>("spanning forest", n / 16, n / 4, true);
}
