// RUN: cp %s %t.cpp
// RUN: %cuda-opt --passes=levelize %t.cpp -o %t.out.cpp -- -std=c++17 -I %include-runtime -I %S/Inputs 2>&1 | FileCheck %s
// RUN: %host-cxx -std=c++17 -Wall -Wextra -Werror -pthread -I %include-runtime -I %S/Inputs %t.cpp -o %t.before
// RUN: %host-cxx -std=c++17 -Wall -Wextra -Werror -pthread -I %include-runtime -I %S/Inputs %t.out.cpp -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
//
// RUN: grep -v '^ *//' %t.out.cpp | FileCheck %s --check-prefix=TEXT
//
// Blocks have variables of their own, numbers of iterations are no ints, and
// what the user, or a header, has called plan or update_loop is no name of ours. Where
// the file has names that the struct would have, the struct has others.
#include "taken_names.hpp"
#include <cstdio>
#include <cudaopt/annotations.h>

// CHECK-NOT: remark
// CHECK: 9 loops made parallel
// CHECK-NOT: remark
void blocks(int *a, int *b, const int *p, const int *q, int n) {
  CUDAOPT_LEVELIZE(a[0:n], b[0:n])
  for (int i = 0; i < n; ++i) {
    int t = p[i];
    {
      int t = q[i];
      a[t] += i;
    }
    {
      int t = p[i] ^ 1;
      a[t] = b[t] - i;
    }
    b[t] += 2;
  }
}
void steps(int *a, const int *p) {
  CUDAOPT_LEVELIZE(a[0:64], p[0:64])
  for (int i = -2000000000; i < 2000000000; i += 100000000)
    a[p[(i / 100000000) & 63]] += i % 7;
  CUDAOPT_LEVELIZE(a[0:64], p[0:64])
  for (int i = 2147483647; i >= 0; i -= 300000000)
    a[p[i & 63]] += i % 7;
}
void keeps(int *plan, const int *p, int n) {
  CUDAOPT_LEVELIZE(plan[0:n], reuse(p))
  for (int i = 0; i < n; ++i)
    plan[p[i]] += 1;
}
// TEXT-LABEL: struct parameters_loop {
// TEXT: const int *the_body;
// TEXT: cudaopt::array<int> the_slice;
// TEXT: template <class the_Touch>
// TEXT: slice(cudaopt::index_t the_iteration,
// TEXT-NEXT: the_Touch &the_touch) const {
// TEXT: the_touch.update(the_slice, the_body[memory],
// TEXT: the_Memory &the_memory) const {
// TEXT: the_memory.update(the_slice, the_body[memory], cudaopt::plus{}, int(touch + iteration))
void parameters(int *slice, const int *body, int touch, int n) {
  CUDAOPT_LEVELIZE(slice[0:n], body[0:n])
  for (int iteration = 0; iteration < n; ++iteration) {
    const int memory = iteration ^ 1;
    slice[body[memory]] += touch + iteration;
  }
}
struct mesh {
  int arrays[64], first_value = 3;
  const int *visit;
  // TEXT-LABEL: struct members_loop {
  void members(int start, int Memory, int Touch) {
    CUDAOPT_LEVELIZE(visit[0:64])
    for (int i = start; i < 64; ++i) {
      int is_independent = Memory + Touch;
      arrays[visit[i]] += is_independent * first_value;
    }
  }
};
// TEXT-LABEL: struct iterators_loop {
// TEXT: const int body = int(the_iteration);
// TEXT: const int body = int(the_iteration);
void iterators(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n], p[0:n])
  for (int body = 0; body < n; ++body) {
    const int slice = p[body];
    a[slice] = a[slice] * 5 + body;
  }
}
void privates(int *a, const int *p, int n) {
  int body, arrays;
  CUDAOPT_LEVELIZE(a[0:n], p[0:n])
  for (int slice = 0; slice < n; ++slice) {
    body = p[slice];
    arrays = body * 7;
    a[body] = a[body] * 3 + arrays;
  }
}
struct node {
  int body;
};
// TEXT-LABEL: struct fields_loop {
void fields(int *a, const node *nodes, const int *p, int Visit, int n) {
  CUDAOPT_LEVELIZE(a[0:n], nodes[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = a[p[i]] * 3 + nodes[i].body + Visit;
}
int main() {
  int a[64], b[64], p[64], q[64];
  for (int i = 0; i < 64; ++i) {
    a[i] = b[i] = i;
    p[i] = i * 37 % 50;
    q[i] = i * 11 % 64;
  }
  blocks(a, b, p, q, 64);
  steps(a, p);
  keeps(b, p, 64);
  parameters(a, p, 5, 64);
  mesh m;
  node nodes[64];
  for (int i = 0; i < 64; ++i) {
    m.arrays[i] = i;
    nodes[i].body = q[i];
  }
  m.visit = p;
  m.members(7, 2, 3);
  fields(b, nodes, p, 4, 64);
  iterators(a, p, 64);
  privates(b, p, 64);
  for (int i = 0; i < 64; ++i)
    std::printf("%d %d %d\n", a[i], b[i], m.arrays[i]);
}
