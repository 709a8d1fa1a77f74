// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which of the paths of a diverged warp goes on while others are blocked: on a
/// GPU diverged lanes make progress one and all.
///
/// The paths of a warp are a tree, parents before their children: the lanes of
/// a child are some of its parent's, which goes on when all have ended. The
/// order of the children of one parent is free.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_PATHTURNS_H
#define CUDAOPT_LIB_SIMT_PATHTURNS_H

#include "Warp.h"

#include <algorithm>

namespace cudaopt::simt {

class PathTurns {
public:
  explicit PathTurns(Warp &W) : W(W), Paths(W.Paths) {}

  /// Makes a path the topmost one that runs and has a lane that is not blocked;
  /// false if there is none.
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

  /// Lets lanes go on without those that they wait for where their paths meet;
  /// false if no lanes wait. For when nobody else can go on.
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
  /// Drops paths whose lanes have arrived where their parent goes on.
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
  static bool holds(const Path &Outer, const Path &Inner) {
    return (Inner.Lanes & ~Outer.Lanes) == 0;
  }

  /// Makes path \p I, which has no children, the topmost one.
  void raise(size_t I) {
    size_t End = I + 1;
    const Path Leaf = Paths[I];
    auto At = [&](size_t Index) {
      return Paths.begin() + static_cast<std::ptrdiff_t>(Index);
    };
    // Behind its siblings, then its parent with all children, and so on.
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
