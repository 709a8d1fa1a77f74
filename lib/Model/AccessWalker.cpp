// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of KernelWalker that recognises accesses: which expressions name an
/// element of a shared array, `a[i][j].f` with its casts and members, and what
/// their subscripts are.
//===----------------------------------------------------------------------===//

#include "KernelWalker.h"
#include "cudaopt/Model/ArrayViews.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace cudaopt {

std::string KernelWalker::textOf(const Expr *E) const {
  return getWrittenText(E, Context);
}

std::optional<ArrayId> KernelWalker::findArray(const Expr *E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var)
    return std::nullopt;
  if (auto It = Arrays.find(Var); It != Arrays.end())
    return It->second;
  if (auto It = Parameters.find(Var); It != Parameters.end())
    return It->second;
  if (auto It = Rows.find(Var); It != Rows.end())
    return It->second.Array;
  return std::nullopt;
}

/// Returns true for a pointer that stands for an array: reading it is using the
/// array's address.
bool KernelWalker::namesPointer(const Expr *E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && (Parameters.contains(Var) || Arrays.contains(Var));
}

void KernelWalker::refuse(ArrayId Array, Reason Why, std::string Detail,
                          SourceLocation Loc) {
  K.Arrays[Array].refuse({Why, std::move(Detail), Loc});
}

/// Adds \p A as an access of \p Size bytes, in pieces of \p Chunk bytes: an
/// instruction moves 1, 2, 4, 8 or 16 bytes a lane, and a struct is moved in
/// pieces of its alignment.
void KernelWalker::addAccess(Access A, unsigned Offset, uint64_t Size,
                             unsigned Chunk) {
  A.Function = Stack.empty() ? nullptr : Stack.back();
  A.Use = currentUse();
  A.Path = Path;
  Record.use(A.Array, Uses);
  for (uint64_t Done = 0; Done < Size; Done += Chunk) {
    A.Offset = Offset + Done;
    A.Width = Chunk;
    Instance.Accesses.push_back(A);
  }
}

/// Registers \p Var as a pointer to a row if it is declared and used as one
/// (`float *row = a[i];`). Any other use of it is then met as a use of the
/// array.
bool KernelWalker::bindRow(const VarDecl *Var) {
  Rows.erase(Var);
  RowPointer Row;
  const Expr *Base = takeSubscripts(Var->getInit(), Row.Subscripts);
  std::optional<ArrayId> Array;
  if (Base && !Row.Subscripts.empty())
    Array = findArray(Base);
  const FunctionDecl *Function = Stack.empty() ? Instance.Decl : Stack.back();
  if (!Array ||
      Row.Subscripts.size() + 1 != Instance.Shapes[*Array].Extents.size() ||
      !isRowPointer(Var, Function->getBody()))
    return false;
  Row.Array = *Array;
  Row.Index.emplace();
  for (const Expr *Subscript : Row.Subscripts) {
    walkExpr(Subscript);
    std::optional<ValueId> Value = build(Subscript);
    if (Value && Row.Index)
      Row.Index->push_back(*Value);
    else
      Row.Index.reset();
  }
  Handled.insert(cast<DeclRefExpr>(Base));
  K.Arrays[*Array].RowPointers.push_back(Var);
  Named[Var].insert(*Array);
  Rows[Var] = std::move(Row);
  return true;
}

Access KernelWalker::makeAccess(const Expr *Ref, ArrayId Array,
                                const RowPointer *Row,
                                llvm::ArrayRef<const Expr *> Subscripts) {
  Access A;
  A.Ref = Ref;
  if (Row) {
    A.IsThroughRowPointer = true;
    A.Subscripts = Row->Subscripts;
  } else if (Subscripts.size() == 1) {
    A.Splits = findSplits(Subscripts[0]);
  }
  llvm::append_range(A.Subscripts, Subscripts);
  A.Array = Array;
  A.Interval = Instance.NumBarriers;
  if (std::optional<Reach> R = Code.reach(Ref, Path)) {
    A.Loops = std::move(R->Loops);
    A.Guards = std::move(R->Guards);
    A.DomainIsExact = R->IsExact;
  } else {
    A.DomainIsExact = false;
  }
  if (Row && Row->Index)
    A.Index = *Row->Index;
  for (const Expr *Subscript : Subscripts) {
    std::optional<ValueId> Value = build(Subscript);
    if (!Value || (Row && !Row->Index)) {
      A.Index.clear();
      A.WhyOpaque = Reason::DataDependent;
      break;
    }
    A.Index.push_back(*Value);
  }
  if (!A.isOpaque())
    A.Terms = findTerms(A.Subscripts.back());
  return A;
}

