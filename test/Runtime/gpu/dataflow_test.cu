// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Random loops by renaming, tickets and levels on a device, compared bit for
/// bit with the host's sequential loop.
///
///   nvcc -arch=native -O3 -std=c++17 -Xcompiler -fno-strict-aliasing
///        -I runtime/include -I test/Runtime test/Runtime/gpu/dataflow_test.cu
//===----------------------------------------------------------------------===//

#include "device_image.hpp"
#include "level_cases.hpp"
#include "random_loop.hpp"

#include "cudaopt/levelize/detail/strategies/levels.hpp"
#include "cudaopt/levelize/detail/strategies/renaming.hpp"

#include "cudaopt/levelize/run.hpp"

#include <cstdio>
#include <cstdlib>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

constexpr strategy tested[] = {strategy::renaming, strategy::tickets,
                               strategy::levels_graph,
                               strategy::levels_cooperative};

/// Several executions of one plan, by itself and captured into a graph.
template <class Loop>
void run_one(const problem<Loop> &p, strategy by, const char *name,
             results &out, index_t levels,
             const std::vector<std::uint64_t> &expected) {
  device_image image(p.image);
  const Loop loop = p.at(image.data());
  options wanted;
  wanted.force = by;
  wanted.stall_ms = 2000;
  plan made;
  const status inspected =
      cudaopt::inspect(made, loop, p.iterations, wanted, nullptr);
  if (inspected == status::unsupported && by == strategy::renaming &&
      !detail::map_locations(loop.arrays()).has_single_spans)
    return;
  out.expect(inspected == status::ok, name, name_of(inspected), int(by));
  if (inspected != status::ok)
    return;
  out.expect(image.read() == p.image, name, "inspection modified data");
  if (made.info().levels != 0)
    out.expect(made.info().levels == levels, name, "levels",
               made.info().levels - levels);
  for (int k = 0; k < 3; ++k) {
    image.restore();
    const status s = cudaopt::execute(made, loop, nullptr);
    out.expect(s == status::ok, name, name_of(s), int(by));
    const status ended = cudaopt::check(made);
    out.expect(ended == status::ok, name, name_of(ended), int(by));
    const bool same = image.read() == expected;
    out.expect(same, name, name_of(by), p.iterations);
    if (!same)
      return;
  }
}

template <class Loop>
void run_all(const problem<Loop> &p, const char *name, results &out) {
  const std::vector<std::uint64_t> expected = p.expected();
  std::vector<std::uint64_t> copy = p.image;
  const index_t levels = longest_path(p.at(copy.data()), p.iterations);
  for (strategy s : tested)
    run_one(p, s, name, out, levels, expected);
}

/// Condition: any table, of every family and shape.
int random_tables(int programs) {
  results out;
  random_engine random(17);
  for (int k = 0; k < programs; ++k) {
    const family f = family(k % num_families);
    constexpr index_t sizes[] = {1, 2, 31, 33, 100, 1000, 5000};
    const index_t n = sizes[below(random, 7)];
    const index_t elements = 1 + below(random, 1 + n * (1 + below(random, 3)));
    run_all(make_table_problem(random, f, n, elements), name_of(f), out);
  }
  return out.report("random tables");
}

/// Condition: more iterations than the device has threads.
int large_tables() {
  results out;
  random_engine random(23);
  for (family f : {family::mixed, family::overlapping, family::near,
                   family::hot, family::long_rows}) {
    const index_t n = f == family::hot ? 50'000 : 600'000;
    run_all(make_table_problem(random, f, n, n / 2), name_of(f), out);
  }
  return out.report("large tables");
}

/// Condition: row loops, forward and backward, of doubles and integers.
int rows(int programs) {
  results out;
  random_engine random(29);
  for (int k = 0; k < programs; ++k) {
    const index_t n = 1 + below(random, 3000);
    const index_t band = below(random, 2) ? 1 + below(random, 40) : 0;
    run_all(make_rows_problem<double>(random, n, k & 1, k & 2, band),
            "rows of doubles", out);
    run_all(make_rows_problem<std::uint64_t>(random, n, k & 1, k & 2, band),
            "rows of integers", out);
  }
  return out.report("rows");
}

