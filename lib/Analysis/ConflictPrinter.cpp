// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Analysis/BankConflicts.h"

#include "llvm/Support/Format.h"

namespace cudaopt {

static void printArray(const KernelInstance &Instance, ArrayId Id,
                       const SharedArray &Array, const Target &T,
                       llvm::raw_ostream &OS) {
  AccessPatterns All = collectPatterns(Instance, Id);
  double Requests = 0, Wavefronts = 0, Bound = 0;
  for (const LanePattern &Pattern : All.Patterns) {
    WarpRequest Request = Pattern.makeRequest(Instance.Shapes[Id].ElementSize,
                                              [](uint32_t E) { return E; });
    Requests += Pattern.Weight;
    Wavefronts += Pattern.Weight * countWavefronts(T.Shared, Request);
    Bound += Pattern.Weight * boundWavefronts(T.Shared, Request);
  }
  OS << "  array " << Array.Name
     << llvm::format(": %.10g requests, %.10g wavefronts, bound %.10g",
                     Requests, Wavefronts, Bound);
  if (!All.IsExact)
    OS << ", estimated";
  if (All.NumUncounted)
    OS << ", " << All.NumUncounted << " accesses not counted";
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
