// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Products that calls return. A function that is not known may return one: the
/// exponential functions of the toolkit do.
//===----------------------------------------------------------------------===//

#include "ProductFlow.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;
using llvm::SmallVectorImpl;
using llvm::StringRef;

namespace cudaopt {

static bool hasRoundingMode(StringRef Name) {
  return Name.ends_with("_rn") || Name.ends_with("_rz") ||
         Name.ends_with("_ru") || Name.ends_with("_rd");
}

/// The operation of `__fadd_rn`, `__hsub` and the like, which vanishes beside
/// the same constants.
static std::optional<BinaryOperatorKind> getNamedOperation(StringRef Name) {
  if (!Name.starts_with("__"))
    return std::nullopt;
  if (Name.contains("add"))
    return BO_Add;
  if (Name.contains("sub"))
    return BO_Sub;
  if (Name.contains("mul"))
    return BO_Mul;
  return std::nullopt;
}

/// Functions of the toolkit whose results no sum takes apart again.
static bool isRoundedName(StringRef Name) {
  if (hasRoundingMode(Name))
    return true;
  for (StringRef Prefix : {"__shfl", "atomic", "tex", "surf", "__int2",
                           "__uint2", "__ll2", "__ull2", "__float2", "floor",
                           "ceil", "rint", "round", "trunc", "nearbyint"})
    if (Name.starts_with(Prefix))
      return true;
  return false;
}

static bool handsOn(StringRef Name) {
  return Name.starts_with("make_") ||
         llvm::is_contained({"fmax", "fmaxf", "fmin", "fminf", "min", "max",
                             "fabs", "fabsf", "abs", "copysign", "copysignf"},
                            Name);
}

/// `__float_as_int` and the like: the bits may become a number again.
static bool keepsBits(StringRef Name) { return Name.contains("_as_"); }

bool ProductFlow::mayBeProductOfCall(const CallExpr *E,
                                     SmallVectorImpl<const Expr *> *Direct) {
  if (isShortProduct(E)) {
    const bool IsExact =
        mayBeProductOfOperation(BO_Mul, E->getArg(0), E->getArg(1));
    if (Direct && !IsExact)
      Direct->push_back(E);
    return !Direct || IsExact;
  }
  const FunctionDecl *F = E->getDirectCallee();
  const FunctionDecl *Definition = nullptr;
  if (!F)
    return true;
  const SourceManager &SM = Context.getSourceManager();
  const StringRef Name = F->getDeclName().isIdentifier() ? F->getName() : "";
  const bool IsSeen =
      F->hasBody(Definition) && !SM.isInSystemHeader(Definition->getLocation());
  auto anyArgument = [&](SmallVectorImpl<const Expr *> *Into) {
    bool Result = false;
    for (const Expr *Each : E->arguments())
      Result |= mayBeProduct(Each, Into);
    return Result;
  };
  const bool IsOfToolkit =
      F->getBuiltinID() || SM.isInSystemHeader(F->getLocation());
  if (!IsSeen &&
      (keepsBits(Name) || (!IsOfToolkit && E->getType()->isIntegerType())))
    return anyArgument(nullptr);
  if (IsOfToolkit && handsOn(Name))
    return anyArgument(Direct);
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
      Operator && !IsSeen && isShortType(E->getType())) {
    const OverloadedOperatorKind Kind = Operator->getOperator();
    if ((Kind == OO_Plus || Kind == OO_Minus) && Operator->getNumArgs() == 1)
      return anyArgument(nullptr);
    if (Kind == OO_Plus || Kind == OO_Minus)
      return mayBeProductOfOperation(Kind == OO_Plus ? BO_Add : BO_Sub,
                                     E->getArg(0), E->getArg(1));
  }
  if (IsOfToolkit && (Name == "__ldg" || Name.starts_with("__ldc")))
    return mayLoadProduct(E->getArg(0));
  if (IsOfToolkit && E->getNumArgs() >= 3 &&
      (Name.starts_with("fma") || Name.starts_with("__fma") ||
       Name.starts_with("__hfma"))) {
    const unsigned Factors =
        findConstants(E->getArg(0)) | findConstants(E->getArg(1));
    return (findConstants(E->getArg(2)) & (PlusZero | MinusZero)) ||
           ((Factors & (PlusZero | MinusZero)) &&
            mayBeProduct(E->getArg(2), nullptr));
  }
  if (IsOfToolkit && E->getNumArgs() == 2 && getNamedOperation(Name) &&
      (hasRoundingMode(Name) || Name.starts_with("__hadd") ||
       Name.starts_with("__hsub")))
    return mayBeProductOfOperation(*getNamedOperation(Name), E->getArg(0),
                                   E->getArg(1));
  // A wider type holds the product, and may be dropped.
  if (IsOfToolkit &&
      (Name.starts_with("__double2float") || Name.starts_with("__half2float") ||
       Name.starts_with("__bfloat162float")))
    return anyArgument(nullptr);
  if (IsOfToolkit &&
      (isRoundedName(Name) || (Name.starts_with("sqrt") && !Approximates)))
    return false;
  if (!IsSeen) // Integers come from floats by bits only.
    return !E->getType()->isIntegralOrEnumerationType();
  if (!Returned.contains(Definition))
    return true;
  if (!Open.insert(Definition).second)
    return false;
  const bool Result = anyProduct(
      llvm::SmallVector<const Expr *, 2>(Returned.lookup(Definition)));
  Open.erase(Definition);
  return Result;
}

bool ProductFlow::mayBeProductOfNew(const CXXConstructExpr *E,
                                    SmallVectorImpl<const Expr *> *Direct) {
  const CXXConstructorDecl *Constructor = E->getConstructor();
  const bool IsOfSystem =
      Context.getSourceManager().isInSystemHeader(Constructor->getLocation());
  if (Constructor->isUserProvided() && !IsOfSystem)
    return true; // It may compute.
  const bool IsCopy =
      Constructor->isCopyOrMoveConstructor() && E->getNumArgs() != 0;
  if (!IsCopy && !IsOfSystem)
    return !Constructor->isTrivial();
  bool Result = false;
  for (const Expr *Each : E->arguments())
    Result |= mayBeProduct(Each, IsCopy ? Direct : nullptr);
  return Result;
}

} // namespace cudaopt
