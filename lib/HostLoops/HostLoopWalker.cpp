// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the statements of a host loop's body, its declarations and its
/// assignments.
//===----------------------------------------------------------------------===//

#include "HostLoopBuilder.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace cudaopt {

bool isHostScalar(QualType Type) {
  Type = Type.getCanonicalType().getUnqualifiedType();
  if (const auto *Enum = Type->getAs<EnumType>())
    return Enum->getDecl()->isComplete();
  const auto *Builtin = Type->getAs<BuiltinType>();
  if (!Builtin || !Type->isArithmeticType())
    return false;
  switch (Builtin->getKind()) {
  case BuiltinType::LongDouble:
  case BuiltinType::Int128:
  case BuiltinType::UInt128:
  case BuiltinType::Half:
  case BuiltinType::Float16:
  case BuiltinType::BFloat16:
  case BuiltinType::Float128:
  case BuiltinType::Ibm128:
    return false;
  default:
    return true;
  }
}

/// Returns the reason that fits best for a statement that no body may contain.
static Reason findStatementReason(const Stmt *S) {
  switch (S->getStmtClass()) {
  case Stmt::ReturnStmtClass:
    return Reason::LoopReturn;
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
  case Stmt::LabelStmtClass:
    return Reason::LoopGoto;
  case Stmt::SwitchStmtClass:
    return Reason::LoopSwitch;
  case Stmt::CXXTryStmtClass:
    return Reason::LoopException;
  case Stmt::CoreturnStmtClass:
    return Reason::LoopCoroutine;
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    return Reason::LoopAssembly;
  default:
    return Reason::LoopStatement;
  }
}

/// Reads a statement of the body; returns false if the loop is refused.
bool HostLoopBuilder::visit(const Stmt *S) {
  if (const auto *E = dyn_cast<Expr>(S))
    return visitEffect(E);
  switch (S->getStmtClass()) {
  case Stmt::NullStmtClass:
  case Stmt::ContinueStmtClass:
    return true;
  case Stmt::CompoundStmtClass:
    return llvm::all_of(S->children(),
                        [&](const Stmt *Child) { return visit(Child); });
  case Stmt::DeclStmtClass:
    return visitDeclaration(cast<DeclStmt>(S));
  case Stmt::AttributedStmtClass: {
    const auto *Inner = cast<AttributedStmt>(S);
    if (findMark(Inner))
      return refuse(Reason::LoopAgain, S);
    return visit(Inner->getSubStmt());
  }
  case Stmt::IfStmtClass: {
    const auto *If = cast<IfStmt>(S);
    if (If->getInit() || If->getConditionVariable() || If->isConsteval())
      return refuse(Reason::LoopStatement, S, "if with a declaration");
    if (If->isConstexpr() && L.Function->isTemplateInstantiation())
      return refuse(Reason::LoopStatement, S, "if constexpr in a template");
    if (std::optional<HostUpdate> Update = findSharedUpdate(If)) {
      const Expr *Store = getGuardedExpr(If);
      L.GuardedUpdates[If] = Store;
      View->claim(If);
      return visitValue(Update->Value) &&
             visitAssignment(Store, Update->Target, Update);
    }
    return visitValue(If->getCond()) && visit(If->getThen()) &&
           (!If->getElse() || visit(If->getElse()));
  }
  case Stmt::ForStmtClass: {
    const auto *For = cast<ForStmt>(S);
    if (For->getConditionVariable())
      return refuse(Reason::LoopStatement, S, "for with a declaration");
    return visitLoop(For->getInit(), For->getCond(), For->getInc(),
                     For->getBody());
  }
  case Stmt::WhileStmtClass: {
    const auto *While = cast<WhileStmt>(S);
    if (While->getConditionVariable())
      return refuse(Reason::LoopStatement, S, "while with a declaration");
    return visitLoop(nullptr, While->getCond(), nullptr, While->getBody());
  }
  case Stmt::DoStmtClass:
    return visitLoop(nullptr, cast<DoStmt>(S)->getCond(), nullptr,
                     cast<DoStmt>(S)->getBody());
  case Stmt::BreakStmtClass:
    return Depth > 0 || refuse(Reason::LoopBreak, S);
  case Stmt::CXXForRangeStmtClass:
    return refuse(Reason::LoopRangeFor, S, "inside of it");
  default:
    return refuse(findStatementReason(S), S, S->getStmtClassName());
  }
}

