// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides which arrays can be privatized. For a known block, all threads are
/// enumerated and must own their elements. For launches that are not known,
/// which may have a block of any shape, there are two arguments: either threads
/// that share an element would race, which is undefined (wouldRace); or they
/// are duplicates, which compute the same values (isOfDuplicates). Then the
/// text must allow the replacement, and rounding must be preserved.
//===----------------------------------------------------------------------===//

#include "PrivateArrays.h"

#include "PlainUses.h"
#include "ThreadElements.h"
#include "cudaopt/Analysis/StoredProducts.h"

#include "cudaopt/Model/ValueLeaves.h"
#include "cudaopt/Source/SourceText.h"
#include "cudaopt/Source/StatementParts.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <utility>

using namespace cudaopt;
using namespace clang;

/// The size of a register, in bytes.
static constexpr uint64_t RegisterSize = 4;

//===----------------------------------------------------------------------===//
// Each thread has an element
//===----------------------------------------------------------------------===//

/// Returns true if every thread of a block of \p I accesses at most one element
/// of \p Array, over all accesses, and no other thread accesses that element.
/// The shape of the block must be known.
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

/// Returns true if the value is the same in all iterations and all blocks.
static bool isFixed(const ValueGraph &Values, ValueId Id) {
  const Leaves Found = findLeaves(Values, Id);
  return Found.Loops.empty() && !Found.Blocks[0] && !Found.Blocks[1] &&
         !Found.Blocks[2];
}

/// Returns true if the trip count of \p L is the same for all threads of a
/// block.
static bool isUniform(const KernelInstance &I, const Loop &L) {
  return L.Condition && !findLeaves(I.Values, *L.Condition).HasThread;
}

/// Returns true if in a block of any shape two threads that access the same
/// element of \p Array would write to it in a race, so that no valid launch has
/// such threads. All accesses must have the same subscript and the same guards:
/// then threads that share an element execute all accesses in common. And
/// nothing but barriers, at which all threads meet, may order the threads.
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

/// Returns the dimension (0 to 2) if \p Id is threadIdx.x, y or z, possibly
/// cast to a type that holds it; 3 otherwise.
static unsigned findDimension(const ValueGraph &Values, ValueId Id) {
  while (Values[Id].Kind == ValueKind::Cast && Values[Id].Type.Bits >= 32)
    Id = Values[Id].Operands[0];
  return Values[Id].Kind == ValueKind::ThreadIdx ? Values[Id].Literal : 3;
}

