// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers what happens at the beginning and the end of the lifetimes of
/// objects: constructors of arrays, and destructors, which clang::CFG has as
/// elements.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace cudaopt::ir;
using namespace llvm;

/// The most elements of an array that are lowered one by one; more become a
/// loop.
static constexpr uint64_t MaxElements = 16;

void Lowering::forEachElement(ValueId Array, clang::QualType Element,
                              uint64_t Count, bool IsBackwards,
                              function_ref<void(ValueId)> Do) {
  const Type Wide = Type::integer(true, 64);
  const ValueId Size = Builder.literal(sizeOf(Element), Wide);
  const auto DoOne = [&](ValueId Index) {
    if (IsBackwards)
      Index = Builder.binary(clang::BO_Sub, Wide,
                             Builder.literal(Count - 1, Wide), Index);
    const ValueId At =
        Builder.offset(Array, Builder.binary(clang::BO_Mul, Wide, Index, Size));
    const ValueId Outer = std::exchange(Now->Index, Index);
    anew([&] {
      Do(At);
      return ValueId(0);
    });
    Now->Index = Outer;
  };
  if (Count <= MaxElements) {
    for (uint64_t I = 0; I < Count; ++I)
      DoOne(Builder.literal(I, Wide));
    return;
  }
  Object O;
  O.What = Object::Temporary;
  O.Name = "index";
  O.SourceType = Context.LongLongTy;
  O.Size = 8;
  const ValueId Counter = Builder.address(Builder.addObject(std::move(O)));
  const auto Set = [&](ValueId To) {
    store(nullptr, Counter, To, Context.LongLongTy);
  };
  Set(Builder.literal(0, Wide));
  Block *Head = Builder.addBlock(), *Body = Builder.addBlock(),
        *Behind = Builder.addBlock();
  Builder.jump(Here, Head);
  Here = Head;
  const ValueId Index = load(nullptr, Counter, Context.LongLongTy);
  Builder.branch(Here,
                 Builder.binary(clang::BO_LT, Type::boolean(), Index,
                                Builder.literal(Count, Wide)),
                 Body, Behind, {});
  Here = Body;
  DoOne(Index);
  Set(Builder.binary(clang::BO_Add, Wide,
                     load(nullptr, Counter, Context.LongLongTy),
                     Builder.literal(1, Wide)));
  Builder.jump(Here, Head);
  Here = Behind;
}

/// Calls the constructor for each element of an array.
ValueId Lowering::lowerArrayConstruction(const clang::CXXConstructExpr *E,
                                         ValueId Address) {
  const clang::QualType Element = Context.getBaseElementType(E->getType());
  const SmallVector<const clang::Expr *, 4> Arguments(E->arguments());
  const uint64_t Size = sizeOf(Element);
  if (!Size)
    return opaque(E, "array of objects", {Address}, E->getType());
  forEachElement(
      Address, Element, sizeOf(E->getType()) / Size, false,
      [&](ValueId At) { call(E, E->getConstructor(), At, Arguments); });
  return Address;
}

/// Destroys an object of type \p T: the elements of an array backwards, others
/// by their destructor, which is spliced in or opaque.
void Lowering::destroy(const clang::Stmt *At, ValueId Address,
                       clang::QualType T) {
  if (T->isArrayType()) {
    const clang::QualType Element = Context.getBaseElementType(T);
    if (const uint64_t Size = sizeOf(Element))
      forEachElement(Address, Element, sizeOf(T) / Size, true,
                     [&](ValueId Each) { destroy(At, Each, Element); });
    return;
  }
  const clang::CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  const clang::CXXDestructorDecl *Callee =
      Class ? Class->getDestructor() : nullptr;
  if (!Callee || Callee->isTrivial())
    return;
  const clang::FunctionDecl *Definition = nullptr;
  if (maySplice(Callee) && Callee->hasBody(Definition)) {
    Frame F;
    F.Callee = Definition;
    if (runBody(F, At, Address, [] {}))
      return;
  }
  Operation O;
  O.Why = Callee->getNameAsString();
  O.Operands.push_back(Address);
  O.Where = anchor(At);
  appendOpaque(std::move(O));
}

/// Lowers a destructor of an object that is not known as an opaque operation:
/// it may be any object that has escaped.
void Lowering::destroyOpaquely(const clang::CFGImplicitDtor &D) {
  Operation O;
  O.Why = D.getDestructorDecl(Context)->getNameAsString();
  if (std::optional<clang::CFGAutomaticObjDtor> Variable =
          D.getAs<clang::CFGAutomaticObjDtor>()) {
    O.Operands.push_back(addressOf(Variable->getVarDecl()));
    O.Where = anchor(Variable->getTriggerStmt());
  }
  if (Now->This)
    O.Operands.push_back(Now->This);
  appendOpaque(std::move(O));
}

void Lowering::lowerDestructor(const clang::CFGImplicitDtor &D) {
  const clang::CXXDestructorDecl *Callee = D.getDestructorDecl(Context);
  if (!Callee || Callee->isTrivial())
    return;
  if (std::optional<clang::CFGAutomaticObjDtor> Variable =
          D.getAs<clang::CFGAutomaticObjDtor>()) {
    const clang::VarDecl *V = Variable->getVarDecl();
    // A variable that is returned may have been constructed in the caller's
    // object (named return value optimisation), and live on.
    if (V->isNRVOVariable())
      return destroyOpaquely(D);
    if (!V->getType()->isReferenceType())
      return destroy(Variable->getTriggerStmt(), addressOf(V), V->getType());
    const clang::QualType T = V->getType().getNonReferenceType();
    if (T->getAsCXXRecordDecl() == Callee->getParent())
      return destroy(Variable->getTriggerStmt(),
                     load(nullptr, addressOf(V), V->getType()), T);
  } else if (std::optional<clang::CFGTemporaryDtor> Temporary =
                 D.getAs<clang::CFGTemporaryDtor>()) {
    const clang::CXXBindTemporaryExpr *E = Temporary->getBindTemporaryExpr();
    if (const ValueId V = known(E))
      return destroy(E, V, E->getType());
  } else if (std::optional<clang::CFGBaseDtor> Base =
                 D.getAs<clang::CFGBaseDtor>()) {
    const clang::CXXBaseSpecifier *Of = Base->getBaseSpecifier();
    const auto *Method = dyn_cast<clang::CXXMethodDecl>(Now->Callee);
    if (Method && Now->This && !Of->isVirtual())
      return destroy(Now->Callee->getBody(),
                     base(Now->This, Method->getParent(), *Of), Of->getType());
  } else if (std::optional<clang::CFGMemberDtor> Field =
                 D.getAs<clang::CFGMemberDtor>()) {
    const clang::FieldDecl *Of = Field->getFieldDecl();
    if (Now->This)
      return destroy(Now->Callee->getBody(), member(Now->This, Of),
                     Of->getType());
  }
  destroyOpaquely(D);
}
