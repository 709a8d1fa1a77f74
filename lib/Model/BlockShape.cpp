// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockShape.h"
#include "ValueBuilder.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

static constexpr unsigned MaxDepth = 16;

namespace {
/// Evaluates arguments of launches: constants, and host variables that are
/// initialised and never changed.
class HostConstants {
public:
  explicit HostConstants(const ASTContext &Context) : Context(Context) {}

  std::optional<int64_t> evaluate(const Expr *E, unsigned Depth = 0);
  /// Returns the three members of a dim3.
  std::optional<std::array<uint32_t, 3>> evaluateDim3(const Expr *E,
                                                      unsigned Depth = 0);

  /// Variables that some statement may change after their initialisation.
  llvm::DenseSet<const VarDecl *> Changed;

private:
  const Expr *getInit(const Expr *E);
  const ASTContext &Context;
};
} // namespace

/// Returns the initialiser that a reference to a constant variable stands for.
const Expr *HostConstants::getInit(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var || isa<ParmVarDecl>(Var) || Var->getType().isVolatileQualified() ||
      Changed.contains(Var->getCanonicalDecl()))
    return nullptr;
  // Another file may change what it can name.
  if (!Var->getType().isConstQualified() && !Var->hasLocalStorage() &&
      Var->isExternallyVisible())
    return nullptr;
  return Var->getAnyInitializer();
}

std::optional<int64_t> HostConstants::evaluate(const Expr *E, unsigned Depth) {
  Expr::EvalResult Result;
  if (!E || E->isValueDependent() || Depth > MaxDepth)
    return std::nullopt;
  if (E->getType()->isIntegralOrEnumerationType() &&
      E->EvaluateAsInt(Result, Context))
    return Result.Val.getInt().getExtValue();
  E = E->IgnoreParenCasts();
  if (const Expr *Init = getInit(E))
    return evaluate(Init, Depth + 1);
  // block.x of a constant dim3.
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    StringRef Name = Member->getMemberDecl()->getName();
    auto Dim = evaluateDim3(Member->getBase(), Depth + 1);
    if (!Dim || Name.size() != 1 || Name[0] < 'x' || Name[0] > 'z')
      return std::nullopt;
    return (*Dim)[Name[0] - 'x'];
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op)
    return std::nullopt;
  std::optional<int64_t> L = evaluate(Op->getLHS(), Depth + 1),
                         R = evaluate(Op->getRHS(), Depth + 1);
  if (!L || !R || std::abs(*L) > INT32_MAX || std::abs(*R) > INT32_MAX)
    return std::nullopt;
  switch (Op->getOpcode()) {
  case BO_Add:
    return *L + *R;
  case BO_Sub:
    return *L - *R;
  case BO_Mul:
    return *L * *R;
  case BO_Div:
    return *R ? std::optional(*L / *R) : std::nullopt;
  case BO_Rem:
    return *R ? std::optional(*L % *R) : std::nullopt;
  case BO_Shl:
    return *L >= 0 && *R >= 0 && *R < 31 ? std::optional(*L << *R)
                                         : std::nullopt;
  case BO_Shr:
    return *L >= 0 && *R >= 0 && *R < 63 ? std::optional(*L >> *R)
                                         : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<std::array<uint32_t, 3>>
HostConstants::evaluateDim3(const Expr *E, unsigned Depth) {
  if (!E || Depth > MaxDepth)
    return std::nullopt;
  E = E->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
  if (E->getType()->isIntegralOrEnumerationType()) {
    std::optional<int64_t> N = evaluate(E, Depth + 1);
    if (!N || *N <= 0 || *N > INT32_MAX)
      return std::nullopt;
    return std::array<uint32_t, 3>{uint32_t(*N), 1, 1};
  }
  if (const Expr *Init = getInit(E))
    return evaluateDim3(Init, Depth + 1);
  const Expr *const *Arguments = nullptr;
  unsigned NumArguments = 0;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getConstructor()->isCopyOrMoveConstructor())
      return evaluateDim3(Construct->getArg(0), Depth + 1);
    Arguments = Construct->getArgs();
    NumArguments = Construct->getNumArgs();
  } else if (const auto *List = dyn_cast<InitListExpr>(E)) {
    Arguments = List->getInits();
    NumArguments = List->getNumInits();
  } else {
    return std::nullopt;
  }
  const auto *Record = E->getType()->getAsCXXRecordDecl();
  if (!Record || Record->getName() != "dim3" || NumArguments > 3 ||
      (NumArguments && !Arguments))
    return std::nullopt;
  std::array<uint32_t, 3> Result = {1, 1, 1};
  for (unsigned I = 0; I < NumArguments; ++I) {
    const Expr *Argument = Arguments[I];
    if (isa<CXXDefaultArgExpr>(Argument))
      continue;
    std::optional<int64_t> N = evaluate(Argument, Depth + 1);
    if (!N || *N <= 0 || *N > INT32_MAX)
      return std::nullopt;
    Result[I] = *N;
  }
  return Result;
}

