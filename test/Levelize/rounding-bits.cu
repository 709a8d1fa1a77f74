// REQUIRES: gcc
// RUN: cp %s %t.cpp
// RUN: %cuda-opt --passes=levelize %t.cpp -o %t.out.cpp -- -std=c++17 -I %include-runtime 2>&1 | FileCheck %s
// RUN: %gcc -w -O3 -DTYPE=float -std=c++17 -pthread -I %include-runtime %t.cpp -o %t.before
// RUN: %gcc -w -O3 -DTYPE=float -std=c++17 -pthread -I %include-runtime %t.out.cpp -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE_FORCE=sequential %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE_FORCE=renaming %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE_FORCE=ordered_reduction %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE_FORCE=chains %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE_FORCE=doall %t.after | diff %t.expected -
// RUN: %gcc -w -O2 -DTYPE=double -march=native -std=c++17 -pthread -I %include-runtime %t.cpp -o %t.before
// RUN: %gcc -w -O2 -DTYPE=double -march=native -std=c++17 -pthread -I %include-runtime %t.out.cpp -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE_FORCE=sequential %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE_FORCE=renaming %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE_FORCE=ordered_reduction %t.after | diff %t.expected -
// RUN: %host-cxx -w -O2 -DTYPE=float -march=native -std=c++17 -pthread -I %include-runtime %t.cpp -o %t.before
// RUN: %host-cxx -w -O2 -DTYPE=float -march=native -std=c++17 -pthread -I %include-runtime %t.out.cpp -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE_FORCE=ordered_reduction %t.after | diff %t.expected -
//
// The bits of a loop are those of the loop as it stands, by the same compiler
// with the same flags: also where that rounds products together with sums, of
// which cuda-opt was not told.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cudaopt/annotations.h>
#include <iterator>
#include <limits>
#include <vector>

// CHECK: 40 loops made parallel, 0 kept

constexpr int n = 500, m = 97;

template <class V> V half_of(V a) { return a / 2; }
template <class V> V mixed(V a, V b) {
  V p = a * b;
  return p + a;
}
template <class V> V scaled(V a, V b) { return a * b; }

template <class T>
void loop_0(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] += u[i] * v[i];
  }
}
template <class T>
void loop_1(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] -= u[i] * v[i];
  }
}
template <class T>
void loop_2(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = x[r[i]] * u[i] + v[i];
  }
}
template <class T>
void loop_3(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = v[i] - x[r[i]] * u[i];
  }
}
template <class T>
void loop_4(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = x[r[i]] * u[i] - v[i] * u[i];
  }
}
template <class T>
void loop_5(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    T p = u[i] * v[i];
    x[w[i]] += p;
  }
}
template <class T>
void loop_6(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    T p = u[i] * v[i];
    x[w[i]] = x[r[i]] + p;
    x[r[i]] = p;
  }
}
template <class T>
void loop_7(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    T p = u[i];
    p *= v[i];
    p += x[r[i]];
    x[w[i]] = p;
  }
}
template <class T>
void loop_8(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] += -(u[i] * v[i]);
  }
}
template <class T>
void loop_9(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] += u[i] < 0 ? u[i] * v[i] : v[i];
  }
}
template <class T>
void loop_10(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] += u[i] * v[i] + v[i];
  }
}
template <class T>
void loop_11(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] *= u[i];
    x[r[i]] += v[i];
  }
}
template <class T>
void loop_12(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = u[i] * v[i];
    x[r[i]] = x[w[i]] + u[i];
  }
}
template <class T>
void loop_13(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = u[i] / 4 + x[r[i]];
  }
}
template <class T>
void loop_14(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] += u[i] / v[i];
  }
}
template <class T>
void loop_15(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = std::sqrt(std::fabs(x[r[i]])) * u[i] + 1;
  }
}
template <class T>
void loop_16(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = std::fma(x[r[i]], u[i], v[i]) * u[i];
  }
}
template <class T>
void loop_17(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = std::min(x[w[i]], u[i] * v[i]);
  }
}
template <class T>
void loop_18(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = std::max(x[r[i]] * u[i], v[i]) + u[i];
  }
}
template <class T>
void loop_19(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = half_of(x[r[i]]) + u[i];
  }
}
template <class T>
void loop_20(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = mixed(x[r[i]], u[i]);
  }
}
template <class T>
void loop_21(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = scaled(x[r[i]], u[i]) + v[i];
  }
}
template <class T>
void loop_22(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = T(int(u[i] * 8)) * v[i] + x[r[i]];
  }
}
template <class T>
void loop_23(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = T(double(u[i]) * v[i] + x[r[i]]);
  }
}
template <class T>
void loop_24(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = T(float(u[i]) * float(v[i])) + x[r[i]];
  }
}
template <class T>
void loop_25(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    T s = x[r[i]];
    for (int k = 0; k < 3; ++k)
      s += u[(i + k) % n] * v[k];
    x[w[i]] = s;
  }
}
template <class T>
void loop_26(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    T a = u[i] * u[i], b = v[i] * v[i];
    x[w[i]] = a + b;
  }
}
template <class T>
void loop_27(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], y[0:n], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    y[i] = u[i] * v[i];
    x[w[i]] += v[i];
  }
}
template <class T>
void loop_28(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] += u[i];
    x[r[i]] -= u[i];
  }
}
template <class T>
void loop_29(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], z[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] -= z[i];
  }
}
template <class T>
void loop_30(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], z[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = x[w[i]] - z[i];
  }
}
template <class T>
void loop_31(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = x[w[i]] + u[i] * T(0.1);
  }
}
template <class T>
void loop_32(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] *= x[r[i]];
  }
}
template <class T>
void loop_33(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    T t[2] = {u[i] * v[i], u[i]};
    x[w[i]] = t[0] + t[1];
  }
}
template <class T>
void loop_34(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    T a = u[i];
    if (a > 0)
      a = a * v[i];
    else
      a = a + v[i];
    x[w[i]] = a - x[r[i]];
  }
}
template <class T>
void loop_35(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = (u[i] + v[i]) * (u[i] - v[i]) + x[r[i]] * x[r[i]];
  }
}
template <class T>
void loop_36(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = ((u[i] * v[i])) * u[i] - (v[i]);
  }
}
template <class T>
void loop_37(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    T a = u[i];
    a -= v[i] * x[r[i]];
    a /= 2;
    x[w[i]] = a + 1;
  }
}
template <class T>
void loop_38(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]]--;
    x[r[i]] += u[i];
  }
}
template <class T>
void loop_39(T *x, T *y, const T *u, const T *v, const T *z, const int *w,
            const int *r) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    x[w[i]] = u[i] * v[i], x[r[i]] += 1;
  }
}

