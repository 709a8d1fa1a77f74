// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the steps of a kernel from its IR (BarrierGraph, StepUses), prints
/// them, and inserts barriers.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/SharedProgram.h"

#include "Jumps.h"
#include "LibraryCalls.h"
#include "SharedEscapes.h"
#include "StepUses.h"
#include "cudaopt/Model/KernelCode.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace cudaopt {

static StringRef getKindText(Step::Kind What) {
  switch (What) {
  case Step::Kind::Entry:
    return "entry";
  case Step::Kind::Exit:
    return "exit";
  case Step::Kind::Work:
    return "work";
  case Step::Kind::Barrier:
    return "barrier";
  }
  llvm_unreachable("unknown kind of step");
}

/// Prints "all", "none", or ranges of elements.
static void printSet(const ElementSet &Set, llvm::raw_ostream &OS) {
  if (Set.none()) {
    OS << "none";
  } else if (Set.all()) {
    OS << "all";
  } else {
    const char *Separator = "";
    for (int Begin = Set.find_first(); Begin != -1;) {
      int End = Set.find_next_unset(Begin);
      if (End == -1)
        End = Set.size();
      OS << Separator << Begin;
      if (End - Begin > 1)
        OS << '-' << End - 1;
      Separator = ",";
      Begin = End == int(Set.size()) ? -1 : Set.find_next(End);
    }
  }
}

static void printUse(const SharedProgram &P, const SharedUse &U,
                     llvm::raw_ostream &OS) {
  OS << "      " << (U.Reads ? U.Writes ? "changes" : "reads" : "writes") << ' '
     << P.Variables[U.Variable].Name << ": may ";
  printSet(U.May, OS);
  if (U.Writes) {
    OS << " must ";
    printSet(U.Must, OS);
  }
  if (U.Reads) {
    OS << " exposed ";
    printSet(U.Exposed, OS);
  }
  OS << (U.IsPending ? " pending\n" : "\n");
}

static void printStep(const SharedProgram &P, StepId Id,
                      llvm::raw_ostream &OS) {
  const Step &S = P.Steps[Id];
  OS << "    step " << Id << ' ' << getKindText(S.What);
  if (S.Statement) {
    const SourceManager &SM =
        P.Instance->Decl->getASTContext().getSourceManager();
    OS << " line " << SM.getExpansionLineNumber(S.Statement->getBeginLoc());
  }
  if (S.LoopDepth)
    OS << llvm::formatv(" depth {0} weight {1}", S.LoopDepth, S.Weight);
  if (S.WaitsForPending)
    OS << " waits";
  if (S.MayLeave)
    OS << " may leave";
  if (S.MayFollowBarrier)
    OS << " may follow barrier";
  if (!S.Successors.empty())
    OS << " ->";
  for (StepId Next : S.Successors)
    OS << ' ' << Next;
  OS << '\n';
  for (const SharedUse &U : S.Uses)
    printUse(P, U, OS);
}

void SharedProgram::print(llvm::raw_ostream &OS) const {
  for (const SharedVariable &V : Variables) {
    OS << "  shared " << V.Name << ": " << V.Size << " bytes aligned "
       << V.Alignment;
    if (V.Pinned)
      OS << " pinned (" << getReasonId(V.Pinned->Why) << ')';
    OS << '\n';
  }
  if (Refused)
    OS << "  steps refused (" << getReasonId(Refused->Why) << ")\n";
  else
    for (StepId Id = 0; Id != Steps.size(); ++Id)
      printStep(*this, Id, OS);
}

/// Refuses a `break` in a loop's head: compilers differ in which loop it ends.
static void refuseBreaksInHeads(const ir::Function &F,
                                const StatementOverlay &Overlay,
                                SharedProgram &P) {
  for (ir::CallPathId Path = 0; Path != F.numPaths(); ++Path) {
    const FunctionDecl *Function = Overlay.functionOf(Path);
    if (!Function || Overlay.isInLibrary(Path) || !Function->getBody())
      continue;
    if (const Stmt *Break = findBreakInHead(Function->getBody())) {
      P.Refused =
          Refusal{Reason::UnstructuredControl, "", Break->getBeginLoc()};
      return;
    }
  }
}

