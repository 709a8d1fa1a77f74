// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A product that is stored to memory and loaded again is rounded in between.
/// If a variable takes the place of the array, the text must round the product
/// explicitly. That is refused in three cases:
///
///   - the product does not stand in the statement that stores it, so that
///     there is no text to edit;
///   - compilers may fold an operation on the stored value (`s[t] + 0.f`), and
///     what is left is an unrounded product;
///   - compilers may find the value elsewhere, too (a "twin"). Which of several
///     equal products are fused into sums is theirs to choose, by the number of
///     uses, which the rewrite changes.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/StoredProducts.h"

#include "ProductFlow.h"
#include "ReadBacks.h"
#include "cudaopt/Model/KernelCode.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

/// Returns true if a part of \p E has another type for nvcc than for clang:
/// pow() of a float and an integer is a double on the host, and so it is for
/// nvcc in device code.
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
  // `x *= b` may compute in a wider type than that of x.
  QualType Computed = Type;
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(E))
    Computed = Compound->getComputationResultType().getCanonicalType();
  if (Computed->isSpecificBuiltinType(BuiltinType::Float))
    return "__fmul_rn";
  if (Computed->isSpecificBuiltinType(BuiltinType::Double))
    return "__dmul_rn";
  return "";
}

/// Returns true if \p Type contains floating-point numbers, or parts about
/// which that is not known (bases, unions).
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

/// Returns true if the text of the product \p E can be replaced by a call of
/// its rounded form.
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
      return false; // `s[t] = x *= b`: rounding would change x for others, too.
    Operands = {Product->getLHS(), Product->getRHS()};
  }
  return llvm::none_of(Operands, [](const Expr *Each) {
    return Each->getBeginLoc().isMacroID() || Each->getEndLoc().isMacroID();
  });
}

/// Looks for a twin: a product that may be equal to one of \p Stored, or to one
/// of an element of the array, where one of the two may reach a sum. Returns
/// Reason::ContractsTwin with its text; std::nullopt if there is none.
static std::optional<Refusal> findTwin(ProductFlow &Flow,
                                       ArrayRef<const Expr *> Stored,
                                       const ASTContext &Context) {
  for (const auto &[P, MeetsSum] : Flow.products()) {
    if (!llvm::is_contained(Stored, P) && !Flow.dependsOnHeld(P))
      continue;
    for (const auto &[Q, OtherMeetsSum] : Flow.products())
      if (P != Q && (MeetsSum || OtherMeetsSum) && Flow.mayBeEqual(P, Q))
        return Refusal{Reason::ContractsTwin, getWrittenText(Q, Context),
                       P->getExprLoc()};
  }
  return std::nullopt;
}

/// Returns true if the device's compiler may use fused operations.
static bool contracts(const ASTContext &Context) {
  return Context.getLangOpts().getDefaultFPContractMode() !=
         LangOptions::FPM_Off;
}

std::optional<Refusal> findForwardedProduct(const Kernel &K, ArrayId Array,
                                            bool Approximates, bool IsMoved) {
  const SharedArray &A = K.Arrays[Array];
  const VarDecl *Held = A.Decl;
  const ASTContext &Context = Held->getASTContext();
  const QualType Type = A.Whole ? Held->getType()->getPointeeType()
                                : Context.getBaseElementType(Held->getType());
  if (!contracts(Context) || !hasFloats(Type))
    return std::nullopt;
  const VarDecl &Object = *K.Arrays[A.Whole.value_or(Array)].Decl;
  for (const auto &Instance : K.Instances) {
    const ir::Function *Code = Instance->Code->live();
    if (!Code || !Instance->Decl->getBody())
      continue; // Without IR, the array is refused.
    const ReadBacks Found = findReadBacks(*Code, Object, Approximates);
    if (Found.NumWrites < (IsMoved ? 1 : 2))
      continue; // No other write can come between the write and the read.
    ProductFlow Flow(Instance->Decl, Held, Approximates);
    llvm::SmallVector<const Expr *, 2> Direct;
    for (const Expr *Value : Flow.storedValues())
      if (Flow.mayBeProduct(Value, &Direct) || !Direct.empty())
        return Refusal{Reason::ForwardsProduct, getWrittenText(Value, Context),
                       Value->getExprLoc()};
    // A callee that gets the array stores it, say.
    if (Found.Product)
      if (const auto *E = dyn_cast_or_null<Expr>(Found.Product->Where.Node))
        return Refusal{Reason::ForwardsProduct, getWrittenText(E, Context),
                       E->getExprLoc()};
  }
  return std::nullopt;
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
        Result.Refused = {Reason::MayContract, getWrittenText(Value, Context),
                          Value->getExprLoc()};
        return Result;
      }
    for (const Expr *Each : Direct)
      if (!isEditable(Each, Held)) {
        Result.Refused = {Reason::MayContract, getWrittenText(Each, Context),
                          Each->getExprLoc()};
        return Result;
      }
    if (const Expr *Use = Flow.findFoldedUse()) {
      Result.Refused = {Reason::MayContract, getWrittenText(Use, Context),
                        Use->getExprLoc()};
      return Result;
    }
    if (hasFloats(Context.getBaseElementType(Held->getType())))
      Result.Refused =
          Flow.isHeldReached() || Context.getLangOpts().AllowFPReassoc
              ? Refusal{Reason::MayContract, K.Arrays[Array].Name,
                        Held->getLocation()}
              : findTwin(Flow, Direct, Context);
    if (Result.Refused)
      return Result;
    // There, the compiler may have fused the product before, too, or not.
    const ir::Function *Code = Instance->Code->live();
    if (!Direct.empty() &&
        (!Code || findReadBacks(*Code, *Held, Approximates).Product)) {
      Result.Refused = {Reason::ForwardsProduct,
                        getWrittenText(Direct.front(), Context),
                        Direct.front()->getExprLoc()};
      return Result;
    }
    for (const Expr *Each : Direct)
      if (!llvm::is_contained(Result.Rounded, Each))
        Result.Rounded.push_back(Each);
  }
  return Result;
}

} // namespace cudaopt
