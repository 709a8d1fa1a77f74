// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes the objects of variables and temporaries, the operations that access
/// them, the anchors of operations in the source, and opaque operations for
/// what is not understood.
///
/// An opaque operation mentions the objects of its operands. Objects that have
/// escaped before are in its reach as well, but are not listed; the analyses
/// know that.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "cudaopt/IR/DeviceCalls.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace cudaopt::ir;
using namespace llvm;

Type Lowering::typeOf(clang::QualType T) const {
  return ir::typeOf(T, Context);
}

uint64_t Lowering::sizeOf(clang::QualType T) const {
  return ir::sizeOf(T, Context);
}

bool Lowering::isScalar(clang::QualType T) const {
  const Type::Kind What = typeOf(T).What;
  return What != Type::Aggregate && What != Type::Void && !T->isArrayType();
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

static Object::Kind kindOf(const clang::VarDecl *D) {
  if (D->hasAttr<clang::CUDASharedAttr>())
    return D->hasExternalStorage() || D->getType()->isIncompleteArrayType()
               ? Object::DynamicShared
               : Object::Shared;
  if (D->hasAttr<clang::CUDAConstantAttr>())
    return Object::Constant;
  return D->hasLocalStorage() ? Object::Local : Object::Global;
}

/// Returns the object of \p D, which is made when it is first needed. A local
/// variable has one object for each call path of its function.
ObjectId Lowering::objectOf(const clang::VarDecl *D) {
  D = D->getCanonicalDecl();
  // Home is the frame of the function that declares D. A lambda may name a
  // constant of the function around it without capturing it; then that function
  // need not be among the frames.
  const Frame *Home = Now;
  while (Home && D->hasLocalStorage() &&
         D->getDeclContext()->getNonTransparentContext() !=
             static_cast<const clang::DeclContext *>(Home->Callee))
    Home = Home->Caller;
  const CallPathId Path = Home && D->hasLocalStorage() ? Home->Path : 0;
  ObjectId &Id = Objects[{D, Path}];
  if (Id)
    return Id;
  Object O;
  O.What =
      Now->Adopted.contains(D) ? Object::Local
      : !Home                  ? Object::Constant
      : isa<clang::ParmVarDecl>(D) && !Home->Caller && !isScalar(D->getType())
          ? Object::Parameter
          : kindOf(D);
  O.Name = D->getIdentifier() ? D->getName().str() : "unnamed";
  O.Decl = D;
  O.SourceType = D->getType();
  O.IsUnchanged = isUnchanged(D);
  if (D->getType()->isReferenceType())
    O.Size = 8;
  else if (const uint64_t Size = sizeOf(D->getType()))
    O.Size = Size;
  // Where clang found an error, a variable may have no type (`auto x =
  // unknown`).
  if (!D->getType()->isReferenceType() && !D->getType()->isDependentType() &&
      !D->getType()->isUndeducedType())
    O.Alignment = Context.getDeclAlign(D).getQuantity();
  return Id = Builder.addObject(std::move(O));
}

Lowering::PlaceKey Lowering::keyOf(const clang::Stmt *S) const {
  return {S, uint64_t(Now->Instance) << 32 | Now->Path};
}

ValueId Lowering::temporary(const clang::Stmt *For, clang::QualType T) {
  ValueId &At = Places[keyOf(For)];
  if (At)
    return At;
  Object O;
  O.What = Object::Temporary;
  O.Name = "temporary";
  O.SourceType = T;
  O.Size = T->isReferenceType() ? 8 : sizeOf(T);
  return At = Builder.address(Builder.addObject(std::move(O)));
}

ObjectId Lowering::guardOf(const clang::VarDecl *D) {
  ObjectId &Id = Objects[{D->getInit(), 0}];
  if (Id)
    return Id;
  Object O;
  O.What = Object::Global;
  O.Name = "guard of " + D->getNameAsString();
  O.SourceType = Context.BoolTy;
  O.Size = 1;
  return Id = Builder.addObject(std::move(O));
}

ObjectId Lowering::literalObject(const clang::Expr *E) {
  ObjectId &Id = Objects[{E, 0}];
  if (Id)
    return Id;
  Object O;
  O.What = Object::Constant;
  O.Name = "string";
  O.SourceType = E->getType();
  O.Size = sizeOf(E->getType());
  return Id = Builder.addObject(std::move(O));
}

ValueId Lowering::addressOf(const clang::VarDecl *D) {
  return Builder.address(objectOf(D));
}

/// Initialises the parameters of the function itself. What a pointer or a
/// reference leads to becomes an object of kind Pointee.
void Lowering::setParameters(Frame &F) {
  const auto Pointee = [&](const clang::ValueDecl *D, StringRef Name,
                           clang::QualType T) {
    Object O;
    O.What = Object::Pointee;
    O.Name = ("*" + Name).str();
    O.Decl = D;
    O.SourceType = T;
    return Builder.address(Builder.addObject(std::move(O)));
  };
  for (const clang::ParmVarDecl *P : F.Callee->parameters()) {
    const clang::QualType T = P->getType();
    if (!isScalar(T))
      continue; // The object is a Parameter: the caller filled it.
    const bool Leads = T->isReferenceType() || T->isPointerType();
    const ValueId V = Leads ? Pointee(P, P->getName(), T->getPointeeType())
                            : Builder.argument(P, typeOf(T));
    store(nullptr, addressOf(P), V, T);
  }
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(F.Callee);
  if (Method && Method->isInstance())
    F.This = Pointee(nullptr, "this", Method->getFunctionObjectParameterType());
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Returns \p Index times \p Bytes, the size of an element, as a number of 64
/// bits (sign-extended if the index is signed); negated if \p IsNegative.
ValueId Lowering::scale(ValueId Index, uint64_t Bytes, bool IsNegative) {
  const Type Wide =
      Type::integer(Builder.value(Index).Ty.IsSigned || IsNegative, 64);
  ValueId Offset = Builder.convert(Index, Wide);
  Offset =
      Builder.binary(clang::BO_Mul, Wide, Offset, Builder.literal(Bytes, Wide));
  return IsNegative ? Builder.unary(clang::UO_Minus, Offset) : Offset;
}

Operation &Lowering::append(Operation O) {
  ++NumOperations;
  note(O);
  Operation &Appended = Builder.append(Here, std::move(O));
  if (Appended.What == Operation::Barrier) { // It ends its block.
    Block *Next = Builder.addBlock();
    Builder.jump(Here, Next);
    Here = Next;
  }
  return Appended;
}

/// Appends a load of a scalar (or reference) of type \p T, anchored at \p At.
ValueId Lowering::load(const clang::Expr *At, ValueId Address,
                       clang::QualType T) {
  Operation O;
  O.What = Operation::Load;
  O.Address = Address;
  O.Width = T->isReferenceType() ? 8 : sizeOf(T);
  O.IsVolatile = T.isVolatileQualified();
  O.Result = Builder.result(typeOf(T));
  O.Where = anchor(At);
  return append(std::move(O)).Result;
}

/// Appends a store of a scalar of type \p T.
void Lowering::store(const clang::Stmt *At, ValueId Address, ValueId Stored,
                     clang::QualType T) {
  Operation O;
  O.What = Operation::Store;
  O.Address = Address;
  O.Stored = Stored;
  O.Width = T->isReferenceType() ? 8 : sizeOf(T);
  O.IsVolatile = T.isVolatileQualified();
  O.Where = anchor(At);
  append(std::move(O));
}

/// Appends a copy of an object of type \p T from address \p From to \p To.
void Lowering::copy(const clang::Stmt *At, ValueId To, ValueId From,
                    clang::QualType T) {
  if (Builder.value(From).Ty != Type::pointer()) {
    // A vector or a complex number that was lowered to a value, not an object.
    opaque(At, "copy of a value", {To, From}, Context.VoidTy);
    return;
  }
  Operation O;
  O.What = Operation::Copy;
  O.Address = To;
  O.Stored = From;
  // Without the tail padding: a derived class may keep members there.
  O.Width = Context.getTypeInfoDataSizeInChars(T).Width.getQuantity();
  O.Of = T;
  O.IsVolatile = hasVolatile(T, Context);
  O.Where = anchor(At);
  append(std::move(O));
}

//===----------------------------------------------------------------------===//
// What is not understood
//===----------------------------------------------------------------------===//

/// Returns true if a thread may end in \p S, which is opaque. Most expressions
/// hand on control always. Calls do not: a function of the user that is not
/// followed may end the thread, but one of a library does so only if it is
/// known for that (findEnding()) or may call code of the user, since an
/// argument is of a class of the user. If \p S is null or no expression, a
/// destructor is called, which may do anything.
bool Lowering::mayLeave(const clang::Stmt *S) const {
  if (!S || findEnding(S, Context) != Ending::None ||
      isa<clang::CXXNewExpr, clang::CXXDeleteExpr>(S) ||
      !isa<clang::Expr, clang::GCCAsmStmt, clang::DeclStmt>(S))
    return true;
  const clang::FunctionDecl *Callee = nullptr;
  SmallVector<const clang::Expr *, 8> Arguments;
  if (const auto *Call = dyn_cast<clang::CallExpr>(S)) {
    Callee = Call->getDirectCallee();
    Arguments.append(Call->arg_begin(), Call->arg_end());
  } else if (const auto *Construct = dyn_cast<clang::CXXConstructExpr>(S)) {
    Callee = Construct->getConstructor();
    Arguments.append(Construct->arg_begin(), Construct->arg_end());
  }
  if (!Callee)
    return isa<clang::DeclStmt>(S); // A static variable is initialised.
  // A body of the user that is not followed.
  if (!isLibraryFunction(Context, Callee))
    return !Callee->isDefaulted();
  const clang::SourceManager &Sources = Context.getSourceManager();
  return any_of(Arguments, [&](const clang::Expr *Each) {
    const clang::CXXRecordDecl *Class =
        Each->getType().getNonReferenceType()->getAsCXXRecordDecl();
    return Class && !Sources.isInSystemHeader(Class->getLocation()) &&
           !Callee->isTrivial();
  });
}

void Lowering::appendOpaque(Operation O) {
  for (ValueId Each : O.Operands)
    for (ObjectId Root : Builder.function().rootsOf(Each))
      if (Root && !is_contained(O.Mentions, Root))
        O.Mentions.push_back(Root);
  const clang::Stmt *S = O.Where.Node;
  if (S && findEnding(S, Context) == Ending::Grid)
    O.Extent = Scope::Device;
  append(std::move(O));
  if (!mayLeave(S))
    return;
  Block *Next = Builder.addBlock();
  Builder.mayLeave(Here, Next);
  Here = Next;
}

ValueId Lowering::opaque(const clang::Stmt *S, StringRef Why,
                         ArrayRef<ValueId> Operands, clang::QualType T) {
  Operation O;
  O.Why = Why;
  O.Operands.assign(Operands.begin(), Operands.end());
  O.Where = anchor(S);
  const auto *E = dyn_cast_or_null<clang::Expr>(S);
  const bool IsObject = E && E->isPRValue() && !T->isVoidType() && !isScalar(T);
  ValueId Result = 0;
  if (IsObject)
    O.Operands.push_back(Result = temporary(S, T));
  else if (E && !T->isVoidType())
    O.Result = Result =
        Builder.result(E->isGLValue() ? Type::pointer() : typeOf(T));
  appendOpaque(std::move(O));
  return Result;
}

const clang::Expr *Lowering::wrappedBy(const clang::Stmt *S) {
  if (const auto *E = dyn_cast<clang::ParenExpr>(S))
    return E->getSubExpr();
  if (const auto *E = dyn_cast<clang::FullExpr>(S))
    return E->getSubExpr();
  if (const auto *E = dyn_cast<clang::CXXBindTemporaryExpr>(S))
    return E->getSubExpr();
  if (const auto *E = dyn_cast<clang::SubstNonTypeTemplateParmExpr>(S))
    return E->getReplacement();
  return nullptr;
}

/// Returns what \p S, or the expression that it wraps, became; 0 if that has
/// not been lowered.
ValueId Lowering::known(const clang::Stmt *S) const {
  while (S) {
    if (const ValueId V = Now->Values.lookup(S))
      return V;
    S = wrappedBy(S);
  }
  return 0;
}

ValueId Lowering::opaque(const clang::Stmt *S, StringRef Why) {
  SmallVector<ValueId, 4> Operands;
  for (const clang::Stmt *Child : S->children())
    if (const ValueId V = known(Child))
      Operands.push_back(V);
  const auto *E = dyn_cast<clang::Expr>(S);
  const clang::QualType T = E ? E->getType() : Context.VoidTy;
  return opaque(S, Why, Operands, T.isNull() ? Context.DependentTy : T);
}

/// Returns the place of \p S in the source, and what may be done to its text. A
/// text that begins or ends in a macro may be edited only if all of it is one
/// argument of the macro.
Anchor Lowering::anchor(const clang::Stmt *S) const {
  Anchor A;
  A.Path = Now ? Now->Path : 0;
  A.Node = S;
  if (!S || S->getBeginLoc().isInvalid())
    return A;
  const clang::SourceManager &Sources = Context.getSourceManager();
  const clang::SourceRange Range = S->getSourceRange();
  // All of it stands in the same argument, and is contiguous there.
  const auto IsArgument = [&] {
    return Sources.isMacroArgExpansion(Range.getBegin()) &&
           Sources.isMacroArgExpansion(Range.getEnd()) &&
           Sources.getFileID(Range.getBegin()) ==
               Sources.getFileID(Range.getEnd()) &&
           clang::Lexer::makeFileCharRange(
               clang::CharSourceRange::getTokenRange(Range), Sources,
               Context.getLangOpts())
               .isValid();
  };
  const clang::SourceLocation Begin = Sources.getExpansionLoc(Range.getBegin());
  if (!Sources.isInMainFile(Begin))
    A.Text = Anchor::Header;
  else if (!Range.getBegin().isMacroID() && !Range.getEnd().isMacroID())
    A.Text = Anchor::Exact;
  else if (IsArgument())
    A.Text = Anchor::MacroArgument;
  else
    A.Text = Anchor::MacroBody;
  return A;
}
