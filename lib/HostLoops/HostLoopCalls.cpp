// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which calls a host loop may contain. A call must compute a number from
/// numbers, without other effects, and the device must have the function: it is
/// a mathematical function of the library, is declared `__host__ __device__`,
/// or its text can be copied into the generated struct. This holds for the
/// functions that it calls in turn.
//===----------------------------------------------------------------------===//

#include "HostCopies.h"
#include "HostLoopBuilder.h"
#include "cudaopt/IR/Build.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace cudaopt {

static bool isSystem(const FunctionDecl *F, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return F->getBuiltinID() != 0 || SM.isInSystemHeader(F->getLocation());
}

/// Returns true for a number that is passed by value or by reference to const.
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

/// Checks a call and, depth first, the calls in the body of its callee.
/// Functions to be copied are added to the loop, callees first.
class CallChecker {
public:
  CallChecker(HostLoop &L, const ASTContext &Context)
      : L(L), Context(Context) {}

  std::optional<Refusal> check(const CallExpr *Call, bool &IsMinMax);

private:
  std::optional<Refusal> checkBody(const FunctionDecl *F, const CallExpr *Call);
  std::optional<Refusal> checkCalls(const Stmt *S, bool IsCopied);

  HostLoop &L;
  const ASTContext &Context;
  llvm::SmallPtrSet<const FunctionDecl *, 4> Open;
};

} // namespace

/// Returns true if \p F is explicitly `__host__ __device__`.
static bool isOnBothSides(const FunctionDecl *F) {
  return F->hasAttr<CUDADeviceAttr>() && F->hasAttr<CUDAHostAttr>() &&
         !F->getAttr<CUDADeviceAttr>()->isImplicit();
}

/// Returns why a function that \p S calls cannot be called; std::nullopt if all
/// can. \p IsCopied says that the text of \p S will be copied, so that std::min
/// and std::max in it can be renamed.
std::optional<Refusal> CallChecker::checkCalls(const Stmt *S, bool IsCopied) {
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    bool IsMinMax = false;
    if (std::optional<Refusal> R = check(Call, IsMinMax))
      return R;
    if (IsMinMax && !IsCopied) // std::min itself is a host function.
      return Refusal{Reason::LoopHostCall,
                     Call->getDirectCallee()->getNameAsString(),
                     Call->getBeginLoc()};
    if (IsMinMax)
      L.MinMax.insert(Call);
  }
  if (const auto *Made = dyn_cast<CXXConstructExpr>(S);
      Made && Made->getConstructor()->isUserProvided())
    return Refusal{Reason::LoopMemberCall,
                   Made->getConstructor()->getNameAsString(),
                   Made->getBeginLoc()};
  for (const Stmt *Child : S->children())
    if (Child)
      if (std::optional<Refusal> R = checkCalls(Child, IsCopied))
        return R;
  return std::nullopt;
}

std::optional<Refusal> CallChecker::checkBody(const FunctionDecl *F,
                                              const CallExpr *Call) {
  const std::string Name = F->getNameAsString();
  const SourceLocation Loc = Call->getBeginLoc();
  const FunctionDecl *Definition = nullptr;
  if (!F->hasBody(Definition))
    return Refusal{Reason::LoopUnknownCall, Name, Loc};
  if (!isFunctionOfNumbers(F))
    return Refusal{Reason::LoopImpure, Name, Loc};
  const bool IsCopied = !isOnBothSides(F);
  if (IsCopied && !canBeCopied(Definition, L, Context))
    return Refusal{Reason::LoopHostCall, Name, Loc};
  if (!Open.insert(Definition).second)
    return Refusal{Reason::LoopRecursion, Name, Loc};
  const std::optional<Refusal> Inner =
      checkCalls(Definition->getBody(), IsCopied);
  Open.erase(Definition);
  if (Inner)
    return Refusal{Inner->Why, Inner->Detail, Loc};
  if (IsCopied && !llvm::is_contained(L.Copied, Definition))
    L.Copied.push_back(Definition);
  return std::nullopt;
}

std::optional<Refusal> CallChecker::check(const CallExpr *Call,
                                          bool &IsMinMax) {
  const SourceLocation Loc = Call->getBeginLoc();
  const FunctionDecl *F = Call->getDirectCallee();
  if (!F)
    return Refusal{Reason::LoopIndirectCall, "", Loc};
  const std::string Name = F->getNameAsString();
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F))
    return Refusal{Method->isVirtual() ? Reason::LoopVirtual
                                       : Reason::LoopMemberCall,
                   Name, Loc};
  if (F->getDeclName().isIdentifier() && isSystem(F, Context)) {
    if (F->isInStdNamespace() && (Name == "min" || Name == "max") &&
        F->getNumParams() == 2 && isFunctionOfNumbers(F)) {
      IsMinMax = isMinMax(Call);
      if (!IsMinMax)
        return Refusal{Reason::LoopHostCall, Name, Loc};
      return std::nullopt;
    }
    if (ir::onlyComputes(F, Context) && isFunctionOfNumbers(F))
      return std::nullopt;
    return Refusal{Reason::LoopUnknownCall, Name, Loc};
  }
  if (!F->getDeclContext()->getRedeclContext()->isFileContext())
    return Refusal{Reason::LoopMemberCall, Name, Loc};
  return checkBody(F, Call);
}

std::optional<Refusal> findCallRefusal(const CallExpr *Call, HostLoop &L,
                                       const LoopView &View,
                                       const ASTContext &Context) {
  bool IsMinMax = false;
  std::optional<Refusal> R = CallChecker(L, Context).check(Call, IsMinMax);
  if (IsMinMax)
    L.MinMax.insert(Call);
  else if (const FunctionDecl *F = Call->getDirectCallee())
    L.Called.push_back(F);
  if (R)
    return R;
  if (const ir::Operation *Effect = View.findEffect(Call)) {
    const FunctionDecl *In = View.functionOf(*Effect);
    if (!In)
      In = Call->getDirectCallee();
    return Refusal{Reason::LoopImpure, In->getNameAsString(),
                   Call->getBeginLoc()};
  }
  return std::nullopt;
}

} // namespace cudaopt
