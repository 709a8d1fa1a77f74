// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrivateArrays.h"

#include "PlainUses.h"
#include "ThreadElements.h"
#include "cudaopt/Analysis/StoredProducts.h"

#include "cudaopt/Model/SourceText.h"
#include "cudaopt/Model/ValueLeaves.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <utility>

using namespace cudaopt;
using namespace clang;

/// Bytes of a register.
static constexpr uint64_t RegisterSize = 4;

//===----------------------------------------------------------------------===//
// Each thread has an element
//===----------------------------------------------------------------------===//

/// True if every thread of a block of \p I accesses one element of \p Array at
/// most, wherever it does, and no other thread that element.
static bool hasOwners(const KernelInstance &I, ArrayId Array) {
  std::vector<std::optional<unsigned>> Owners(I.Shapes[Array].numElements());
  std::vector<std::optional<uint64_t>> Owned(I.Block.numThreads());
  ThreadElements Elements(I);
  return llvm::all_of(I.Accesses, [&](const Access &A) {
    return A.Array != Array ||
           Elements.visit(A, [&](unsigned Thread, uint64_t Element) {
             if (Owners[Element].value_or(Thread) != Thread ||
                 Owned[Thread].value_or(Element) != Element)
               return false;
             Owners[Element] = Thread;
             Owned[Thread] = Element;
             return true;
           });
  });
}

/// True if the value is the same in all iterations and blocks.
static bool isFixed(const ValueGraph &Values, ValueId Id) {
  const Leaves Found = findLeaves(Values, Id);
  return Found.Loops.empty() && !Found.Blocks[0] && !Found.Blocks[1] &&
         !Found.Blocks[2];
}

/// True if all threads of a block make the iterations of \p L together.
static bool isUniform(const KernelInstance &I, const Loop &L) {
  return L.Condition && !findLeaves(I.Values, *L.Condition).HasThread;
}

/// True if in a block of any shape in which two threads had one element of
/// \p Array, they would write to it at the same time, wherever the array is
/// written: all accesses have one subscript and one condition, and nothing but
/// barriers orders the threads, which all pass together.
static bool wouldRace(const SharedProgram &P, ArrayId Array) {
  const KernelInstance &I = *P.Instance;
  if (!I.OrderedByBarriers || P.Refused || P.HasPartialBarriers)
    return false;
  const Access *First = nullptr;
  for (const Access &A : I.Accesses) {
    if (A.Array != Array)
      continue;
    if (!First)
      First = &A;
    if (A.isOpaque() || !A.DomainIsExact || A.Kind == AccessKind::Atomic ||
        !llvm::equal(A.Index, First->Index) ||
        !llvm::equal(A.Guards, First->Guards) ||
        !llvm::all_of(A.Index,
                      [&](ValueId Id) { return isFixed(I.Values, Id); }) ||
        !llvm::all_of(A.Guards,
                      [&](ValueId Id) { return isFixed(I.Values, Id); }) ||
        !llvm::all_of(A.Loops,
                      [&](LoopId Id) { return isUniform(I, I.Loops[Id]); }))
      return false;
  }
  return First != nullptr;
}

/// The dimension of threadIdx that \p Id is, in any type that holds it, or 3.
static unsigned findDimension(const ValueGraph &Values, ValueId Id) {
  while (Values[Id].Kind == ValueKind::Cast && Values[Id].Type.Bits >= 32)
    Id = Values[Id].Operands[0];
  return Values[Id].Kind == ValueKind::ThreadIdx ? Values[Id].Literal : 3;
}

