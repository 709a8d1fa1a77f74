// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes the offsets of the source's storage, as nvcc does, and compares
/// their alignment with what the accesses may need.
//===----------------------------------------------------------------------===//

#include "WideAlignments.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace cudaopt;

/// The bytes of the widest access of a thread, and the alignment of a wmma
/// fragment in memory.
static constexpr unsigned WidestAccess = 16, FragmentAlignment = 32;

/// Returns the greatest alignment that an access to \p V may need; 1 if no
/// access needs more than the declaration guarantees.
static unsigned findMostNeeded(const Kernel &K, const SharedProgram &P,
                               const SharedVariable &V) {
  if (V.Size <= V.Alignment)
    return 1; // A scalar: no wider access fits.
  const unsigned Widest =
      std::min<uint64_t>(WidestAccess, llvm::bit_floor(V.Size));
  if (!V.Array)
    return Widest;
  unsigned Most = V.Pinned || !K.Arrays[*V.Array].Refusals.empty() ? Widest : 1;
  for (const Access &A : P.Instance->Accesses) {
    if (A.Array != *V.Array)
      continue;
    if (A.Run && A.Run->Ldm)
      return FragmentAlignment;
    if (A.Run || A.Chunk > 1 || A.Width > V.ElementSize)
      Most = Widest;
  }
  return Most;
}

std::vector<unsigned> cudaopt::findWideAlignments(const Kernel &K,
                                                  const SharedProgram &P) {
  std::vector<unsigned> Needed;
  uint64_t End = 0; // The compiler keeps the order of the declarations.
  for (const SharedVariable &V : P.Variables) {
    const uint64_t Begin = llvm::alignTo(End, std::max(V.Alignment, 1u));
    End = Begin + V.Size;
    const unsigned Given = llvm::MinAlign(Begin, findMostNeeded(K, P, V));
    Needed.push_back(Given > V.Alignment ? Given : 1);
  }
  return Needed;
}
