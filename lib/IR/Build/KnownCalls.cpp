// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers calls of CUDA, of its headers and of clang that are known by their
/// names, by the tables KnownCalls.def and PureCalls.def.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "cudaopt/IR/DeviceCalls.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringMap.h"

using namespace cudaopt::ir;
using namespace llvm;

namespace {

/// A row of KnownCalls.def or PureCalls.def: what kind of operation a function
/// is.
struct KnownCall {
  enum Kind {
    Barrier,
    Fence,
    Shuffle,
    Atomic,
    Load,
    Store,
    SharedAddress,
    SharedPointer,
    CopyAsync,
    Commit,
    Wait,
    LoadMatrix,
    StoreMatrix,
    Multiply,
    Sample,
    Nothing,
    Out,
    Print,
    Pure
  } What;
  Scope Extent = Scope::Thread;
  bool IsVolatile = false;
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
#define ATOMIC_IN(NAME, SCOPE) Rows[#NAME] = {KnownCall::Atomic, Scope::SCOPE};
#define LOAD(NAME) Rows[#NAME] = {KnownCall::Load};
#define STORE(NAME) Rows[#NAME] = {KnownCall::Store};
#define VOLATILE_LOAD(NAME)                                                    \
  Rows[#NAME] = {KnownCall::Load, Scope::Thread, true};
#define VOLATILE_STORE(NAME)                                                   \
  Rows[#NAME] = {KnownCall::Store, Scope::Thread, true};
#define SHARED_ADDRESS(NAME) Rows[#NAME] = {KnownCall::SharedAddress};
#define SHARED_POINTER(NAME) Rows[#NAME] = {KnownCall::SharedPointer};
#define COPY_ASYNC(NAME) Rows[#NAME] = {KnownCall::CopyAsync};
#define COMMIT(NAME) Rows[#NAME] = {KnownCall::Commit};
#define WAIT(NAME) Rows[#NAME] = {KnownCall::Wait};
#define LOAD_MATRIX(NAME) Rows[#NAME] = {KnownCall::LoadMatrix, Scope::Warp};
#define STORE_MATRIX(NAME) Rows[#NAME] = {KnownCall::StoreMatrix, Scope::Warp};
#define MULTIPLY(NAME) Rows[#NAME] = {KnownCall::Multiply, Scope::Warp};
#define SAMPLE(NAME) Rows[#NAME] = {KnownCall::Sample};
#define NOTHING(NAME) Rows[#NAME] = {KnownCall::Nothing};
#define OUT(NAME) Rows[#NAME] = {KnownCall::Out};
#define PRINT(NAME) Rows[#NAME] = {KnownCall::Print};
#define PURE(NAME)                                                             \
  Rows[#NAME] = {KnownCall::Pure};                                             \
  Rows[#NAME "f"] = {KnownCall::Pure};
#define PURE_ROUNDED(NAME)                                                     \
  PURE(NAME##_rn) PURE(NAME##_rz) PURE(NAME##_ru) PURE(NAME##_rd)
#include "KnownCalls.def"
#include "PureCalls.def"
  return Rows;
}

/// Returns the row of \p Name; if there is none, that of its longest prefix
/// that ends in `_` and has a row (`__nvvm_shfl_` stands for all such
/// builtins); null if there is neither.
static const KnownCall *findRow(StringRef Name) {
  static const StringMap<KnownCall> Rows = makeKnownCalls();
  if (const auto Found = Rows.find(Name); Found != Rows.end())
    return &Found->second;
  for (size_t End = Name.rfind('_'); End != StringRef::npos && End > 2;
       End = Name.take_front(End).rfind('_'))
    if (const auto Found = Rows.find(Name.take_front(End + 1));
        Found != Rows.end())
      return &Found->second;
  return nullptr;
}

static bool takesPointers(const clang::FunctionDecl *F) {
  return any_of(F->parameters(), [](const clang::ParmVarDecl *P) {
    return P->getType()->isReferenceType() || P->getType()->isPointerType();
  });
}

/// Returns the row for \p Callee; null if it is not known, or if it is a
/// function of the user that only has the name of one of CUDA's.
static const KnownCall *findKnownCall(const clang::FunctionDecl *Callee,
                                      const clang::ASTContext &Context) {
  if (!Callee->getIdentifier() || isa<clang::CXXMethodDecl>(Callee))
    return nullptr;
  const clang::SourceManager &Sources = Context.getSourceManager();
  const unsigned Builtin = Callee->getBuiltinID();
  const bool IsOwn =
      !Builtin &&
      !Sources.isInSystemHeader(Sources.getExpansionLoc(Callee->getLocation()));
  if (IsOwn)
    return nullptr;
  // The functions of CUDA's device library (libdevice) are pure unless they
  // take pointers, and so are builtins that clang declares const.
  static constexpr KnownCall Computes = {KnownCall::Pure};
  const bool IsOfLibrary = Callee->getName().starts_with("__nv_");
  // Builtins that only set errno besides count, since the device has no errno.
  const bool IsFolded =
      Builtin &&
      (Context.BuiltinInfo.isConst(Builtin) ||
       Context.BuiltinInfo.isConstWithoutErrnoAndExceptions(Builtin));
  if ((IsOfLibrary || IsFolded) && !takesPointers(Callee) &&
      !Callee->isVariadic() && !Callee->getReturnType()->isVoidType() &&
      !Callee->getName().starts_with("__nvvm_"))
    return &Computes;
  return findRow(Callee->getName());
}

bool cudaopt::ir::onlyComputes(const clang::FunctionDecl *F,
                               const clang::ASTContext &Context) {
  const KnownCall *Known = findKnownCall(F, Context);
  return Known && Known->What == KnownCall::Pure;
}

/// Appends \p O, the operation for \p E, and returns its result; 0 if the type
/// of
/// \p E is void.
ValueId Lowering::append(Operation O, const clang::Expr *E) {
  ValueId Result = 0;
  O.Where = anchor(E);
  if (!E->getType()->isVoidType())
    O.Result = Result = Builder.result(typeOf(E->getType()));
  if (O.What == Operation::Opaque) {
    appendOpaque(std::move(O));
    return Result;
  }
  append(std::move(O));
  return Result;
}

/// Returns the special register that a builtin of clang reads:
/// `__nvvm_read_ptx_sreg_tid_x` reads "tid.x".
static std::optional<SpecialRegister> findRegister(StringRef Name) {
  if (!Name.consume_front("__nvvm_read_ptx_sreg_"))
    return std::nullopt;
  std::string Dotted = Name.str();
  if (Dotted.size() > 2 && Dotted[Dotted.size() - 2] == '_')
    Dotted[Dotted.size() - 2] = '.';
  return findSpecialRegister(Dotted);
}

/// Lowers `wmma::load_matrix_sync(fragment, pointer, leading dimension[,
/// layout])` and `wmma::store_matrix_sync(pointer, fragment, leading
/// dimension[, layout])`. The layout is given for accumulators only; 0 is
/// row-major.
std::optional<ValueId> Lowering::lowerMatrix(const clang::Expr *E, bool IsLoad,
                                             Arguments Each) {
  if (Each.size() < 3)
    return std::nullopt;
  const clang::Expr *Fragment = Each[IsLoad ? 0 : 1];
  const clang::Expr *Pointer = Each[IsLoad ? 1 : 0];
  const ValueId Layout = Each.size() > 3 ? get(Each[3]) : 0;
  std::optional<FragmentLines> Known;
  if (!Layout || Builder.value(Layout).What == Value::Literal)
    Known = describeFragment(Fragment->getType(),
                             Layout && Builder.value(Layout).Integer.isZero());
  const uint64_t Element = sizeOf(Pointer->getType()->getPointeeType());
  Touch Matrix{get(Pointer), IsLoad, !IsLoad};
  if (Known && Element) {
    Matrix.Width = Known->Length * Element;
    Matrix.Rows = Known->Number;
    Matrix.Stride = scale(get(Each[2]), Element);
  }
  Operation O;
  O.What = Operation::Known;
  O.Extent = Scope::Warp;
  O.Why = IsLoad ? "load_matrix_sync" : "store_matrix_sync";
  O.Touches = {Matrix,
               {get(Fragment), !IsLoad, IsLoad, sizeOf(Fragment->getType())}};
  return append(std::move(O), E);
}

/// Lowers `mma_sync(d, a, b, c)`, where each argument is a fragment: it writes
/// the first and reads the others.
std::optional<ValueId> Lowering::lowerMultiply(const clang::Expr *E,
                                               Arguments Each) {
  Operation O;
  O.What = Operation::Known;
  O.Extent = Scope::Warp;
  O.Why = "mma_sync";
  for (auto [I, Fragment] : enumerate(Each)) {
    if (isScalar(Fragment->getType()))
      continue; // The flag that says whether sums saturate.
    if (!sizeOf(Fragment->getType()))
      return std::nullopt;
    O.Touches.push_back(
        {get(Fragment), I != 0, I == 0, sizeOf(Fragment->getType())});
  }
  return append(std::move(O), E);
}

/// Lowers loads and stores with a cache hint, such as `__ldg(p)` and
/// `__stcs(p, x)`, to plain loads, stores and copies.
std::optional<ValueId> Lowering::lowerCached(const clang::Expr *E, bool IsLoad,
                                             bool IsVolatile, Arguments Each) {
  if (Each.size() < (IsLoad ? 1 : 2) || !Each[0]->getType()->isPointerType())
    return std::nullopt;
  clang::QualType T =
      IsLoad ? E->getType() : Each[0]->getType()->getPointeeType();
  T = T.getUnqualifiedType();
  if (IsVolatile)
    T.addVolatile();
  const ValueId Address = get(Each[0]);
  if (IsLoad && isScalar(T))
    return load(E, Address, T);
  if (IsLoad) {
    const ValueId To = temporary(E, E->getType());
    copy(E, To, Address, T);
    return To;
  }
  const ValueId Stored = get(Each[1]);
  if (isScalar(T))
    store(E, Address, Stored, T);
  else
    copy(E, Address, Stored, T);
  return 0;
}

/// Lowers functions with output parameters, such as `sincos(x, &s, &c)`: they
/// write one object through each pointer or reference, and may return a scalar.
std::optional<ValueId> Lowering::lowerOutputs(const clang::Expr *E,
                                              const clang::FunctionDecl *Callee,
                                              Arguments Each) {
  Operation O;
  O.What = Operation::Known;
  O.Why = Callee->getName();
  for (auto [Parameter, P] : zip(Callee->parameters(), Each)) {
    const clang::QualType T = Parameter->getType();
    const bool Points = T->isPointerType() || T->isReferenceType();
    const uint64_t Width = Points ? sizeOf(T->getPointeeType()) : 0;
    if (Points && !Width)
      return std::nullopt;
    if (Points)
      O.Touches.push_back({get(P), false, true, Width});
    else
      O.Operands.push_back(get(P));
  }
  if (is_contained(O.Operands, 0u) ||
      (!E->getType()->isVoidType() && !isScalar(E->getType())))
    return std::nullopt;
  return append(std::move(O), E);
}

/// Lowers `printf` of the device. It reads what its pointers lead to, and reads
/// and writes an object of its own, so that the order of calls is kept.
std::optional<ValueId> Lowering::lowerPrint(const clang::Expr *E,
                                            Arguments Each) {
  if (!isOfDevice())
    return std::nullopt;
  if (!Printed) {
    Object O;
    O.What = Object::Global;
    O.Name = "printed";
    O.SourceType = Context.CharTy;
    Printed = Builder.addObject(std::move(O));
  }
  Operation O;
  O.What = Operation::Known;
  O.Why = "printf";
  O.Extent = Scope::Device;
  for (const clang::Expr *Argument : Each) {
    const ValueId V = get(Argument);
    if (!V)
      return std::nullopt;
    if (Builder.value(V).Ty == Type::pointer())
      O.Touches.push_back({V, true, false});
    else
      O.Operands.push_back(V);
  }
  O.Touches.push_back({Builder.address(Printed), true, true});
  return append(std::move(O), E);
}

/// Lowers asynchronous copies (`cp.async`) with a constant number of bytes. It
/// is the third argument, or the last part of the name:
/// `__nvvm_cp_async_cg_shared_global_16`.
std::optional<ValueId>
Lowering::lowerCopyAsync(const clang::Expr *E,
                         const clang::FunctionDecl *Callee, Arguments Each) {
  uint64_t Bytes = 0;
  const StringRef Name = Callee->getName();
  const size_t FromName = Name.rfind('_') + 1;
  const bool IsNamed = !Name.substr(FromName).getAsInteger(10, Bytes);
  Operation O;
  O.What = Operation::Known;
  O.IsAsynchronous = true;
  O.Why = Name;
  for (const clang::Expr *Argument : Each)
    O.Operands.push_back(get(Argument));
  if (O.Operands.size() < (IsNamed ? 2 : 3) || is_contained(O.Operands, 0u))
    return std::nullopt;
  if (!IsNamed) {
    const Value &Size = Builder.value(O.Operands[2]);
    if (Size.What != Value::Literal)
      return std::nullopt;
    Bytes = Size.Integer.getLimitedValue();
  }
  O.Touches = {{O.Operands[1], true, false, Bytes},
               {O.Operands[0], false, true, Bytes}};
  O.Operands.clear();
  return append(std::move(O), E);
}

/// Appends \p O, an operation of which only the kind, the scope and the
/// operands matter. Named barrier 0 with no number of threads is one of the
/// whole block.
std::optional<ValueId> Lowering::lowerSimple(const clang::Expr *E,
                                             const clang::FunctionDecl *Callee,
                                             Operation O, Arguments Each) {
  const clang::QualType T = E->getType();
  for (const clang::Expr *Argument : Each)
    O.Operands.push_back(get(Argument));
  if (is_contained(O.Operands, 0u) || (!T->isVoidType() && !isScalar(T)))
    return std::nullopt;
  O.Why = Callee->getName();
  if (O.What == Operation::Barrier && O.Extent == Scope::Group &&
      O.Operands.size() == 1 && Builder.value(O.Operands[0]).isLiteral(0))
    O.Extent = Scope::Block;
  if (O.What == Operation::Atomic) {
    if (O.Operands.empty() ||
        Builder.value(O.Operands[0]).Ty != Type::pointer())
      return std::nullopt;
    O.Address = O.Operands[0];
    O.Width = sizeOf(Callee->getParamDecl(0)->getType()->getPointeeType());
    O.Operands.erase(O.Operands.begin());
  }
  return append(std::move(O), E);
}

/// Returns the kind of operation that a call becomes whose kind needs no more
/// than lowerSimple().
static Operation::Kind operationOf(KnownCall::Kind Kind) {
  switch (Kind) {
  case KnownCall::Barrier:
    return Operation::Barrier;
  case KnownCall::Fence:
    return Operation::Fence;
  case KnownCall::Shuffle:
    return Operation::Shuffle;
  case KnownCall::Atomic:
    return Operation::Atomic;
  case KnownCall::Commit:
    return Operation::Commit;
  case KnownCall::Wait:
    return Operation::Wait;
  case KnownCall::Sample:
    return Operation::Sample;
  default:
    return Operation::Opaque;
  }
}

std::optional<ValueId>
Lowering::lowerKnownCall(const clang::Expr *E,
                         const clang::FunctionDecl *Callee, Arguments Each) {
  const KnownCall *Known = findKnownCall(Callee, Context);
  if (!Known)
    return std::nullopt;
  const clang::QualType T = E->getType();
  switch (Known->What) {
  case KnownCall::Pure: {
    SmallVector<ValueId, 4> Operands;
    for (const clang::Expr *Argument : Each)
      Operands.push_back(get(Argument));
    // `abs` of a complex number reads an object through a reference: no value.
    const bool RefersTo =
        any_of(Callee->parameters(), [](const clang::ParmVarDecl *P) {
          return P->getType()->isReferenceType();
        });
    if (is_contained(Operands, 0u) || RefersTo || !isScalar(T))
      return std::nullopt;
    return Builder.pure(Callee->getCanonicalDecl(), typeOf(T), Operands);
  }
  case KnownCall::SharedAddress:
    if (Each.size() != 1 || !isScalar(T) ||
        !Each[0]->getType()->isPointerType())
      return std::nullopt;
    return Builder.convert(Builder.sharedAddress(get(Each[0])), typeOf(T));
  case KnownCall::SharedPointer:
    if (Each.size() != 1 || !T->isPointerType() ||
        !Each[0]->getType()->isIntegerType())
      return std::nullopt;
    return Builder.sharedPointer(get(Each[0]));
  case KnownCall::Load:
  case KnownCall::Store:
    return lowerCached(E, Known->What == KnownCall::Load, Known->IsVolatile,
                       Each);
  case KnownCall::LoadMatrix:
  case KnownCall::StoreMatrix:
    return lowerMatrix(E, Known->What == KnownCall::LoadMatrix, Each);
  case KnownCall::Multiply:
    return lowerMultiply(E, Each);
  case KnownCall::CopyAsync:
    return lowerCopyAsync(E, Callee, Each);
  case KnownCall::Out:
    return lowerOutputs(E, Callee, Each);
  case KnownCall::Print:
    return lowerPrint(E, Each);
  case KnownCall::Nothing:
    if (!T->isVoidType())
      return std::nullopt;
    return 0;
  case KnownCall::Sample:
    if (std::optional<SpecialRegister> R = findRegister(Callee->getName()))
      return Builder.convert(Builder.special(*R), typeOf(T));
    break;
  default:
    break;
  }
  Operation O;
  O.What = operationOf(Known->What);
  O.Extent = Known->Extent;
  return lowerSimple(E, Callee, std::move(O), Each);
}
