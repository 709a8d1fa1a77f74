// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The trust of a decision is the least trust of the facts that it rests on.
//===----------------------------------------------------------------------===//

#include "cudaopt/Plan/PlanTrust.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

/// Returns the trust of facts that are proved in all instances of \p K: they
/// are proved for every launch if for each set of template arguments there is
/// an instance that stands for blocks of any shape.
static Trust findTrust(const Kernel &K) {
  for (const auto &Instance : K.Instances)
    if (llvm::none_of(K.Instances, [&](const auto &Each) {
          return Each->Decl == Instance->Decl &&
                 Each->Block.trust() == Trust::Proved;
        }))
      return Trust::ClosedWorld;
  return Trust::Proved;
}

/// Returns the trust of the fact that the subscripts of \p Array stay inside
/// their rows.
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
    // In blocks of other shapes, two threads might access one element of a
    // private array.
    P.Reuse->Rests = P.Reuse->Private.empty() ? OfLaunches : Trust::ClosedWorld;
  return P;
}