/// Reads an inner loop, of which a for has all four parts.
bool HostLoopBuilder::visitLoop(const Stmt *Init, const Expr *Condition,
                                const Expr *Increment, const Stmt *Body) {
  if (Init && !visit(Init))
    return false;
  if (Condition && !visitValue(Condition))
    return false;
  if (Increment && !visitEffect(Increment))
    return false;
  ++Depth;
  const bool IsRead = visit(Body);
  --Depth;
  return IsRead;
}

bool HostLoopBuilder::visitDeclaration(const DeclStmt *S) {
  for (const Decl *D : S->decls()) {
    if (isa<StaticAssertDecl>(D))
      continue;
    const auto *V = dyn_cast<VarDecl>(D);
    if (!V)
      return refuse(Reason::LoopLocalType, S, "a type");
    if (!visitLocal(V))
      return false;
  }
  return true;
}

/// Reads the declaration of a variable of the body, a number or an array of
/// numbers.
bool HostLoopBuilder::visitLocal(const VarDecl *V) {
  const SourceLocation Loc = V->getLocation();
  QualType Type = V->getType();
  if (V->isStaticLocal() || V->getTSCSpec() != TSCS_unspecified)
    return refuse(Reason::LoopStatic, Loc, V->getName());
  if (Type->isReferenceType())
    return refuse(Reason::LoopReference, Loc, V->getName());
  if (Type->isPointerType())
    return refuse(Reason::LoopPointer, Loc, V->getName());
  if (Type.isVolatileQualified())
    return refuse(Reason::LoopVolatile, Loc, V->getName());
  while (const auto *Array = Context.getAsConstantArrayType(Type))
    Type = Array->getElementType();
  if (const auto *Record = Type->getAsCXXRecordDecl();
      Record && Record->isLambda())
    return refuse(Reason::LoopLambda, Loc, V->getName());
  if (!isHostScalar(Type))
    return refuse(Reason::LoopType, Loc, Type.getAsString());
  L.Locals.insert(V);
  if (V->getInit())
    View->claim(V->getInit());
  return !V->getInit() || visitList(V->getInit());
}

/// Reads the initial value of a variable, or those of an array.
bool HostLoopBuilder::visitList(const Expr *Init) {
  if (isa<ImplicitValueInitExpr>(Init))
    return true;
  if (const auto *List = dyn_cast<InitListExpr>(Init->IgnoreImplicit()))
    return llvm::all_of(List->inits(),
                        [&](const Expr *Each) { return visitList(Each); });
  return visitValue(Init);
}

/// Returns the update that \p S makes if its target is shared by the
/// iterations: an array element, or a reduction variable. An update of a local
/// variable is an ordinary assignment.
std::optional<HostUpdate>
HostLoopBuilder::findSharedUpdate(const Stmt *S) const {
  std::optional<HostUpdate> Update = findUpdate(S, Context);
  if (!Update)
    return Update;
  std::optional<HostElement> Element = getHostElement(Update->Target);
  std::optional<HostPath> Path =
      getHostPath(Element ? Element->Base : Update->Target);
  const bool IsOwn = Path && Path->Root && Path->Fields.empty() &&
                     L.Locals.contains(Path->Root);
  const bool IsShared =
      !IsOwn &&
      (Element || isRangeVariable(Update->Target) ||
       (Path && Variables.roleOf(Update->Target) == HostRole::Reduction));
  return IsShared ? Update : std::nullopt;
}

