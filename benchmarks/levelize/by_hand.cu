// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Loops that cuda-opt rewrites beside the same loops by hand, and in order:
///
///   cuda-opt --passes=levelize benchmarks/levelize/by_hand.cu -o rewritten.cu
///     -- -std=c++17 -I runtime/include -I benchmarks/levelize
///   nvcc -arch=sm_90 -O3 -std=c++17 -fmad=false -I runtime/include
///     -I benchmarks/levelize rewritten.cu -o by_hand
///   by_hand [millions of iterations]
///
/// -DLOOP=1 to -DLOOP=6, given to both, compiles one of the loops alone.
/// Data are the device's, managed, or the host's. A time is the median of nine
/// calls, which wait for their results; bits are compared with the loop in
/// order.
//===----------------------------------------------------------------------===//

#include "by_hand.hpp"
#include "device_array.hpp"
#include "matrices.hpp"

#include "cudaopt/annotations.h"

#include <cstring>
#include <functional>
#include <string>

namespace {

#if !defined(LOOP) || LOOP == 1
void update(float *A, float *B, const int *w, const int *r, int m, int n) {
  CUDAOPT_LEVELIZE(A [0:m])
  for (int i = 0; i < n; ++i) {
    A[w[i]] = i;
    B[i] = A[r[i]];
  }
}
#endif

#if !defined(LOOP) || LOOP == 2
void independent(float *A, const float *B, int n) {
  CUDAOPT_LEVELIZE()
  for (int i = 0; i < n; ++i)
    A[i] = A[i] * B[i] + 1;
}
#endif

#if !defined(LOOP) || LOOP == 3
void triangular(const int *ptr, const int *col, const double *a,
                const double *b, double *x, int n, int nnz) {
  CUDAOPT_LEVELIZE(x [0:n], col [0:nnz], a [0:nnz], reuse(ptr, col))
  for (int i = 0; i < n; ++i) {
    double sum = b[i];
    for (int k = ptr[i]; k < ptr[i + 1] - 1; ++k)
      sum -= a[k] * x[col[k]];
    x[i] = sum / a[ptr[i + 1] - 1];
  }
}
#endif

#if !defined(LOOP) || LOOP == 4
void histogram(unsigned *bins, const int *at, int m, int n) {
  CUDAOPT_LEVELIZE(bins [0:m])
  for (int i = 0; i < n; ++i)
    ++bins[at[i]];
}
#endif

#if !defined(LOOP) || LOOP == 5
void edges(double *flux, const double *u, const int *from, const int *to,
           int nodes, int n) {
  CUDAOPT_LEVELIZE(flux [0:nodes], u [0:nodes])
  for (int e = 0; e < n; ++e) {
    const double f = u[from[e]] - u[to[e]];
    flux[from[e]] += f;
    flux[to[e]] -= f;
  }
}
#endif

#if !defined(LOOP) || LOOP == 6
void matching(int *mate, const int *from, const int *to, int nodes, int n) {
  CUDAOPT_LEVELIZE(mate [0:nodes])
  for (int e = 0; e < n; ++e) {
    const int u = from[e], v = to[e];
    if (mate[u] < 0 && mate[v] < 0) {
      mate[u] = v;
      mate[v] = u;
    }
  }
}
#endif

enum class place { device, managed, host };

/// A loop's arrays, in one kind of memory.
class memory {
public:
  explicit memory(place where) : Where(where) {}
  memory(const memory &) = delete;
  ~memory() {
    for (const piece &p : Pieces)
      if (Where == place::host)
        std::free(p.data);
      else
        cudaFree(p.data);
  }
  template <class T> T *add(const std::vector<T> &v) {
    piece p{nullptr, bytes_of(v)};
    if (Where == place::device)
      REQUIRE(cudaMalloc(&p.data, p.initial.size()) == cudaSuccess);
    else if (Where == place::managed)
      REQUIRE(cudaMallocManaged(&p.data, p.initial.size()) == cudaSuccess);
    else
      p.data = std::malloc(p.initial.size());
    Pieces.push_back(std::move(p));
    return static_cast<T *>(Pieces.back().data);
  }
  void restore() {
    for (const piece &p : Pieces)
      copy(p.data, p.initial.data(), p.initial.size());
  }
  std::vector<char> contents() {
    std::vector<char> all;
    for (const piece &p : Pieces) {
      const std::size_t at = all.size();
      all.resize(at + p.initial.size());
      copy(all.data() + at, p.data, p.initial.size());
    }
    return all;
  }

private:
  struct piece {
    void *data;
    std::vector<char> initial;
  };
  template <class T>
  static std::vector<char> bytes_of(const std::vector<T> &v) {
    const char *begin = reinterpret_cast<const char *>(v.data());
    return {begin, begin + v.size() * sizeof(T)};
  }
  void copy(void *to, const void *from, std::size_t bytes) {
    if (Where == place::host)
      std::memcpy(to, from, bytes);
    else
      REQUIRE(cudaMemcpy(to, from, bytes, cudaMemcpyDefault) == cudaSuccess);
  }