/// Condition: one row as long as all others together, and a loop without
/// accesses.
int extremes() {
  results out;
  random_engine random(31);
  for (index_t length : {0, 1, 2049, 1'000'000}) {
    problem<table_loop> p =
        make_table_problem(random, family::mixed, 3000, 100'000);
    std::vector<index_t> begin{0};
    std::vector<table_entry> entries;
    for (index_t i = 0; i < 3000; ++i) {
      for (index_t k = i == 1500 ? length : i % 3; k > 0 && length > 0; --k)
        entries.push_back(
            {std::int32_t(below(random, p.loop.longs.size)), 0,
             below(random, 3) ? access_kind::read : access_kind::update, 0});
      begin.push_back(index_t(entries.size()));
    }
    image_builder image;
    p.loop.longs.data = image.add<std::uint64_t>(p.loop.longs.size);
    p.loop.outputs = image.add<std::uint64_t>(3000);
    p.loop.guards = image.add(std::vector<std::uint8_t>(16, 1));
    p.loop.begin = image.add(begin);
    p.loop.entries = image.add(entries);
    p.image = image.take();
    run_all(p, "a long row", out);
  }
  return out.report("extremes");
}

/// Few elements of a large array.
struct sparse_loop {
  array<std::uint8_t> x;
  index_t stride;
  const std::uint16_t *writes, *reads;
  std::uint8_t *outputs;

  extents arrays() const { return extents_of(x); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.read(x, reads[i] * stride);
    touch.write(x, writes[i] * stride);
    if (writes[i] % 4 == 0)
      touch.update(x, reads[i] * stride, plus{});
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    const std::uint8_t value = memory.load(x, reads[i] * stride);
    memory.store(x, writes[i] * stride, std::uint8_t(value * 31 + i));
    if (writes[i] % 4 == 0)
      memory.update(x, reads[i] * stride, plus{}, std::uint8_t(7 + i));
    outputs[i] = value;
  }
};

/// Condition: so many locations that keys have 64 bits.
int many_locations() {
  results out;
  random_engine random(59);
  constexpr index_t n = 50'000, elements = 1000, stride = 1'200'000;
  std::vector<std::uint16_t> writes, reads;
  for (index_t i = 0; i < n; ++i) {
    writes.push_back(std::uint16_t(below(random, elements)));
    reads.push_back(std::uint16_t(below(random, elements)));
  }
  std::vector<std::uint8_t> x(elements), outputs(n);
  run_in_order(sparse_loop{{x.data(), elements, 0},
                           1,
                           writes.data(),
                           reads.data(),
                           outputs.data()},
               n);
  image_builder builder;
  const std::uint16_t *w = builder.add(writes), *r = builder.add(reads);
  std::uint8_t *found = builder.add<std::uint8_t>(n);
  const std::vector<std::uint64_t> bytes = builder.take();
  device_image image(bytes);
  auto there = [&](auto *p) {
    return moved(p, reinterpret_cast<std::intptr_t>(image.data()) - 64);
  };
  std::uint8_t *large = nullptr;
  if (cudaMalloc(&large, elements * stride) != cudaSuccess)
    std::abort();
  for (strategy by : tested) {
    (void)cudaMemset(large, 0, elements * stride);
    const sparse_loop loop{{large, elements * stride, 0},
                           stride,
                           there(w),
                           there(r),
                           there(found)};
    options wanted;
    wanted.force = by;
    plan made;
    const status s = cudaopt::run(made, loop, n, wanted, nullptr);
    out.expect(s == status::ok, "many locations", name_of(s), int(by));
    out.expect(cudaopt::check(made) == status::ok, "many locations", "check");
    std::vector<std::uint8_t> y(elements), o(n);
    (void)cudaMemcpy2D(y.data(), 1, large, stride, 1, elements,
                       cudaMemcpyDeviceToHost);
    (void)cudaMemcpy(o.data(), there(found), n, cudaMemcpyDeviceToHost);
    out.expect(y == x && o == outputs, "many locations", name_of(by));
  }
  (void)cudaFree(large);
  return out.report("many locations");
}

/// Condition: an index out of range is told by its first iteration, and
/// nothing is modified.
int bad_indices() {
  results out;
  random_engine random(37);
  for (int k = 0; k < 20; ++k) {
    problem<table_loop> p =
        make_table_problem(random, family::mixed, 2000, 300);
    std::vector<std::uint64_t> copy = p.image;
    const table_loop host = p.at(copy.data());
    index_t bad = -1;
    for (index_t i = 500 + below(random, 1000); i < 2000; ++i)
      if (host.begin[i] < host.begin[i + 1]) {
        auto *entries = const_cast<table_entry *>(host.entries);
        if (bad < 0)
          bad = i;
        entries[host.begin[i]].element = k & 1 ? -1 : 1 << 30;
      }
    p.image = copy;
    device_image image(p.image);
    for (strategy s : tested) {
      options wanted;
      wanted.force = s;
      plan made;
      const status found =
          cudaopt::run(made, p.at(image.data()), p.iterations, wanted, nullptr);
      out.expect(found == status::index_out_of_range, name_of(s),
                 name_of(found));
      out.expect(made.info().bad_iteration == bad, name_of(s), "iteration",
                 made.info().bad_iteration - bad);
      (void)cudaDeviceSynchronize();
      out.expect(image.read() == p.image, name_of(s), "data were modified");
    }
  }
  return out.report("bad indices");
}

/// Condition: tickets in windows, by number and for want of memory.
int windows(int programs) {
  results out;
  random_engine random(53);
  for (int k = 0; k < programs; ++k) {
    const family f = family(k % num_families);
    const index_t n = 1 + below(random, 4000);
    const auto p = make_table_problem(random, f, n, 1 + below(random, 2 * n));
    const auto expected = p.expected();
    device_image image(p.image);
    const table_loop loop = p.at(image.data());
    options wanted;
    wanted.force = strategy::tickets;
    if (k % 2)
      wanted.window = 1 + below(random, n);
    else
      wanted.max_scratch_bytes = 40'000 + std::size_t(below(random, 200'000));
    plan made;
    const status s = cudaopt::inspect(made, loop, n, wanted, nullptr);
    out.expect(s == status::ok, "windows", name_of(s), k);
    for (int again = 0; again < 2 && s == status::ok; ++again) {
      image.restore();
      const status ran = cudaopt::execute(made, loop, nullptr);
      out.expect(ran == status::ok, "windows", name_of(ran), k);
      out.expect(cudaopt::check(made) == status::ok, "windows", "check", k);
      out.expect(image.read() == expected, "windows", name_of(f), n);
    }
  }
  return out.report("windows");
}

