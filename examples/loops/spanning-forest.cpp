// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A spanning forest by union-find: an edge belongs to it if it connects two
// trees that no edge before it connected. Which elements an iteration reads and
// writes depends on what the iterations before it wrote, so that no inspection
// can tell (strategy reserve); still the forest is that of the loop in order.
//
//   spanning-forest [points] [edges]

#include "example.h"

#include <cudaopt/annotations.h>

#include <vector>

struct Edges {
  std::vector<int> from, to;
};

// The loop that cuda-opt rewrites: sets isUsed for the edges of the forest.
static void connect(const Edges &edges, std::vector<int> &parent,
                    std::vector<int> &isUsed) {
  const int count = int(edges.from.size());
  CUDAOPT_LEVELIZE()
  for (int e = 0; e < count; ++e) {
    int u = edges.from[e], v = edges.to[e];
    while (parent[u] != u)
      u = parent[u];
    while (parent[v] != v)
      v = parent[v];
    if (u != v)
      isUsed[e] = 1;
    // The higher root gets the lower one as its parent.
    if (u < v)
      parent[v] = u;
    else if (v < u)
      parent[u] = v;
  }
}

int main(int argc, char **argv) {
  const int points = argument(argc, argv, 1, 1 << 16);
  const int count = argument(argc, argv, 2, 1 << 17);
  Edges edges;
  unsigned state = 1;
  const auto random = [&] {
    state = state * 1664525u + 1013904223u;
    return int((state >> 8) % unsigned(points));
  };
  for (int e = 0; e < count; ++e) {
    edges.from.push_back(random());
    edges.to.push_back(random());
  }
  std::vector<int> parent(points), isUsed(count);
  for (int i = 0; i < points; ++i)
    parent[i] = i;
  const Watch watch;
  connect(edges, parent, isUsed);
  watch.tell("forest");
  int size = 0;
  for (int used : isUsed)
    size += used;
  std::printf("%d edges of %d\n", size, count);
  printBits("parent", parent);
}
