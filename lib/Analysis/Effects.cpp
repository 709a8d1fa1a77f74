// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Attributes the operations of the IR to the statements of the text. An
/// operation of the kernel itself belongs to the statements around its anchor;
/// one of a callee belongs to the statements around the call in the kernel.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/Effects.h"

#include "cudaopt/IR/Build.h"
#include "cudaopt/Source/StatementParts.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace cudaopt {

static constexpr Effects::Use Read{true, false}, Write{false, true},
    Both{true, true};

Effects::Use &Effects::Use::operator|=(const Use &Other) {
  Reads |= Other.Reads;
  Writes |= Other.Writes;
  return *this;
}

bool Effects::accessesMemory() const {
  return !Shared.empty() || !Pointees.empty() || Elsewhere.Reads ||
         Elsewhere.Writes;
}

Effects &Effects::operator|=(const Effects &Other) {
  for (const auto &[Var, U] : Other.Locals)
    Locals[Var] |= U;
  for (const auto &[Object, U] : Other.Temporaries)
    Temporaries[Object] |= U;
  for (const auto &[Var, U] : Other.Shared)
    Shared[Var] |= U;
  for (const auto &[Var, U] : Other.Pointees)
    Pointees[Var] |= U;
  Elsewhere |= Other.Elsewhere;
  IsOrdered |= Other.IsOrdered;
  HasBarrier |= Other.HasBarrier;
  Leaves |= Other.Leaves;
  Names.insert(Other.Names.begin(), Other.Names.end());
  Declared.insert(Other.Declared.begin(), Other.Declared.end());
  return *this;
}

