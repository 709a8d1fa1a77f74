// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A quantity flows along the edges of a mesh, from the end that has more of it.
// Edges that share a point add to the same number, so that a plain parallel
// loop needs atomics, whose sums round differently in each run. The runtime
// adds in the order of the loop, so that the result has the same bits in every
// run.
//
//   mesh-flux [points along an edge] [steps]

#include "example.h"

#include <cudaopt/annotations.h>

#include <vector>

struct Mesh {
  std::vector<int> from, to;          // By edge: the points at its ends.
  std::vector<double> amount, change; // By point.
};

// A grid of points with its diagonals.
static Mesh makeMesh(int edge) {
  Mesh m;
  for (int y = 0; y < edge; ++y)
    for (int x = 0; x < edge; ++x) {
      const int i = y * edge + x;
      const auto connect = [&](bool exists, int other) {
        if (exists)
          m.from.push_back(i), m.to.push_back(other);
      };
      connect(x + 1 < edge, i + 1);
      connect(y + 1 < edge, i + edge);
      connect(x + 1 < edge && y + 1 < edge, i + edge + 1);
      m.amount.push_back((x * 7 + y * 13) % 11 / 10.0);
    }
  m.change.resize(m.amount.size());
  return m;
}

// The loop that cuda-opt rewrites. The mesh stays the same over all steps, so
// that one inspection serves.
static void addFluxes(Mesh &m) {
  CUDAOPT_LEVELIZE(reuse(m.from, m.to))
  for (std::size_t e = 0; e < m.from.size(); ++e) {
    const double flux = 0.1 * (m.amount[m.from[e]] - m.amount[m.to[e]]);
    m.change[m.from[e]] -= flux;
    m.change[m.to[e]] += flux;
  }
}

static void step(Mesh &m) {
  addFluxes(m);
  for (std::size_t i = 0; i < m.amount.size(); ++i) {
    m.amount[i] += m.change[i];
    m.change[i] = 0;
  }
}

int main(int argc, char **argv) {
  Mesh m = makeMesh(argument(argc, argv, 1, 1000));
  for (int left = argument(argc, argv, 2, 5); left > 0; --left) {
    const Watch watch;
    step(m);
    watch.tell("step");
  }
  printBits("amount", m.amount);
}
