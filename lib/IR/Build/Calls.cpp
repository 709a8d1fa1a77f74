// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Calls: known by name, spliced in, or opaque.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringMap.h"

using namespace cudaopt::ir;
using namespace llvm;

namespace {

/// A row of KnownCalls.def.
struct KnownCall {
  enum Kind { Barrier, Fence, Shuffle, Atomic, Leave, Pure } What;
  Scope Extent;
};

} // namespace

static StringMap<KnownCall> makeKnownCalls() {
  StringMap<KnownCall> Rows;
#define BARRIER(NAME, SCOPE) Rows[#NAME] = {KnownCall::Barrier, Scope::SCOPE};
#define FENCE(NAME, SCOPE) Rows[#NAME] = {KnownCall::Fence, Scope::SCOPE};
#define SHUFFLE(NAME) Rows[#NAME] = {KnownCall::Shuffle, Scope::Warp};
#define ATOMIC(NAME)                                                           \
  Rows[#NAME] = {KnownCall::Atomic, Scope::Device};                            \
  Rows[#NAME "_block"] = {KnownCall::Atomic, Scope::Block};                    \
  Rows[#NAME "_system"] = {KnownCall::Atomic, Scope::System};
#define LEAVE(NAME) Rows[#NAME] = {KnownCall::Leave, Scope::Thread};
#define PURE(NAME)                                                             \
  Rows[#NAME] = {KnownCall::Pure, Scope::Thread};                              \
  Rows[#NAME "f"] = {KnownCall::Pure, Scope::Thread};
#include "KnownCalls.def"
  return Rows;
}

/// Null for a function of the user's that has the name of one of CUDA's.
static const KnownCall *findKnownCall(const clang::FunctionDecl *Callee,
                                      const clang::ASTContext &Context) {
  static const StringMap<KnownCall> Rows = makeKnownCalls();
  if (!Callee->getIdentifier() || isa<clang::CXXMethodDecl>(Callee))
    return nullptr;
  const clang::SourceManager &Sources = Context.getSourceManager();
  const bool IsOwn =
      !Callee->getBuiltinID() &&
      !Sources.isInSystemHeader(Sources.getExpansionLoc(Callee->getLocation()));
  if (IsOwn)
    return nullptr;
  // CUDA's device library computes, and so do the compiler's own functions that
  // it may fold; errno is not of the device.
  static constexpr KnownCall Computes = {KnownCall::Pure, Scope::Thread};
  const unsigned Builtin = Callee->getBuiltinID();
  if (Callee->getName().starts_with("__nv_") ||
      (Builtin &&
       (Context.BuiltinInfo.isConst(Builtin) ||
        Context.BuiltinInfo.isConstWithoutErrnoAndExceptions(Builtin))))
    return &Computes;
  const auto Found = Rows.find(Callee->getName());
  return Found == Rows.end() ? nullptr : &Found->second;
}

ValueId Lowering::lowerCall(const clang::CallExpr *E) {
  const clang::FunctionDecl *Callee = E->getDirectCallee();
  if (!Callee)
    return opaque(E, "indirect call");
  if (Callee->getIdentifier() &&
      Callee->getName().starts_with("__fetch_builtin_"))
    return Builder.undefined(typeOf(E->getType())); // See lowerProperty().
  SmallVector<const clang::Expr *, 6> Arguments(E->arguments());
  ValueId This = 0;
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(Callee);
  if (const auto *Member = dyn_cast<clang::CXXMemberCallExpr>(E)) {
    This = get(Member->getImplicitObjectArgument());
  } else if (Method && Method->isInstance() && !Arguments.empty()) {
    This = get(Arguments.front());
    Arguments.erase(Arguments.begin());
  }
  switch (Callee->getBuiltinID()) {
  case clang::Builtin::BI__builtin_memcpy:
  case clang::Builtin::BImemcpy:
    if (std::optional<ValueId> Copied = lowerMemcpy(E))
      return *Copied;
    break;
  case clang::Builtin::BImove:
  case clang::Builtin::BIforward:
  case clang::Builtin::BIas_const:
  case clang::Builtin::BIaddressof:
  case clang::Builtin::BI__addressof:
  case clang::Builtin::BI__builtin_addressof:
    return get(E->getArg(0));
  case clang::Builtin::BI__builtin_expect:
    return get(E->getArg(0));
  case clang::Builtin::BI__builtin_is_constant_evaluated:
    return Builder.literal(0, Type::boolean());
  default:
    break;
  }
  return call(E, Callee, This, Arguments);
}

/// Of a number of bytes that is known.
std::optional<ValueId> Lowering::lowerMemcpy(const clang::CallExpr *E) {
  const ValueId To = get(E->getArg(0)), From = get(E->getArg(1));
  const Value &Bytes = Builder.value(get(E->getArg(2)));
  if (Bytes.What != Value::Literal || Bytes.Integer.isZero())
    return std::nullopt;
  Operation O;
  O.What = Operation::Copy;
  O.Address = To;
  O.Stored = From;
  O.Width = Bytes.Integer.getLimitedValue();
  O.Where = anchor(E);
  append(std::move(O));
  return To;
}

ValueId Lowering::call(const clang::Expr *E, const clang::FunctionDecl *Callee,
                       ValueId This, ArrayRef<const clang::Expr *> Arguments) {
  if (std::optional<ValueId> Known = lowerKnownCall(E, Callee, Arguments))
    return *Known;
  if (maySplice(Callee))
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

std::optional<ValueId>
Lowering::lowerKnownCall(const clang::Expr *E,
                         const clang::FunctionDecl *Callee,
                         ArrayRef<const clang::Expr *> Arguments) {
  const KnownCall *Known = findKnownCall(Callee, Context);
  if (!Known)
    return std::nullopt;
  SmallVector<ValueId, 4> Operands;
  for (const clang::Expr *Each : Arguments)
    Operands.push_back(get(Each));
  const clang::QualType T = E->getType();
  if (is_contained(Operands, 0u) || (!T->isVoidType() && !isScalar(T)))
    return std::nullopt;
  // `abs` of a complex number reads what its argument refers to, and
  // `__nv_sincos` writes where its arguments point.
  const bool ReadsMemory =
      any_of(Callee->parameters(), [](const clang::ParmVarDecl *P) {
        return P->getType()->isReferenceType() || P->getType()->isPointerType();
      });
  if (Known->What == KnownCall::Pure && ReadsMemory)
    return std::nullopt;
  if (Known->What == KnownCall::Pure)
    return Builder.pure(Callee->getCanonicalDecl(), typeOf(T), Operands);
  Operation O;
  O.Why = Callee->getName();
  O.Extent = Known->Extent;
  O.Where = anchor(E);
  if (Known->What == KnownCall::Atomic) {
    if (Operands.empty() || Builder.value(Operands[0]).Ty != Type::pointer())
      return std::nullopt;
    O.What = Operation::Atomic;
    O.Address = Operands[0];
    O.Width = sizeOf(Callee->getParamDecl(0)->getType()->getPointeeType());
    O.Operands.assign(Operands.begin() + 1, Operands.end());
  } else {
    O.What = Known->What == KnownCall::Barrier ? Operation::Barrier
             : Known->What == KnownCall::Fence ? Operation::Fence
             : Known->What == KnownCall::Leave ? Operation::Opaque
                                               : Operation::Shuffle;
    O.Operands = Operands;
  }
  ValueId Result = 0;
  if (!T->isVoidType())
    O.Result = Result = Builder.result(typeOf(T));
  if (O.What == Operation::Opaque) {
    appendOpaque(std::move(O));
    return Result;
  }
  const bool EndsBlock = O.What == Operation::Barrier;
  append(std::move(O));
  if (EndsBlock) {
    Block *Next = Builder.addBlock();
    Builder.jump(Here, Next);
    Here = Next;
  }
  return Result;
}

/// Whether the body of \p Callee is what runs, and is no longer than allowed.
bool Lowering::maySplice(const clang::FunctionDecl *Callee) const {
  const clang::FunctionDecl *Definition = nullptr;
  if (!Callee->hasBody(Definition) || Definition->isDependentContext() ||
      Callee->getBuiltinID() || Callee->isVariadic() ||
      Callee->hasAttr<clang::CUDAGlobalAttr>() ||
      NumOperations > Options.MaxOperations)
    return false;
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(Callee);
  if (Method && Method->isVirtual())
    return false;
  const auto *Constructor = dyn_cast<clang::CXXConstructorDecl>(Callee);
  if (Constructor && (Constructor->isInheritingConstructor() ||
                      Constructor->getParent()->getNumVBases()))
    return false;
  for (const Frame *F = Now; F; F = F->Caller)
    if (F->Callee->getCanonicalDecl() == Callee->getCanonicalDecl())
      return false;
  return true;
}

/// Gives the parameters of \p F, which is Now, their arguments.
void Lowering::bindParameters(Frame &F, ArrayRef<const clang::Expr *> Arguments,
                              ArrayRef<ValueId> Values) {
  for (auto [I, P] : enumerate(F.Callee->parameters())) {
    const clang::QualType T = P->getType();
    const clang::Expr *Argument = Arguments[I];
    if (T->isReferenceType() || isScalar(T))
      store(Argument, addressOf(P), Values[I], T);
    else if (Values[I] && sizeOf(T))
      copy(Argument, addressOf(P), Values[I], T);
  }
}

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
  if (!Definition || Definition->getNumParams() != Arguments.size())
    return opaque(E, Callee->getNameAsString(), Operands, E->getType());
  ++NumOperations; // Empty functions take time as well.
  Frame F;
  F.Callee = Definition;
  F.Caller = Now;
  F.Path = Builder.addPath(E, Now->Path);
  F.This = This;
  F.Return = Builder.addBlock();
  const clang::QualType T = Definition->getReturnType();
  if (!T->isVoidType())
    F.Returned = temporary(E, T);
  Frame *Outer = std::exchange(Now, &F);
  bindParameters(F, Arguments, Values);
  const bool IsLowered = lowerBody(F);
  Now = Outer;
  if (!IsLowered) {
    Builder.jump(Here, F.Return);
    Here = F.Return;
    return opaque(E, Callee->getNameAsString(), Operands, E->getType());
  }
  Here = F.Return;
  if (!F.Returned)
    return 0;
  const ValueId Address = Builder.address(F.Returned);
  return T->isReferenceType() || isScalar(T) ? load(nullptr, Address, T)
                                             : Address;
}