/// Returns the terms of the sum \p Subscript; empty if some have no value.
llvm::SmallVector<SubscriptTerm, 2>
KernelWalker::findTerms(const Expr *Subscript) {
  llvm::SmallVector<SubscriptTerm, 2> Terms;
  for (const Expr *E : flattenSum(Subscript, Context)) {
    std::optional<ValueId> Value = build(E);
    if (!Value)
      return {};
    Terms.push_back({E, *Value});
  }
  return Terms;
}

void KernelWalker::record(const Expr *Ref, ArrayId Array, const RowPointer *Row,
                          llvm::ArrayRef<const Expr *> Subscripts,
                          unsigned Offset, QualType Type, unsigned Chunk,
                          const Use &U) {
  if (U.What == Use::Blocked) {
    // sizeof of an element is the same in every layout.
    if (U.Why == Reason::SizeTaken)
      return;
    return refuse(Array, U.Why, U.Detail.empty() ? textOf(Ref) : U.Detail,
                  Ref->getExprLoc());
  }
  Access A = makeAccess(Ref, Array, Row, Subscripts);
  A.Chunk = Chunk;
  uint64_t Size = Context.getTypeSizeInChars(Type).getQuantity();
  uint64_t Piece =
      std::min<uint64_t>(Context.getTypeAlignInChars(Type).getQuantity(), 16);
  // A part of an element that is itself an array: which bytes are accessed is
  // not known.
  if (Type->isArrayType() || Size == 0 || Size % Piece || Size > 128) {
    A.Index.clear();
    A.WhyOpaque = Reason::NotAffine;
    Size = Piece;
  }
  for (AccessKind Kind :
       {AccessKind::Atomic, AccessKind::Read, AccessKind::Write}) {
    bool Applies = Kind == AccessKind::Atomic ? U.What == Use::Atomic
                   : Kind == AccessKind::Read
                       ? U.What == Use::Read || U.What == Use::ReadWrite ||
                             U.What == Use::Discard
                       : U.What == Use::Write || U.What == Use::ReadWrite;
    if (!Applies)
      continue;
    A.Kind = Kind;
    addAccess(A, Offset, Size, Piece);
  }
}

/// Finds the products in the sum \p Subscript, `row * factor + rest`, with a
/// constant factor. Whether one of them splits the array into rows is for isl
/// to prove.
llvm::SmallVector<LinearSplit, 1>
KernelWalker::findSplits(const Expr *Subscript) {
  llvm::SmallVector<LinearSplit, 1> Splits;
  std::optional<ValueId> Whole = build(Subscript);
  const auto *Top = dyn_cast<BinaryOperator>(Subscript->IgnoreParenImpCasts());
  llvm::SmallVector<const Expr *, 4> Terms = {Subscript};
  while (Whole && !Terms.empty()) {
    const Expr *Term = Terms.pop_back_val()->IgnoreParenImpCasts();
    const auto *Op = dyn_cast<BinaryOperator>(Term);
    if (Op && (Op->getOpcode() == BO_Add || Op->getOpcode() == BO_Sub)) {
      Terms.push_back(Op->getLHS());
      if (Op->getOpcode() == BO_Add)
        Terms.push_back(Op->getRHS());
      continue;
    }
    if (!Op || Op->getOpcode() != BO_Mul)
      continue;
    std::optional<ValueId> Product = build(Op);
    for (auto [Factor, Row] : {std::pair(Op->getRHS(), Op->getLHS()),
                               std::pair(Op->getLHS(), Op->getRHS())}) {
      std::optional<ValueId> Value = build(Factor);
      std::optional<int64_t> Pitch =
          Value ? Instance.Values.asConstant(*Value) : std::nullopt;
      if (!Product || !Pitch || *Pitch < 2)
        continue;
      ValueType Type = Instance.Values[*Whole].Type;
      ValueId Rest = Instance.Values.operation(
          ValueKind::Sub, Type, {*Whole, Instance.Values.cast(*Product, Type)});
      std::optional<ValueId> RowValue = build(Row);
      if (!RowValue)
        continue;
      LinearSplit Split{Factor,           Row,       nullptr,
                        uint64_t(*Pitch), *RowValue, Rest};
      if (Top && Top->getOpcode() == BO_Add) {
        if (Top->getLHS()->IgnoreParenImpCasts() == Op)
          Split.Column = Top->getRHS();
        else if (Top->getRHS()->IgnoreParenImpCasts() == Op)
          Split.Column = Top->getLHS();
      }
      Splits.push_back(Split);
      break;
    }
  }
  return Splits;
}

