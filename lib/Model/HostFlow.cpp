// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Follows numbers and dim3 variables through the statements of a host
/// function, in the order of execution, up to the launches.
///
/// The operands of most expressions are evaluated in no fixed order. So a full
/// expression is seen as one step: what it assigns has no value in it, unless
/// the assignment is all that it does.
//===----------------------------------------------------------------------===//

#include "AssignedVariables.h"
#include "HostConstants.h"
#include "HostFolding.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {

void HostConstants::State::forget(const VarDecl *Variable) {
  Numbers.erase(Variable);
  Dims.erase(Variable);
}

static bool areSame(const Dim3Value &A, const Dim3Value &B) { return A == B; }

/// Two values of one variable.
static bool areSame(const APValue &A, const APValue &B) {
  if (A.isInt() && B.isInt())
    return A.getInt() == B.getInt();
  return A.isFloat() && B.isFloat() &&
         A.getFloat().bitwiseIsEqual(B.getFloat());
}

template <class Map> static void meetMaps(Map &Mine, const Map &Others) {
  llvm::SmallVector<const VarDecl *, 8> Lost;
  for (const auto &[Variable, Value] : Mine) {
    auto It = Others.find(Variable);
    if (It == Others.end() || !areSame(It->second, Value))
      Lost.push_back(Variable);
  }
  for (const VarDecl *Variable : Lost)
    Mine.erase(Variable);
}

void HostConstants::State::meet(const State &Other) {
  meetMaps(Numbers, Other.Numbers);
  meetMaps(Dims, Other.Dims);
}

namespace {

/// Looks for what the order of the statements does not tell: labels, to which
/// jumps lead, and functions that return twice.
class JumpFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitLabelStmt(LabelStmt *) override { return !(Found = true); }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee)
      return true;
    const StringRef Name =
        Callee->getIdentifier() ? Callee->getName() : StringRef();
    Found |= Callee->hasAttr<ReturnsTwiceAttr>() || Name.contains("setjmp");
    return !Found;
  }
  bool Found = false;
};

/// What an assignment changes: a variable, or one member of a dim3.
struct HostTarget {
  const VarDecl *Variable = nullptr;
  std::optional<unsigned> Member;
};

class HostFlow {
public:
  explicit HostFlow(HostConstants &Constants, const ASTContext &Context)
      : Constants(Constants), Context(Context) {}
  void walk(const Stmt *S);

private:
  using Variables = llvm::SmallVector<const VarDecl *, 8>;

  void walkIf(const IfStmt *If);
  void walkRepeated(const Stmt *S);
  void walkSwitch(const SwitchStmt *Switch);
  void walkExpr(const Expr *E);
  bool walkAssignment(const Expr *E, const Variables &Assigned);
  void declare(const VarDecl *Variable);
  HostTarget findTarget(const Expr *E) const;
  HostValue read(const HostTarget &Target, QualType Type) const;
  HostValue update(const Expr *E, const HostTarget &Target);
  void set(const HostTarget &Target, const HostValue &Value);
  void forget(const Variables &All);

  HostConstants &Constants;
  const ASTContext &Context;
  /// What the switches around assign: each case begins without it.
  llvm::SmallVector<const Stmt *, 2> Switches;
};

/// Notes the values of the arguments of launches in an expression.
class LaunchNoter : public DynamicRecursiveASTVisitor {
public:
  explicit LaunchNoter(HostConstants &Constants) : Constants(Constants) {}

  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Launch) override {
    if (const CallExpr *Config = Launch->getConfig())
      for (unsigned I = 0; I < Config->getNumArgs() && I < 3; ++I)
        note(Config->getArg(I));
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && Callee->getIdentifier() && Call->getNumArgs() >= 5 &&
        Callee->getName().starts_with("cudaLaunch"))
      for (unsigned I : {1u, 2u, 4u}) // Grid, block, dynamic shared memory.
        note(Call->getArg(I));
    return true;
  }
  void note(const Expr *Argument) {
    if (Argument->getType()->isIntegralOrEnumerationType()) {
      if (HostValue Number = Constants.evaluate(Argument))
        Constants.KnownNumbers[Argument] = *Number;
    } else if (auto Value = Constants.evaluateDim3(Argument)) {
      Constants.KnownDims[Argument] = *Value;
    }
  }