/// True if no thread both reads \p Array and writes to it between two barriers.
static bool isReadApart(const SharedProgram &P, ArrayId Array) {
  auto isUsed = [&](StepId S, bool SharedUse::*Use) {
    return llvm::any_of(P.Steps[S].Uses, [&](const SharedUse &Each) {
      return P.Variables[Each.Variable].Array == Array && Each.*Use;
    });
  };
  for (StepId Begin = 0; Begin != P.Steps.size(); ++Begin) {
    llvm::SetVector<StepId> Taken; // By a thread that takes Begin first.
    Taken.insert(Begin);
    bool Reads = false, Writes = false;
    for (unsigned I = 0; I != Taken.size(); ++I) {
      const Step &Next = P.Steps[Taken[I]];
      if (Next.What != Step::Kind::Barrier)
        Taken.insert_range(Next.Successors);
      Reads |= isUsed(Taken[I], &SharedUse::Reads);
      Writes |= isUsed(Taken[I], &SharedUse::Writes);
    }
    if ((isUsed(Begin, &SharedUse::Reads) && Writes) ||
        (isUsed(Begin, &SharedUse::Writes) && Reads))
      return false;
  }
  return !P.Refused;
}

/// True if in a block of any shape those threads that have one element of
/// \p Array are duplicates (ObservedThread.h): its subscripts, which stay in
/// their extents, are the dimensions that the kernel observes. If one of them
/// writes its element, all of them do, and race. Launches in which they do so
/// with one value are common: as no duplicate reads between the writes, it
/// finds the last one of all, which is the last one of its own.
static bool isOfDuplicates(const SharedProgram &P, ArrayId Array) {
  const KernelInstance &I = *P.Instance;
  std::optional<llvm::SmallVector<unsigned, 4>> Subscripts;
  for (const Access &A : I.Accesses) {
    if (A.Array != Array)
      continue;
    llvm::SmallVector<unsigned, 4> Dimensions;
    for (ValueId Id : A.Index)
      Dimensions.push_back(findDimension(I.Values, Id));
    if (A.isOpaque() || A.Kind == AccessKind::Atomic ||
        Subscripts.value_or(Dimensions) != Dimensions)
      return false;
    Subscripts = Dimensions;
  }
  if (!Subscripts)
    return false;
  ThreadDimensions Told = {};
  for (unsigned Dimension : *Subscripts)
    if (Dimension == 3 || std::exchange(Told[Dimension], true))
      return false;
  return I.Observed == Told && isReadApart(P, Array);
}

static bool hasOwners(ArrayRef<ReuseInstance> Instances, ArrayId Array) {
  bool IsAccessed = false;
  for (const ReuseInstance &I : Instances) {
    const KernelInstance &Instance = *I.Program.Instance;
    if (Instance.Shapes[Array].Extents.empty())
      continue;
    if (Instance.Block.IsUnseen
            ? !wouldRace(I.Program, Array) && !isOfDuplicates(I.Program, Array)
            : !Instance.Block.isKnown() || !hasOwners(Instance, Array))
      return false;
    IsAccessed |= llvm::any_of(
        Instance.Accesses, [&](const Access &A) { return A.Array == Array; });
  }
  return IsAccessed;
}

/// True if it takes duplicates to make \p Array private.
static bool needsDuplicates(ArrayRef<ReuseInstance> Instances, ArrayId Array) {
  return llvm::any_of(Instances, [&](const ReuseInstance &I) {
    const KernelInstance &Instance = *I.Program.Instance;
    return Instance.Block.IsUnseen && !Instance.Shapes[Array].Extents.empty() &&
           !wouldRace(I.Program, Array);
  });
}

//===----------------------------------------------------------------------===//
// A variable can take its place
//===----------------------------------------------------------------------===//

namespace {

/// Looks in a body for what a variable of each thread cannot do.
class ScopeFinder : public DynamicRecursiveASTVisitor {
public:
  explicit ScopeFinder(const VarDecl &Array)
      : Declared(Array.getLocation()), Context(Array.getASTContext()) {}

