// RUN: cp %s %t.cpp
// RUN: %cuda-opt --passes=levelize -Rpass-missed=. %t.cpp -o %t.out.cpp -- -std=c++17 -I %include-runtime 2>&1 | FileCheck %s
// RUN: %host-cxx -std=c++17 -pthread -I %include-runtime %t.out.cpp -o %t.after
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=tickets %t.after > %t.found
// RUN: %host-cxx -std=c++17 -I %include-runtime %t.cpp -o %t.before
// RUN: %t.before | diff - %t.found
//
// What a loop does to variables is decided by the ways that control takes, not
// by the order of the text.
#include <algorithm>
#include <cstdio>
#include <cudaopt/annotations.h>

int known = 0;
inline int below(int x) {
  const int limit = 100;
  int most[2] = {x, limit};
  return most[x > limit];
}

// The head counts by an assignment, from a constant.
void assigned(int *a, const int *p, unsigned n) {
  int first = 0;
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = first; i < n; i = i + 1)
    a[p[i]] += i;
}
// Each way gives `t` a value.
void branches(int *a, const int *p, int n) {
  int t;
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i) {
    if (p[i] & 1)
      t = 1;
    else
      t = i;
    a[p[i]] += t;
  }
}
// A call may return one of its arguments.
void clamped(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i)
    a[std::max(3, std::min(p[i], 60))] += i;
}
// `i` is given a value behind the loop before it is read.
int counted(int *a, const int *p, int n) {
  int i;
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (i = 0; i < n; ++i)
    a[p[i]] += below(a[i & 63]);
  i = a[3];
  return i;
}
// Nothing that is thrown comes to a handler that reads `t`.
void caught(int *a, const int *p, int n) {
  try {
    CUDAOPT_LEVELIZE(a[0:64], p[0:n])
    for (int i = 0; i < n; ++i)
      a[p[i]] += 1;
    if (n < 0)
      throw n;
  } catch (int) {
    known = 1;
  }
}
// CHECK: [[#@LINE+6]]:7: remark: marked loop of 'rethrown' stays sequential: the value that 't' has after the loop may be read
void rethrown(int *a, const int *p, int n) {
  int t;
  try {
    CUDAOPT_LEVELIZE(a[0:64], p[0:n])
    for (int i = 0; i < n; ++i) {
      t = p[i];
      a[t] += 1;
    }
    if (n < 0)
      throw n;
  } catch (int) {
    known = t;
  }
}
// CHECK: marked loop of 'handled' stays sequential: the value that 't' has after the loop may be read
void check(int n) {
  if (n > 5)
    throw n;
}
int handled(int *a, const int *p, int n) {
  int t = 5;
  try {
    CUDAOPT_LEVELIZE(a[0:64], p[0:n])
    for (int i = 0; i < n; ++i) {
      t = p[i];
      a[t] += 1;
    }
    check(n);
    t = 2;
  } catch (int) {
  }
  return t;
}
// CHECK: marked loop of 'seen' stays sequential: the value that 't' has after the loop may be read
struct Reader {
  int &at;
  ~Reader() { known = at; }
};
void seen(int *a, const int *p, int n) {
  int t = 5;
  Reader reader{t};
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i) {
    t = p[i];
    a[t] += 1;
  }
  check(n);
  t = 2;
}
// CHECK: marked loop of 'renamed' stays sequential: its bound may change while it runs: 'n'
void renamed(int *a, const int *p, int n) {
  int &m = n;
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] += 1;
    m -= 1;
  }
}
// CHECK: marked loop of 'joined' stays sequential: 's' carries a value from one iteration to the next
void joined(int *a, const int *p, int n) {
  int s = 0;
  int &r = s;
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] += 1;
    s += p[i];
    r *= 2;
  }
}
// CHECK: marked loop of 'commas' stays sequential: {{.*}}: it has no simple bound
void commas(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; known = 1, i < n; ++i)
    a[p[i]] += 1;
}
// CHECK: marked loop of 'hidden' stays sequential: an assignment stands inside of an expression
void hidden(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; (known = 2, i) < n; ++i)
    a[p[i]] += 1;
}
// CHECK: marked loop of 'ends' stays sequential: it calls 'stop', which does more than compute
[[noreturn]] void stop();
void ends(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] += 1;
    stop();
  }
}
void stop() { __builtin_trap(); }
// CHECK: marked loop of 'unreached' stays sequential: a statement of its body is not supported (no run comes to its end)
void unreached(int *a, const int *p, int n) {
  return;
  CUDAOPT_LEVELIZE(a[0:64], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += 1;
}
// CHECK: 5 loops made parallel, 9 kept

int main() {
  int a[64] = {}, p[60];
  for (int i = 0; i < 60; ++i)
    p[i] = i * 7 % 64;
  assigned(a, p, 60), branches(a, p, 60), clamped(a, p, 60), caught(a, p, 60);
  rethrown(a, p, 60), renamed(a, p, 60), joined(a, p, 60), commas(a, p, 60);
  hidden(a, p, 60), unreached(a, p, 60);
  try {
    seen(a, p, 60);
  } catch (int) {
  }
  std::printf("%d %d\n", known, handled(a, p, 60));
  std::printf("%d\n", counted(a, p, 60));
  for (int i = 0; i < 64; ++i)
    std::printf("%d ", a[i]);
}
