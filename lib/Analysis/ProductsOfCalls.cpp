// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Products that calls and constructors return. The functions of the user are
/// followed into their bodies, those of the toolkit are known by name. A
/// function that is not known may return a product: the exponential functions
/// of the toolkit do.
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

/// Returns true for intrinsics such as `__fmul_rn`, which are never fused.
static bool hasRoundingMode(StringRef Name) {
  return Name.ends_with("_rn") || Name.ends_with("_rz") ||
         Name.ends_with("_ru") || Name.ends_with("_rd");
}

/// Returns the operation of `__fadd_rn`, `__hsub` and the like, which folds
/// with the same constants as the operator does; std::nullopt for other names.
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

/// Returns true for functions of the toolkit whose results are no products that
/// a sum could be fused with.
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

/// Returns true for functions that return one of their arguments, or its
/// magnitude, or all of them as a vector.
static bool handsOn(StringRef Name) {
  return Name.starts_with("make_") ||
         llvm::is_contained({"fmax", "fmaxf", "fmin", "fminf", "min", "max",
                             "fabs", "fabsf", "abs", "copysign", "copysignf"},
                            Name);
}

/// Returns true for `__float_as_int` and the like, whose result may be turned
/// back into the number.
static bool keepsBits(StringRef Name) { return Name.contains("_as_"); }

// From the specific to the general: operators of 16-bit types, functions of the
// toolkit that return an argument, a load, a sum or a rounded value, and last
// the values that a function of the user returns.
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
  // Compilers may drop a conversion to a wider type and back, so that the
  // argument's product is left.
  if (IsOfToolkit &&
      (Name.starts_with("__double2float") || Name.starts_with("__half2float") ||
       Name.starts_with("__bfloat162float")))
    return anyArgument(nullptr);
  if (IsOfToolkit &&
      (isRoundedName(Name) || (Name.starts_with("sqrt") && !Approximates)))
    return false;
  // The functions of the toolkit that return the bits of a product as an
  // integer are those of keepsBits().
  if (!IsSeen)
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
    return true; // A constructor of the user may compute anything.
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
