// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers calls. A callee that is known by its name becomes the operation or
/// value that it stands for; other callees with a body are spliced in; the rest
/// is opaque.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "cudaopt/IR/DeviceCalls.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Returns true for overloaded operators whose operands C++17 evaluates from
/// left to right, as clang::CFG has them. (Assignments are not among them:
/// there the right side comes first.)
bool Lowering::isOrdered(const clang::CallExpr *E) {
  const auto *Operator = dyn_cast<clang::CXXOperatorCallExpr>(E);
  if (!Operator)
    return false;
  switch (Operator->getOperator()) {
  case clang::OO_LessLess:
  case clang::OO_GreaterGreater:
  case clang::OO_Comma:
  case clang::OO_Subscript:
  case clang::OO_AmpAmp:
  case clang::OO_PipePipe:
  case clang::OO_ArrowStar:
    return true;
  default:
    return false;
  }
}

ValueId Lowering::lowerCall(const clang::CallExpr *E) {
  const clang::FunctionDecl *Callee = E->getDirectCallee();
  if (!Callee)
    return opaque(E, "indirect call");
  if (Callee->getIdentifier() &&
      Callee->getName().starts_with("__fetch_builtin_"))
    return Builder.undefined(typeOf(E->getType())); // See lowerProperty().
  // `k<<<...>>>` contains a call that prepares the launch. The operation for
  // the launch itself takes its operands.
  if (Callee == Context.getcudaConfigureCallDecl())
    return 0;
  if (Callee->hasAttr<clang::ReturnsTwiceAttr>() ||
      (Callee->getIdentifier() && Callee->getName().contains("setjmp")))
    ReturnsTwice = true;
  SmallVector<const clang::Expr *, 6> Arguments(E->arguments());
  if (!isOrdered(E) && isOrderOpen(Arguments))
    return opaqueOrder(E, Arguments);
  ValueId This = 0;
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(Callee);
  if (const auto *Member = dyn_cast<clang::CXXMemberCallExpr>(E)) {
    This = get(Member->getImplicitObjectArgument());
  } else if (Method && isa<clang::CXXOperatorCallExpr>(E) &&
             !Arguments.empty()) {
    This = get(Arguments.front());
    if (Method->isInstance() && !Method->isExplicitObjectMemberFunction())
      Arguments.erase(Arguments.begin());
    if (Method->isStatic()) { // `static operator()`
      Arguments.erase(Arguments.begin());
      This = 0;
    }
  }
  if (std::optional<ValueId> Known = lowerBuiltin(E))
    return *Known;
  if (std::optional<ValueId> Known = lowerChoice(E, Callee))
    return *Known;
  if (Method)
    if (std::optional<ValueId> Known = lowerContainerCall(E, Method, This))
      return *Known;
  return call(E, Callee, This, Arguments);
}

