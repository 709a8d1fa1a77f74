// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A product that is stored and loaded again is rounded in between. If a
/// variable takes the place of the array, the text must say so. It cannot if
/// the product does not stand in the statement that stores it, or if compilers
/// may find its value elsewhere, too: which of equal products become a part of
/// a sum is theirs to choose, by the number of uses.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/StoredProducts.h"

#include "ProductFlow.h"
#include "cudaopt/Model/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace cudaopt {

/// True if a part of \p E has another type for nvcc: of a float and an integer,
/// the host's pow() is a double, and so is nvcc's on the device.
static bool hasOtherTypes(const Stmt *E) {
  if (!E)
    return false;
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (Callee && Callee->getIdentifier() && Callee->getName() == "pow" &&
      Callee->getNumParams() == 2 &&
      Callee->getParamDecl(0)->getType()->isRealFloatingType() &&
      Callee->getParamDecl(1)->getType()->isIntegerType())
    return true;
  return llvm::any_of(E->children(), hasOtherTypes);
}

llvm::StringRef getRoundedProduct(const Expr *E) {
  if (hasOtherTypes(E))
    return "";
  const QualType Type = E->getType().getCanonicalType().getUnqualifiedType();
  if (isShortProduct(E))
    return Type->getAsCXXRecordDecl()->getName().ends_with("2") ? "__hmul2_rn"
                                                                : "__hmul_rn";
  // The product is computed in another type than that of the variable.
  QualType Computed = Type;
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(E))
    Computed = Compound->getComputationResultType().getCanonicalType();
  if (Computed->isSpecificBuiltinType(BuiltinType::Float))
    return "__fmul_rn";
  if (Computed->isSpecificBuiltinType(BuiltinType::Double))
    return "__dmul_rn";
  return "";
}

/// True if \p Type has parts that are floating-point numbers, or unknown ones.
static bool hasFloats(QualType Type) {
  Type = Type->getAsTagDecl() || !Type->isArrayType()
             ? Type
             : QualType(Type->getBaseElementTypeUnsafe(), 0);
  if (Type->isRealFloatingType() || Type->isAnyComplexType() ||
      Type->isVectorType())
    return true;
  const auto *Record = Type->getAsRecordDecl();
  if (!Record)
    return false;
  const auto *Class = dyn_cast<CXXRecordDecl>(Record);
  return (Class && Class->getNumBases() != 0) || Record->isUnion() ||
         Record->getNameAsString().starts_with("__half") ||
         Record->getNameAsString().starts_with("__nv_bfloat") ||
         llvm::any_of(Record->fields(), [](const FieldDecl *F) {
           return hasFloats(F->getType());
         });
}

/// True if a function call can take the place of product \p E.
static bool isEditable(const Expr *E, const VarDecl *Held) {
  if (getRoundedProduct(E).empty())
    return false;
  llvm::SmallVector<const Expr *, 2> Operands;
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const Expr *Left = Call->getArg(0), *Right = Call->getArg(1);
    if (Left->getType()->getAsRecordDecl() !=
        Right->getType()->getAsRecordDecl())
      return false;
    Operands = {Left, Right};
  } else {
    const auto *Product = cast<BinaryOperator>(E);
    if (Product->isCompoundAssignmentOp() &&
        (!getRootVariable(Product->getLHS()) ||
         getRootVariable(Product->getLHS())->getLocation() !=
             Held->getLocation()))
      return false; // Others use what it is assigned to.
    Operands = {Product->getLHS(), Product->getRHS()};
  }
  return llvm::none_of(Operands, [](const Expr *Each) {
    return Each->getBeginLoc().isMacroID() || Each->getEndLoc().isMacroID();
  });
}