private:
  HostConstants &Constants;
};

} // namespace

void HostFlow::forget(const Variables &All) {
  for (const VarDecl *Variable : All)
    Constants.Now.forget(Variable);
}

void HostFlow::declare(const VarDecl *Variable) {
  const Expr *Init = Variable->getInit();
  Constants.Now.forget(Variable);
  if (!Init)
    return;
  walkExpr(Init);
  if (const auto *List = dyn_cast<InitListExpr>(Init);
      List && Variable->getType()->isArrayType())
    for (const Expr *Element : List->inits())
      LaunchNoter(Constants).note(Element);
  if (!Constants.isTracked(Variable))
    return;
  if (isHostNumber(Variable->getType()))
    set({Variable, {}}, Constants.evaluate(Init));
  else if (auto Dims = Constants.evaluateDim3(Init);
           Dims && isDim3(Variable->getType()))
    Constants.Now.Dims[Variable] = *Dims;
}

HostTarget HostFlow::findTarget(const Expr *E) const {
  E = E->IgnoreParens();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return {Constants.getTracked(Member->getBase()), getDim3Member(Member)};
  const VarDecl *Variable = Constants.getTracked(E);
  return {isHostNumber(E->getType()) ? Variable : nullptr, std::nullopt};
}

HostValue HostFlow::read(const HostTarget &Target, QualType Type) const {
  const HostConstants::State &Now = Constants.Now;
  if (!Target.Member) {
    auto It = Now.Numbers.find(Target.Variable);
    return It == Now.Numbers.end() ? HostValue() : It->second;
  }
  auto It = Now.Dims.find(Target.Variable);
  if (It == Now.Dims.end())
    return std::nullopt;
  const llvm::APInt Bits(32, It->second[*Target.Member]);
  return APValue(llvm::APSInt(Bits, /*isUnsigned=*/true));
}

void HostFlow::set(const HostTarget &Target, const HostValue &Value) {
  if (!Value)
    return Constants.Now.forget(Target.Variable);
  if (!Target.Member) {
    Constants.Now.Numbers[Target.Variable] = *Value;
    return;
  }
  auto It = Constants.Now.Dims.find(Target.Variable);
  if (It != Constants.Now.Dims.end())
    It->second[*Target.Member] = Value->getInt().getZExtValue();
}

/// The value that `x = v`, `x += v` or `++x` leaves in \p Target.
HostValue HostFlow::update(const Expr *E, const HostTarget &Target) {
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (Binary && Binary->getOpcode() == BO_Assign)
    return Constants.evaluate(Binary->getRHS());
  const Expr *Place =
      Binary ? Binary->getLHS() : cast<UnaryOperator>(E)->getSubExpr();
  const QualType Type = Place->getType();
  const HostValue Old = read(Target, Type);
  if (!Old)
    return std::nullopt;
  HostValue Operand;
  QualType OperandType, LeftType, Computed;
  BinaryOperatorKind Op;
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(E)) {
    Operand = Constants.evaluate(Compound->getRHS());
    OperandType = Compound->getRHS()->getType();
    LeftType = Compound->getComputationLHSType();
    Computed = Compound->getComputationResultType();
    Op = BinaryOperator::getOpForCompoundAssignment(Compound->getOpcode());
  } else {
    LeftType = Context.isPromotableIntegerType(Type)
                   ? Context.getPromotedIntegerType(Type)
                   : Type;
    OperandType = Computed = LeftType;
    const APValue One(llvm::APSInt(llvm::APInt(32, 1), /*isUnsigned=*/false));
    Operand = Constants.convert(One, Context.IntTy, LeftType);
    Op = cast<UnaryOperator>(E)->isIncrementOp() ? BO_Add : BO_Sub;
  }
  HostValue Left = Constants.convert(*Old, Type, LeftType);
  if (!Left || !Operand)
    return std::nullopt;
  HostValue New =
      Constants.compute(Op, *Left, LeftType, *Operand, OperandType, Computed);
  return New ? Constants.convert(*New, Computed, Type) : std::nullopt;
}