namespace {
/// Finds host variables that are not constants: assigned, incremented, or
/// handed out by reference or address.
class ChangeFinder : public RecursiveASTVisitor<ChangeFinder> {
public:
  explicit ChangeFinder(llvm::DenseSet<const VarDecl *> &Changed)
      : Changed(Changed) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitImplicitCastExpr(ImplicitCastExpr *Cast) {
    if (Cast->getCastKind() != CK_LValueToRValue)
      return true;
    const Expr *Read = Cast->getSubExpr()->IgnoreParens();
    if (const auto *Member = dyn_cast<MemberExpr>(Read))
      Read = Member->getBase()->IgnoreParenImpCasts();
    Harmless.insert(Read);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) {
    if (Construct->getConstructor()->isCopyConstructor())
      Harmless.insert(Construct->getArg(0)->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && !Harmless.contains(Ref) && !Var->getType().isConstQualified())
      Changed.insert(Var->getCanonicalDecl());
    return true;
  }

private:
  llvm::DenseSet<const VarDecl *> &Changed;
  llvm::DenseSet<const Expr *> Harmless;
};
} // namespace

class LaunchFinder : public RecursiveASTVisitor<LaunchFinder> {
public:
  LaunchFinder(LaunchTable &Table, HostConstants &Constants)
      : Table(Table), Constants(Constants) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Launch) {
    const CallExpr *Config = Launch->getConfig();
    if (Launch->isTypeDependent() || !Config || Config->getNumArgs() < 2)
      return true;
    addLaunch(Launch->getCallee(), Config->getArg(0), Config->getArg(1));
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getIdentifier())
      return true;
    StringRef Name = Callee->getName();
    bool IsLaunch =
        Name == "cudaLaunchKernel" || Name == "cudaLaunchCooperativeKernel";
    if (IsLaunch && Call->getNumArgs() >= 3)
      addLaunch(Call->getArg(0), Call->getArg(1), Call->getArg(2));
    // These ask about a kernel, or set an attribute; any other function may
    // launch it.
    bool IsQuery =
        Name.starts_with("cudaFunc") || Name.starts_with("cudaOccupancy");
    for (const Expr *Argument : Call->arguments()) {
      const DeclRefExpr *Ref = getReference(Argument);
      if (Ref && IsQuery)
        Direct.insert(Ref);
      else if (Ref)
        addEscape(Ref);
    }
    return true;
  }
  bool VisitCastExpr(CastExpr *Cast) {
    // A `void *` may go anywhere.
    if (Cast->getType()->isVoidPointerType())
      if (const DeclRefExpr *Ref = getReference(Cast->getSubExpr()))
        addEscape(Ref);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl());
    if (Function && Function->hasAttr<CUDAGlobalAttr>() &&
        !Direct.contains(Ref))
      Table.AddressTaken.insert(Function->getCanonicalDecl());
    return true;
  }

