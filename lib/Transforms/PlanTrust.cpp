// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Transforms/PlanTrust.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

/// Proofs go through all instances of a kernel: what holds in one of unknown
/// shape holds for every launch.
static Trust findTrust(const Kernel &K) {
  for (const auto &Instance : K.Instances)
    if (llvm::none_of(K.Instances, [&](const auto &Each) {
          return Each->Decl == Instance->Decl &&
                 Each->Block.trust() == Trust::Proved;
        }))
      return Trust::ClosedWorld;
  return Trust::Proved;
}

/// What it rests on that the subscripts of \p Array stay inside their rows.
static Trust findTrustOfRows(const Kernel &K, ArrayId Array) {
  for (const auto &Instance : K.Instances)
    for (const Access &A : Instance->Accesses)
      if (A.Array == Array && A.BoundsTrust != Trust::Proved)
        return A.BoundsTrust;
  return Trust::Proved;
}

Plan cudaopt::withTrust(const Kernel &K, Plan P) {
  const Trust OfLaunches = findTrust(K);
  for (auto &[Array, Decision] : P.Layouts)
    Decision.Rests = std::max(OfLaunches, findTrustOfRows(K, Array));
  if (P.Reuse)
    // In other blocks two threads might have one element, and race.
    P.Reuse->Rests = P.Reuse->Private.empty() ? OfLaunches : Trust::ClosedWorld;
  return P;
}
