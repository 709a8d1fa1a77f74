// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of KernelWalker for calls: what they do with their arguments, and
/// which the walk enters. A function is walked anew for each call, with the
/// arrays that the call hands over.
//===----------------------------------------------------------------------===//

#include "KernelWalker.h"
#include "ParameterUses.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {

/// The depth of nested calls that are followed.
static constexpr size_t MaxDepth = 8;
/// The number of calls that one walk enters: each adds accesses of its own.
static constexpr unsigned MaxEntered = 256;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static bool isAtomicFunction(const ASTContext &Context,
                             const FunctionDecl *Callee) {
  return Callee->getIdentifier() && Callee->getName().starts_with("atomic") &&
         Callee->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         Context.getSourceManager().isInSystemHeader(Callee->getLocation());
}

/// Returns true if a call whose result is used as \p OfResult cannot hand out
/// the address of an argument that it took by reference.
static bool hidesArguments(const FunctionDecl *Callee, QualType Argument,
                           const Use &OfResult) {
  QualType Result = Callee->getReturnType();
  if (Result->isReferenceType())
    return OfResult.What == Use::Discard || OfResult.What == Use::Read;
  if (Result->isPointerType())
    return false;
  return !Result->isRecordType() ||
         Result.getCanonicalType().getUnqualifiedType() ==
             Argument.getCanonicalType().getUnqualifiedType();
}

/// Returns true for `&element`.
static bool isAddress(const Expr *E) {
  const auto *Op = dyn_cast<UnaryOperator>(E->IgnoreParenImpCasts());
  return Op && Op->getOpcode() == UO_AddrOf;
}

/// Returns what a call of \p Callee does with argument \p Index. A callee that
/// is not known, or that may keep the address or hand it out, refuses the
/// array.
Use KernelWalker::useOfArgument(const FunctionDecl *Callee, unsigned Index,
                                const Expr *Argument,
                                const Use &OfResult) const {
  std::string Name = Callee ? Callee->getNameAsString() : "a function pointer";
  if (!Callee || Index >= Callee->getNumParams())
    return Use(Use::Blocked, Reason::PassedToFunction, Name);
  QualType Type = Callee->getParamDecl(Index)->getType();
  if (!Type->isReferenceType()) {
    if (Index == 0 && isAtomicFunction(Context, Callee))
      return Use(Use::Atomic);
    if (isAddress(Argument) && Type->isPointerType() &&
        usesOnlyValue(Callee, Index))
      return Use(Type->getPointeeType().isConstQualified() ? Use::ReadBehind
                                                           : Use::ChangeBehind);
    return Use(Use::Blocked, Reason::PassedToFunction, Name);
  }
  QualType Referred = Type.getNonReferenceType();
  if (!hidesArguments(Callee, Referred, OfResult) ||
      !(isLibraryFunction(Context, Callee) || usesOnlyValue(Callee, Index)))
    return Use(Use::Blocked, Reason::BoundToReference, Name);
  return Use(Referred.isConstQualified() ? Use::Read : Use::ReadWrite);
}

/// Returns the use of the object of a method call. A method of the toolkit's
/// types works on the object only.
Use KernelWalker::useOfObject(const FunctionDecl *Callee, QualType Object,
                              const Use &OfResult) const {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  bool IsLibrary =
      Method && (isLibraryFunction(Context, Method) || Method->isTrivial());
  if (!IsLibrary || !hidesArguments(Method, Object, OfResult))
    return Use(Use::Blocked, Reason::BoundToReference,
               Callee ? Callee->getNameAsString() : "");
  if (Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator())
    return Use(Use::Write);
  return Use(Method->isConst() ? Use::Read : Use::ReadWrite);
}