private:
  static const DeclRefExpr *getReference(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      E = Op->getSubExpr()->IgnoreParenCasts();
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    return Ref && isa<FunctionDecl>(Ref->getDecl()) ? Ref : nullptr;
  }

  void addEscape(const DeclRefExpr *Ref) {
    const auto *Function = cast<FunctionDecl>(Ref->getDecl());
    if (Function->hasAttr<CUDAGlobalAttr>() && !Direct.contains(Ref))
      Table.Escaped.insert(Function->getCanonicalDecl());
  }

  void addLaunch(const Expr *Callee, const Expr *Grid, const Expr *Block) {
    BlockShape Shape;
    if (auto Threads = Constants.evaluateDim3(Block)) {
      uint64_t Total = uint64_t((*Threads)[0]) * (*Threads)[1] * (*Threads)[2];
      if (Total <= 1024) {
        Shape.Threads = *Threads;
        Shape.MaxThreads = Total;
        Shape.Origin = ShapeOrigin::Launch;
        Shape.Grid = Constants.evaluateDim3(Grid).value_or(Shape.Grid);
      }
    }
    if (const DeclRefExpr *Ref = getReference(Callee)) {
      Direct.insert(Ref);
      const auto *Function = cast<FunctionDecl>(Ref->getDecl());
      Table.ByKernel[Function->getCanonicalDecl()].push_back(Shape);
      return;
    }
    QualType Type = Callee->getType();
    if (Type->isPointerType())
      Type = Type->getPointeeType();
    Table.ByPointerType[Table.getPointerKey(Type)].push_back(Shape);
  }

  LaunchTable &Table;
  HostConstants &Constants;
  llvm::DenseSet<const DeclRefExpr *> Direct;
};

/// A pointer to a function that throws may point to one that does not.
QualType LaunchTable::getPointerKey(QualType Type) const {
  if (!Type->isFunctionProtoType())
    return Type.getCanonicalType();
  return Context.getFunctionTypeWithExceptionSpec(Type, EST_None)
      .getCanonicalType();
}

LaunchTable::LaunchTable(ASTContext &Context) : Context(Context) {
  HostConstants Constants(Context);
  ChangeFinder Changes(Constants.Changed);
  LaunchFinder Launches(*this, Constants);
  const SourceManager &SM = Context.getSourceManager();
  llvm::SmallVector<Decl *, 64> Mine;
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (!SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      Mine.push_back(D);
  for (Decl *D : Mine)
    Changes.TraverseDecl(D);
  for (Decl *D : Mine)
    Launches.TraverseDecl(D);
}

static bool areEqual(const BlockShape &A, const BlockShape &B) {
  return A.Threads == B.Threads && A.Grid == B.Grid && A.Origin == B.Origin;
}

/// Returns the shape that stands for launches whose arguments are not known.
static BlockShape getFallback(const ASTContext &Context,
                              const FunctionDecl *Kernel,
                              const ModelOptions &Options) {
  BlockShape Shape;
  if (Options.Block) {
    Shape.Threads = *Options.Block;
    Shape.MaxThreads = Shape.numThreads();
    Shape.Origin = ShapeOrigin::Option;
    return Shape;
  }
  const auto *Bounds = Kernel->getAttr<CUDALaunchBoundsAttr>();
  Expr::EvalResult Max;
  if (Bounds && !Bounds->getMaxThreads()->isValueDependent() &&
      Bounds->getMaxThreads()->EvaluateAsInt(Max, Context)) {
    int64_t Threads = Max.Val.getInt().getExtValue();
    if (Threads > 0 && Threads <= 1024) {
      Shape.MaxThreads = Threads;
      Shape.Origin = ShapeOrigin::LaunchBounds;
    }
  }
  return Shape;
}

std::vector<BlockShape>
LaunchTable::shapesOf(const FunctionDecl *Kernel,
                      const ModelOptions &Options) const {
  const FunctionDecl *Key = Kernel->getCanonicalDecl();
  Shapes Seen = ByKernel.lookup(Key);
  if (AddressTaken.contains(Key)) {
    Shapes Pointed = ByPointerType.lookup(getPointerKey(Kernel->getType()));
    if (Pointed.empty())
      Pointed.emplace_back();
    Seen.append(Pointed.begin(), Pointed.end());
  }
  if (Escaped.contains(Key))
    Seen.emplace_back();
  if (Seen.empty())
    Seen.emplace_back();
  std::vector<BlockShape> Result;
  for (BlockShape &Shape : Seen) {
    if (!Shape.isKnown())
      Shape = getFallback(Context, Kernel, Options);
    if (llvm::none_of(Result,
                      [&](const BlockShape &B) { return areEqual(B, Shape); }))
      Result.push_back(Shape);
  }
  // Launches that differ only in the grid are one shape of an unknown grid.
  for (size_t I = 0; I < Result.size(); ++I)
    for (size_t J = I + 1; J < Result.size();) {
      if (Result[J].Threads != Result[I].Threads) {
        ++J;
        continue;
      }
      Result[I].Grid = {};
      Result.erase(Result.begin() + J);
    }
  return Result;
}

} // namespace cudaopt
