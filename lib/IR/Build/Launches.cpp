// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers launches of kernels, and finds host variables that never change.
///
/// What the kernel does to memory is not followed: a launch is opaque. Its
/// first seven operands are the shape that it asks for: the extents of the grid
/// and of the block, and the bytes of dynamic shared memory. If promotion makes
/// them literals, the shape is known.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Members.h"

#include "clang/AST/Attr.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Appends the three extents of the dim3 that \p E became to \p Extents. They
/// are undefined values if \p IsKnown is false, or if \p E has another type.
void Lowering::addExtents(const clang::Expr *E, bool IsKnown,
                          SmallVectorImpl<ValueId> &Extents) {
  constexpr unsigned Axes = 3, Bytes = 4;
  const Type Extent = Type::integer(false, 8 * Bytes);
  const auto Members = membersOf(E->getType(), Context);
  const ValueId Address = get(E);
  const bool IsDim3 =
      IsKnown && Members && Members->size() == Axes && Address &&
      all_of(*Members, [&](const Member &M) { return M.Ty == Extent; });
  for (unsigned I = 0; I != Axes; ++I)
    Extents.push_back(
        IsDim3 ? load(nullptr,
                      Builder.offset(Address,
                                     Builder.literal((*Members)[I].Offset,
                                                     Type::integer(true, 64))),
                      Context.UnsignedIntTy)
               : Builder.undefined(Extent));
}

/// Appends the operation for a launch. \p Bytes may be null, which stands for
/// 0; \p Others are the kernel and its arguments.
ValueId Lowering::appendLaunch(const clang::Expr *E, const clang::Expr *Grid,
                               const clang::Expr *Block,
                               const clang::Expr *Bytes, Arguments Others) {
  // The operands of the launch are evaluated before those of the kernel, in any
  // order. One is known if the order does not matter to it.
  SmallVector<const clang::Expr *, 3> Asked = {Grid, Block};
  if (Bytes)
    Asked.push_back(Bytes);
  const auto IsKnown = [&](const clang::Expr *Each) {
    return none_of(Asked, [&](const clang::Expr *Other) {
      return Other != Each && isOrderOpen({Each, Other});
    });
  };
  const Type Size = Type::integer(false, 64);
  Operation O;
  O.IsLaunch = true;
  O.Why = "launch";
  O.Where = anchor(E);
  addExtents(Grid, IsKnown(Grid), O.Operands);
  addExtents(Block, IsKnown(Block), O.Operands);
  O.Operands.push_back(!Bytes           ? Builder.literal(0, Size)
                       : IsKnown(Bytes) ? Builder.convert(get(Bytes), Size)
                                        : Builder.undefined(Size));
  if (isOrderOpen(Asked))
    opaqueOrder(E, Asked);
  if (isOrderOpen(Others))
    opaqueOrder(E, Others);
  for (const clang::Expr *Each : Others)
    if (const ValueId V = get(Each))
      O.Operands.push_back(V);
  ValueId Result = 0;
  if (!E->getType()->isVoidType())
    O.Result = Result = Builder.result(typeOf(E->getType()));
  appendOpaque(std::move(O));
  return Result;
}

/// Lowers `k<<<grid, block, bytes, stream>>>(arguments)`.
ValueId Lowering::lowerLaunch(const clang::CUDAKernelCallExpr *E) {
  const clang::CallExpr *Asked = E->getConfig();
  if (!Asked || Asked->getNumArgs() < 2)
    return opaque(E, "launch");
  SmallVector<const clang::Expr *, 8> Others = {E->getCallee()};
  append_range(Others, E->arguments());
  return appendLaunch(E, Asked->getArg(0), Asked->getArg(1),
                      Asked->getNumArgs() > 2 ? Asked->getArg(2) : nullptr,
                      Others);
}

/// Lowers `cudaLaunchKernel(kernel, grid, block, arguments, bytes, stream)` and
/// the same of cooperative launches; std::nullopt for other callees.
std::optional<ValueId>
Lowering::lowerLaunchCall(const clang::Expr *E,
                          const clang::FunctionDecl *Callee,
                          ArrayRef<const clang::Expr *> Arguments) {
  const StringRef Name =
      Callee->getIdentifier() ? Callee->getName() : StringRef();
  if ((Name != "cudaLaunchKernel" && Name != "cudaLaunchCooperativeKernel") ||
      Arguments.size() < 5)
    return std::nullopt;
  return appendLaunch(E, Arguments[1], Arguments[2], Arguments[4],
                      {Arguments[0], Arguments[3]});
}

//===----------------------------------------------------------------------===//
// Variables that never change
//===----------------------------------------------------------------------===//

/// Returns whether the user has declared \p D as a variable of the device.
/// (Clang implicitly makes constants of the host variables of the device as
/// well.)
static bool isOfDevice(const clang::VarDecl *D) {
  return any_of(D->attrs(), [](const clang::Attr *A) {
    return isa<clang::CUDADeviceAttr, clang::CUDAConstantAttr,
               clang::CUDASharedAttr, clang::HIPManagedAttr>(A) &&
           !A->isImplicit();
  });
}

/// Returns whether \p D is a host variable that keeps its initial value: it is
/// const without mutable parts, or BuildOptions::IsUnchanged says so.
bool Lowering::isUnchanged(const clang::VarDecl *D) const {
  clang::QualType T = D->getType();
  if (T->isReferenceType() || isa<clang::ParmVarDecl>(D) || D->isWeak() ||
      Context.getBaseElementType(T).isVolatileQualified() || ::isOfDevice(D))
    return false;
  return T.isConstantStorage(Context, /*ExcludeCtor=*/true,
                             /*ExcludeDtor=*/true) ||
         (Options.IsUnchanged && Options.IsUnchanged(D));
}

/// Adopts \p D, a local variable of the function around the lambda that is
/// being built: gives it an object here and lowers its initialiser into it, so
/// that its value is known in the lambda. Returns false if \p D may change.
bool Lowering::adopt(const clang::VarDecl *D) {
  if (Now->Caller || !D->hasLocalStorage() || !D->getInit() || !isUnchanged(D))
    return false;
  if (!Now->Adopted.insert(D).second)
    return true;
  anew([&] {
    const ValueId To = addressOf(D);
    place(D->getInit(), To);
    initialize(To, D->getType(), D->getInit());
    return To;
  });
  return true;
}

/// Adopts the variables that the lambda \p F captures. Variables that their
/// initialisers name are adopted on the way (IsAdopting).
void Lowering::adoptCaptures(Frame &F) {
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(F.Callee);
  if (!Options.IsUnchanged || !Method || !Method->getParent()->isLambda())
    return;
  IsAdopting = true;
  for (const clang::LambdaCapture &Each : Method->getParent()->captures())
    if (Each.capturesVariable())
      if (const auto *D = dyn_cast<clang::VarDecl>(Each.getCapturedVar()))
        adopt(D);
  IsAdopting = false;
}
