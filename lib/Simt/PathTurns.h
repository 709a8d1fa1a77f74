// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides which path of a diverged warp continues while others are blocked at
/// a barrier object: on a GPU with independent thread scheduling, all diverged
/// lanes make progress.
///
/// The paths of a warp form a tree, stored with parents before their children:
/// the lanes of a child are a subset of its parent's, which continues when all
/// children have ended. The children of one parent may be in any order, so that
/// another leaf can be made the topmost path by rotating siblings.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_PATHTURNS_H
#define CUDAOPT_LIB_SIMT_PATHTURNS_H

#include "Warp.h"

#include <algorithm>

namespace cudaopt::simt {

class PathTurns {
public:
  explicit PathTurns(Warp &W) : W(W), Paths(W.Paths) {}

  /// Makes a leaf that has not ended and has a lane that is not blocked the
  /// topmost path. Returns false if there is none.
  bool takeOther() {
    uint32_t Above = 0;
    for (size_t I = Paths.size(); I-- > 0;) {
      const bool IsLeaf = !(Paths[I].Lanes & Above);
      if (IsLeaf && (Paths[I].Lanes & ~W.Blocked) && !hasEnded(Paths[I])) {
        raise(I);
        return true;
      }
      Above |= Paths[I].Lanes;
    }
    return false;
  }

  /// Lets lanes that have arrived where paths meet continue without the lanes
  /// they wait for; returns false if no lanes wait. For the case that no thread
  /// can continue otherwise. The lanes become a path of their own.
  bool separate() {
    dropEnded();
    uint32_t Above = 0;
    for (size_t I = Paths.size(); I-- > 0;) {
      const uint32_t Arrived = Paths[I].Lanes & ~Above;
      Above |= Paths[I].Lanes;
      if (!Arrived || Arrived == Paths[I].Lanes || hasEnded(Paths[I]))
        continue;
      Path Early = Paths[I];
      Early.Lanes = Arrived;
      Paths[I].Lanes &= ~Arrived;
      Paths.insert(Paths.begin() + static_cast<std::ptrdiff_t>(I), Early);
      raise(I);
      return true;
    }
    return false;
  }

private:
  /// Removes paths whose lanes have arrived where their parent continues.
  void dropEnded() {
    uint32_t Above = 0;
    for (size_t I = Paths.size(); I-- > 0;) {
      const uint32_t Lanes = Paths[I].Lanes;
      if (!(Lanes & Above) && hasEnded(Paths[I]))
        Paths.erase(Paths.begin() + static_cast<std::ptrdiff_t>(I));
      else
        Above |= Lanes;
    }
  }

  static bool hasEnded(const Path &P) { return P.Block == P.Reconvergence; }
  /// Returns true if the lanes of \p Inner are a subset of those of \p Outer.
  static bool holds(const Path &Outer, const Path &Inner) {
    return (Inner.Lanes & ~Outer.Lanes) == 0;
  }

  /// Makes path \p I, a leaf, the topmost one.
  void raise(size_t I) {
    size_t End = I + 1;
    const Path Leaf = Paths[I];
    auto At = [&](size_t Index) {
      return Paths.begin() + static_cast<std::ptrdiff_t>(Index);
    };
    // Move the leaf behind its siblings, then its parent with all descendants
    // behind the parent's siblings, and so on up to the root.
    while (End < Paths.size()) {
      size_t Parent = I;
      while (Parent > 0 && !holds(Paths[Parent - 1], Leaf))
        --Parent;
      size_t Last = Paths.size();
      if (Parent > 0)
        for (Last = End;
             Last < Paths.size() && holds(Paths[Parent - 1], Paths[Last]);)
          ++Last;
      std::rotate(At(I), At(End), At(Last));
      I = Parent > 0 ? Parent - 1 : 0;
      End = Last;
    }
    W.Active.set(Paths.back().Lanes);
  }

  Warp &W;
  std::vector<Path> &Paths;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_PATHTURNS_H
