// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The places at which objects are made: what initialises a variable, a member
/// or a result makes it there, without a temporary object between.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace cudaopt::ir;
using namespace llvm;

/// The expression that makes the object which \p Init initialises; none if that
/// is copied from elsewhere.
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

/// What initialises at \p Address is made there, as C++17 demands: its
/// constructor may keep the address.
void Lowering::place(const clang::Expr *Init, ValueId Address) {
  if (!Init || isScalar(Init->getType()) || Init->getType()->isVoidType())
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

/// The graph has what is done to one element of an array; that is lowered for
/// each of them.
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

/// What reads a choice reads one of its arms, where that is evaluated: their
/// addresses go nowhere.
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

/// Gives the expressions that make variables, members and results their places.
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
  // Lists of other objects, and their parts; what is around comes last.
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