  place Where;
  std::vector<piece> Pieces;
};

/// Median of nine calls, each on fresh data, after one to warm up.
double time_of(memory &data, const std::function<void()> &call) {
  std::vector<double> times;
  for (int k = 0; k < 10; ++k) {
    data.restore();
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const double begin = now_ms();
    call();
    times.push_back(now_ms() - begin);
  }
  times.erase(times.begin());
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// \p make(memory) places the data and returns the two calls: by the pass, by
/// hand; the second takes whether the data are to be staged.
struct calls {
  std::function<void()> by_pass;
  std::function<void(bool)> by_hand;
};
void compare(const char *name, const std::function<calls(memory &)> &make) {
  setenv("CUDAOPT_LEVELIZE", "off", 1);
  memory ordered(place::host);
  const double in_order = time_of(ordered, make(ordered).by_pass);
  const std::vector<char> expected = ordered.contents();
  for (place where : {place::device, place::managed, place::host}) {
    constexpr const char *names[] = {"device", "managed", "host"};
    setenv("CUDAOPT_LEVELIZE", where == place::host ? "gpu" : "auto", 1);
    memory data(where);
    const calls one = make(data);
    const double hand =
        time_of(data, [&] { one.by_hand(where == place::host); });
    const bool hand_same = data.contents() == expected;
    const double pass = time_of(data, one.by_pass);
    const bool same = data.contents() == expected && hand_same;
    std::printf("%-12s %-8s %9.3f %9.3f %6.2f %10.3f %8.1f %s\n", name,
                names[int(where)], pass, hand, pass / hand, in_order,
                in_order / pass, same ? "same" : "DIFFERENT");
  }
}

std::vector<int> random_indices(std::size_t size, int below,
                                std::uint64_t seed) {
  matrices::random_numbers random(seed);
  std::vector<int> result(size);
  for (int &i : result)
    i = int(random.below(below));
  return result;
}

template <class Loop> auto once(Loop loop, cudaopt::index_t n) {
  return [=](bool is_staged) {
    cudaopt::plan plan;
    by_hand::run(plan, loop, n, {}, is_staged);
  };
}

#if !defined(LOOP) || LOOP == 1
void compare_update(int n) {
  const auto first = random_indices(n, n, 1), second = random_indices(n, n, 2);
  compare("update", [&](memory &m) {
    float *A = m.add(std::vector<float>(n, 0.5f)),
          *B = m.add(std::vector<float>(n));
    const int *w = m.add(first), *r = m.add(second);
    return calls{[=] { update(A, B, w, r, n, n); },
                 once(by_hand::update{{A, n, 0}, B, w, r, n}, n)};
  });
}
#endif

#if !defined(LOOP) || LOOP == 2
void compare_independent(int n) {
  const std::vector<float> floats(n, 0.5f);
  compare("independent", [&](memory &m) {
    float *A = m.add(floats);
    const float *B = m.add(floats);
    return calls{[=] { independent(A, B, n); },
                 once(by_hand::independent{{A, n, 0}, B}, n)};
  });
}
#endif

#if !defined(LOOP) || LOOP == 4
void compare_histogram(int n) {
  const auto bin = random_indices(n, n, 1);
  compare("histogram", [&](memory &m) {
    unsigned *bins = m.add(std::vector<unsigned>(n));
    const int *at = m.add(bin);
    return calls{[=] { histogram(bins, at, n, n); },
                 once(by_hand::histogram{{bins, n, 0}, at, n}, n)};
  });
}
#endif

#if !defined(LOOP) || LOOP == 5
/// Edges of neighbours, as in a mesh.
void compare_edges(int n) {
  const int nodes = n / 4;
  std::vector<int> from(n), to = random_indices(n, 2000, 1);
  std::vector<double> values(nodes);
  for (int e = 0; e < n; ++e) {
    from[e] = e / 4;
    to[e] = std::min(nodes - 1, e / 4 + 1 + to[e]);
  }
  for (int k = 0; k < nodes; ++k)
    values[k] = (k * 7919) % 1000 / 1000.0;
  compare("edges", [&](memory &m) {
    double *flux = m.add(std::vector<double>(nodes));
    const double *u = m.add(values);
    const int *f = m.add(from), *t = m.add(to);
    return calls{[=] { edges(flux, u, f, t, nodes, n); },
                 once(by_hand::edges{{flux, nodes, 0}, u, f, t, n}, n)};
  });
}
#endif

#if !defined(LOOP) || LOOP == 6
void compare_matching(int n) {
  const int nodes = n / 4;
  const auto from = random_indices(n, nodes, 3),
             to = random_indices(n, nodes, 4);
  compare("matching", [&](memory &m) {
    int *mate = m.add(std::vector<int>(nodes, -1));
    const int *f = m.add(from), *t = m.add(to);
    return calls{[=] { matching(mate, f, t, nodes, n); },
                 once(by_hand::matching{{mate, nodes, 0}, f, t, n}, n)};
  });
}
#endif

#if !defined(LOOP) || LOOP == 3
/// The lower part of a 7-point stencil on side^3 points.
void compare_triangular(int side) {
  std::vector<int> ptr{0}, col;
  std::vector<double> a;
  const int n = side * side * side;
  for (int i = 0; i < n; ++i) {
    const int x = i % side, y = i / side % side, z = i / side / side;
    for (int before : {z ? side * side : 0, y ? side : 0, x ? 1 : 0})
      if (before)
        col.push_back(i - before), a.push_back(-0.125);
    col.push_back(i), a.push_back(1.5);
    ptr.push_back(int(col.size()));
  }
  const int nnz = ptr[n];
  cudaopt::plan plan;
  compare("triangular", [&](memory &m) {
    double *x = m.add(std::vector<double>(n));
    const double *b = m.add(std::vector<double>(n, 1.0)), *v = m.add(a);
    const int *p = m.add(ptr), *c = m.add(col);
    by_hand::triangular loop;
    loop.x = {x, n, 0};
    loop.ptr = p, loop.col = c, loop.a = v, loop.b = b;
    loop.n = n, loop.nnz = nnz;
    cudaopt::options o;
    o.when = cudaopt::reuse::checked;
    o.expected_runs = 8;
    o.indices[0] = {p, std::size_t(n + 1) * sizeof(int)};
    o.indices[1] = {c, std::size_t(nnz) * sizeof(int)};
    plan.invalidate();
    return calls{[=] { triangular(p, c, v, b, x, n, nnz); },
                 [=, &plan](bool is_staged) {
                   cudaopt::options mine = o;
                   if (is_staged) // Copies are new each time.
                     mine.when = cudaopt::reuse::never;
                   by_hand::run(plan, loop, n, mine, is_staged);
                 }};
  });
}
#endif

} // namespace

int main(int argc, char **argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const int millions = argc > 1 ? std::atoi(argv[1]) : 16;
  std::printf("%-12s %-8s %9s %9s %6s %10s %8s\n", "loop", "data", "pass, ms",
              "hand, ms", "ratio", "order, ms", "speed-up");
  const int n = millions << 20;
#if !defined(LOOP) || LOOP == 1
  compare_update(n);
#endif
#if !defined(LOOP) || LOOP == 2
  compare_independent(n);
#endif
#if !defined(LOOP) || LOOP == 3
  compare_triangular(100);
#endif
#if !defined(LOOP) || LOOP == 4
  compare_histogram(n);
#endif
#if !defined(LOOP) || LOOP == 5
  compare_edges(n);
#endif
#if !defined(LOOP) || LOOP == 6
  compare_matching(n);
#endif
}