/// Handles \p E if it only gives one variable, or member, a value.
bool HostFlow::walkAssignment(const Expr *E, const Variables &Assigned) {
  if (Assigned.size() != 1)
    return false;
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  const auto *Unary = dyn_cast<UnaryOperator>(E);
  const Expr *Place = nullptr;
  if (Binary && Binary->isAssignmentOp())
    Place = Binary->getLHS();
  else if (Unary && Unary->isIncrementDecrementOp())
    Place = Unary->getSubExpr();
  if (Place) {
    const HostTarget Target = findTarget(Place);
    if (!Target.Variable ||
        (isa<MemberExpr>(Place->IgnoreParens()) && !Target.Member))
      return false;
    const HostValue New = update(E, Target);
    LaunchNoter(Constants).TraverseStmt(const_cast<Expr *>(E));
    set(Target, New);
    return true;
  }
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
  const VarDecl *Whole = Call && Call->getOperator() == OO_Equal
                             ? Constants.getTracked(Call->getArg(0))
                             : nullptr;
  if (!Whole || !isDim3(Whole->getType()))
    return false;
  const auto New = Constants.evaluateDim3(Call->getArg(1));
  LaunchNoter(Constants).TraverseStmt(const_cast<Expr *>(E));
  Constants.Now.forget(Whole);
  if (New)
    Constants.Now.Dims[Whole] = *New;
  return true;
}

void HostFlow::walkExpr(const Expr *E) {
  const Expr *Inner = E->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(Inner))
    return walkExpr(Full->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(Inner);
      Cast && Cast->getCastKind() == CK_ToVoid)
    return walkExpr(Cast->getSubExpr());
  if (const auto *Op = dyn_cast<BinaryOperator>(Inner); Op && Op->isCommaOp()) {
    walkExpr(Op->getLHS());
    return walkExpr(Op->getRHS());
  }
  const Variables Assigned = findAssignedVariables(Inner);
  if (walkAssignment(Inner, Assigned))
    return;
  forget(Assigned);
  LaunchNoter(Constants).TraverseStmt(const_cast<Expr *>(Inner));
}

void HostFlow::walkIf(const IfStmt *If) {
  if (If->getInit())
    walk(If->getInit());
  if (If->getConditionVariableDeclStmt())
    walk(If->getConditionVariableDeclStmt());
  if (If->getCond())
    walkExpr(If->getCond());
  HostConstants::State Before = Constants.Now;
  walk(If->getThen());
  HostConstants::State Then = std::move(Constants.Now);
  Constants.Now = std::move(Before);
  if (If->getElse())
    walk(If->getElse());
  Constants.Now.meet(Then);
}

/// A statement whose parts run any number of times, in any order: loops, try
/// and catch.
void HostFlow::walkRepeated(const Stmt *S) {
  const Variables Assigned = findAssignedVariables(S);
  const auto *For = dyn_cast<ForStmt>(S);
  if (For && For->getInit())
    walk(For->getInit());
  for (const Stmt *Child : S->children()) {
    if (!Child || (For && Child == For->getInit()))
      continue;
    forget(Assigned);
    walk(Child);
  }
  forget(Assigned);
}

void HostFlow::walkSwitch(const SwitchStmt *Switch) {
  Switches.push_back(Switch);
  walkRepeated(Switch);
  Switches.pop_back();
}

void HostFlow::walk(const Stmt *S) {
  if (!S)
    return;
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : Block->body())
      walk(Child);
  } else if (const auto *Declarations = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declarations->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(D))
        declare(Variable);
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    walkIf(If);
  } else if (const auto *E = dyn_cast<Expr>(S)) {
    walkExpr(E);
  } else if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    if (Return->getRetValue())
      walkExpr(Return->getRetValue());
  } else if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    walkSwitch(Switch);
  } else if (const auto *Case = dyn_cast<SwitchCase>(S)) {
    if (!Switches.empty())
      forget(findAssignedVariables(Switches.back()));
    walk(Case->getSubStmt());
  } else if (isa<OMPExecutableDirective>(S)) {
    forget(findAssignedVariables(S)); // Other threads run parts of it.
  } else {
    walkRepeated(S);
  }
}

void HostConstants::follow(const FunctionDecl *Function) {
  JumpFinder Jumps;
  Jumps.TraverseStmt(Function->getBody());
  Now = State();
  if (!Jumps.Found)
    HostFlow(*this, Context).walk(Function->getBody());
  Now = State();
}

} // namespace cudaopt
