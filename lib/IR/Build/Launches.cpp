// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Launches of kernels, and the variables of the host that never change.
///
/// What a launch does to memory is not followed: it is opaque. What it asks for
/// is: its first operands are the numbers in the two dim3 and the bytes of
/// dynamic memory.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "../Members.h"

#include "clang/AST/Attr.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Appends the three numbers of the dim3 that \p E became.
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

ValueId Lowering::appendLaunch(const clang::Expr *E, const clang::Expr *Grid,
                               const clang::Expr *Block,
                               const clang::Expr *Bytes, Arguments Others) {
  // They are evaluated before those of the kernel, in any order.
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

/// `k<<<grid, block, bytes, stream>>>(arguments)`.
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

/// `cudaLaunchKernel(kernel, grid, block, arguments, bytes, stream)`.
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

/// Whether the device has \p D because the user says so; clang gives it
/// constants of the host as well.
static bool isOfDevice(const clang::VarDecl *D) {
  return any_of(D->attrs(), [](const clang::Attr *A) {
    return isa<clang::CUDADeviceAttr, clang::CUDAConstantAttr,
               clang::CUDASharedAttr, clang::HIPManagedAttr>(A) &&
           !A->isImplicit();
  });
}

bool Lowering::isUnchanged(const clang::VarDecl *D) const {
  clang::QualType T = D->getType();
  if (T->isReferenceType() || isa<clang::ParmVarDecl>(D) || D->isWeak() ||
      Context.getBaseElementType(T).isVolatileQualified() || ::isOfDevice(D))
    return false;
  return T.isConstantStorage(Context, /*ExcludeCtor=*/true,
                             /*ExcludeDtor=*/true) ||
         (Options.IsUnchanged && Options.IsUnchanged(D));
}

/// Gives \p D, of the function around the lambda that is being built, an object
/// here, which holds what \p D was initialised by. False if it may change.
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