  bool TraverseForStmt(ForStmt *S) override {
    return traverseInside(NumLoops, [&] {
      return DynamicRecursiveASTVisitor::TraverseForStmt(S);
    });
  }
  bool TraverseWhileStmt(WhileStmt *S) override {
    return traverseInside(NumLoops, [&] {
      return DynamicRecursiveASTVisitor::TraverseWhileStmt(S);
    });
  }
  bool TraverseDoStmt(DoStmt *S) override {
    return traverseInside(NumLoops, [&] {
      return DynamicRecursiveASTVisitor::TraverseDoStmt(S);
    });
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *S) override {
    return traverseInside(NumLoops, [&] {
      return DynamicRecursiveASTVisitor::TraverseCXXForRangeStmt(S);
    });
  }
  bool TraverseLambdaExpr(LambdaExpr *S) override {
    return traverseInside(NumLambdas, [&] {
      return DynamicRecursiveASTVisitor::TraverseLambdaExpr(S);
    });
  }
  bool VisitVarDecl(VarDecl *Var) override {
    if (Var->getLocation() == Declared && NumLoops)
      block(Reason::DeclaredInLoop, Declared);
    if (Var->getLocation() == Declared && NumLambdas)
      block(Reason::NamedInLambda, Declared);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    if (isOurs(Ref) && NumLambdas)
      block(Reason::NamedInLambda, Ref->getLocation());
    return true;
  }
  /// An address may lead to other elements, and bind what registers cannot be.
  bool VisitUnaryOperator(UnaryOperator *Op) override {
    if (Op->getOpcode() == UO_AddrOf && isElement(Op->getSubExpr()))
      block(Reason::NotPlain, Op->getExprLoc(), getWrittenText(Op, Context));
    return true;
  }
  bool VisitLabelStmt(LabelStmt *Label) override {
    block(Reason::UnstructuredControl, Label->getBeginLoc());
    return true;
  }
  Blocker Found;

private:
  static bool traverseInside(unsigned &Depth, llvm::function_ref<bool()> Do) {
    llvm::SaveAndRestore Inside(Depth, Depth + 1);
    return Do();
  }
  bool isOurs(const Expr *E) const {
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    return Ref && Ref->getDecl()->getLocation() == Declared;
  }
  bool isElement(const Expr *E) const {
    for (E = E->IgnoreParenCasts();;) {
      if (const auto *Member = dyn_cast<MemberExpr>(E))
        E = Member->getBase()->IgnoreParenCasts();
      else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
        E = Subscript->getBase()->IgnoreParenCasts();
      else
        return isOurs(E);
    }
  }
  void block(Reason Why, SourceLocation Loc, std::string Detail = "") {
    if (Found.Why == Reason::None)
      Found = {Why, std::move(Detail), Loc};
  }

  const SourceLocation Declared;
  const ASTContext &Context;
  unsigned NumLoops = 0, NumLambdas = 0;
};

} // namespace

static Blocker findTypeBlocker(const VarDecl &Var) {
  const QualType Element =
      Var.getASTContext().getBaseElementType(Var.getType());
  if (Element.isVolatileQualified())
    return {Reason::VolatileArray, "", Var.getLocation()};
  const auto *Record = Element->getAsCXXRecordDecl();
  if (Record && !Record->isTrivial())
    return {Reason::HasConstructors, "", Var.getLocation()};
  return {};
}

