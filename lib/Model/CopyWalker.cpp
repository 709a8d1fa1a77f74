// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of KernelWalker for calls that copy bytes to or from a row of an
/// array: memcpy, and asynchronous copies, which the hardware performs beside
/// the threads (cp.async).
//===----------------------------------------------------------------------===//

#include "RowRuns.h"
#include "cudaopt/Model/ArrayViews.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace cudaopt {

/// The most bytes, and the strictest alignment, of one instruction.
static constexpr unsigned WidestAlignment = 16;

//===----------------------------------------------------------------------===//
// Functions that copy
//===----------------------------------------------------------------------===//

/// Returns the number in `cuda::aligned_size_t<A>(number)` and sets
/// \p Alignment to A; null if \p E is something else.
static const Expr *findAlignedSize(const Expr *E, unsigned &Alignment) {
  const auto *Type = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      E->getType()->getAsCXXRecordDecl());
  if (!Type || Type->getName() != "aligned_size_t" ||
      Type->getTemplateArgs().size() == 0 ||
      Type->getTemplateArgs()[0].getKind() != TemplateArgument::Integral)
    return nullptr;
  Alignment = Type->getTemplateArgs()[0].getAsIntegral().getZExtValue();
  while (true) {
    E = E->IgnoreImplicit()->IgnoreParens();
    if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E)) {
      E = Cast->getSubExpr();
      continue;
    }
    const auto *Construct = dyn_cast<CXXConstructExpr>(E);
    if (!Construct || Construct->getNumArgs() == 0)
      return nullptr;
    E = Construct->getArg(0);
    if (E->getType()->isIntegerType())
      return E;
  }
}

/// Returns the alignment that code may expect of what a `T *` points to.
static unsigned getPointeeAlignment(const ASTContext &Context, QualType Type) {
  const QualType Pointee = Type->getPointeeType();
  if (Pointee.isNull() || !Pointee->isObjectType() ||
      Pointee->isIncompleteType())
    return 1;
  return Context.getTypeAlignInChars(Pointee).getQuantity();
}

/// Recognises `cuda::memcpy_async([group,] to, from, size, barrier)` and
/// `cooperative_groups::memcpy_async(group, to, from, size)`.
static std::optional<CopyCall> findGroupCopy(const ASTContext &Context,
                                             const CallExpr *Call) {
  CopyCall Copy{Call};
  Copy.IsAsynchronous = true;
  Copy.IsOfGroup = !Call->getArg(0)->getType()->isPointerType();
  Copy.To = Copy.IsOfGroup;
  Copy.From = Copy.To + 1;
  const unsigned Size = Copy.From + 1;
  if (Size >= Call->getNumArgs() ||
      !Call->getArg(Copy.To)->getType()->isPointerType() ||
      !Call->getArg(Copy.From)->getType()->isPointerType())
    return std::nullopt;
  const Expr *Bytes = Call->getArg(Size);
  Copy.Bytes = Bytes->getType()->isIntegerType()
                   ? Bytes
                   : findAlignedSize(Bytes, Copy.Alignment);
  if (!Copy.Bytes)
    return std::nullopt;
  Copy.Alignment =
      std::max(Copy.Alignment,
               getPointeeAlignment(Context, Call->getArg(Copy.To)->getType()));
  return Copy;
}

/// Recognises a call that copies; std::nullopt for other calls.
static std::optional<CopyCall> findCopy(const ASTContext &Context,
                                        const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !Callee->getIdentifier() || isa<CXXMethodDecl>(Callee) ||
      !isLibraryFunction(Context, Callee) || Call->getNumArgs() < 3)
    return std::nullopt;
  const StringRef Name = Callee->getName();
  if (Name == "memcpy_async")
    return findGroupCopy(Context, Call);
  CopyCall Copy{Call};
  Copy.Bytes = Call->getArg(2);
  if (Name == "memcpy" || Name == "__builtin_memcpy")
    return Copy;
  Expr::EvalResult Size;
  if (Name != "__pipeline_memcpy_async" ||
      !Copy.Bytes->EvaluateAsInt(Size, Context))
    return std::nullopt;
  const llvm::APSInt Bytes = Size.Val.getInt();
  if (Bytes != 4 && Bytes != 8 && Bytes != 16)
    return std::nullopt;
  Copy.IsAsynchronous = true;
  Copy.Alignment = Bytes.getExtValue();
  return Copy;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Finds where in a row \p Pointer points: `&a[i][j]`, `a[i]` or `a[i] + j`,
