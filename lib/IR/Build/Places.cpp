// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides at which address each expression makes its object. C++17 demands
/// that the initialiser of a variable, a member or a returned object constructs
/// it in place, without a temporary in between (copy elision):
///
///   Matrix m = makeMatrix();    makeMatrix() constructs the variable m itself
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Returns the expression that constructs the object which \p Init initialises;
/// null if the object is copied from elsewhere.
const clang::Expr *Lowering::makerOf(const clang::Expr *Init) {
  while (true) {
    const auto *Cast = dyn_cast<clang::CastExpr>(Init);
    const bool IsOfSame =
        Cast && (Cast->getCastKind() == clang::CK_ConstructorConversion ||
                 Cast->getCastKind() == clang::CK_UserDefinedConversion ||
                 Cast->getCastKind() == clang::CK_NoOp);
    const clang::Expr *Next = IsOfSame ? Cast->getSubExpr() : wrappedBy(Init);
    if (!Next)
      break;
    Init = Next;
  }
  return Init->isPRValue() && isa<clang::CXXConstructExpr, clang::InitListExpr,
                                  clang::CallExpr>(Init)
             ? Init
             : nullptr;
}

/// Makes \p Init construct its object at \p Address. This matters even where a
/// copy would have the same value: a constructor may keep the address.
void Lowering::place(const clang::Expr *Init, ValueId Address) {
  if (!Init || Init->getType().isNull() || isScalar(Init->getType()) ||
      Init->getType()->isVoidType())
    return;
  const clang::Expr *Maker = makerOf(Init);
  if (!Maker)
    return;
  if (const auto *List = dyn_cast<clang::InitListExpr>(Maker)) {
    if (const clang::InitListExpr *Semantic = List->getSemanticForm())
      List = Semantic;
    Places[keyOf(List)] = Address;
    return placeParts(List, Address);
  }
  Places[keyOf(Maker)] = Address;
}

/// Places the initialisers in \p List, which makes its object at \p Address, at
/// the elements, or the bases and members, that they initialise.
void Lowering::placeParts(const clang::InitListExpr *List, ValueId Address) {
  const clang::QualType T = List->getType();
  if (List->isTransparent())
    return List->getNumInits() == 1 ? place(List->getInit(0), Address) : void();
  if (const clang::ArrayType *Array = Context.getAsArrayType(T)) {
    const uint64_t Size = sizeOf(Array->getElementType());
    for (auto [I, Init] : enumerate(List->inits()))
      place(Init,
            Builder.offset(Address,
                           Builder.literal(I * Size, Type::integer(true, 64))));
    return;
  }
  const auto *Class =
      dyn_cast_or_null<clang::CXXRecordDecl>(T->getAsRecordDecl());
  if (!Class || Class->isUnion())
    return;
  unsigned Next = 0;
  for (const clang::CXXBaseSpecifier &Base : Class->bases())
    if (Next < List->getNumInits())
      place(List->getInit(Next++), base(Address, Class, Base));
  for (const clang::FieldDecl *Field : Class->fields())
    if (!Field->isUnnamedBitField() && Next < List->getNumInits())
      place(List->getInit(Next++), member(Address, Field));
}

/// Finds the elements of the graph that initialise one element of an array that
/// is copied. The graph has them once; lowerArrayCopy() lowers them for each
/// element of the array, so that they must not be lowered where they stand.
void Lowering::findPerElement(const Frame &F) {
  std::vector<const clang::Stmt *> Ahead;
  for (const clang::CFGBlock *B : *F.Graph)
    for (const clang::CFGElement &Each : *B)
      if (std::optional<clang::CFGStmt> S = Each.getAs<clang::CFGStmt>())
        if (const auto *Loop = dyn_cast<clang::ArrayInitLoopExpr>(S->getStmt()))
          Ahead.push_back(Loop->getSubExpr());
  while (!Ahead.empty()) {
    const clang::Stmt *S = Ahead.back();
    Ahead.pop_back();
    if (!S || isa<clang::OpaqueValueExpr>(S) ||
        !Now->PerElement.insert(S).second)
      continue;
    append_range(Ahead, S->children());
  }
}

/// Notes that the lvalue \p E is only read. If it is a conditional operator on
/// scalars, each operand is loaded in its own branch, and the results are
/// joined by a phi. So their addresses do not escape into a phi of pointers,
/// and the variables can be promoted.
void Lowering::addRead(Frame &F, const clang::Expr *E) {
  E = E->IgnoreParens();
  F.Read.insert(E);
  const auto *Choice = dyn_cast<clang::ConditionalOperator>(E);
  if (!Choice || !isScalar(E->getType()) || E->getType()->isPointerType())
    return;
  for (const clang::Expr *Arm :
       {Choice->getTrueExpr(), Choice->getFalseExpr()}) {
    addRead(F, Arm);
    F.ReadArms.insert(Arm->IgnoreParens());
  }
}

/// Gives the expressions that construct variables, members and results their
/// addresses, before anything is lowered.
void Lowering::placeResults(Frame &F) {
  for (const clang::CFGBlock *B : *F.Graph)
    for (const clang::CFGElement &Each : *B) {
      if (std::optional<clang::CFGInitializer> I =
              Each.getAs<clang::CFGInitializer>())
        if (std::optional<ValueId> Part = partOf(I->getInitializer()))
          place(I->getInitializer()->getInit(), *Part);
      const std::optional<clang::CFGStmt> S = Each.getAs<clang::CFGStmt>();
      if (!S)
        continue;
      if (const auto *Read = dyn_cast<clang::ImplicitCastExpr>(S->getStmt());
          Read && Read->getCastKind() == clang::CK_LValueToRValue)
        addRead(F, Read->getSubExpr());
      const auto *R = dyn_cast<clang::ReturnStmt>(S->getStmt());
      if (R && F.Returned && !F.Callee->getReturnType()->isReferenceType())
        place(R->getRetValue(), F.Returned);
      const auto *D = dyn_cast<clang::DeclStmt>(S->getStmt());
      if (!D)
        continue;
      for (const clang::Decl *Each : D->decls())
        if (const auto *V = dyn_cast<clang::VarDecl>(Each);
            V && V->getInit() && !V->hasExternalStorage() &&
            !V->getType()->isReferenceType())
          place(V->getInit(), addressOf(V));
    }
  // Lists that make temporaries, and their parts. An outer list comes behind
  // its parts in the graph, and must come before them here.
  for (const clang::CFGBlock *B : *F.Graph)
    for (const clang::CFGElement &Each : reverse(*B))
      if (std::optional<clang::CFGStmt> S = Each.getAs<clang::CFGStmt>())
        if (const auto *List = dyn_cast<clang::InitListExpr>(S->getStmt());
            List && !isScalar(List->getType())) {
          if (const clang::InitListExpr *Semantic = List->getSemanticForm())
            List = Semantic;
          if (!List->isTransparent() && !Places.contains(keyOf(List)))
            placeParts(List, temporary(List, List->getType()));
        }
}