/// Returns the reference to an array if \p Argument is a whole array, or a
/// parameter that names one, and a parameter of type \p Type then names the
/// same array with the same dimensions; null otherwise.
const DeclRefExpr *KernelWalker::findWholeArray(const Expr *Argument,
                                                QualType Type) const {
  const Expr *E = Argument->IgnoreParenImpCasts();
  // &a[0]
  const auto *Op = dyn_cast<UnaryOperator>(E);
  if (Op && Op->getOpcode() == UO_AddrOf) {
    const auto *Sub =
        dyn_cast<ArraySubscriptExpr>(Op->getSubExpr()->IgnoreParens());
    const auto *Zero =
        Sub ? dyn_cast<IntegerLiteral>(Sub->getIdx()->IgnoreParenImpCasts())
            : nullptr;
    if (!Zero || Zero->getValue() != 0 || Sub->getBase() != Sub->getLHS() ||
        Type->isReferenceType())
      return nullptr;
    E = Sub->getBase()->IgnoreParenImpCasts();
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var || !(Arrays.contains(Var) || Parameters.contains(Var)))
    return nullptr;
  QualType Own = Ref->getType();
  if (Type->isReferenceType()) {
    Type = Type.getNonReferenceType();
    return Type->isArrayType() && Context.hasSimilarType(Type, Own) ? Ref
                                                                    : nullptr;
  }
  if (Own->isArrayType())
    Own = Context.getArrayDecayedType(Own);
  return Type->isPointerType() && Context.hasSimilarType(Type, Own) ? Ref
                                                                    : nullptr;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Returns true if a walk of \p Body would meet an array of the model, or a
/// barrier.
bool KernelWalker::isOfInterest(const FunctionDecl *Body) {
  auto [It, IsNew] = OfInterest.try_emplace(Body, false);
  if (IsNew)
    It->second = Calls.reachesBarrier(Body) ||
                 llvm::any_of(Arrays, [&](const auto &Entry) {
                   return reachesDeclaration(Body, Entry.first);
                 });
  return It->second;
}

bool KernelWalker::reachesDeclaration(const FunctionDecl *Body,
                                      const VarDecl *Array) const {
  const CallTable::Reached &Reached = Calls.reachedFrom(Body);
  // A lambda is a part of the function around it.
  for (const DeclContext *Owner = Array->getDeclContext();
       Owner && !Owner->isFileContext(); Owner = Owner->getParent())
    if (const auto *Function = dyn_cast<FunctionDecl>(Owner);
        Function && Reached.contains(Function))
      return true;
  return false;
}

/// Handles a call of \p Body that is not followed: nothing is known of the
/// arrays that it reaches.
void KernelWalker::skipCall(const CallExpr *Call, const FunctionDecl *Body,
                            Reason Why) {
  for (auto [Array, Id] : Arrays)
    if (reachesDeclaration(Body, Array))
      refuse(Id, Why, Body->getNameAsString(), Call->getExprLoc());
  if (Calls.reachesBarrier(Body))
    ++Instance.NumBarriers;
}

/// Tries, in this order: to enter the callee, to recognise a copy or a
/// fragment, and else to judge the call by its arguments alone.
void KernelWalker::walkCall(const CallExpr *Call, const Use &U) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const FunctionDecl *Body = nullptr;
  if (Callee && !isLibraryFunction(Context, Callee))
    Callee->hasBody(Body);
  if ((Body && enterCall(Call, Body, U)) || walkCopy(Call, U) ||
      walkFragment(Call, U))
    return;
  unsigned FirstParameter = 0;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
    if (const Expr *Object = Member->getImplicitObjectArgument())
      walkExpr(Object, useOfObject(Callee, Object->getType(), U));
  } else if (isa<CXXOperatorCallExpr>(Call) &&
             isa_and_nonnull<CXXMethodDecl>(Callee)) {
    walkExpr(Call->getArg(0),
             useOfObject(Callee, Call->getArg(0)->getType(), U));
    FirstParameter = 1;
  } else if (!Callee) {
    walkExpr(Call->getCallee());
  }
  for (unsigned I = FirstParameter; I < Call->getNumArgs(); ++I)
    walkExpr(Call->getArg(I),
             useOfArgument(Callee, I - FirstParameter, Call->getArg(I), U));
  if (Callee && isBarrier(Callee))
    ++Instance.NumBarriers;
  else if (Body && IsEvaluated && isOfInterest(Body))
    skipCall(Call, Body, Reason::CalledElsewhere);
}