/// Reads an expression whose value is not used: an assignment, increment, or
/// comma.
bool HostLoopBuilder::visitEffect(const Expr *E) {
  if (const auto *Whole = dyn_cast<ExprWithCleanups>(E))
    return visitEffect(Whole->getSubExpr());
  const Expr *Inner = E->IgnoreParens();
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner)) {
    if (Binary->getOpcode() == BO_Comma)
      return visitEffect(Binary->getLHS()) && visitEffect(Binary->getRHS());
    if (Binary->isAssignmentOp()) {
      std::optional<HostUpdate> Update = findSharedUpdate(Binary);
      if (Update)
        View->claim(Binary);
      return visitValue(Update ? Update->Value : Binary->getRHS()) &&
             visitAssignment(Binary, Binary->getLHS()->IgnoreParens(), Update);
    }
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
      Unary && Unary->isIncrementDecrementOp())
    return visitAssignment(Unary, Unary->getSubExpr()->IgnoreParens(),
                           findSharedUpdate(Unary));
  return visitValue(E);
}

/// Reads the assignment \p Whole to \p Target, whose value has been read
/// already. \p Update tells its form if it is a shared update.
bool HostLoopBuilder::visitAssignment(const Expr *Whole, const Expr *Target,
                                      const std::optional<HostUpdate> &Update) {
  View->claim(Target);
  if (Target->getType().isVolatileQualified()) {
    std::optional<HostElement> Element = getHostElement(Target);
    std::optional<HostPath> Path =
        getHostPath(Element ? Element->Base : Target);
    return refuse(Reason::LoopVolatile, Target,
                  Path ? Path->text() : "what is assigned");
  }
  if (!isHostScalar(Target->getType())) {
    if (Target->getType()->isPointerType())
      return refuse(Reason::LoopPointer, Target,
                    getHostPath(Target) ? getHostPath(Target)->text() : "this");
    return refuse(Reason::LoopType, Target, Target->getType().getAsString());
  }
  HostAccess Access{.Ref = Target, .Assignment = Whole, .Update = Update};
  if (isRangeVariable(Target) && L.Iterator.Range == HostRange::Reference)
    return visitElement({Target, {}}, std::move(Access));
  if (std::optional<HostElement> Element = getHostElement(Target))
    return visitElement(*Element, std::move(Access));
  if (const auto *Member = dyn_cast<MemberExpr>(Target))
    if (std::optional<HostElement> Element = getHostElement(Member->getBase()))
      return refuse(Reason::LoopMember, Target,
                    getHostPath(Element->Base)
                        ? getHostPath(Element->Base)->text()
                        : "an array");
  return visitWrittenScalar(Whole, Target, Update);
}

/// Reads an assignment to a variable that is no element. A local or a
/// privatizable variable may change freely, a reduction becomes an array of one
/// element, and all else carries a value between iterations.
bool HostLoopBuilder::visitWrittenScalar(
    const Expr *Whole, const Expr *Target,
    const std::optional<HostUpdate> &Update) {
  std::optional<HostPath> Path = getHostPath(Target);
  if (!Path)
    return refuse(Reason::LoopExpression, Target, Target->getStmtClassName());
  if (Target->refersToBitField()) // A bit-field has no address.
    return refuse(Reason::LoopType, Target, "bit-field");
  if (Path->Root && Path->Fields.empty()) {
    if (Path->Root == L.Iterator.Variable)
      return refuse(Reason::LoopIteratorChanged, Target, Path->Root->getName());
    if (L.Locals.contains(Path->Root))
      return true;
  }
  switch (Variables.roleOf(Target)) {
  case HostRole::Private:
    if (View->isLiveOut(Path->Root))
      return refuse(Reason::LoopLiveOut, Target, Path->text());
    if (!llvm::is_contained(L.Privates, Path->Root))
      L.Privates.push_back(Path->Root);
    return true;
  case HostRole::Reduction: {
    std::optional<HostArrayId> Array = findArray(Target);
    return Array && addAccess({.Ref = Target,
                               .Array = *Array,
                               .Assignment = Whole,
                               .Update = Update});
  }
  default:
    return refuse(Reason::LoopCarried, Target, Path->text());
  }
}

