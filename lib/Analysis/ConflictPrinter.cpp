// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints what the accesses to each shared array cost as the source declares
/// it (--print=analysis). At the end of a line stand the requests by kind: L, S
/// or A for load, store and atomic, and the bits that a lane accesses.
///
/// \verbatim
///   analysis transpose block 32x32x1
///     array tile: 64 requests, 1056 wavefronts, bound 64; L32 32, S32 32
/// \endverbatim
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/BankConflicts.h"

#include "llvm/Support/Format.h"
#include <map>

namespace cudaopt {

/// The kind of a request: the letter of its operation, and the bytes that each
/// lane accesses.
using RequestKind = std::pair<char, unsigned>;

namespace {
/// The cost of an array as declared, per block.
struct ArrayCost {
  double Requests = 0, Wavefronts = 0, Bound = 0;
  std::map<RequestKind, double> ByKind; ///< The requests of each kind.
};
} // namespace

static char nameOp(MemoryOp Op) {
  return Op == MemoryOp::Load ? 'L' : Op == MemoryOp::Store ? 'S' : 'A';
}

static ArrayCost countArray(const AccessPatterns &All, const ArrayShape &Shape,
                            const BankMap &Map) {
  const auto Declared = [&](uint32_t Element, unsigned Offset) {
    return uint64_t(Element) * Shape.ElementSize + Offset;
  };
  ArrayCost Sum;
  for (const LanePattern &P : All.Patterns) {
    const PatternCost Cost = countPattern(Map, P, Declared);
    Sum.Requests += P.Weight * Cost.Requests;
    Sum.Wavefronts += P.Weight * Cost.Wavefronts;
    Sum.Bound += P.Weight * boundPattern(Map, P, Shape.ElementSize);
    for (unsigned First = 0; First < P.Count;) {
      const unsigned Merged = findMerged(P, Declared, First);
      Sum.ByKind[{nameOp(P.Op), P.Width * Merged}] += P.Weight;
      First += Merged;
    }
  }
  return Sum;
}

static void printArray(const KernelInstance &Instance, ArrayId Id,
                       const SharedArray &Array, const Target &T,
                       llvm::raw_ostream &OS) {
  const AccessPatterns All = collectPatterns(Instance, Id);
  const ArrayCost Sum = countArray(All, Instance.Shapes[Id], T.Shared);
  OS << "  array " << Array.Name
     << llvm::format(": %.10g requests, %.10g wavefronts, bound %.10g",
                     Sum.Requests, Sum.Wavefronts, Sum.Bound);
  if (!All.IsExact)
    OS << ", estimated";
  if (All.NumUncounted)
    OS << ", " << All.NumUncounted << " accesses not counted";
  const char *Separator = "; ";
  for (const auto &[Kind, Requests] : Sum.ByKind) {
    OS << Separator
       << llvm::format("%c%u %.10g", Kind.first, 8 * Kind.second, Requests);
    Separator = ", ";
  }
  OS << '\n';
}

void printConflicts(const Kernel &K, const Target &T, llvm::raw_ostream &OS) {
  for (const auto &Instance : K.Instances) {
    const BlockShape &Block = Instance->Block;
    OS << "analysis " << K.Name << " block " << Block.Threads[0] << 'x'
       << Block.Threads[1] << 'x' << Block.Threads[2] << '\n';
    for (ArrayId Id = 0; Id < K.Arrays.size(); ++Id)
      if (!Instance->Shapes[Id].Extents.empty())
        printArray(*Instance, Id, K.Arrays[Id], T, OS);
  }
}

} // namespace cudaopt