/// Walks \p Body as \p Call runs it, if that is of interest. Returns false if
/// the call must be treated as a black box.
bool KernelWalker::enterCall(const CallExpr *Call, const FunctionDecl *Body,
                             const Use &U) {
  const auto *Callee =
      dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
  if (!Callee || !IsEvaluated || Call->getNumArgs() != Body->getNumParams() ||
      !Calls.canEnter(Body))
    return false;
  llvm::SmallVector<const DeclRefExpr *, 8> Named;
  for (unsigned I = 0; I != Call->getNumArgs(); ++I)
    Named.push_back(
        findWholeArray(Call->getArg(I), Body->getParamDecl(I)->getType()));
  bool TakesArray = llvm::any_of(
      Named, [](const DeclRefExpr *Ref) { return Ref != nullptr; });
  if (!TakesArray && !isOfInterest(Body))
    return false;
  if (llvm::is_contained(Stack, Body)) {
    for (const DeclRefExpr *Ref : Named)
      if (Ref)
        refuse(*findArray(Ref), Reason::RecursiveFunction,
               Body->getNameAsString(), Call->getExprLoc());
    skipCall(Call, Body, Reason::RecursiveFunction);
    return false;
  }
  const std::optional<ir::CallPathId> Inside = Code.pathOf(Call, Path);
  if (Stack.size() == MaxDepth || NumEntered == MaxEntered || !Inside)
    return false;
  ++NumEntered;

  for (unsigned I = 0; I != Call->getNumArgs(); ++I)
    if (Named[I])
      Handled.insert(Named[I]);
    else
      walkExpr(Call->getArg(I), useOfArgument(Body, I, Call->getArg(I), U));
  llvm::SmallVector<std::optional<ArrayId>, 8> Given;
  for (const DeclRefExpr *Ref : Named)
    Given.push_back(Ref ? findArray(Ref) : std::nullopt);
  Entered.insert(Body);
  for (unsigned I = 0; I != Call->getNumArgs(); ++I)
    bindArray(Body->getParamDecl(I), Given[I], Call);
  Record.enter(Callee);
  Uses.push_back(Record.call(Callee, Body, Given, currentUse()));
  Stack.push_back(Body);
  {
    llvm::SaveAndRestore<ir::CallPathId> There(Path, *Inside);
    walkStmt(Body->getBody());
  }
  Stack.pop_back();
  Uses.pop_back();
  return true;
}

/// Returns true if \p Parameter is one that a parameter pack stands for.
static bool isOfPack(const ParmVarDecl *Parameter) {
  const auto *Function = cast<FunctionDecl>(Parameter->getDeclContext());
  const FunctionDecl *Written = Function->getTemplateInstantiationPattern();
  return Written &&
         llvm::any_of(Written->parameters(), [&](const ParmVarDecl *Each) {
           return Each->isParameterPack() &&
                  Each->getLocation() == Parameter->getLocation();
         });
}

/// Makes \p Parameter name \p Array, or no array, during \p Call.
void KernelWalker::bindArray(const ParmVarDecl *Parameter,
                             std::optional<ArrayId> Array,
                             const CallExpr *Call) {
  if (!Array) {
    Parameters.erase(Parameter);
    return;
  }
  std::string Name = Call->getDirectCallee()->getNameAsString();
  if (isOfPack(Parameter)) // The text names several arguments at once.
    refuse(*Array, Reason::PassedToFunction, Name, Call->getExprLoc());
  Named[Parameter].insert(*Array);
  Parameters[Parameter] = *Array;
  // The parameter's type repeats all extents of the array but the first, so the
  // shape of the array cannot change freely.
  SharedArray &Passed = K.Arrays[*Array];
  Refusal Why{Reason::PassedToFunction, Name, Call->getExprLoc()};
  if (!Passed.FieldsRefusal)
    Passed.FieldsRefusal = Why;
  const size_t NumDimensions = Instance.Shapes[*Array].Extents.size();
  if (NumDimensions < 2 && !Parameter->getType()->isReferenceType())
    return;
  if (!Passed.ShapeRefusal)
    Passed.ShapeRefusal = Why;
  if (!Passed.DeclarationRefusal &&
      !canLengthenRows(cast<FunctionDecl>(Parameter->getDeclContext()),
                       Parameter->getFunctionScopeIndex(), NumDimensions,
                       Context))
    Passed.DeclarationRefusal = Why;
}

} // namespace cudaopt
