// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- -x c++ -std=c++17 -I %include-runtime
// RUN: grep -v "^ *//" %t.cu | FileCheck %s
// RUN: %host-cxx -x c++ -std=c++17 -Wall -Wextra -Wno-unused-parameter -Werror -pthread -I %include-runtime %s -o %t.before
// RUN: %host-cxx -x c++ -std=c++17 -Wall -Wextra -Wno-unused-parameter -Werror -pthread -I %include-runtime %t.cu -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=owner %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=tickets CUDAOPT_LEVELIZE_TRACE=1 %t.after 2> %t.trace | diff %t.expected -
// RUN: FileCheck %s --check-prefix=TRACE --implicit-check-not=levelize < %t.trace
//
// An inspection serves again if the values that the slice reads are the same,
// those of scalars and the first row among them.
#include <cudaopt/annotations.h>
#include <cstdio>
#include <vector>

// CHECK: cudaopt::loop_options().reused(plan, cudaopt::index_t(first))
void rows(double *x, const int *ptr, const int *col, int first, int last, int n) {
  CUDAOPT_LEVELIZE(x[0:n], ptr[0:n + 1], col[0:ptr[n]], reuse(ptr, col))
  for (int i = first; i < last; ++i) {
    double sum = 1;
    for (int k = ptr[i]; k < ptr[i + 1]; ++k)
      sum -= 0.25 * x[col[k]];
    x[i] = sum;
  }
}

// CHECK: cudaopt::loop_options().reused(plan, cudaopt::index_t(n - 1), n, shift)
void shifted(double *x, const int *p, int shift, int n) {
  CUDAOPT_LEVELIZE(x[0:n], p[0:n], reuse(p))
  for (int i = n - 1; i >= 0; --i)
    x[(p[i] + shift) % n] = x[p[i]] * 0.5 + i;
}

// Twice the same, once another row or shift: two inspections of each loop.
// TRACE-COUNT-4: levelize: {{.*}}(ok)
int main() {
  const int n = 96;
  std::vector<int> ptr{0}, col, p(n);
  for (int i = 0; i < n; ++i) {
    p[i] = i * 37 % n;
    for (int k = 0; k < i % 4; ++k)
      col.push_back((i * (k + 5)) % (i + 1));
    ptr.push_back(int(col.size()));
  }
  std::vector<double> x(n, 0.5);
  for (int first : {0, 0, 32})
    rows(x.data(), ptr.data(), col.data(), first, first + 64, n);
  for (int shift : {1, 1, 50})
    shifted(x.data(), p.data(), shift, n);
  for (double value : x)
    std::printf("%a\n", value);
}