#ifdef ON_DEVICE
constexpr bool on_device = true;
#else
constexpr bool on_device = false;
#endif

template <class T> void run(const char *name) {
  using loop = void (*)(T *, T *, const T *, const T *, const T *, const int *,
                        const int *);
  const loop loops[] = {
      loop_0<T>, loop_1<T>, loop_2<T>, loop_3<T>, loop_4<T>, loop_5<T>, loop_6<T>, loop_7<T>, loop_8<T>, loop_9<T>, loop_10<T>, loop_11<T>, loop_12<T>, loop_13<T>, loop_14<T>, loop_15<T>, loop_16<T>, loop_17<T>, loop_18<T>, loop_19<T>, loop_20<T>, loop_21<T>, loop_22<T>, loop_23<T>, loop_24<T>, loop_25<T>, loop_26<T>, loop_27<T>, loop_28<T>, loop_29<T>, loop_30<T>, loop_31<T>, loop_32<T>, loop_33<T>, loop_34<T>, loop_35<T>, loop_36<T>, loop_37<T>, loop_38<T>, loop_39<T>};
  std::vector<T> x(m), y(n), u(n), v(n), z(n);
  std::vector<int> w(n), r(n);
  std::uint32_t state = 12345;
  auto next = [&] { return state = state * 1664525u + 1013904223u, state >> 8; };
  for (int i = 0; i < n; ++i) {
    u[i] = (int(next() % 2000) - 1000) / T(701);
    v[i] = (int(next() % 2000) - 1000) / T(613) + T(0.001);
    z[i] = i % 83 == 40 ? (i % 2 ? T(NAN) : -T(NAN)) : u[i];
    w[i] = next() % m, r[i] = next() % m;
  }
  u[3] = T(-0.0), u[4] = std::numeric_limits<T>::denorm_min();
  v[5] = T(INFINITY), u[6] = std::numeric_limits<T>::min();
  for (std::size_t k = 0; k < std::size(loops); ++k) {
    for (int i = 0; i < m; ++i)
      x[i] = T(i) / 7;
    loops[k](x.data(), y.data(), u.data(), v.data(), z.data(), w.data(),
             r.data());
    std::uint64_t hash = 0;
    for (const std::vector<T> *a : {&x, &y})
      for (T each : *a) {
        // Of two that are no numbers either may survive. A device has one
        // pattern for those of float.
        const bool is_one = (k == 29 || k == 30) && !on_device;
        if (each != each && !is_one)
          each = T(NAN);
        std::uint64_t bits = 0;
        std::memcpy(&bits, &each, sizeof each);
        hash = (hash ^ bits) * 0x100000001b3ull;
      }
    std::printf("%s %zu %016llx\n", name, k, (unsigned long long)hash);
  }
}
#ifndef TYPE
#define TYPE float
#endif
#define NAME_OF(T) #T
#define NAME(T) NAME_OF(T)
int main() { run<TYPE>(NAME(TYPE)); }
