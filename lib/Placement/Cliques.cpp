// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The heaviest clique by branch and bound, with a colouring as the bound (as
/// Tomita and Seki do for the largest clique); all maximal cliques by the
/// algorithm of Bron and Kerbosch (1973), with a pivot.
//===----------------------------------------------------------------------===//

#include "Cliques.h"

#include <algorithm>

namespace cudaopt {

/// A set of vertices, one bit each.
using Vertices = uint64_t;

static std::vector<Vertices> toWords(const std::vector<ItemSet> &Adjacent) {
  std::vector<Vertices> Words(Adjacent.size());
  for (size_t V = 0; V < Adjacent.size(); ++V)
    Adjacent[V].forEach([&](ItemId N) { Words[V] |= Vertices(1) << N; });
  return Words;
}

static unsigned lowest(Vertices Set) { return std::countr_zero(Set); }

static Vertices all(size_t Count) {
  return Count == 64 ? ~Vertices(0) : (Vertices(1) << Count) - 1;
}

namespace {

class HeaviestClique {
public:
  HeaviestClique(std::vector<Vertices> Adjacent,
                 const std::vector<uint64_t> &Weights)
      : Adjacent(std::move(Adjacent)), Weights(Weights) {}

  uint64_t find() {
    extend(all(Adjacent.size()), 0);
    return Best;
  }

private:
  struct Bounded {
    unsigned Vertex;
    /// A bound of the weight of cliques of Vertex and the vertices before it.
    uint64_t Bound;
  };

  /// Colours the candidates greedily and returns them colour by colour. A
  /// clique has at most one vertex of each colour, so that the sum over the
  /// colours so far of their heaviest vertices bounds every clique of the
  /// vertices so far.
  std::vector<Bounded> order(Vertices Candidates) const {
    std::vector<Bounded> Order;
    uint64_t Bound = 0;
    while (Candidates) {
      Vertices Colour = Candidates;
      uint64_t Heaviest = 0;
      size_t First = Order.size();
      while (Colour) {
        unsigned V = lowest(Colour);
        Colour &= ~(Adjacent[V] | Vertices(1) << V);
        Candidates &= ~(Vertices(1) << V);
        Heaviest = std::max(Heaviest, Weights[V]);
        Order.push_back({V, 0});
      }
      Bound += Heaviest;
      for (size_t I = First; I < Order.size(); ++I)
        Order[I].Bound = Bound;
    }
    return Order;
  }

  /// Extends a clique of weight \p Weight by vertices of \p Candidates, each
  /// adjacent to all of the clique. The bounds grow along the order, so that
  /// all vertices before one whose bound does not beat Best can be skipped,
  /// too.
  void extend(Vertices Candidates, uint64_t Weight) {
    Best = std::max(Best, Weight);
    const std::vector<Bounded> Order = order(Candidates);
    for (size_t I = Order.size(); I-- > 0;) {
      if (Weight + Order[I].Bound <= Best)
        return;
      unsigned V = Order[I].Vertex;
      extend(Candidates & Adjacent[V], Weight + Weights[V]);
      Candidates &= ~(Vertices(1) << V);
    }
  }

  const std::vector<Vertices> Adjacent;
  const std::vector<uint64_t> &Weights;
  uint64_t Best = 0;
};

class MaximalCliques {
public:
  MaximalCliques(std::vector<Vertices> Adjacent, size_t Limit)
      : Adjacent(std::move(Adjacent)), Limit(Limit) {}

  std::vector<Vertices> list() {
    extend(0, all(Adjacent.size()), 0);
    return std::move(Found);
  }

private:
  /// Lists the maximal cliques that contain \p Clique, vertices of \p
  /// Candidates, and none of \p Excluded, whose cliques are listed already.
  /// Every maximal clique contains the pivot or a vertex that is not adjacent
  /// to it, so that branching on those suffices.
  void extend(Vertices Clique, Vertices Candidates, Vertices Excluded) {
    if (Found.size() == Limit)
      return;
    if (!(Candidates | Excluded)) {
      Found.push_back(Clique);
      return;
    }
    Vertices Branches = Candidates & ~Adjacent[pivot(Candidates, Excluded)];
    for (; Branches; Branches &= Branches - 1) {
      unsigned V = lowest(Branches);
      extend(Clique | Vertices(1) << V, Candidates & Adjacent[V],
             Excluded & Adjacent[V]);
      Candidates &= ~(Vertices(1) << V);
      Excluded |= Vertices(1) << V;
    }
  }

  /// Returns the vertex that leaves the fewest branches.
  unsigned pivot(Vertices Candidates, Vertices Excluded) const {
    unsigned Best = 0;
    int Most = -1;
    for (Vertices Rest = Candidates | Excluded; Rest; Rest &= Rest - 1) {
      unsigned V = lowest(Rest);
      if (int Count = std::popcount(Candidates & Adjacent[V]); Count > Most) {
        Most = Count;
        Best = V;
      }
    }
    return Best;
  }

  const std::vector<Vertices> Adjacent;
  const size_t Limit;
  std::vector<Vertices> Found;
};

} // namespace

uint64_t findHeaviestClique(const std::vector<ItemSet> &Adjacent,
                            const std::vector<uint64_t> &Weights) {
  if (Adjacent.empty() || Adjacent.size() > MaxCliqueVertices)
    return 0;
  return HeaviestClique(toWords(Adjacent), Weights).find();
}

std::vector<ItemSet> listMaximalCliques(const std::vector<ItemSet> &Adjacent,
                                        size_t Limit) {
  if (Adjacent.empty() || Adjacent.size() > MaxCliqueVertices)
    return {};
  std::vector<ItemSet> Cliques;
  for (Vertices Clique : MaximalCliques(toWords(Adjacent), Limit).list()) {
    ItemSet Members(Adjacent.size());
    for (; Clique; Clique &= Clique - 1)
      Members.insert(lowest(Clique));
    Cliques.push_back(std::move(Members));
  }
  return Cliques;
}

} // namespace cudaopt