/// under any casts.
bool KernelWalker::findRunPlace(const Expr *Pointer, RunPlace &Place) const {
  const Expr *E = Pointer->IgnoreParens();
  auto IsDecay = [](const Expr *E) {
    const auto *Cast = dyn_cast<CastExpr>(E);
    return Cast && Cast->getCastKind() == CK_ArrayToPointerDecay;
  };
  while (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() != CK_BitCast && Cast->getCastKind() != CK_NoOp)
      break;
    Place.Alignment = std::max(Place.Alignment,
                               getPointeeAlignment(Context, Cast->getType()));
    E = Cast->getSubExpr()->IgnoreParens();
  }
  const Expr *Column = nullptr;
  const auto *Sum = dyn_cast<BinaryOperator>(E);
  if (Sum && Sum->getOpcode() == BO_Add &&
      IsDecay(Sum->getLHS()->IgnoreParens())) {
    Column = Sum->getRHS();
    E = Sum->getLHS()->IgnoreParens();
  }
  const bool BeginsWithRow = IsDecay(E);
  const auto *Address = dyn_cast<UnaryOperator>(E);
  if (BeginsWithRow)
    Place.Ref = cast<CastExpr>(E)->getSubExpr()->IgnoreParens();
  else if (Address && Address->getOpcode() == UO_AddrOf)
    Place.Ref = Address->getSubExpr()->IgnoreParens();
  else
    return false;

  const Expr *Base = isa<ArraySubscriptExpr>(Place.Ref)
                         ? takeSubscripts(Place.Ref, Place.Subscripts)
                         : nullptr;
  std::optional<ArrayId> Array;
  if (Base)
    Array = findArray(Base);
  if (!Array)
    return false;
  Place.Array = *Array;
  Place.Name = cast<DeclRefExpr>(Base);
  size_t NumSubscripts = Place.Subscripts.size() + BeginsWithRow;
  if (auto Found = Rows.find(cast<VarDecl>(Place.Name->getDecl()));
      Found != Rows.end()) {
    Place.Row = Found->second;
    NumSubscripts += Found->second.Subscripts.size();
  }
  if (Column)
    Place.Subscripts.push_back(Column);
  return NumSubscripts == Instance.Shapes[*Array].Extents.size();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Returns true if a thread copies \p Bytes bytes with one instruction,
/// provided that they are aligned.
static bool isOneInstruction(const CopyCall &Copy, uint64_t Bytes) {
  if (Copy.IsOfGroup || !llvm::isPowerOf2_64(Bytes) || Bytes > WidestAlignment)
    return false;
  return !Copy.IsAsynchronous || (Bytes >= 4 && Copy.Alignment >= Bytes);
}

/// Returns the last subscript of \p A; for an array of one dimension also the
/// column in each split into rows.
static llvm::SmallVector<ValueId, 2> listColumns(const Access &A) {
  llvm::SmallVector<ValueId, 2> Columns = {A.Index.back()};
  for (const LinearSplit &Split : A.Splits)
    Columns.push_back(Split.Rest);
  return Columns;
}

/// Fills in the run of \p A, of \p Bytes bytes, of which the source promises
/// the alignment \p Promised.
void KernelWalker::describeRun(const CopyCall &Copy, unsigned Promised,
                               ValueId Bytes, Access &A) {
  const ArrayShape &Shape = Instance.Shapes[A.Array];
  ValueGraph &Values = Instance.Values;
  RowRun Run{Copy.Call, Values.cast(Bytes, ByteType), {}};
  unsigned Zeros = countZeroBits(Values, Bytes);
  for (ValueId Column : listColumns(A)) {
    const ValueId Begin =
        Values.operation(ValueKind::Mul, ByteType,
                         {Values.cast(Column, ByteType),
                          Values.constant(Shape.ElementSize, ByteType)});
    if (Run.Ends.empty())
      Zeros = std::min(Zeros, countZeroBits(Values, Begin));
    Run.Ends.push_back(
        Values.operation(ValueKind::Add, ByteType, {Begin, Run.Bytes}));
  }
  if (Shape.Extents.size() == 1)
    Run.Ends.erase(Run.Ends.begin());
  else
    Zeros = std::min<unsigned>(
        Zeros, llvm::countr_zero(Shape.Extents.back() * Shape.ElementSize));
  Run.Alignment =
      std::max({std::min(1u << std::min(Zeros, 4u), WidestAlignment),
                std::min(Promised, WidestAlignment)});
  A.Run = std::move(Run);
}