/// Refuses a call of a function of the user that the IR has not spliced in, if
/// it concerns shared memory: what it does is not known, and it may contain
/// barriers.
static void refuseUnfollowed(const ir::Function &F, const ir::Operation &O,
                             const ir::PointsTo &Pointers,
                             const StatementOverlay &Overlay,
                             const SharedVariables &Shared, SharedProgram &P) {
  const auto *Call = dyn_cast_or_null<Expr>(O.Where.Node);
  const FunctionDecl *Body = O.What == ir::Operation::Opaque && Call
                                 ? findUserBody(Call, Shared.context())
                                 : nullptr;
  if (!Body || P.Refused || Overlay.isInLibrary(O.Where.Path))
    return;
  if (!Shared.calls().reachesBarrier(Body) &&
      Shared.mentionedFrom(Body).none() &&
      findVariables(Pointers.reachedBy(O), F, Shared).none())
    return;
  bool IsRecursive = false;
  for (ir::CallPathId Path = O.Where.Path;; Path = F.callerOf(Path)) {
    const FunctionDecl *Running = Overlay.functionOf(Path);
    IsRecursive |=
        Running && Running->getCanonicalDecl() == Body->getCanonicalDecl();
    if (!Path)
      break;
  }
  P.Refused = Refusal{IsRecursive ? Reason::CallsItself : Reason::TooManyCalls,
                      Body->getNameAsString(), Call->getExprLoc()};
}

SharedProgram buildSharedProgram(const Kernel &K,
                                 const KernelInstance &Instance,
                                 ASTContext &Context) {
  SharedProgram P;
  P.Instance = &Instance;
  const CallTable Calls(Context, [](const FunctionDecl *) { return false; });
  const SharedVariables Shared(K, Instance, Calls, P);
  const ir::Function *F = Instance.Code->live();
  if (!F) {
    P.Steps.resize(2);
    P.Steps[SharedProgram::Entry].What = Step::Kind::Entry;
    P.Steps[SharedProgram::Exit].What = Step::Kind::Exit;
    P.Refused =
        Refusal{Reason::UnstructuredControl, "", Instance.Decl->getLocation()};
    return P;
  }
  const StatementOverlay Overlay(*F);
  refuseBreaksInHeads(*F, Overlay, P);
  const ir::PointsTo Pointers(
      *F, [&](const ir::Operation &O) { return findRetention(O, Context); });
  pinEscapes(*F, Pointers, Overlay, Shared);
  for (const std::unique_ptr<ir::Block> &B : F->blocks())
    for (const ir::Operation &O : B->Operations)
      refuseUnfollowed(*F, O, Pointers, Overlay, Shared, P);
  const BlockUniformity Uniformity(*F, Instance.Block.Threads);
  const BarrierGraph Graph(*F, Overlay, Uniformity, P);
  StepUses(*F, Overlay, Graph, Pointers, Shared, Instance, P).collect();
  return P;
}

void printSteps(const Kernel &K, llvm::raw_ostream &OS) {
  if (!K.Decl->hasAttr<clang::CUDAGlobalAttr>())
    return;
  for (const auto &Instance : K.Instances)
    if (Instance->Block.Origin != ShapeOrigin::Assumed)
      buildSharedProgram(K, *Instance, K.Decl->getASTContext()).print(OS);
}

/// Updates exposed reads behind the new barrier \p From: after a barrier,
/// another thread may have overwritten what a thread wrote before, so all reads
/// up to the next barrier may see others' values.
static void exposeReads(SharedProgram &P, StepId From) {
  llvm::SmallVector<StepId, 16> Worklist = {From};
  llvm::BitVector Seen(P.Steps.size());
  while (!Worklist.empty())
    for (StepId Next : P.Steps[Worklist.pop_back_val()].Successors) {
      if (Seen[Next] || P.Steps[Next].What == Step::Kind::Barrier)
        continue;
      Seen.set(Next);
      Worklist.push_back(Next);
      for (SharedUse &U : P.Steps[Next].Uses)
        if (U.Reads)
          U.Exposed = U.May;
    }
}

SharedProgram insertBarriers(const SharedProgram &P,
                             llvm::ArrayRef<StepId> Places) {
  SharedProgram Result = P;
  for (StepId Place : Places) {
    const StepId Id = Result.Steps.size();
    Step Barrier;
    Barrier.What = Step::Kind::Barrier;
    Barrier.Statement = Result.Steps[Place].Statement;
    Barrier.LoopDepth = Result.Steps[Place].LoopDepth;
    Barrier.Weight = Result.Steps[Place].Weight;
    for (Step &S : Result.Steps)
      std::replace(S.Successors.begin(), S.Successors.end(), Place, Id);
    Barrier.Successors = {Place};
    Result.Steps.push_back(std::move(Barrier));
  }
  for (StepId Id = P.Steps.size(); Id != Result.Steps.size(); ++Id)
    exposeReads(Result, Id);
  return Result;
}

} // namespace cudaopt