/// Returns true if no thread both reads \p Array and writes to it between two
/// barriers.
static bool isReadApart(const SharedProgram &P, ArrayId Array) {
  auto isUsed = [&](StepId S, bool SharedUse::*Use) {
    return llvm::any_of(P.Steps[S].Uses, [&](const SharedUse &Each) {
      return P.Variables[Each.Variable].Array == Array && Each.*Use;
    });
  };
  for (StepId Begin = 0; Begin != P.Steps.size(); ++Begin) {
    llvm::SetVector<StepId> Taken; // The steps reachable from Begin.
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

/// Returns true if in a block of any shape threads that access the same element
/// of \p Array are duplicates (ObservedThread.h), which the kernel cannot tell
/// apart: the subscripts, which stay within their extents, are exactly the
/// dimensions of the thread index that the kernel observes.
///
/// Duplicates execute the same accesses with the same values. If one writes its
/// element, all do, which is a race. Launches in which they do that with equal
/// values are common, though, and must keep working: since no thread reads and
/// writes between the same barriers, a duplicate that reads finds the last
/// value that any of them has written, which equals the last value of its own.
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

/// Returns true if \p Array is accessed, and in each of \p Instances each
/// thread has an element of its own or shares it with duplicates only.
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

/// Returns true if \p Array can be private only since threads that share an
/// element are duplicates.
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

/// Returns true if \p E is an element of the array that is declared at
/// \p Declared, or a part of one.
static bool isElement(const Expr *E, SourceLocation Declared) {
  for (E = E->IgnoreParenCasts();;) {
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase()->IgnoreParenCasts();
    else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      E = Subscript->getBase()->IgnoreParenCasts();
    else
      break;
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref && Ref->getDecl()->getLocation() == Declared;
}

/// Returns why the statement or expression \p S does not allow that a local
/// variable takes the place of the array that is declared at \p Declared:
/// because it declares it in a loop (a local variable would lose its value),
/// uses it in a lambda, takes an address (which may lead to other elements, and
/// needs memory), or is jumped to.
static std::optional<Refusal> findScopeRefusal(const Stmt *S,
                                               SourceLocation Declared,
                                               const ParentMap &Parents,
                                               const ASTContext &Context) {
  if (const auto *Declares = dyn_cast<DeclStmt>(S)) {
    if (llvm::none_of(Declares->decls(), [&](const Decl *D) {
          return D->getLocation() == Declared;
        }))
      return std::nullopt;
    if (isInsideOf<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S, Parents))
      return Refusal{Reason::DeclaredInLoop, "", Declared};
    if (isInsideOf<LambdaExpr>(S, Parents))
      return Refusal{Reason::NamedInLambda, "", Declared};
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S);
      Ref && Ref->getDecl()->getLocation() == Declared &&
      isInsideOf<LambdaExpr>(S, Parents))
    return Refusal{Reason::NamedInLambda, "", Ref->getLocation()};
  if (const auto *Op = dyn_cast<UnaryOperator>(S);
      Op && Op->getOpcode() == UO_AddrOf &&
      isElement(Op->getSubExpr(), Declared))
    return Refusal{Reason::NotPlain, getWrittenText(Op, Context),
                   Op->getExprLoc()};
  if (isa<LabelStmt>(S))
    return Refusal{Reason::UnstructuredControl, "", S->getBeginLoc()};
  return std::nullopt;
}

/// Returns the first of these reasons in \p Body.
static std::optional<Refusal> findScopeRefusal(Stmt *Body,
                                               const VarDecl &Array) {
  const ParentMap Parents(Body);
  for (const Stmt *S : nodesIn<Stmt>(Body))
    if (std::optional<Refusal> R = findScopeRefusal(
            S, Array.getLocation(), Parents, Array.getASTContext()))
      return R;
  return std::nullopt;
}

static std::optional<Refusal> findTypeRefusal(const VarDecl &Var) {
  const QualType Element =
      Var.getASTContext().getBaseElementType(Var.getType());
  if (Element.isVolatileQualified())
    return Refusal{Reason::VolatileArray, "", Var.getLocation()};
  const auto *Record = Element->getAsCXXRecordDecl();
  if (Record && !Record->isTrivial())
    return Refusal{Reason::HasConstructors, "", Var.getLocation()};
  return std::nullopt;
}

/// Returns why \p Array must stay in shared memory although each thread has one
/// element of it; std::nullopt if it need not.
static std::optional<Refusal>
findRefusal(const Kernel &K, ArrayRef<ReuseInstance> Instances, ArrayId Array) {
  const SharedArray &A = K.Arrays[Array];
  if (std::optional<Refusal> R = findTypeRefusal(*A.Decl))
    return R;
  for (const ReuseInstance &I : Instances)
    for (const SharedVariable &V : I.Program.Variables)
      if (V.Array == Array && V.Pinned)
        return V.Pinned;
  for (const ReuseInstance &I : Instances)
    if (std::optional<Refusal> R =
            findScopeRefusal(I.Program.Instance->Decl->getBody(), *A.Decl))
      return R;
  return findUnusualUse(K, Array, "privatize");
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

namespace {
/// An array that may become private.
struct PrivateCandidate {
  ArrayId Array;
  /// The bytes of shared memory that it takes, in the instance of most.
  uint64_t Bytes = 0;
  uint64_t Registers = 0; ///< The bytes of registers that each thread needs.
};
} // namespace

/// Takes the \p Candidates with the best ratio of shared bytes to registers, as
/// long as they need no more than \p MaxBytes of registers.
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
    if (llvm::any_of(K.Arrays[Array].Refusals, [](const Refusal &R) {
          return R.Why == Reason::AddressEscapes;
        }))
      continue;
    if (!hasOwners(Instances, Array)) {
      if (hasOwners(Seen, Array))
        Decision.NotPrivate.push_back(
            {Array, orOpen(findRefusal(K, Seen, Array), K, Array)});
      continue;
    }
    if (std::optional<Refusal> R = findRefusal(K, Instances, Array)) {
      Decision.NotPrivate.push_back({Array, std::move(*R)});
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
        Products.Refused) {
      Decision.NotPrivate.push_back({Array, std::move(*Products.Refused)});
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
