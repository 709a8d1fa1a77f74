// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockShape.h"
#include "HostConstants.h"
#include "ValueBuilder.h"
#include "cudaopt/Model/OwnDeclarations.h"
#include "cudaopt/Model/SourceMarks.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

class LaunchFinder : public DynamicRecursiveASTVisitor {
public:
  LaunchFinder(LaunchTable &Table, HostConstants &Constants)
      : Table(Table), Constants(Constants) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitFunctionDecl(FunctionDecl *Function) override {
    if (Function->doesThisDeclarationHaveABody() &&
        !Function->isDependentContext())
      Constants.follow(Function);
    return true;
  }
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Launch) override {
    const CallExpr *Config = Launch->getConfig();
    if (Launch->isTypeDependent() || !Config || Config->getNumArgs() < 2)
      return true;
    addLaunch(Launch->getCallee(), Config->getArg(0), Config->getArg(1),
              Config->getNumArgs() > 2 ? Config->getArg(2) : nullptr);
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getIdentifier())
      return true;
    StringRef Name = Callee->getName();
    bool IsLaunch =
        Name == "cudaLaunchKernel" || Name == "cudaLaunchCooperativeKernel";
    if (IsLaunch && Call->getNumArgs() >= 3)
      addLaunch(Call->getArg(0), Call->getArg(1), Call->getArg(2),
                Call->getNumArgs() > 4 ? Call->getArg(4) : nullptr);
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
  bool VisitCastExpr(CastExpr *Cast) override {
    // A `void *` may go anywhere.
    if (Cast->getType()->isVoidPointerType())
      if (const DeclRefExpr *Ref = getReference(Cast->getSubExpr()))
        addEscape(Ref);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
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

  void addLaunch(const Expr *Callee, const Expr *Grid, const Expr *Block,
                 const Expr *Dynamic) {
    BlockShape Shape;
    if (!Dynamic || isa<CXXDefaultArgExpr>(Dynamic))
      Shape.DynamicBytes = 0;
    else if (auto Bytes = Constants.evaluate(Dynamic); Bytes && *Bytes >= 0)
      Shape.DynamicBytes = *Bytes;
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
  LaunchFinder Launches(*this, Constants);
  const std::vector<Decl *> Mine = listOwnDeclarations(Context);
  for (Decl *D : Mine)
    Constants.findChanges(D);
  for (Decl *D : Mine)
    Launches.TraverseDecl(D);
}

static bool areEqual(const BlockShape &A, const BlockShape &B) {
  return A.Threads == B.Threads && A.Grid == B.Grid && A.Origin == B.Origin &&
         A.DynamicBytes == B.DynamicBytes;
}

/// Returns the shape that stands for launches whose arguments are not known.
static BlockShape getFallback(const ASTContext &Context,
                              const FunctionDecl *Kernel,
                              const ModelOptions &Options) {
  BlockShape Shape;
  const auto Marked = findAssumedBlock(Kernel);
  if (Marked || Options.Block) {
    Shape.Threads = Marked ? *Marked : *Options.Block;
    Shape.MaxThreads = Shape.numThreads();
    Shape.Origin = Marked ? ShapeOrigin::Mark : ShapeOrigin::Option;
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

/// True if launches that this file does not show may run what becomes of the
/// text of \p Kernel.
static bool runsElsewhere(const FunctionDecl *Kernel, HeaderUse Headers) {
  const SourceManager &SM = Kernel->getASTContext().getSourceManager();
  const FunctionDecl *Written = Kernel->getTemplateInstantiationPattern();
  if (Headers == HeaderUse::NotWritten ||
      SM.isInMainFile(
          SM.getExpansionLoc((Written ? Written : Kernel)->getLocation())))
    return false;
  // No two files of a program may define it.
  if (Kernel->isExternallyVisible() && !Written && !Kernel->isInlined())
    return false;
  if (Headers == HeaderUse::Shared)
    return true;
  return Kernel->isExternallyVisible() &&
         !(Written && Headers == HeaderUse::OwnTemplates);
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
  if (Escaped.contains(Key) || runsElsewhere(Kernel, Options.Headers))
    Seen.emplace_back();
  if (Seen.empty())
    Seen.emplace_back();
  std::vector<BlockShape> Result;
  for (BlockShape &Shape : Seen) {
    if (!Shape.isKnown()) {
      std::optional<uint64_t> DynamicBytes = Shape.DynamicBytes;
      Shape = getFallback(Context, Kernel, Options);
      Shape.DynamicBytes = DynamicBytes;
    }
    if (llvm::none_of(Result,
                      [&](const BlockShape &B) { return areEqual(B, Shape); }))
      Result.push_back(Shape);
  }
  // Launches that differ only in the grid are one shape of an unknown grid.
  for (size_t I = 0; I < Result.size(); ++I)
    for (size_t J = I + 1; J < Result.size();) {
      if (Result[J].Threads != Result[I].Threads ||
          Result[J].DynamicBytes != Result[I].DynamicBytes) {
        ++J;
        continue;
      }
      Result[I].Grid = {};
      Result.erase(Result.begin() + J);
    }
  return Result;
}

} // namespace cudaopt
