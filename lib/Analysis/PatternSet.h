// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The different patterns of lanes that the accesses to an array make, each
/// once, with the weight of all its executions.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_PATTERNSET_H
#define CUDAOPT_LIB_ANALYSIS_PATTERNSET_H

#include "cudaopt/Analysis/BankConflicts.h"

#include "llvm/ADT/Hashing.h"
#include <unordered_map>
#include <vector>

namespace cudaopt {

// The weights are no part of a pattern's identity.
struct PatternHash {
  size_t operator()(const LanePattern &P) const {
    return llvm::hash_combine(
        P.Op, P.Width, P.Offset, P.ActiveLanes, P.Count,
        llvm::hash_combine_range(P.Elements.begin(), P.Elements.end()));
  }
};

struct SameRequest {
  bool operator()(const LanePattern &A, const LanePattern &B) const {
    return A.Op == B.Op && A.Width == B.Width && A.Offset == B.Offset &&
           A.ActiveLanes == B.ActiveLanes && A.Elements == B.Elements &&
           A.Count == B.Count && A.MemberStep == B.MemberStep &&
           A.KeptChunk == B.KeptChunk && A.Elsewhere == B.Elsewhere &&
           A.Pitch == B.Pitch;
  }
};

/// A set of patterns in the order of their first execution. A pattern that is
/// added again adds to the weights of its equal.
class PatternSet {
public:
  void add(const LanePattern &P) {
    auto [It, IsNew] = Places.try_emplace(P, Patterns.size());
    if (IsNew) {
      Patterns.push_back(P);
    } else {
      Patterns[It->second].Weight += P.Weight;
      Patterns[It->second].SourceWeight += P.SourceWeight;
    }
  }
  void addScaled(const PatternSet &Other, double Scale) {
    for (LanePattern P : Other.Patterns) {
      P.Weight *= Scale;
      P.SourceWeight *= Scale;
      add(P);
    }
  }
  std::vector<LanePattern> take() { return std::move(Patterns); }

private:
  std::vector<LanePattern> Patterns;
  std::unordered_map<LanePattern, size_t, PatternHash, SameRequest> Places;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_PATTERNSET_H