/// Records the copy at \p Place. If each thread takes an aligned chunk of whole
/// elements, it is an access like others; if not, it is a run, and rows must
/// stay contiguous.
void KernelWalker::addRun(const RunPlace &Place, const CopyCall &Copy,
                          AccessKind Kind) {
  const ArrayShape &Shape = Instance.Shapes[Place.Array];
  Access A = makeAccess(Place.Ref, Place.Array,
                        Place.Row ? &*Place.Row : nullptr, Place.Subscripts);
  A.Kind = Kind;
  A.IsAlone = Copy.IsAsynchronous;
  const std::optional<ValueId> Bytes = build(Copy.Bytes);
  if (A.isOpaque() || !Bytes)
    return refuse(Place.Array, Reason::CopyLeavesRow,
                  Copy.Call->getDirectCallee()->getNameAsString(),
                  Copy.Call->getExprLoc());
  const bool NamesElement = !Place.Ref->getType()->isArrayType();
  if (A.Index.size() < Shape.Extents.size())
    A.Index.push_back(Instance.Values.constant(0));
  if (Shape.Extents.size() > 1)
    A.Splits.clear();

  const std::optional<int64_t> Size = Instance.Values.asConstant(*Bytes);
  std::optional<unsigned> Chunk;
  if (Size && *Size > 0 && isOneInstruction(Copy, *Size))
    Chunk = findChunk(Instance.Values, Shape, A.Index, *Size);
  const unsigned Promised = std::max(Place.Alignment, Copy.Alignment);
  // A layout that keeps chunks together aligns them to the size of a chunk, and
  // single elements to that of an element.
  const bool IsLikeCast =
      Chunk && NamesElement && !Place.Row &&
      Promised <= (*Chunk > 1 ? uint64_t(*Size)
                              : Shape.ElementSize & -Shape.ElementSize);
  if (!IsLikeCast)
    describeRun(Copy, Promised, *Bytes, A);
  if (Chunk) {
    A.Chunk = *Chunk;
    if (A.Run)
      A.Run->IsOneAccess = true;
    return addAccess(A, 0, *Size, *Size);
  }
  addAccess(A, 0, Shape.ElementSize, Shape.ElementSize);
}

/// Records a copy from or to \p Pointer if it points into a row of an array.
bool KernelWalker::walkRun(const Expr *Pointer, const CopyCall &Copy,
                           AccessKind Kind) {
  RunPlace Place;
  if (!findRunPlace(Pointer, Place))
    return false;
  Handled.insert(Place.Name);
  for (const Expr *Subscript : Place.Subscripts)
    walkExpr(Subscript);
  addRun(Place, Copy, Kind);
  return true;
}

/// Handles a call that copies. A pointer that is not into a row of an array is
/// an argument like others, and refuses the array if it is one.
bool KernelWalker::walkCopy(const CallExpr *Call, const Use &U) {
  const std::optional<CopyCall> Copy = findCopy(Context, Call);
  if (!Copy || U.What != Use::Discard || !IsEvaluated)
    return false;
  const FunctionDecl *Callee = Call->getDirectCallee();
  const Use AsWhole(Use::Blocked, Reason::CopiedAsWhole,
                    Callee->getNameAsString());
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const Expr *Argument = Call->getArg(I);
    const bool IsTo = I == Copy->To;
    if (!IsTo && I != Copy->From)
      walkExpr(Argument, useOfArgument(Callee, I, Argument, U));
    else if (!walkRun(Argument, *Copy,
                      IsTo ? AccessKind::Write : AccessKind::Read))
      walkExpr(Argument, AsWhole);
  }
  return true;
}

} // namespace cudaopt
