// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What runs of a warp have in common: the places where code uses shared
/// variables, numbered, and the functions prepared for running.
//===----------------------------------------------------------------------===//

#include "WarpRun.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace cudaopt;
using namespace cudaopt::check;

RunFacts::RunFacts(const Module &M, const SymbolTable &Symbols,
                   const FoundUses &Uses)
    : Symbols(Symbols) {
  for (const FoundAccess &A : Uses.Accesses) {
    auto [Number, IsNew] = Numbers.try_emplace(A.Variable, Variables.size());
    if (IsNew)
      Variables.push_back(A.Variable);
    auto &Known = PlacesOf[A.By];
    // One operand that may point to several variables is one place.
    const auto Same = find_if(Known, [&](const auto &Each) {
      const RunPlace &P = Places[Each.first];
      return A.Address && Each.second == A.Address && P.Kind == A.Kind &&
             P.Width == A.Width;
    });
    if (Same != Known.end()) {
      Places[Same->first].Variables.push_back(Number->second);
      continue;
    }
    Known.push_back({unsigned(Places.size()), A.Address});
    Places.push_back({A.Kind, A.Width, {Number->second}, A.Points, A.By});
  }
  findUnseenCalls(M);
}

/// Sees whether functions whose address is taken, or that these call, access
/// shared variables.
void RunFacts::findUnseenCalls(const Module &M) {
  FunctionSet Reached;
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasAddressTaken())
      Reached.insert(&F);
  for (unsigned I = 0; I != Reached.size(); ++I)
    addCallees(*Reached[I], Reached);
  AreCalledUnseen = any_of(Places, [&](const RunPlace &P) {
    return Reached.contains(P.By->getFunction());
  });
}

const WarpCode &RunFacts::codeOf(const Function &F) {
  std::unique_ptr<WarpCode> &Code = Codes[&F];
  if (!Code)
    Code = std::make_unique<WarpCode>(prepare(F, Symbols, PlacesOf, Numbers));
  return *Code;
}