bool KernelWalker::walkElement(const Expr *E, const Use &U) {
  // From the outside in: first the members behind the element, then its
  // subscripts.
  const Expr *Ref = E->IgnoreParens();
  if (!isa<ArraySubscriptExpr, MemberExpr>(Ref) && !findCastElement(Ref))
    return false;
  unsigned Offset = 0;
  while (const auto *Member = dyn_cast<MemberExpr>(Ref)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Member->isArrow() || Field->getType()->isReferenceType() ||
        Field->isBitField())
      return false;
    const ASTRecordLayout &Layout =
        Context.getASTRecordLayout(Field->getParent());
    Offset += Layout.getFieldOffset(Field->getFieldIndex()) / 8;
    Ref = Member->getBase()->IgnoreParenNoopCasts(Context);
  }
  const Expr *CastElement = findCastElement(Ref);
  const QualType Accessed = Ref->getType();
  if (CastElement)
    Ref = CastElement;
  llvm::SmallVector<const Expr *, 4> Subscripts;
  const Expr *Base = takeSubscripts(Ref, Subscripts);
  std::optional<ArrayId> Array;
  if (Base)
    Array = findArray(Base);
  if (!Array || E->isTypeDependent() || Subscripts.empty())
    return false;
  const auto *Name = cast<DeclRefExpr>(Base);
  auto Found = Rows.find(cast<VarDecl>(Name->getDecl()));
  std::optional<RowPointer> Row;
  if (Found != Rows.end())
    Row = Found->second;
  if ((Row && CastElement) ||
      Subscripts.size() + (Row ? Row->Subscripts.size() : 0) !=
          Instance.Shapes[*Array].Extents.size())
    return false;
  std::optional<unsigned> Chunk = 1;
  if (CastElement)
    Chunk = findChunkOf(*Array, Subscripts, Accessed);
  if (!Chunk)
    return false;
  Handled.insert(Name);
  for (const Expr *Subscript : Subscripts)
    walkExpr(Subscript);
  record(Ref->IgnoreParenImpCasts(), *Array, Row ? &*Row : nullptr, Subscripts,
         Offset, E->getType(), *Chunk, U);
  return true;
}

/// Returns how many elements an access of type \p Type takes at once, from the
/// element with the subscripts \p Subscripts on; std::nullopt if that is not a
/// whole aligned chunk.
std::optional<unsigned> KernelWalker::findChunkOf(
    ArrayId Array, llvm::ArrayRef<const Expr *> Subscripts, QualType Type) {
  llvm::SmallVector<ValueId, 4> Index;
  for (const Expr *Subscript : Subscripts) {
    std::optional<ValueId> Value = build(Subscript);
    if (!Value)
      return std::nullopt;
    Index.push_back(*Value);
  }
  return findChunk(Instance.Values, Instance.Shapes[Array], Index,
                   Context.getTypeSizeInChars(Type).getQuantity());
}

} // namespace cudaopt