/// Condition: a graph into which an execution was captured runs again.
int captured() {
  results out;
  random_engine random(41);
  const auto p = make_table_problem(random, family::mixed, 3000, 900);
  const auto expected = p.expected();
  for (strategy by : tested) {
    device_image image(p.image);
    const table_loop loop = p.at(image.data());
    options wanted;
    wanted.force = by;
    plan made;
    cudaStream_t s;
    (void)cudaStreamCreate(&s);
    out.expect(cudaopt::inspect(made, loop, p.iterations, wanted, s) ==
                   status::ok,
               name_of(by), "inspect");
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    (void)cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
    out.expect(cudaopt::execute(made, loop, s) == status::ok, name_of(by),
               "capture");
    out.expect(cudaStreamEndCapture(s, &graph) == cudaSuccess &&
                   cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess,
               name_of(by), "graph");
    for (int k = 0; k < 3 && exec; ++k) {
      image.restore();
      (void)cudaGraphLaunch(exec, s);
      (void)cudaStreamSynchronize(s);
      out.expect(image.read() == expected, name_of(by), "replay", k);
    }
    (void)cudaGraphExecDestroy(exec);
    (void)cudaGraphDestroy(graph);
    made = plan();
    (void)cudaStreamDestroy(s);
  }
  return out.report("captured");
}

/// Condition: loops whose levels are known.
int known_levels() {
  results out;
  struct known {
    index_t nx, ny, nz;
    bool has_corners;
    sweep kind;
    index_t levels;
  };
  const known all[] = {{1000, 1000, 1, false, sweep::lower, 1999},
                       {1000, 1000, 1, false, sweep::kaczmarz, 2998},
                       {100, 100, 100, false, sweep::lower, 298},
                       {100, 100, 100, false, sweep::kaczmarz, 595},
                       {104, 104, 104, true, sweep::gauss_seidel, 722}};
  for (const known &k : all) {
    const index_t n = k.nx * k.ny * k.nz;
    float *x = nullptr;
    if (cudaMalloc(&x, std::size_t(n) * sizeof(float)) != cudaSuccess)
      std::abort();
    options wanted;
    wanted.force = strategy::levels_cooperative;
    plan made;
    const stencil_loop loop{{x, n, 0}, k.nx, k.ny, k.nz, k.has_corners, k.kind};
    const status s = cudaopt::inspect(made, loop, n, wanted, nullptr);
    out.expect(s == status::ok, "known levels", name_of(s), k.levels);
    out.expect(made.info().levels == k.levels, "known levels", "",
               made.info().levels);
    made = plan();
    (void)cudaFree(x);
  }
  return out.report("known levels");
}

