// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Follows integers and dim3 variables through the statements of a host
/// function, in the order of execution, up to the launches.
//===----------------------------------------------------------------------===//

#include "AssignedVariables.h"
#include "HostConstants.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cudaopt {

void HostConstants::State::forget(const VarDecl *Variable) {
  Integers.erase(Variable);
  Dims.erase(Variable);
}

template <class Map> static void meetMaps(Map &Mine, const Map &Others) {
  llvm::SmallVector<const VarDecl *, 8> Lost;
  for (const auto &[Variable, Value] : Mine) {
    auto It = Others.find(Variable);
    if (It == Others.end() || It->second != Value)
      Lost.push_back(Variable);
  }
  for (const VarDecl *Variable : Lost)
    Mine.erase(Variable);
}

void HostConstants::State::meet(const State &Other) {
  meetMaps(Integers, Other.Integers);
  meetMaps(Dims, Other.Dims);
}

namespace {

class LabelFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitLabelStmt(LabelStmt *) override { return !(Found = true); }
  bool Found = false;
};

class HostFlow {
public:
  explicit HostFlow(HostConstants &Constants) : Constants(Constants) {}
  void walk(const Stmt *S);

private:
  void walkIf(const IfStmt *If);
  void walkRepeated(const Stmt *S);
  void walkExpr(const Expr *E);
  void declare(const VarDecl *Variable);
  void assign(const Expr *Target, const Expr *Value);
  void forgetTarget(const Expr *Target);
  void set(const VarDecl *Variable, const Expr *Value);
  void note(const Expr *Argument);

  HostConstants &Constants;
};

} // namespace

void HostFlow::set(const VarDecl *Variable, const Expr *Value) {
  std::optional<int64_t> Number;
  std::optional<Dim3Value> Dims;
  if (Variable->getType()->isIntegralOrEnumerationType())
    Number = Constants.evaluate(Value);
  else if (Variable->getType()->isRecordType())
    Dims = Constants.evaluateDim3(Value);
  Constants.Now.forget(Variable);
  if (!Constants.isTracked(Variable))
    return;
  if (Number)
    Constants.Now.Integers[Variable] = *Number;
  if (Dims)
    Constants.Now.Dims[Variable] = *Dims;
}

void HostFlow::declare(const VarDecl *Variable) {
  Constants.Now.forget(Variable);
  if (!Variable->hasInit())
    return;
  walkExpr(Variable->getInit());
  set(Variable, Variable->getInit());
  if (const auto *List = dyn_cast<InitListExpr>(Variable->getInit());
      List && Variable->getType()->isArrayType())
    for (const Expr *Element : List->inits())
      note(Element);
}

void HostFlow::forgetTarget(const Expr *Target) {
  Target = Target->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Target))
    Target = Member->getBase();
  if (const VarDecl *Variable = Constants.getTracked(Target))
    Constants.Now.forget(Variable);
}

/// `n = value`, `threads = value` or `threads.x = value`.
void HostFlow::assign(const Expr *Target, const Expr *Value) {
  Target = Target->IgnoreParenImpCasts();
  if (const VarDecl *Variable = Constants.getTracked(Target))
    return set(Variable, Value);
  const auto *Member = dyn_cast<MemberExpr>(Target);
  const VarDecl *Whole =
      Member ? Constants.getTracked(Member->getBase()) : nullptr;
  if (!Whole)
    return;
  auto It = Constants.Now.Dims.find(Whole);
  StringRef Name = Member->getMemberDecl()->getName();
  std::optional<int64_t> Number = Constants.evaluate(Value);
  bool IsSize = Number && *Number > 0 && *Number <= INT32_MAX;
  if (It == Constants.Now.Dims.end() || !IsSize || Name.size() != 1 ||
      Name[0] < 'x' || Name[0] > 'z')
    return Constants.Now.forget(Whole);
  It->second[Name[0] - 'x'] = *Number;
}

void HostFlow::note(const Expr *Argument) {
  if (Argument->getType()->isIntegralOrEnumerationType()) {
    if (std::optional<int64_t> Number = Constants.evaluate(Argument))
      Constants.KnownIntegers[Argument] = *Number;
    return;
  }
  if (std::optional<Dim3Value> Value = Constants.evaluateDim3(Argument))
    Constants.Known[Argument] = *Value;
}

/// Operands first; what an expression may or may not evaluate is forgotten.
void HostFlow::walkExpr(const Expr *E) {
  if (isa<LambdaExpr>(E))
    return;
  bool IsPartial = isa<AbstractConditionalOperator>(E);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    IsPartial |= Op->isLogicalOp();
  for (const Stmt *Child : E->children())
    if (const auto *Operand = dyn_cast_or_null<Expr>(Child))
      walkExpr(Operand);
  if (IsPartial)
    for (const VarDecl *Variable : findAssignedVariables(E))
      Constants.Now.forget(Variable);
  if (const auto *Op = dyn_cast<BinaryOperator>(E);
      Op && Op->isAssignmentOp()) {
    if (Op->getOpcode() == BO_Assign)
      assign(Op->getLHS(), Op->getRHS());
    else
      forgetTarget(Op->getLHS());
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->isIncrementDecrementOp())
    forgetTarget(Op->getSubExpr());
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
      Call && Call->getOperator() == OO_Equal && Call->getNumArgs() == 2)
    assign(Call->getArg(0), Call->getArg(1));
  if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(E)) {
    if (const CallExpr *Config = Launch->getConfig())
      for (unsigned I = 0; I < Config->getNumArgs() && I < 3; ++I)
        note(Config->getArg(I));
  } else if (const auto *Call = dyn_cast<CallExpr>(E);
             Call && Call->getNumArgs() >= 5) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && Callee->getIdentifier() &&
        Callee->getName().starts_with("cudaLaunch"))
      for (unsigned I : {1u, 2u, 4u}) // Grid, block, dynamic shared memory.
        note(Call->getArg(I));
  }
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

/// A statement whose parts run any number of times, in any order.
void HostFlow::walkRepeated(const Stmt *S) {
  const auto Assigned = findAssignedVariables(S);
  auto Forget = [&] {
    for (const VarDecl *Variable : Assigned)
      Constants.Now.forget(Variable);
  };
  const auto *For = dyn_cast<ForStmt>(S);
  if (For && For->getInit())
    walk(For->getInit());
  Forget();
  for (const Stmt *Child : S->children()) {
    if (!Child || (For && Child == For->getInit()))
      continue;
    walk(Child);
  }
  Forget();
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
  } else {
    walkRepeated(S);
  }
}

void HostConstants::follow(const FunctionDecl *Function) {
  LabelFinder Labels;
  Labels.TraverseStmt(Function->getBody());
  Now = State();
  if (!Labels.Found)
    HostFlow(*this).walk(Function->getBody());
  Now = State();
}

} // namespace cudaopt