/// \p Stored may have a value that compilers find elsewhere.
static Blocker findTwin(ProductFlow &Flow, ArrayRef<const Expr *> Stored,
                        const ASTContext &Context) {
  for (const auto &[P, MeetsSum] : Flow.products()) {
    if (!llvm::is_contained(Stored, P) && !Flow.dependsOnHeld(P))
      continue;
    for (const auto &[Q, OtherMeetsSum] : Flow.products())
      if (P != Q && (MeetsSum || OtherMeetsSum) && Flow.mayBeEqual(P, Q))
        return {Reason::ContractsTwin, getWrittenText(Q, Context),
                P->getExprLoc()};
  }
  return {};
}

/// Whether the compiler of device code may use fused operations.
static bool contracts(const ASTContext &Context) {
  return Context.getLangOpts().getDefaultFPContractMode() !=
         LangOptions::FPM_Off;
}

Blocker findForwardedProduct(const Kernel &K, ArrayId Array, bool IsMoved) {
  const VarDecl *Held = K.Arrays[Array].Decl;
  const ASTContext &Context = Held->getASTContext();
  if (!contracts(Context) ||
      !hasFloats(Context.getBaseElementType(Held->getType())))
    return {};
  for (const auto &Instance : K.Instances) {
    // Writes in front of a barrier that a read of the array follows in front of
    // the same one.
    std::set<IntervalId> Read;
    for (const Access &A : Instance->Accesses)
      if (A.Array == Array && A.Kind == AccessKind::Read)
        Read.insert(A.Interval);
    llvm::SmallVector<const Expr *, 4> Written;
    for (const Access &A : Instance->Accesses)
      if (A.Array == Array && A.Kind == AccessKind::Write &&
          Read.count(A.Interval))
        Written.push_back(A.Ref->IgnoreParenImpCasts());
    if (Written.size() < (IsMoved ? 1 : 2) || !Instance->Decl->getBody())
      continue; // Nothing comes between the write and the read.
    ProductFlow Flow(Instance->Decl, Held, /*Approximates=*/false);
    llvm::SmallVector<const Expr *, 2> Direct;
    for (const Expr *Value : Flow.storedValues())
      if (Flow.mayBeProduct(Value, &Direct) || !Direct.empty())
        return {Reason::ForwardsProduct, getWrittenText(Value, Context),
                Value->getExprLoc()};
  }
  return {};
}

StoredProducts findStoredProducts(const Kernel &K, ArrayId Array,
                                  bool Approximates) {
  StoredProducts Result;
  const VarDecl *Held = K.Arrays[Array].Decl;
  const ASTContext &Context = Held->getASTContext();
  if (!contracts(Context))
    return Result;
  for (const auto &Instance : K.Instances) {
    if (Instance->Shapes[Array].Extents.empty() || !Instance->Decl->getBody())
      continue;
    ProductFlow Flow(Instance->Decl, Held, Approximates);
    llvm::SmallVector<const Expr *, 2> Direct;
    for (const Expr *Value : Flow.storedValues())
      if (Flow.mayBeProduct(Value, &Direct)) {
        Result.WhyNot = {Reason::MayContract, getWrittenText(Value, Context),
                         Value->getExprLoc()};
        return Result;
      }
    for (const Expr *Each : Direct)
      if (!isEditable(Each, Held)) {
        Result.WhyNot = {Reason::MayContract, getWrittenText(Each, Context),
                         Each->getExprLoc()};
        return Result;
      }
    if (const Expr *Use = Flow.findFoldedUse()) {
      Result.WhyNot = {Reason::MayContract, getWrittenText(Use, Context),
                       Use->getExprLoc()};
      return Result;
    }
    if (hasFloats(Context.getBaseElementType(Held->getType())))
      Result.WhyNot =
          Flow.isHeldReached() || Context.getLangOpts().AllowFPReassoc
              ? Blocker{Reason::MayContract, K.Arrays[Array].Name,
                        Held->getLocation()}
              : findTwin(Flow, Direct, Context);
    if (Result.WhyNot.Why != Reason::None)
      return Result;
    for (const Expr *Each : Direct)
      if (!llvm::is_contained(Result.Rounded, Each))
        Result.Rounded.push_back(Each);
  }
  return Result;
}

} // namespace cudaopt