bool isPlainBarrier(const Stmt *S) {
  const auto *Call = dyn_cast_or_null<CallExpr>(S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() &&
         Callee->getName() == "__syncthreads" && Call->getNumArgs() == 0;
}

// Unreachable code is kept: it moves with the rest of the text, and may be
// reached in another instance of the template.
StatementEffects::StatementEffects(const FunctionDecl *Kernel)
    : Kernel(Kernel), Parents(Kernel->getBody()) {
  ir::BuildOptions Options;
  Options.KeepsText = true;
  Options.DropsUnreachable = false;
  for (const DeclStmt *Each : nodesIn<DeclStmt>(Kernel->getBody()))
    for (const Decl *D : Each->decls())
      Declarations[D] = Each;
  Code = ir::build(Kernel, Kernel->getASTContext(), Options);
  if (!Code) {
    IsUnknown = true;
    return;
  }
  for (const auto &B : Code->blocks()) {
    // What stands behind a loop without a way out is never executed, and must
    // not get in front of it.
    IsUnknown |= B->HasVirtualExit;
    for (const ir::Operation &O : B->Operations)
      addOperation(O);
    for (const ir::VariableUse &U : B->Uses)
      addVariableUse(U);
  }
}

//===----------------------------------------------------------------------===//
// Attribution to statements
//===----------------------------------------------------------------------===//

/// Returns the expression or statement of the kernel's own text from which
/// control gets to \p Where; null if there is none.
const Stmt *StatementEffects::attribute(const ir::Anchor &Where) const {
  const Stmt *At = Where.Path ? Code->callsOf(Where.Path).front() : Where.Node;
  // clang::CFG makes statements of its own for `int a, b;`.
  if (const auto *Made = dyn_cast_or_null<DeclStmt>(At);
      Made && Made->isSingleDecl())
    At = Declarations.lookup(Made->getSingleDecl());
  return At && Parents.hasParent(At) ? At : nullptr;
}

/// Returns true if a use of \p O that has no place in the text is of no
/// interest: the initialisation of a parameter happens before all statements, a
/// reference never changes, and an unnamed object that the compiler makes is
/// used in one statement only.
static bool needsNoStatement(const ir::Object &O) {
  return O.What == ir::Object::Temporary ||
         (O.What == ir::Object::Local &&
          (isa_and_nonnull<ParmVarDecl>(O.Decl) ||
           O.SourceType->isReferenceType()));
}

/// Returns the same for an access to \p Address.
bool StatementEffects::needsNoStatement(ir::ValueId Address) const {
  return llvm::all_of(Code->rootsOf(Address), [&](ir::ObjectId Id) {
    return cudaopt::needsNoStatement(Code->object(Id));
  });
}

/// Returns where to record what happens at \p Where, an access to \p Address if
/// that is not 0; null if nothing needs to be recorded.
Effects *StatementEffects::effectsAt(const ir::Anchor &Where,
                                     ir::ValueId Address) {
  if (const Stmt *At = attribute(Where))
    return &Own[At];
  if (Where.Path || Where.Node || !Address || !needsNoStatement(Address))
    IsUnknown = true;
  return nullptr;
}

bool StatementEffects::isInside(const Stmt *S, const Stmt *Whole) const {
  while (S && S != Whole)
    S = Parents.getParent(S);
  return S;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void StatementEffects::touch(Effects &E, ir::ObjectId Id, Use U) const {
  const ir::Object &O = Code->object(Id);
  const auto *Var = dyn_cast_or_null<VarDecl>(O.Decl);
  switch (O.What) {
  case ir::Object::Shared:
    E.Shared[Var] |= U;
    return;
  case ir::Object::Local:
  case ir::Object::Parameter:
    // A callee's local variable lives during the call only.
    if (Var && Var->getParentFunctionOrMethod() == Kernel)
      E.Locals[Var] |= U;
    return;
  case ir::Object::Temporary:
    E.Temporaries[Id] |= U;
    return;
  case ir::Object::Pointee:
    if (Var && Var->getType()->isPointerType())
      E.Pointees[Var] |= U;
    else
      E.Elsewhere |= U;
    return;
  case ir::Object::Constant:
    E.Elsewhere |= {false, U.Writes};
    return;
  case ir::Object::Unknown:
  case ir::Object::DynamicShared:
  case ir::Object::Global:
    E.Elsewhere |= U;
    return;
  }
}

/// Adds the use \p U of all that \p Pointer may point to.
void StatementEffects::touchTargets(Effects &E, ir::ValueId Pointer,
                                    Use U) const {
  for (ir::ObjectId Id : Code->rootsOf(Pointer))
    touch(E, Id, U);
}

void StatementEffects::addOperation(const ir::Operation &O) {
  const bool IsPlain =
      O.What == ir::Operation::Load || O.What == ir::Operation::Store;
  Effects *E = effectsAt(O.Where, IsPlain ? O.Address : 0);
  if (!E)
    return;
  // Instructions may depend on one another in other ways, such as by the carry.
  E->IsOrdered |= O.IsVolatile || O.IsAsynchronous ||
                  isa_and_nonnull<AsmStmt>(O.Where.Node);
  switch (O.What) {
  case ir::Operation::Load:
  case ir::Operation::Store:
  case ir::Operation::Copy:
  case ir::Operation::Known:
    for (const ir::Touch &T : ir::touchesOf(O))
      touchTargets(*E, T.Address, {T.Reads, T.Writes});
    return;
  case ir::Operation::Barrier:
    E->HasBarrier |= O.Extent == ir::Scope::Block;
    E->IsOrdered |= !isPlainBarrier(O.Where.Node);
    return;
  case ir::Operation::Atomic:
    touchTargets(*E, O.Address, Both);
    break;
  case ir::Operation::Opaque:
    for (ir::ObjectId Id : O.Mentions)
      touch(*E, Id, Both);
    for (ir::ValueId Operand : O.Operands)
      touchTargets(*E, Operand, Both);
    break;
  case ir::Operation::Fence:
  case ir::Operation::Shuffle:
  case ir::Operation::Sample:
  case ir::Operation::Commit:
  case ir::Operation::Wait:
    break;
  }
  E->IsOrdered = true;
}

void StatementEffects::addVariableUse(const ir::VariableUse &U) {
  const Use Direction = U.IsStore ? Write : Read;
  if (const Stmt *At = attribute(U.Where))
    return touch(Own[At], U.Variable, Direction);
  IsUnknown |= U.Where.Path || U.Where.Node ||
               !cudaopt::needsNoStatement(Code->object(U.Variable));
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

static void addName(const NamedDecl *D, Effects &E) {
  if (D->getIdentifier())
    E.Names.insert(D->getName());
  if (const auto *Binding = dyn_cast<BindingDecl>(D))
    D = cast<ValueDecl>(Binding->getDecomposedDecl());
  const auto *Var = dyn_cast<VarDecl>(D);
  if (Var && Var->hasLocalStorage())
    E.Locals[Var] |= Read;
}

/// Adds the declarations of \p S; its names reach out of the statement only if
/// \p IsOuter.
static void addDeclarations(const DeclStmt *S, bool IsOuter, Effects &E) {
  for (const Decl *D : S->decls()) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (Var && Var->hasLocalStorage())
      E.Locals[Var] |= Write;
    if (!IsOuter)
      continue;
    // All others declare more names than their own (enumerators, members of
    // anonymous unions), or change what other names mean.
    E.IsOrdered |= !isa<VarDecl, TypedefNameDecl, StaticAssertDecl>(D);
    if (const auto *Named = dyn_cast<NamedDecl>(D);
        Named && Named->getIdentifier())
      E.Declared.insert(Named->getName());
    if (const auto *Whole = dyn_cast<DecompositionDecl>(D))
      for (const BindingDecl *Binding : Whole->bindings())
        E.Declared.insert(Binding->getName());
  }
}

/// Adds the identifiers in the text of \p S as it is written.
void StatementEffects::addWords(const Stmt *S, Effects &E) const {
  const ASTContext &Context = Kernel->getASTContext();
  const llvm::StringRef Text =
      Lexer::getSourceText(CharSourceRange::getTokenRange(S->getSourceRange()),
                           Context.getSourceManager(), Context.getLangOpts());
  for (size_t Begin = 0; Begin != Text.size();) {
    size_t End = Begin;
    while (End != Text.size() && isAsciiIdentifierContinue(Text[End]))
      ++End;
    if (End != Begin)
      E.Names.insert(Text.slice(Begin, End));
    Begin = std::max(End, Begin + 1);
  }
}

/// Adds the identifier with which a node begins that a macro has written.
void StatementEffects::addSpelling(SourceLocation Loc, Effects &E) const {
  if (!Loc.isMacroID())
    return;
  const ASTContext &Context = Kernel->getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation At = SM.getSpellingLoc(Loc);
  bool IsInvalid = false;
  const char *Begin = SM.getCharacterData(At, &IsInvalid);
  if (!IsInvalid)
    E.Names.insert(llvm::StringRef(
        Begin, Lexer::MeasureTokenLength(At, SM, Context.getLangOpts())));
}

/// Adds what \p S declares and names, and whether control may leave or enter it
/// in the middle.
void StatementEffects::addNames(const Stmt *S, Effects &E) const {
  addWords(S, E);
  forEachNode(S, [&](const DynTypedNode &N) {
    addSpelling(N.getSourceRange().getBegin(), E);
    if (const auto *Ref = N.get<DeclRefExpr>())
      addName(Ref->getDecl(), E);
    else if (const NamedDecl *Type = findNamedType(N))
      addName(Type, E);
    else if (const auto *Declares = N.get<DeclStmt>())
      addDeclarations(Declares, /*IsOuter=*/Declares == S, E);
    else if (const auto *Assembly = N.get<GCCAsmStmt>())
      E.IsOrdered |= Assembly->isVolatile();
    else if (N.get<GotoStmt>() || N.get<LabelStmt>() || N.get<AddrLabelExpr>())
      E.Leaves = true;
    else if (const auto *Return = N.get<ReturnStmt>())
      E.Leaves |= !isInsideOf<LambdaExpr>(Return, Parents);
  });
}

Effects StatementEffects::of(const Stmt *S) const {
  Effects Found;
  Found.IsOrdered = IsUnknown;
  for (const auto &[At, Each] : Own)
    if (isInside(At, S))
      Found |= Each;
  addNames(S, Found);
  return Found;
}

} // namespace cudaopt
