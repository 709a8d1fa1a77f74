// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Asks the reachable code of a kernel first, and the whole text if the place
/// is unreachable.
//===----------------------------------------------------------------------===//

#include "BoundKernel.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

BoundKernel::BoundKernel(KernelCode &Code, KernelInstance &Instance)
    : Code(Code), Instance(Instance), Live(*Code.live(), Instance) {}

BoundFunction &BoundKernel::whole() {
  if (!Whole) {
    Whole.emplace(*Code.whole(), Instance);
    for (auto [S, Path, Id] : Loops)
      if (const ir::Loop *L = Whole->findLoop(S, Path))
        Whole->bind(*L, Id);
  }
  return *Whole;
}

std::optional<ValueId> BoundKernel::valueOf(const Expr *E,
                                            ir::CallPathId Path) {
  if (Path == Unknown)
    return std::nullopt;
  if (Live.isEvaluated(E, Path))
    return Live.valueOf(E, Path);
  return whole().valueOf(E, Path);
}

std::optional<Reach> BoundKernel::reach(const Stmt *S, ir::CallPathId Path) {
  if (Path == Unknown)
    return std::nullopt;
  if (std::optional<Reach> R = Live.reach(S, Path))
    return R;
  std::optional<Reach> R = whole().reach(S, Path);
  if (R)
    R->Guards = {Instance.Values.constant(0)};
  return R;
}

std::optional<ir::CallPathId> BoundKernel::pathOf(const CallExpr *Call,
                                                  ir::CallPathId Path) const {
  // The live and the whole function have the same call paths.
  return Path == Unknown ? std::nullopt : Live.function().pathOf(Call, Path);
}

llvm::SmallVector<ir::CallPathId, 2>
BoundKernel::pathsInto(const Stmt *Body, ir::CallPathId Path) const {
  llvm::SmallVector<ir::CallPathId, 2> Found;
  if (Path == Unknown)
    return Found;
  const auto Outer = Live.function().callsOf(Path);
  for (ir::CallPathId Each = 1; Each < Live.function().numPaths(); ++Each) {
    const auto Calls = Live.function().callsOf(Each);
    const auto *Call = dyn_cast<CallExpr>(Calls.back());
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (Callee && Callee->getBody() == Body && Calls.size() > Outer.size() &&
        std::equal(Outer.begin(), Outer.end(), Calls.begin()))
      Found.push_back(Each);
  }
  return Found;
}

bool BoundKernel::isLoop(const Stmt *S, ir::CallPathId Path) const {
  return Path != Unknown && Live.findLoop(S, Path);
}

void BoundKernel::bind(const Stmt *S, ir::CallPathId Path, LoopId Id) {
  Loops.push_back({S, Path, Id});
  Live.bind(*Live.findLoop(S, Path), Id);
  if (Whole)
    if (const ir::Loop *L = Whole->findLoop(S, Path))
      Whole->bind(*L, Id);
}

} // namespace cudaopt