/// Lowers builtins of the compiler that have a meaning of their own;
/// std::nullopt for other callees.
std::optional<ValueId> Lowering::lowerBuiltin(const clang::CallExpr *E) {
  switch (E->getDirectCallee()->getBuiltinID()) {
  case clang::Builtin::BI__builtin_memcpy:
  case clang::Builtin::BI__builtin_memmove:
  case clang::Builtin::BImemcpy:
  case clang::Builtin::BImemmove:
    return lowerMemcpy(E);
  case clang::Builtin::BImove:
  case clang::Builtin::BIforward:
  case clang::Builtin::BIforward_like:
  case clang::Builtin::BImove_if_noexcept:
  case clang::Builtin::BIas_const:
  case clang::Builtin::BIaddressof:
  case clang::Builtin::BI__addressof:
  case clang::Builtin::BI__builtin_addressof:
  case clang::Builtin::BI__builtin_launder:
  case clang::Builtin::BI__builtin_expect:
  case clang::Builtin::BI__builtin_expect_with_probability:
  case clang::Builtin::BI__builtin_assume_aligned:
    return get(E->getArg(0));
  case clang::Builtin::BI__builtin_is_constant_evaluated:
    return Builder.literal(0, Type::boolean());
  case clang::Builtin::BI__builtin_unreachable: // See lowerTerminator().
  case clang::Builtin::BI__builtin_assume:
  case clang::Builtin::BI__builtin_prefetch:
    if (E->getType()->isVoidType())
      return 0;
    return evaluate(E);
  case clang::Builtin::BI__builtin_constant_p: {
    // An optimiser may know a constant where clang's evaluator does not, so
    // that only "yes" is a certain answer.
    const std::optional<ValueId> V = evaluate(E);
    return V && !Builder.value(*V).isLiteral(0) ? V : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// Lowers `std::min(a, b)` and `std::max(a, b)` whose result, a reference, is
/// read at once. The result is a temporary that holds a Select of the two
/// numbers (a if they are equal), so that the addresses of a and b do not
/// escape.
std::optional<ValueId>
Lowering::lowerChoice(const clang::CallExpr *E,
                      const clang::FunctionDecl *Callee) {
  const bool IsMin = Callee->getIdentifier() && Callee->getName() == "min";
  const bool IsMax = Callee->getIdentifier() && Callee->getName() == "max";
  const clang::QualType T = E->getType();
  if ((!IsMin && !IsMax) || !Callee->isInStdNamespace() ||
      E->getNumArgs() != 2 || Callee->getNumParams() != 2 || !isScalar(T) ||
      T->isPointerType() || !Now->Read.contains(E))
    return std::nullopt;
  ValueId Read[2];
  for (unsigned I = 0; I < 2; ++I) {
    const clang::QualType P = Callee->getParamDecl(I)->getType();
    if (!P->isReferenceType() ||
        !Context.hasSameUnqualifiedType(P.getNonReferenceType(), T))
      return std::nullopt;
    const clang::Expr *At = E->getArg(I)->IgnoreParenNoopCasts(Context);
    Read[I] = load(At, get(E->getArg(I)), At->getType());
  }
  const ValueId IsSecond = Builder.binary(
      clang::BO_LT, Type::boolean(), Read[IsMin ? 1 : 0], Read[IsMin ? 0 : 1]);
  const ValueId Address = temporary(E, T);
  store(nullptr, Address, Builder.select(IsSecond, Read[1], Read[0]), T);
  return Address;
}

/// Lowers memcpy() and memmove(): a Copy if the number of bytes is constant,
/// else a Known operation.
std::optional<ValueId> Lowering::lowerMemcpy(const clang::CallExpr *E) {
  const ValueId To = get(E->getArg(0)), From = get(E->getArg(1));
  const ValueId Bytes = get(E->getArg(2));
  const Value &Number = Builder.value(Bytes);
  Operation O;
  O.Where = anchor(E);
  if (Number.What == Value::Literal && Number.Integer.isZero())
    return To;
  if (Number.What == Value::Literal) {
    O.What = Operation::Copy;
    O.Address = To;
    O.Stored = From;
    O.Width = Number.Integer.getLimitedValue();
  } else {
    O.What = Operation::Known;
    O.Why = "memcpy";
    O.Touches = {{From, true, false, 0, Bytes}, {To, false, true, 0, Bytes}};
  }
  append(std::move(O));
  return To;
}

/// Lowers a call of \p Callee by \p E, a call or a construction, on the object
/// at \p This, if that is not 0.
ValueId Lowering::call(const clang::Expr *E, const clang::FunctionDecl *Callee,
                       ValueId This, ArrayRef<const clang::Expr *> Arguments) {
  const auto *Plain = dyn_cast<clang::CallExpr>(E);
  if (Plain && isBlockBarrier(Plain, Context))
    return barrier(Plain, Arguments);
  const bool IsCopy =
      Plain && classifyAsyncCopy(Plain, Context) != AsyncCopy::None;
  if (Plain)
    if (std::optional<ValueId> Known = lowerGroupCall(Plain, Callee))
      return *Known;
  if (std::optional<ValueId> Known = lowerKnownCall(E, Callee, Arguments))
    return *Known;
  if (std::optional<ValueId> Launched = lowerLaunchCall(E, Callee, Arguments))
    return *Launched;
  // A trivial assignment is one copy, although clang may have a body for it,
  // which assigns member by member.
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(Callee);
  const bool Assigns = Method && Method->isTrivial() &&
                       (Method->isCopyAssignmentOperator() ||
                        Method->isMoveAssignmentOperator());
  if (Assigns && This && Arguments.size() == 1) {
    if (!Method->getParent()->isEmpty())
      copy(E, This, get(Arguments[0]),
           Context.getCanonicalTagType(Method->getParent()));
    return This;
  }
  if (!IsCopy && maySplice(Callee))
    return splice(E, Callee, This, Arguments);
  SmallVector<ValueId, 6> Operands;
  if (This)
    Operands.push_back(This);
  for (const clang::Expr *Each : Arguments)
    if (const ValueId V = get(Each))
      Operands.push_back(V);
  return opaque(E, Callee->getNameAsString(), Operands,
                isa<clang::CXXConstructExpr>(E) ? Context.VoidTy
                                                : E->getType());
}

/// Appends a barrier of the whole block.
ValueId Lowering::barrier(const clang::CallExpr *E,
                          ArrayRef<const clang::Expr *> Arguments) {
  Operation O;
  O.What = Operation::Barrier;
  O.Extent = Scope::Block;
  O.Why = E->getDirectCallee()->getNameAsString();
  for (const clang::Expr *Each : Arguments)
    if (const ValueId V = get(Each))
      O.Operands.push_back(V);
  return append(std::move(O), E);
}

/// Returns whether \p Callee can be spliced in: its definition is known and is
/// the one that runs (not virtual, not weak), it is not recursive, and the
/// limits of the options permit it.
bool Lowering::maySplice(const clang::FunctionDecl *Callee) const {
  const clang::FunctionDecl *Definition = nullptr;
  if (!Callee->hasBody(Definition) || Definition->isDependentContext() ||
      Callee->getBuiltinID() || Callee->isVariadic() ||
      Callee->hasAttr<clang::CUDAGlobalAttr>() || Definition->isWeak())
    return false;
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(Callee);
  if (Method && Method->isVirtual())
    return false;
  const auto *Constructor = dyn_cast<clang::CXXConstructorDecl>(Callee);
  // A constexpr constructor, as that of dim3, is short: it is spliced in even
  // behind the limit.
  const bool IsShort = Constructor && Constructor->isConstexpr();
  if (NumOperations > Options.MaxOperations && !IsShort)
    return false;
  const clang::SourceManager &Sources = Context.getSourceManager();
  if (!Options.SplicesLibraries && !Definition->isConstexpr() &&
      Sources.isInSystemHeader(
          Sources.getExpansionLoc(Definition->getLocation())))
    return false;
  if (Constructor && (Constructor->isInheritingConstructor() ||
                      Constructor->getParent()->getNumVBases()))
    return false;
  for (const Frame *F = Now; F; F = F->Caller)
    if (F->Callee->getCanonicalDecl() == Callee->getCanonicalDecl())
      return false;
  return true;
}

/// Initialises the parameters of \p F, the current frame, with their arguments,
/// which became \p Values.
void Lowering::bindParameters(Frame &F, ArrayRef<const clang::Expr *> Arguments,
                              ArrayRef<ValueId> Values) {
  for (auto [I, P] : enumerate(F.Callee->parameters())) {
    const clang::QualType T = P->getType();
    const clang::Expr *Argument = Arguments[I];
    if (T->isReferenceType() || isScalar(T)) {
      store(Argument, addressOf(P), Values[I], T);
      continue;
    }
    if (!Values[I] || !sizeOf(T))
      continue;
    // The argument has constructed a temporary, which becomes the parameter
    // without a copy.
    const Value &V = Builder.value(Values[I]);
    if (V.What == Value::Address &&
        Builder.object(V.Object).What == Object::Temporary)
      Objects[{P->getCanonicalDecl(), F.Path}] = V.Object;
    else
      copy(Argument, addressOf(P), Values[I], T);
  }
}

bool Lowering::runBody(Frame &F, const clang::Stmt *Call, ValueId This,
                       function_ref<void()> Bind) {
  ++NumOperations; // Counts the call, since empty functions take time as well.
  F.Caller = Now;
  F.Path = Builder.addPath(Call, Now->Path);
  F.This = This;
  F.Return = Builder.addBlock();
  Frame *Outer = std::exchange(Now, &F);
  const bool WasDetached = std::exchange(IsDetached, false);
  Bind();
  const bool IsLowered = lowerBody(F);
  Now = Outer;
  IsDetached = WasDetached;
  if (!IsLowered)
    Builder.jump(Here, F.Return);
  Here = F.Return;
  return IsLowered;
}

/// Splices in a call of \p Callee. What it returns goes through a temporary
/// object, which promotion removes if it is a scalar.
ValueId Lowering::splice(const clang::Expr *E,
                         const clang::FunctionDecl *Callee, ValueId This,
                         ArrayRef<const clang::Expr *> Arguments) {
  const clang::FunctionDecl *Definition = Callee->getDefinition();
  SmallVector<ValueId, 6> Values;
  for (const clang::Expr *Each : Arguments)
    Values.push_back(get(Each));
  SmallVector<ValueId, 6> Operands(Values);
  Operands.push_back(This);
  erase(Operands, 0u);
  const clang::QualType Opaque = isa<clang::CXXConstructExpr>(E)
                                     ? clang::QualType(Context.VoidTy)
                                     : E->getType();
  if (!Definition || Definition->getNumParams() != Arguments.size())
    return opaque(E, Callee->getNameAsString(), Operands, Opaque);
  Frame F;
  F.Callee = Definition;
  const clang::QualType T = Definition->getReturnType();
  if (!T->isVoidType())
    F.Returned = temporary(E, T);
  if (!runBody(F, E, This, [&] { bindParameters(F, Arguments, Values); }))
    return opaque(E, Callee->getNameAsString(), Operands, Opaque);
  if (!F.Returned)
    return 0;
  return T->isReferenceType() || isScalar(T) ? load(nullptr, F.Returned, T)
                                             : F.Returned;
}