namespace {

/// What a text names that a struct in front of its function could not name,
/// since a function or class declares it, and where its types depend on the
/// type of a variable, which may be another one in the struct.
struct NamedTypes {
  explicit NamedTypes(const llvm::SmallPtrSetImpl<const VarDecl *> &Locals)
      : Locals(Locals) {}

  void add(const DynTypedNode &N) {
    const NamedDecl *Named = findNamedType(N);
    if (const auto *Use = N.get<DeclRefExpr>();
        Use && isa<EnumConstantDecl>(Use->getDecl()))
      Named = Use->getDecl();
    if (Named && !Local && !isOfFile(Named))
      Local = Named;
    if (const auto *Loc = N.get<DecltypeTypeLoc>())
      addOperand(Loc->getUnderlyingExpr());
    else if (const auto *Loc = N.get<TypeOfExprTypeLoc>())
      addOperand(Loc->getUnderlyingExpr());
    else if (const auto *Assertion = N.get<StaticAssertDecl>())
      addOperand(Assertion->getAssertExpr());
    else if (const auto *Loc = N.get<ArrayTypeLoc>())
      if (!nodesIn<DeclRefExpr>(Loc->getSizeExpr()).empty() ||
          !nodesIn<MemberExpr>(Loc->getSizeExpr()).empty())
        VariableSize = Loc->getBeginLoc();
  }

  const llvm::SmallPtrSetImpl<const VarDecl *> &Locals;
  const NamedDecl *Local = nullptr;
  /// An expression whose type the text asks for (decltype, typeof).
  const Stmt *Typed = nullptr;
  SourceLocation VariableSize;

private:
  /// Notes the first variable in an operand of decltype, typeof or
  /// static_assert: in the struct, arrays and variables of the loop have other
  /// types.
  void addOperand(const Stmt *Operand) {
    for (const Stmt *S : nodesIn<Stmt>(Operand)) {
      const auto *Use = dyn_cast<DeclRefExpr>(S);
      const auto *V = Use ? dyn_cast<VarDecl>(Use->getDecl()) : nullptr;
      if (!Typed && (isa<MemberExpr, CXXThisExpr>(S) ||
                     (V && !Locals.contains(V) &&
                      !(V->isConstexpr() && V->isFileVarDecl()))))
        Typed = S;
    }
  }
  static bool isOfFile(const NamedDecl *D) {
    const DeclContext *Scope = D->getDeclContext();
    if (const auto *Enum = dyn_cast<EnumDecl>(Scope))
      Scope = Enum->getDeclContext();
    return Scope->getRedeclContext()->isFileContext();
  }
};

} // namespace

/// Checks the types that the body names: a struct in front of the function must
/// be able to name them, too.
bool HostLoopBuilder::visitTypes() {
  NamedTypes Types(L.Locals);
  forEachNode(L.Body, [&](const DynTypedNode &N) { Types.add(N); });
  if (Types.Typed)
    return refuse(
        Reason::LoopTypeOf, Types.Typed,
        Lexer::getSourceText(
            CharSourceRange::getTokenRange(Types.Typed->getSourceRange()),
            Context.getSourceManager(), Context.getLangOpts()));
  if (Types.Local)
    return refuse(Reason::LoopLocalType, L.Loop, Types.Local->getName());
  if (Types.VariableSize.isValid())
    return refuse(Reason::LoopLocalArray, Types.VariableSize, "an array");
  return true;
}

} // namespace cudaopt
