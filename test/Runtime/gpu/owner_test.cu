// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Dataflow over rows gives the bits of the loop on the host. Needs a GPU:
///
///   nvcc -arch=sm_90 -std=c++17 -I runtime/include -I benchmarks/levelize
///   owner_test.cu
///
///   ./a.out [small | part]    small: for tools that slow a device down;
///                             part: of the names of the patterns to check
//===----------------------------------------------------------------------===//

#include "matrices.hpp"

#include "cudaopt/levelize/detail/strategies/owner.hpp"
#include "cudaopt/levelize/divisor.hpp"
#include "cudaopt/levelize/run.hpp"

#include <cstdio>
#include <cstring>

using namespace cudaopt;
using owner = detail::on_device<strategy::owner>;

namespace {

int Failures = 0;
std::string Only; ///< Part of the names of the patterns that are checked.

void expect(bool ok, const char *what, const std::string &where) {
  if (ok)
    return;
  ++Failures;
  std::printf("FAILED %s: %s\n", where.c_str(), what);
}

/// x[i] = (b[i] - sum of a[k] * x[col[k]]) * d[i], in any type.
template <class T, bool Split> struct rows_of : row_loop<rows_of<T, Split>, T> {
  const index_t *ptr;
  const int *col;
  const T *a, *b;

  CUDAOPT_HOST_DEVICE index_t begin(index_t i) const { return ptr[i]; }
  CUDAOPT_HOST_DEVICE index_t end(index_t i) const { return ptr[i + 1]; }
  CUDAOPT_HOST_DEVICE index_t source(index_t k) const { return col[k]; }
  CUDAOPT_HOST_DEVICE T start(index_t i) const { return b[i]; }
  CUDAOPT_HOST_DEVICE T step(index_t, index_t k, T x, T sum) const {
    return multiply(a[k], x, sum);
  }
  CUDAOPT_HOST_DEVICE T finish(index_t i, T sum) const { return sum - b[i]; }

  CUDAOPT_HOST_DEVICE static T multiply(T a, T x, T sum) {
    if constexpr (std::is_same_v<T, double>)
      return fma(a, x, sum);
    else if constexpr (std::is_same_v<T, float>)
      return fmaf(a, x, sum);
    else
      return T(unsigned(sum) * 3u + unsigned(a) * unsigned(x));
  }
};

/// The same loop, whose terms and pivots may be had beforehand.
template <class T> struct rows_of<T, true> : row_loop<rows_of<T, true>, T> {
  const index_t *ptr;
  const int *col;
  const T *a, *b;

  CUDAOPT_HOST_DEVICE index_t begin(index_t i) const { return ptr[i]; }
  CUDAOPT_HOST_DEVICE index_t end(index_t i) const { return ptr[i + 1]; }
  CUDAOPT_HOST_DEVICE index_t source(index_t k) const { return col[k]; }
  CUDAOPT_HOST_DEVICE T start(index_t i) const { return b[i]; }
  CUDAOPT_HOST_DEVICE T term(index_t k) const { return a[k]; }
  CUDAOPT_HOST_DEVICE T step(index_t, index_t, T x, T sum, T t) const {
    return rows_of<T, false>::multiply(t, x, sum);
  }
  CUDAOPT_HOST_DEVICE T pivot(index_t i) const { return b[i]; }
  CUDAOPT_HOST_DEVICE T finish(index_t, T sum, T p) const { return sum - p; }
};

template <class T> class on_device_copy {
public:
  explicit on_device_copy(const std::vector<T> &v) : Size(v.size()) {
    cudaMalloc(&Data, (v.size() + 1) * sizeof(T));
    set(v);
  }
  ~on_device_copy() { cudaFree(Data); }
  void set(const std::vector<T> &v) {
    cudaMemcpy(Data, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
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

struct inspected {
  status result;
  plan_info info;
  std::unique_ptr<detail::plan_state> state;
};

template <class Loop>
inspected inspect(const Loop &loop, index_t rows, int runs) {
  options o;
  o.expected_runs = runs;
  o.stall_ms = 2000;
  detail::scratch memory(o, nullptr);
  const detail::location_map map = detail::map_locations(loop.arrays());
  inspected made;
  detail::inspection in{rows, map, o, memory, made.info};
  made.result = owner::inspect(in, loop, made.state);
  return made;
}

/// The orders that inspect() keeps for many rows: lines, or the levels that are
/// found by them.
template <class Loop>
inspected inspect_lines(const Loop &loop, index_t rows, bool by_levels) {
  options o;
  o.stall_ms = 5000;
  detail::scratch memory(o, nullptr);
  inspected made;
  auto st = std::make_unique<owner::state>();
  st->rows = rows;
  const std::uint64_t limit_ns = std::uint64_t(o.stall_ms) * 1'000'000;
  status s = detail::find_facts(memory, loop, rows, st->facts);
  if (s == status::ok)
    s = st->lines.make(memory, loop, rows, st->facts, limit_ns);
  if (s == status::ok && by_levels)
    s = st->plan.make(memory, loop, rows, st->facts, st->lines.order(),
                      limit_ns, 1);
  if (!st->lines.is_made() || st->plan.is_made != by_levels)
    s = status::unsupported;
  st->uses_levels = by_levels;
  using cells = detail::row_cells<typename Loop::value_type>;
  if (s == status::ok)
    s = st->engine.prepare(memory, rows, cells::cell_bytes, limit_ns);
  st->engine.run.writes_through = st->facts.old == 0;
  if (s == status::ok)
    s = memory.check(owner::fit<Loop>(*st, owner::tuning_for(*st)));
  made.result = s;
  made.state = std::move(st);
  return made;
}

/// Which rows of a pattern a loop runs over, and how; others keep their values.
enum class direction { forward, backward, forward_part, backward_part };
const char *const direction_names[] = {" forward", " backward", " part forward",
                                       " part backward"};

/// Instead of a number of runs: see inspect_lines().
constexpr int lines_only = -1, levels_of_lines = -2;

/// Executes twice with one plan, the second time on what the first gave.
template <class T, bool Split>
void check(const std::string &name, const matrices::pattern &p, direction way,
           const std::vector<int> &ways_to_inspect = {1, 5, 100}) {
  using loop_type = rows_of<T, Split>;
  matrices::random_numbers random(5);
  std::vector<T> a, b, x;
  for (std::int64_t k = 0; k < p.terms(); ++k)
    a.push_back(T((random.unit() - 0.5) * (std::is_integral_v<T> ? 100 : 0.3)));
  for (std::int64_t i = 0; i < p.rows; ++i) {
    b.push_back(T((random.unit() - 0.5) * 100));
    x.push_back(T((random.unit() - 0.5) * 100));
  }
  loop_type host;
  const bool backward =
      way == direction::backward || way == direction::backward_part;
  const index_t left_out = way < direction::forward_part ? 0 : p.rows / 4;
  const index_t n = p.rows - 2 * left_out;
  host.first = left_out + (backward ? n - 1 : 0);
  host.stride = backward ? -1 : 1;
  host.x = {x.data(), p.rows};
  host.ptr = p.ptr.data();
  host.col = p.col.data();
  host.a = a.data();
  host.b = b.data();
  const on_device_copy<index_t> ptr(p.ptr);
  const on_device_copy<int> col(p.col);
  const on_device_copy<T> da(a), db(b);
  on_device_copy<T> dx(x);
  loop_type device = host;
  device.x.data = dx.data();
  device.ptr = ptr.data();
  device.col = col.data();
  device.a = da.data();
  device.b = db.data();
  const std::vector<T> before = x;
  std::vector<T> results[2];
  direct_memory memory;
  for (std::vector<T> &result : results) {
    for (index_t t = 0; t < n; ++t)
      host.body(t, memory);
    result = x;
  }
  for (int runs : ways_to_inspect) {
    const std::string where =
        name + direction_names[int(way)] + (Split ? " split" : "") + " of " +
        std::to_string(sizeof(T)) + " bytes, runs " + std::to_string(runs);
    dx.set(before);
    inspected made = runs > 0
                         ? inspect(device, n, runs)
                         : inspect_lines(device, n, runs == levels_of_lines);
    expect(made.result == status::ok, name_of(made.result), where);
    if (made.result != status::ok)
      continue;
    for (const std::vector<T> &result : results) {
      const status s = owner::execute(static_cast<owner::state &>(*made.state),
                                      device, n, nullptr);
      expect(s == status::ok, name_of(s), where);
      const cudaError_t e = cudaDeviceSynchronize();
      expect(e == cudaSuccess, cudaGetErrorString(e), where);
      if (e != cudaSuccess)
        std::exit(1); // Nothing will work any more.
      const std::vector<T> got = dx.get();
      expect(std::memcmp(got.data(), result.data(), got.size() * sizeof(T)) ==
                 0,
             "other bits", where);
    }
  }
}

void check_all(const std::string &name, const matrices::pattern &p) {
  if (name.find(Only) == std::string::npos)
    return;
  for (direction way : {direction::forward, direction::backward,
                        direction::forward_part, direction::backward_part}) {
    check<double, true>(name, p, way);
    check<double, false>(name, p, way);
    check<float, true>(name, p, way);
    check<int, false>(name, p, way);
  }
}

/// Lines of rows of any length, whose rows also read others anywhere before.
matrices::pattern lines(std::int64_t n, std::int64_t longest, int others,
                        std::uint64_t seed) {
  matrices::pattern p;
  matrices::random_numbers random(seed);
  for (std::int64_t i = 0, left = 0; i < n; ++i, --left) {
    if (left > 0)
      p.col.push_back(int(i - 1));
    else
      left = 1 + random.below(longest);
    for (std::int64_t k = random.below(others + 1); k > 0 && i > 0; --k)
      p.col.push_back(int(random.below(i)));
    p.end_row();
  }
  return p;
}

/// Rows of any length over columns anywhere.
matrices::pattern anything(std::int64_t n, int longest, std::int64_t reach,
                           std::uint64_t seed) {
  matrices::pattern p;
  matrices::random_numbers random(seed);
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t terms = random.below(longest + 1);
    for (std::int64_t k = 0; k < terms; ++k) {
      const std::int64_t j = i - reach + random.below(2 * reach + 1);
      if (j >= 0 && j < n)
        p.col.push_back(int(j));
    }
    p.ptr.push_back(p.terms()); // Unsorted, with repetitions, maybe empty.
    ++p.rows;
  }
  return p;
}

/// An index outside of x is told, and x stays.
void check_bounds() {
  matrices::pattern p = anything(1000, 5, 100, 3);
  p.col[2000] = 1000;
  std::int64_t bad = 0;
  while (p.ptr[bad + 1] <= 2000)
    ++bad;
  const on_device_copy<index_t> ptr(p.ptr);
  const on_device_copy<int> col(p.col);
  const on_device_copy<double> a(std::vector<double>(p.col.size(), 1.0));
  const on_device_copy<double> x(std::vector<double>(1000, 2.0));
  rows_of<double, true> loop;
  loop.x = {x.data(), 1000};
  loop.ptr = ptr.data();
  loop.col = col.data();
  loop.a = loop.b = a.data();
  inspected made = inspect(loop, 1000, 1);
  expect(made.result == status::index_out_of_range, name_of(made.result),
         "bounds");
  expect(made.info.bad_iteration == bad, "other iteration", "bounds");
  made = inspect(loop, 1001, 1);
  expect(made.result == status::index_out_of_range, name_of(made.result),
         "rows beyond x");
  expect(made.info.bad_iteration == 1000, "other iteration", "rows beyond x");
}

/// Rows without entries only write; run() has this strategy for them, too.
void check_no_entries() {
  const index_t n = 1000;
  const on_device_copy<index_t> ptr(std::vector<index_t>(n + 1, 0));
  const on_device_copy<double> b(std::vector<double>(n, 3.0));
  const on_device_copy<double> x(std::vector<double>(n, 2.0));
  rows_of<double, false> loop;
  loop.x = {x.data(), n};
  loop.ptr = ptr.data();
  loop.col = nullptr;
  loop.a = nullptr;
  loop.b = b.data();
  plan p;
  const status s = cudaopt::run(p, loop, n);
  expect(s == status::ok, name_of(s), "no entries");
  expect(check(p) == status::ok, "ends with an error", "no entries");
  expect(x.get() == std::vector<double>(n, 0.0), "other results", "no entries");
}

/// A captured execution may be launched again and again.
void check_graph() {
  const matrices::pattern p = matrices::star(60, 60);
  std::vector<double> x(std::size_t(p.rows), 1), a(p.col.size(), 0.3);
  const on_device_copy<index_t> ptr(p.ptr);
  const on_device_copy<int> col(p.col);
  const on_device_copy<double> da(a), dx(x);
  rows_of<double, true> loop;
  loop.x = {x.data(), p.rows};
  loop.ptr = p.ptr.data();
  loop.col = p.col.data();
  loop.a = a.data();
  loop.b = a.data();
  direct_memory memory;
  for (int run = 0; run < 3; ++run)
    for (index_t t = 0; t < p.rows; ++t)
      loop.body(t, memory);
  loop.x.data = dx.data();
  loop.ptr = ptr.data();
  loop.col = col.data();
  loop.a = loop.b = da.data();
  inspected made = inspect(loop, p.rows, 100);
  expect(made.result == status::ok, name_of(made.result), "graph");
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  owner::execute(static_cast<owner::state &>(*made.state), loop, p.rows, s);
  expect(cudaStreamEndCapture(s, &graph) == cudaSuccess, "capture", "graph");
  expect(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess,
         "instantiation", "graph");
  for (int run = 0; run < 3; ++run)
    cudaGraphLaunch(executable, s);
  expect(cudaStreamSynchronize(s) == cudaSuccess, "launch", "graph");
  const std::vector<double> got = dx.get();
  expect(std::memcmp(got.data(), x.data(), got.size() * 8) == 0, "other bits",
         "graph");
}

/// Counts quotients whose bits are not those of `/`.
__global__ void divide(std::uint64_t seed, unsigned long long *wrong) {
  std::uint64_t state = (seed + blockIdx.x * blockDim.x + threadIdx.x + 1) *
                        0x9E3779B97F4A7C15ull;
  const auto next = [&] {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Dull;
  };
  const auto number = [&](int form) {
    std::uint64_t bits = next(); // Any bits.
    if (form % 3 == 1)           // Near 1, few bits set or missing.
      bits = (bits & 0x800f000000000007ull) | 0x3ff0000000000000ull;
    if (form % 3 == 2)
      bits = (bits & 0x8000000000000007ull) ^ 0x3ffffffffffffff8ull;
    return detail::bit_cast<double>(bits);
  };
  for (int k = 0; k < 2000; ++k) {
    const double a = number(k), b = number(k / 3);
    const double fast = divisor(b).divide(a), slow = a / b;
    if (detail::bit_cast<std::uint64_t>(fast) !=
            detail::bit_cast<std::uint64_t>(slow) &&
        slow == slow)
      atomicAdd(wrong, 1ull);
  }
}

void check_divisor() {
  const on_device_copy<unsigned long long> wrong(
      std::vector<unsigned long long>(1, 0));
  divide<<<1000, 256>>>(1, wrong.data());
  expect(wrong.get()[0] == 0, "other quotients", "divisor");
}

void check_shapes() {
  using namespace matrices;
  expect(levels(star(100, 100)) == 199, "levels", "5-point 100^2");
  check_all("chain", diagonals(5000, {1}));
  check_all("chains of 31", diagonals(5000, {31}));
  check_all("chains of 33 and 1", diagonals(5000, {1, 33}));
  check_all("5-point", star(70, 90));
  check_all("7-point", star(20, 21, 22));
  check_all("27-point", box(17, 18, 19));
  check_all("rows of 61", random_before(3000, 61, 500));
  check_all("dense blocks", dense_blocks(2000, 32, 4));
  check_all("wide rows", stencil(30, 30, 1, 8, 8));
  check_all("long rows", power_law(4000, 1.7, 4000));
  check_all("arrow", block_arrow(20000, 50, 40));
  check_all("tree", tree(10000));
  check_all("random before", random_before(20000, 9, 20000));
}

/// Lines and levels of few rows.
void check_few_lines() {
  for (const auto &p : {matrices::star(40, 10, 10), lines(4000, 40, 2, 3)}) {
    const auto forward = direction::forward; // The others have no lines.
    check<double, true>("few lines", p, forward, {lines_only, levels_of_lines});
    check<int, false>("few lines", p, forward, {lines_only, levels_of_lines});
  }
}

/// So many rows that lines are looked for, the last two for one run, too.
void check_lines() {
  using namespace matrices;
  check_all("5-point of lines", star(601, 500));
  check_all("27-point of lines", box(66, 68, 70));
  check_all("lines of many", lines(300000, 2000, 8, 2));
  check_all("lines of few", lines(300000, 20, 2, 3));
  for (direction way : {direction::forward, direction::backward_part}) {
    check<double, true>("arrow of lines", block_arrow(1700000, 100, 20), way);
    check<float, true>("lines", lines(1700000, 200, 1, 1), way);
  }
}

} // namespace

int main(int argc, char **argv) {
  using namespace matrices;
  const bool is_small = argc > 1 && std::strcmp(argv[1], "small") == 0;
  if (argc > 1 && !is_small)
    Only = argv[1];
  check_all("nothing", pattern());
  check_all("one row", diagonals(1, {}));
  if (is_small)
    check_all("long rows", power_law(300, 1.7, 300));
  else
    check_shapes();
  for (std::uint64_t seed = 1; seed <= (is_small ? 2 : 20); ++seed) {
    random_numbers random(seed);
    const std::int64_t n = 1 + random.below(is_small ? 500 : 20000);
    check_all("anything " + std::to_string(seed),
              anything(n, int(random.below(40)),
                       1 + random.below(seed % 2 ? 50 : n), seed));
  }
  check_few_lines();
  if (!is_small) {
    check_lines();
    check_divisor();
  }
  check_bounds();
  check_no_entries();
  check_graph();
  std::printf(Failures ? "%d FAILED\n" : "all right\n", Failures);
  return Failures != 0;
}
