// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which calls a host loop may make: of functions that compute a number from
/// numbers, on the host and on the device.
//===----------------------------------------------------------------------===//

#include "HostCopies.h"
#include "HostLoopBuilder.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

/// The mathematics that the host and the device have under one name.
static bool isMathName(StringRef Name) {
  static constexpr llvm::StringLiteral Names[] = {
      "abs",       "acos",     "asin",  "atan",  "atan2",    "cbrt",  "ceil",
      "cos",       "cosh",     "exp",   "exp2",  "expm1",    "fabs",  "floor",
      "fma",       "fmax",     "fmin",  "fmod",  "hypot",    "isnan", "isinf",
      "log",       "isfinite", "log10", "log1p", "log2",     "labs",  "llabs",
      "nearbyint", "pow",      "rint",  "round", "copysign", "sin",   "sinh",
      "sqrt",      "tan",      "tanh",  "trunc", "erf",      "erfc",  "tgamma"};
  return llvm::is_contained(Names, Name) ||
         (Name.consume_back("f") && llvm::is_contained(Names, Name));
}

static bool isSystem(const FunctionDecl *F, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return F->getBuiltinID() != 0 || SM.isInSystemHeader(F->getLocation());
}

static bool isNumber(QualType Type) {
  if (const auto *Reference = Type->getAs<LValueReferenceType>())
    return Reference->getPointeeType().isConstQualified() &&
           isHostScalar(Reference->getPointeeType());
  return isHostScalar(Type) && !Type.isVolatileQualified();
}

static bool isFunctionOfNumbers(const FunctionDecl *F) {
  return !F->isVariadic() && isNumber(F->getReturnType()) &&
         llvm::all_of(F->parameters(), [](const ParmVarDecl *P) {
           return isNumber(P->getType());
         });
}

namespace {

/// Follows the bodies of called functions.
class CallChecker {
public:
  CallChecker(HostLoop &L, const ASTContext &Context)
      : L(L), Context(Context) {}

  Blocker check(const CallExpr *Call, bool &IsMinMax);

private:
  Blocker checkBody(const FunctionDecl *F, const CallExpr *Call);
  Reason findEffect(const Stmt *S, bool IsCopied, Blocker &Why);
  bool isConstant(const DeclRefExpr *Use) const;

  HostLoop &L;
  const ASTContext &Context;
  llvm::SmallPtrSet<const FunctionDecl *, 4> Open;
};

} // namespace

static bool isOnBothSides(const FunctionDecl *F) {
  return F->hasAttr<CUDADeviceAttr>() && F->hasAttr<CUDAHostAttr>() &&
         !F->getAttr<CUDADeviceAttr>()->isImplicit();
}

/// A local variable of the callee, or a constant.
bool CallChecker::isConstant(const DeclRefExpr *Use) const {
  if (isa<EnumConstantDecl>(Use->getDecl()) ||
      isa<FunctionDecl>(Use->getDecl()))
    return true;
  const auto *V = dyn_cast<VarDecl>(Use->getDecl());
  return V && ((V->hasLocalStorage() && !V->getType()->isPointerType() &&
                (!V->getType()->isReferenceType() || isNumber(V->getType()))) ||
               V->isConstexpr());
}

/// Why \p S does more than compute; None if it does not.
Reason CallChecker::findEffect(const Stmt *S, bool IsCopied, Blocker &Why) {
  if (const auto *Use = dyn_cast<DeclRefExpr>(S); Use && !isConstant(Use))
    return Reason::LoopImpure;
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    bool IsMinMax = false;
    Why = check(Call, IsMinMax);
    if (Why.Why != Reason::None)
      return Why.Why;
    if (IsMinMax && !IsCopied) // Of the host only.
      return Reason::LoopHostCall;
    if (IsMinMax)
      L.MinMax.insert(Call);
  } else if (isa<GotoStmt, AsmStmt, CXXTryStmt, CXXThrowExpr, CXXNewExpr,
                 CXXDeleteExpr, LambdaExpr, CXXThisExpr, CoreturnStmt,
                 MemberExpr>(S)) {
    return Reason::LoopImpure;
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(S);
             Unary && (Unary->getOpcode() == UO_Deref ||
                       Unary->getOpcode() == UO_AddrOf)) {
    return Reason::LoopImpure;
  }
  for (const Stmt *Child : S->children())
    if (Child)
      if (Reason Found = findEffect(Child, IsCopied, Why);
          Found != Reason::None)
        return Found;
  return Reason::None;
}

Blocker CallChecker::checkBody(const FunctionDecl *F, const CallExpr *Call) {
  const std::string Name = F->getNameAsString();
  const SourceLocation Loc = Call->getBeginLoc();
  const FunctionDecl *Definition = nullptr;
  if (!F->hasBody(Definition))
    return {Reason::LoopUnknownCall, Name, Loc};
  if (!isFunctionOfNumbers(F))
    return {Reason::LoopImpure, Name, Loc};
  const bool IsCopied = !isOnBothSides(F);
  if (IsCopied && !canBeCopied(Definition, L, Context))
    return {Reason::LoopHostCall, Name, Loc};
  if (!Open.insert(Definition).second)
    return {Reason::LoopRecursion, Name, Loc};
  Blocker Inner;
  const Reason Why = findEffect(Definition->getBody(), IsCopied, Inner);
  Open.erase(Definition);
  if (Why == Reason::None) {
    if (IsCopied && !llvm::is_contained(L.Copied, Definition))
      L.Copied.push_back(Definition);
    return {};
  }
  if (Inner.Why != Reason::None)
    return {Inner.Why, Inner.Detail, Loc};
  return {Why, Name, Loc};
}

Blocker CallChecker::check(const CallExpr *Call, bool &IsMinMax) {
  const SourceLocation Loc = Call->getBeginLoc();
  const FunctionDecl *F = Call->getDirectCallee();
  if (!F)
    return {Reason::LoopIndirectCall, "", Loc};
  const std::string Name = F->getNameAsString();
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F))
    return {Method->isVirtual() ? Reason::LoopVirtual : Reason::LoopMemberCall,
            Name, Loc};
  if (F->getDeclName().isIdentifier() && isSystem(F, Context)) {
    if (F->isInStdNamespace() && (Name == "min" || Name == "max") &&
        F->getNumParams() == 2 && isFunctionOfNumbers(F)) {
      IsMinMax = isMinMax(Call);
      return IsMinMax ? Blocker{} : Blocker{Reason::LoopHostCall, Name, Loc};
    }
    if ((isMathName(Name) || Name == "min" || Name == "max") &&
        isFunctionOfNumbers(F))
      return {};
    return {Reason::LoopUnknownCall, Name, Loc};
  }
  if (!F->getDeclContext()->getRedeclContext()->isFileContext())
    return {Reason::LoopMemberCall, Name, Loc};
  return checkBody(F, Call);
}

Blocker findCallBlocker(const CallExpr *Call, HostLoop &L,
                        const ASTContext &Context) {
  bool IsMinMax = false;
  Blocker Why = CallChecker(L, Context).check(Call, IsMinMax);
  if (IsMinMax)
    L.MinMax.insert(Call);
  else if (const FunctionDecl *F = Call->getDirectCallee())
    L.Called.push_back(F);
  return Why;
}

} // namespace cudaopt
