// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of KernelWalker for matrix fragments that a warp loads and stores
/// (wmma). What nvcc 13.0 makes of them in shared memory (-O3, sm_90):
///
/// 16 x 16 x 16, half or bfloat16: matrices a   one LDSM.x4, transposed or not:
/// and b, rows or columns                       four times eight lines of 16
///                                              bytes
/// accumulators of float, row by row            four LDS.64 or STS.64: lane l
///                                              has columns 2 (l mod 4) and
///                                              the next of line l / 4
/// accumulators of half, row by row             the same with LDS or STS
/// others                                       not counted
//===----------------------------------------------------------------------===//

#include "RowRuns.h"
#include "cudaopt/Model/ArrayViews.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace cudaopt {

/// The alignment, in bytes, that each line of a fragment needs, and the one
/// that its first line needs.
static constexpr unsigned LineAlignment = 16, FirstAlignment = 32;

/// A load or store of a fragment, and how the fragment lies in memory.
struct FragmentCall {
  const CallExpr *Call;
  const Expr *Pointer = nullptr, *Ldm = nullptr;
  AccessKind Kind = AccessKind::Read;
  uint64_t NumLines = 0, LineLength = 0;
  bool IsAccumulator = false;
  bool IsByRows = false; ///< An accumulator is stored row by row.
};

/// Returns the name of the class that is template argument \p Index of \p Type.
static StringRef getName(const ClassTemplateSpecializationDecl &Type,
                         unsigned Index) {
  const TemplateArgumentList &Arguments = Type.getTemplateArgs();
  if (Index >= Arguments.size() ||
      Arguments[Index].getKind() != TemplateArgument::Type)
    return "";
  const auto *Class = Arguments[Index].getAsType()->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() ? Class->getName() : "";
}

/// Returns true if \p Pointer points to elements of the fragment \p Type as
/// they lie in memory, not to parts of them or to several packed ones (of four
/// bits, say).
static bool pointsToElements(const ASTContext &Context, const Expr *Pointer,
                             const ClassTemplateSpecializationDecl &Type) {
  const TemplateArgumentList &Arguments = Type.getTemplateArgs();
  if (Arguments.size() < 5 || Arguments[4].getKind() != TemplateArgument::Type)
    return false;
  const QualType Pointee = Pointer->getType()->getPointeeType();
  return getName(Type, 4) == "tf32"
             ? Pointee->isSpecificBuiltinType(BuiltinType::Float)
             : !Pointee.isNull() && Context.hasSameUnqualifiedType(
                                        Pointee, Arguments[4].getAsType());
}

/// Recognises `wmma::load_matrix_sync(fragment, pointer, ldm[, layout])` and
/// `wmma::store_matrix_sync(pointer, fragment, ldm, layout)`.
static std::optional<FragmentCall> findFragment(const ASTContext &Context,
                                                const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !Callee->getIdentifier() || isa<CXXMethodDecl>(Callee) ||
      !isLibraryFunction(Context, Callee) || Call->getNumArgs() < 3)
    return std::nullopt;
  const bool IsLoad = Callee->getName() == "load_matrix_sync";
  if (!IsLoad && Callee->getName() != "store_matrix_sync")
    return std::nullopt;
  FragmentCall Fragment{Call};
  Fragment.Kind = IsLoad ? AccessKind::Read : AccessKind::Write;
  Fragment.Pointer = Call->getArg(IsLoad);
  Fragment.Ldm = Call->getArg(2);
  if (Call->getNumArgs() > 3) {
    Expr::EvalResult Layout;
    if (!Call->getArg(3)->EvaluateAsInt(Layout, Context))
      return std::nullopt;
    Fragment.IsByRows = Layout.Val.getInt() == 0;
  }
  const auto *Type = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Call->getArg(!IsLoad)->getType()->getAsCXXRecordDecl());
  const std::optional<ir::FragmentLines> Lines =
      ir::describeFragment(Call->getArg(!IsLoad)->getType(), Fragment.IsByRows);
  if (!Lines || !pointsToElements(Context, Fragment.Pointer, *Type))
    return std::nullopt;
  Fragment.NumLines = Lines->Number;
  Fragment.LineLength = Lines->Length;
  Fragment.IsAccumulator = Lines->IsSum;
  return Fragment;
}