/// Why \p Array stays, if each thread has one element of it; None if it need
/// not.
static Blocker findBlocker(const Kernel &K, ArrayRef<ReuseInstance> Instances,
                           ArrayId Array) {
  const SharedArray &A = K.Arrays[Array];
  if (Blocker B = findTypeBlocker(*A.Decl); B.Why != Reason::None)
    return B;
  ScopeFinder Scopes(*A.Decl);
  for (const ReuseInstance &I : Instances) {
    for (const SharedVariable &V : I.Program.Variables)
      if (V.Array == Array && V.Pinned)
        return *V.Pinned;
    Scopes.TraverseStmt(I.Program.Instance->Decl->getBody());
  }
  if (Scopes.Found.Why != Reason::None)
    return Scopes.Found;
  return findUnusualUse(K, Array, "privatize");
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

namespace {
struct PrivateCandidate {
  ArrayId Array;
  uint64_t Bytes = 0;     ///< Of shared memory; the most of an instance.
  uint64_t Registers = 0; ///< Bytes of a thread.
};
} // namespace

/// Takes those of \p Candidates that save most, as far as registers reach.
static void takeBest(const Kernel &K, ArrayRef<ReuseInstance> Instances,
                     std::vector<PrivateCandidate> Candidates,
                     uint64_t MaxBytes, PrivatizeDecision &Decision) {
  llvm::sort(Candidates, [](const auto &A, const auto &B) {
    const uint64_t OfA = A.Bytes * B.Registers, OfB = B.Bytes * A.Registers;
    return OfA != OfB ? OfA > OfB : A.Array < B.Array;
  });
  uint64_t Taken = 0;
  for (const PrivateCandidate &Each : Candidates) {
    if (Taken + Each.Registers > MaxBytes) {
      Decision.NotPrivate.push_back(
          {Each.Array,
           {Reason::TooManyRegisters, std::to_string(Taken + Each.Registers),
            K.Arrays[Each.Array].Decl->getLocation()}});
      continue;
    }
    Taken += Each.Registers;
    Decision.Private.push_back(Each.Array);
    if (needsDuplicates(Instances, Each.Array))
      Decision.Duplicated.push_back(Each.Array);
  }
  llvm::sort(Decision.Private);
}

PrivatizeDecision cudaopt::findPrivateArrays(const Kernel &K,
                                             ArrayRef<ReuseInstance> Instances,
                                             uint64_t MaxBytes,
                                             const FloatingPoint &Floats) {
  PrivatizeDecision Decision;
  std::vector<PrivateCandidate> Candidates;
  const WideVariable Widest = findWidest(Instances);
  const std::vector<ReuseInstance> Seen = listSeen(Instances);
  for (ArrayId Array = 0; Array != K.Arrays.size(); ++Array) {
    // Accesses through a pointer are not known, nor are their threads.
    if (llvm::any_of(K.Arrays[Array].Blockers, [](const Blocker &B) {
          return B.Why == Reason::AddressEscapes;
        }))
      continue;
    if (!hasOwners(Instances, Array)) {
      if (hasOwners(Seen, Array))
        Decision.NotPrivate.push_back(
            {Array, orOpen(findBlocker(K, Seen, Array), K, Array)});
      continue;
    }
    if (Blocker Why = findBlocker(K, Instances, Array);
        Why.Why != Reason::None) {
      Decision.NotPrivate.push_back({Array, std::move(Why)});
      continue;
    }
    if (!keepsAligned(Instances, Array, 0, Widest.Alignment)) {
      Decision.NotPrivate.push_back({Array,
                                     {Reason::MisalignsOther, Widest.Name,
                                      K.Arrays[Array].Decl->getLocation()}});
      continue;
    }
    if (StoredProducts Products =
            findStoredProducts(K, Array, !Floats.DeviceApproximates.empty());
        Products.WhyNot.Why != Reason::None) {
      Decision.NotPrivate.push_back({Array, std::move(Products.WhyNot)});
      continue;
    }
    PrivateCandidate &New = Candidates.emplace_back(PrivateCandidate{Array});
    for (const ReuseInstance &I : Instances) {
      const ArrayShape &Shape = I.Program.Instance->Shapes[Array];
      if (Shape.Extents.empty())
        continue;
      New.Bytes = std::max(New.Bytes, Shape.numElements() * Shape.ElementSize);
      New.Registers = std::max(New.Registers,
                               llvm::alignTo(Shape.ElementSize, RegisterSize));
    }
  }
  takeBest(K, Instances, std::move(Candidates), MaxBytes, Decision);
  return Decision;
}
