// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Matches operations of the IR to accesses of the model by the expressions
/// that they come from.
///
/// An operation may stand deeper than the access that the model has for it:
/// `min(s[i], x)` loads in the body of `min`, and `atomicAdd(&s[i], 1)` is one
/// operation for the whole call. So an access matches if its text is a part of
/// the operation's expression, or of a call that leads to the operation.
//===----------------------------------------------------------------------===//

#include "MissedUses.h"
#include "ModelledAccesses.h"
#include "cudaopt/Source/SourceText.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"

#include <map>

using namespace clang;

namespace cudaopt {

namespace {

/// What is done at an expression, or by an operation.
struct Effect {
  bool Reads = false, Writes = false;
};

class UseMatcher {
public:
  UseMatcher(Kernel &K, const KernelInstance &Instance, const ir::Function &F,
             const llvm::DenseMap<const VarDecl *, ArrayId> &Arrays);

  void match(const ir::Operation &O, ir::ValueId Address, Effect What);

private:
  bool isModelled(const ir::Operation &O, Effect What) const;
  Effect effectAt(const Stmt *S, ir::CallPathId Path) const;

  Kernel &K;
  const ir::Function &F;
  std::map<ir::ObjectId, ArrayId> Objects;
  const ModelledAccesses Modelled;
};

} // namespace

UseMatcher::UseMatcher(Kernel &K, const KernelInstance &Instance,
                       const ir::Function &F,
                       const llvm::DenseMap<const VarDecl *, ArrayId> &Arrays)
    : K(K), F(F), Modelled(Instance) {
  for (ir::ObjectId Id = 1; Id < F.numObjects(); ++Id) {
    const auto *Var = dyn_cast_or_null<VarDecl>(F.object(Id).Decl);
    if (const auto Known = Arrays.find(Var); Var && Known != Arrays.end())
      Objects[Id] = Known->second;
  }
}

/// Returns what the model says of \p S and of the parts of it.
Effect UseMatcher::effectAt(const Stmt *S, ir::CallPathId Path) const {
  Effect All;
  for (const Expr *Each : nodesIn<Expr>(S, {.Implicit = true}))
    for (const Access *A : Modelled.find(Each, Path)) {
      All.Reads |= A->Kind != AccessKind::Write;
      All.Writes |= A->Kind != AccessKind::Read;
    }
  return All;
}

bool UseMatcher::isModelled(const ir::Operation &O, Effect What) const {
  const Stmt *S = O.Where.Node;
  for (ir::CallPathId Path = O.Where.Path;; Path = F.callerOf(Path)) {
    const Effect Known = S ? effectAt(S, Path) : Effect();
    if (Known.Reads >= What.Reads && Known.Writes >= What.Writes)
      return true;
    if (!Path)
      return false;
    S = F.callOf(Path);
  }
}

void UseMatcher::match(const ir::Operation &O, ir::ValueId Address,
                       Effect What) {
  for (ir::ObjectId Object : F.rootsOf(Address)) {
    const auto Known = Objects.find(Object);
    if (Known == Objects.end() || !K.Arrays[Known->second].Refusals.empty() ||
        isModelled(O, What))
      continue;
    const auto *E = dyn_cast_or_null<Expr>(O.Where.Node);
    SharedArray &Array = K.Arrays[Known->second];
    Array.refuse({Reason::AddressNotFollowed,
                  E ? getWrittenText(E, F.context()) : O.Why,
                  E ? E->getExprLoc() : Array.Decl->getLocation()});
  }
}

void refuseMissedUses(Kernel &K, const KernelInstance &Instance,
                      const ir::Function &F,
                      const llvm::DenseMap<const VarDecl *, ArrayId> &Arrays) {
  UseMatcher Matcher(K, Instance, F, Arrays);
  for (const std::unique_ptr<ir::Block> &B : F.blocks())
    for (const ir::Operation &O : B->Operations)
      for (const ir::Touch &T : ir::touchesOf(O))
        Matcher.match(O, T.Address, {.Reads = T.Reads, .Writes = T.Writes});
}

} // namespace cudaopt