/// Returns the lane of the current thread; std::nullopt if the shape of the
/// block is not known.
std::optional<ValueId> KernelWalker::buildLane() {
  const BlockShape &Block = Instance.Block;
  if (!Block.isKnown())
    return std::nullopt;
  ValueGraph &Values = Instance.Values;
  const ValueType Int;
  ValueId Thread = Values.constant(0, Int);
  for (unsigned Dimension = 3; Dimension-- > 0;) {
    Thread = Values.operation(
        ValueKind::Mul, Int,
        {Thread, Values.constant(Block.Threads[Dimension], Int)});
    Thread = Values.operation(
        ValueKind::Add, Int,
        {Thread, Values.cast(Values.threadIdx(Dimension), Int)});
  }
  return Values.operation(ValueKind::Rem, Int,
                          {Thread, Values.constant(32, Int)});
}

/// Adds the accesses that each lane makes for \p Fragment, whose first element
/// is that of \p A, as the table above says. Where the table says "not
/// counted", a single access without a width is added.
void KernelWalker::addLanes(Access A, const FragmentCall &Fragment) {
  const ArrayShape &Shape = Instance.Shapes[A.Array];
  const unsigned Size = Shape.ElementSize;
  const std::optional<ValueId> Lane = buildLane();
  const bool IsMatrix = !Fragment.IsAccumulator && Size == 2;
  const bool IsSum = Fragment.IsAccumulator && Fragment.IsByRows;
  if (!Lane || Fragment.NumLines != 16 || Fragment.LineLength != 16 ||
      !(IsMatrix || (IsSum && (Size == 2 || Size == 4))))
    return addAccess(A, 0, Size, Size);

  ValueGraph &Values = Instance.Values;
  auto Compute = [&](ValueKind Kind, ValueId Left, int64_t Right) {
    return Values.operation(Kind, ValueType(), {Left, Values.constant(Right)});
  };
  auto AddAt = [&](ValueId Line, ValueId Column, unsigned Chunk) {
    Access Part = A;
    auto Move = [&](ValueId &Subscript, ValueId By) {
      Subscript = Values.operation(ValueKind::Add, ValueType(),
                                   {Values.cast(Subscript, ValueType()), By});
    };
    if (Part.Index.size() == 1)
      Move(Part.Index[0], Compute(ValueKind::Mul, Line,
                                  *Values.asConstant(*build(Fragment.Ldm))));
    else
      Move(Part.Index[Part.Index.size() - 2], Line);
    Move(Part.Index.back(), Column);
    Part.Chunk = Chunk;
    Part.Run->IsOneAccess = true;
    addAccess(Part, 0, Chunk * Size, Chunk * Size);
  };
  if (IsMatrix)
    return AddAt(Compute(ValueKind::Rem, *Lane, 16),
                 Compute(ValueKind::Mul, Compute(ValueKind::Div, *Lane, 16), 8),
                 8);
  const ValueId Line = Compute(ValueKind::Div, *Lane, 4);
  const ValueId Column =
      Compute(ValueKind::Mul, Compute(ValueKind::Rem, *Lane, 4), 2);
  for (unsigned Part = 0; Part < 4; ++Part)
    AddAt(Compute(ValueKind::Add, Line, Part % 2 * 8),
          Compute(ValueKind::Add, Column, Part / 2 * 8), 2);
}