template <class T, class Change>
void change_words(T *words, index_t size, Change change) {
  std::vector<T> host(static_cast<std::size_t>(size));
  (void)cudaMemcpy(host.data(), words, host.size() * sizeof(T),
                   cudaMemcpyDeviceToHost);
  for (T &w : host)
    change(w);
  (void)cudaMemcpy(words, host.data(), host.size() * sizeof(T),
                   cudaMemcpyHostToDevice);
}

/// Condition: the comparison sees what a wrong table does.
int mutants() {
  results out;
  random_engine random(43);
  const auto p = make_table_problem(random, family::mixed, 20'000, 700);
  const auto expected = p.expected();
  for (strategy by :
       {strategy::renaming, strategy::tickets, strategy::levels_cooperative}) {
    device_image image(p.image);
    const table_loop loop = p.at(image.data());
    options wanted;
    wanted.force = by;
    wanted.stall_ms = 500;
    plan made;
    out.expect(cudaopt::inspect(made, loop, p.iterations, wanted, nullptr) ==
                   status::ok,
               name_of(by), "inspect");
    if (by == strategy::renaming) {
      auto &state = static_cast<detail::on_device<strategy::renaming>::state &>(
          *detail::contents_of(made).state);
      auto &sources = state.narrow.of_reads;
      change_words(sources.data(), sources.size(), [&](std::uint32_t &w) {
        if (below(random, 100) == 0 && w != detail::no_store<std::uint32_t>)
          w -= w != 0;
      });
    } else if (by == strategy::tickets) {
      auto &state = static_cast<detail::on_device<strategy::tickets>::state &>(
          *detail::contents_of(made).state);
      auto &tickets = state.narrow.tickets;
      change_words(reinterpret_cast<std::uint32_t *>(tickets.data()),
                   2 * tickets.size(), [&, k = 0](std::uint32_t &w) mutable {
                     if (k++ % 2 == 1) // No need.
                       w &= 3;
                   });
    } else {
      auto &state =
          static_cast<detail::on_device<strategy::levels_cooperative>::state &>(
              *detail::contents_of(made).state);
      auto &order = state.levels.narrow.order;
      change_words(order.data(), order.size(), [&](std::uint32_t &w) {
        w = std::uint32_t(p.iterations) - 1 - w;
      });
    }
    const status s = cudaopt::execute(made, loop, nullptr);
    const status ended = cudaopt::check(made);
    out.expect(s != status::ok || ended == status::stalled ||
                   image.read() != expected,
               name_of(by), "a mutant went unnoticed");
  }
  return out.report("mutants");
}

/// Condition: an iteration waits for more than will ever happen.
int endless() {
  results out;
  random_engine random(47);
  const auto p = make_table_problem(random, family::hot, 5000, 100);
  device_image image(p.image);
  const table_loop loop = p.at(image.data());
  options wanted;
  wanted.force = strategy::tickets;
  wanted.stall_ms = 200;
  plan made;
  out.expect(cudaopt::inspect(made, loop, p.iterations, wanted, nullptr) ==
                 status::ok,
             "endless", "inspect");
  auto &tickets = static_cast<detail::on_device<strategy::tickets>::state &>(
                      *detail::contents_of(made).state)
                      .narrow.tickets;
  change_words(reinterpret_cast<std::uint32_t *>(tickets.data()),
               2 * tickets.size(), [&, k = 0](std::uint32_t &w) mutable {
                 if (k++ % 2 == 1 && w >= 4)
                   w += 4 * 10'000;
               });
  (void)cudaopt::execute(made, loop, nullptr);
  const status ended = cudaopt::check(made);
  out.expect(ended == status::stalled, "endless", name_of(ended));
  return out.report("endless");
}

} // namespace

int main(int argc, char **argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  // Few programs leave the large ones out: for tools that slow a device down.
  const int programs = argc > 1 ? std::atoi(argv[1]) : 260;
  int failed = captured();
  failed |= random_tables(programs);
  failed |= rows(programs / 10);
  failed |= windows(programs / 5);
  failed |= bad_indices();
  if (programs >= 50) {
    failed |= known_levels();
    failed |= extremes();
    failed |= many_locations();
    failed |= large_tables();
  }
  failed |= mutants();
  failed |= endless();
  const cudaError_t e = cudaDeviceSynchronize();
  std::printf("%s, %s\n", failed ? "FAILED" : "ok", cudaGetErrorString(e));
  return failed || e != cudaSuccess;
}
