// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves L x = b by forward substitution, where L is the lower triangle of a
// five-point stencil: row i needs the results of rows before it, and only the
// matrix tells of which ones (strategy owner).
//
//   triangular-solve [points along an edge] [repetitions]
//
// Prints a number that depends on every bit of x.

#include "example.h"

#include <cudaopt/annotations.h>

#include <vector>

// Rows in compressed form; the last entry of each is its diagonal.
struct Lower {
  std::vector<int> rows{0}, columns;
  std::vector<double> values;

  int size() const { return int(rows.size()) - 1; }
};

static Lower makeStencil(int edge) {
  Lower l;
  for (int i = 0; i < edge * edge; ++i) {
    if (i >= edge)
      l.columns.push_back(i - edge), l.values.push_back(-1);
    if (i % edge)
      l.columns.push_back(i - 1), l.values.push_back(-1);
    l.columns.push_back(i), l.values.push_back(4);
    l.rows.push_back(int(l.columns.size()));
  }
  return l;
}

// The pattern stays the same over many solves, so that one inspection serves.
static void solve(const Lower &l, const std::vector<double> &b,
                  std::vector<double> &x) {
  const int n = l.size();
  CUDAOPT_LEVELIZE(reuse(l.rows, l.columns))
  for (int i = 0; i < n; ++i) {
    double sum = b[i];
    for (int k = l.rows[i]; k < l.rows[i + 1] - 1; ++k)
      sum -= l.values[k] * x[l.columns[k]];
    x[i] = sum / l.values[l.rows[i + 1] - 1];
  }
}

int main(int argc, char **argv) {
  const Lower l = makeStencil(argument(argc, argv, 1, 1000));
  std::vector<double> b(l.size(), 1), x(l.size());
  for (int repeat = argument(argc, argv, 2, 5); repeat > 0; --repeat) {
    const Watch watch;
    solve(l, b, x);
    watch.tell("solve");
    b = x;
  }
  printBits("x", x);
}