/// Returns the number of bytes of which paddings must be multiples. Lines begin
/// at multiples of 16 bytes, but the first one, in row \p Row, at a multiple of
/// 32: an odd multiple of 16 is possible only if that row is even.
static unsigned findPaddingUnit(const ValueGraph &Values,
                                const ArrayShape &Shape,
                                std::optional<ValueId> Row) {
  const bool HasEvenPlanes =
      Shape.Extents.size() < 3 || Shape.Extents.end()[-2] % 2 == 0;
  return Row && HasEvenPlanes && countZeroBits(Values, *Row) > 0
             ? LineAlignment
             : FirstAlignment;
}

/// Records the fragment at \p Place. The leading dimension must be the length
/// of the array's rows: only then does it follow a new length.
void KernelWalker::addFragment(const RunPlace &Place,
                               const FragmentCall &Fragment) {
  const ArrayShape &Shape = Instance.Shapes[Place.Array];
  ValueGraph &Values = Instance.Values;
  Access A = makeAccess(Place.Ref, Place.Array, nullptr, Place.Subscripts);
  A.Kind = Fragment.Kind;
  A.IsAlone = true;
  if (A.isOpaque())
    return refuse(Place.Array, Reason::CopyLeavesRow,
                  Fragment.Call->getDirectCallee()->getNameAsString(),
                  Place.Ref->getExprLoc());
  if (A.Index.size() < Shape.Extents.size())
    A.Index.push_back(Values.constant(0));
  const bool IsFlat = Shape.Extents.size() == 1;
  std::optional<int64_t> Ldm;
  if (std::optional<ValueId> Value = build(Fragment.Ldm))
    Ldm = Values.asConstant(*Value);
  // An array of one dimension must be seen as rows of that length.
  llvm::erase_if(A.Splits, [&](const LinearSplit &Split) {
    return !IsFlat || int64_t(Split.Pitch) != Ldm;
  });
  if (!Ldm ||
      (IsFlat ? A.Splits.empty() : int64_t(Shape.Extents.back()) != *Ldm))
    return refuse(Place.Array, Reason::LeadingDimension, textOf(Fragment.Ldm),
                  Fragment.Ldm->getExprLoc());

  RowRun Run{Fragment.Call, 0, {}};
  Run.Ldm = Fragment.Ldm;
  Run.Bytes =
      Values.constant(Fragment.LineLength * Shape.ElementSize, ByteType);
  std::optional<ValueId> Row;
  if (!IsFlat)
    Row = A.Index.end()[-2];
  else if (A.Splits.size() == 1)
    Row = A.Splits.front().RowValue;
  Run.Alignment = findPaddingUnit(Values, Shape, Row);
  auto AddEnd = [&](ValueId Column) {
    const ValueId Begin =
        Values.operation(ValueKind::Mul, ByteType,
                         {Values.cast(Column, ByteType),
                          Values.constant(Shape.ElementSize, ByteType)});
    Run.Ends.push_back(
        Values.operation(ValueKind::Add, ByteType, {Begin, Run.Bytes}));
  };
  if (!IsFlat)
    AddEnd(A.Index.back());
  for (const LinearSplit &Split : A.Splits)
    AddEnd(Split.Rest);
  A.Run = std::move(Run);
  addLanes(std::move(A), Fragment);
}

bool KernelWalker::walkFragment(const CallExpr *Call, const Use &U) {
  const std::optional<FragmentCall> Fragment = findFragment(Context, Call);
  if (!Fragment || !IsEvaluated)
    return false;
  RunPlace Place;
  if (!findRunPlace(Fragment->Pointer, Place) || Place.Row ||
      Context.getTypeSizeInChars(Fragment->Pointer->getType()->getPointeeType())
              .getQuantity() != Instance.Shapes[Place.Array].ElementSize)
    return false;
  const FunctionDecl *Callee = Call->getDirectCallee();
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const Expr *Argument = Call->getArg(I);
    if (Argument != Fragment->Pointer)
      walkExpr(Argument, useOfArgument(Callee, I, Argument, U));
  }
  Handled.insert(Place.Name);
  for (const Expr *Subscript : Place.Subscripts)
    walkExpr(Subscript);
  addFragment(Place, *Fragment);
  return true;
}

} // namespace cudaopt
