// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects the launches of a translation unit and decides with which shapes
/// each kernel runs, including those of launches that are not visible here.
//===----------------------------------------------------------------------===//

#include "cudaopt/Launches/LaunchTable.h"
#include "cudaopt/IR/OwnDeclarations.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

/// Finds launches, and all other uses of kernels and of pointers to them. The
/// other uses are why it does not ask ir::findLaunches(): what a name means is
/// known after the launches and calls that contain it.
class LaunchFinder {
public:
  explicit LaunchFinder(LaunchTable &Table) : Table(Table) {}

  void find(const Decl *D) {
    auto visitNode = [&](const DynTypedNode &N, NodePath Around) {
      if (const auto *E = N.get<Expr>())
        visit(E, Around);
      return true;
    };
    walkNodes(D, visitNode, {.Instances = true});
  }

private:
  void visit(const Expr *E, NodePath Around) {
    if (const auto *Call = dyn_cast<CallExpr>(E))
      visitCall(Call, Around);
    else if (const auto *Cast = dyn_cast<CastExpr>(E))
      visitCast(Cast);
    else if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      visitName(Ref, Around);
    else if (const auto *Lambda = dyn_cast<LambdaExpr>(E))
      // Instances of a generic lambda are implicit: nothing else leads to them.
      if (const FunctionTemplateDecl *Generic =
              Lambda->getDependentCallOperator())
        for (const FunctionDecl *Instance : Generic->specializations())
          find(Instance);
  }
  void visitCall(const CallExpr *Call, NodePath Around) {
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && Callee->getIdentifier())
      visitCallOf(Callee->getName(), Call, Around);
    if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(Call)) {
      const CallExpr *Config = Launch->getConfig();
      if (!Launch->isTypeDependent() && Config && Config->getNumArgs() >= 2)
        addLaunch(Launch, Launch->getCallee(), Around);
    }
  }
  void visitCallOf(StringRef Name, const CallExpr *Call, NodePath Around) {
    bool IsLaunch =
        Name == "cudaLaunchKernel" || Name == "cudaLaunchCooperativeKernel";
    if (IsLaunch && Call->getNumArgs() >= 3)
      addLaunch(Call, Call->getArg(0), Around);
    // These functions ask about a kernel, or set an attribute of it; any other
    // function that gets a kernel may launch it.
    bool IsQuery =
        Name.starts_with("cudaFunc") || Name.starts_with("cudaOccupancy");
    for (const Expr *Argument : Call->arguments()) {
      const DeclRefExpr *Ref = getReference(Argument);
      if (const DeclRefExpr *Pointer = getPointerRef(Argument->IgnoreCasts());
          IsQuery && getPointer(Pointer))
        Direct.insert(Pointer);
      if (Ref && IsQuery)
        Direct.insert(Ref);
      else if (Ref)
        addEscape(Ref);
    }
  }
  void visitCast(const CastExpr *Cast) {
    // Where a `void *` goes is not followed.
    if (Cast->getType()->isVoidPointerType())
      if (const DeclRefExpr *Ref = getReference(Cast->getSubExpr()))
        addEscape(Ref);
  }
  void visitName(const DeclRefExpr *Ref, NodePath Around) {
    if (Direct.contains(Ref))
      return;
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && isOwnPointer(Var) && Var != findHolder(Around))
      Table.Leaking.insert(Var->getCanonicalDecl());
    const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl());
    if (!Function || !Function->hasAttr<CUDAGlobalAttr>())
      return;
    Table.AddressTaken.insert(Function->getCanonicalDecl());
    Table.Named.try_emplace(Function->getCanonicalDecl(), Ref->getLocation());
    const VarDecl *Holder = findHolder(Around);
    Table.Holders[Function->getCanonicalDecl()].push_back(
        Holder ? Holder->getCanonicalDecl() : nullptr);
  }

  /// Returns the function around a node; null outside of functions.
  static const FunctionDecl *findFunction(NodePath Around) {
    for (const DynTypedNode &Each : llvm::reverse(Around)) {
      if (const auto *Function = Each.get<FunctionDecl>())
        return Function;
      if (const auto *Lambda = Each.get<LambdaExpr>())
        return Lambda->getCallOperator();
    }
    return nullptr;
  }
  /// Returns the pointer variable that gets the value of an expression; null
  /// for other variables and uses. A structured binding gives its parts other
  /// names, and what an instance of a variable template gets is not followed.
  static const VarDecl *findHolder(NodePath Around) {
    for (const DynTypedNode &Each : llvm::reverse(Around)) {
      if (Each.get<LambdaExpr>())
        return nullptr;
      if (const auto *Var = Each.get<VarDecl>();
          Var && Var->getKind() == Decl::Var)
        return isOwnPointer(Var) ? Var : nullptr;
      if (const auto *Op = Each.get<BinaryOperator>();
          Op && !Op->isCompoundAssignmentOp())
        return Op->getOpcode() == BO_Assign ? getPointer(Op->getLHS())
                                            : nullptr;
    }
    return nullptr;
  }

  /// Returns true for a pointer to functions, or an array of such, that other
  /// files cannot name.
  static bool isOwnPointer(const VarDecl *Var) {
    const ASTContext &Context = Var->getASTContext();
    return !Var->getType()->isReferenceType() && !isa<ParmVarDecl>(Var) &&
           Context.getBaseElementType(Var->getType())
               ->isFunctionPointerType() &&
           !Var->isExternallyVisible();
  }

  /// Returns the pointer variable, or the array of pointers, that \p E names or
  /// subscripts; null for other expressions and variables.
  static const VarDecl *getPointer(const Expr *E) {
    return getPointer(getPointerRef(E));
  }
  static const VarDecl *getPointer(const DeclRefExpr *Ref) {
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return Var && isOwnPointer(Var) ? Var : nullptr;
  }
  static const DeclRefExpr *getPointerRef(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      E = Sub->getBase()->IgnoreParenImpCasts();
    return dyn_cast<DeclRefExpr>(E);
  }

  static const DeclRefExpr *getReference(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      E = Op->getSubExpr()->IgnoreParenCasts();
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    return Ref && isa<FunctionDecl>(Ref->getDecl()) ? Ref : nullptr;
  }

  void addEscape(const DeclRefExpr *Ref) {
    const auto *Function = cast<FunctionDecl>(Ref->getDecl());
    if (!Function->hasAttr<CUDAGlobalAttr>() || Direct.contains(Ref))
      return;
    Table.Escaped.insert(Function->getCanonicalDecl());
    Table.Named.try_emplace(Function->getCanonicalDecl(), Ref->getLocation());
  }

  void addLaunch(const Expr *Launch, const Expr *Callee, NodePath Around) {
    const FunctionDecl *Caller = findFunction(Around);
    const bool IsPattern = Caller && Caller->isDependentContext();
    if (const DeclRefExpr *Ref = getReference(Callee)) {
      Direct.insert(Ref);
      if (IsPattern)
        // The instances of a template are what runs; they are traversed as
        // well.
        return;
      const auto *Function = cast<FunctionDecl>(Ref->getDecl());
      Table.ByKernel[Function->getCanonicalDecl()].push_back(
          {Launch, Caller, Ref->getLocation()});
      return;
    }
    if (const DeclRefExpr *Ref = getPointerRef(Callee); getPointer(Ref))
      Direct.insert(Ref);
    QualType Type = Callee->getType();
    if (Type->isPointerType())
      Type = Type->getPointeeType();
    Table.ByPointerType[Table.getPointerKey(Type)].push_back(
        {Launch, Caller, Launch->getExprLoc()});
  }

  LaunchTable &Table;
  llvm::DenseSet<const DeclRefExpr *> Direct;
};

/// Returns the key of a function type in ByPointerType. Exception
/// specifications are dropped: a pointer to a function that may throw may point
/// to one that does not.
QualType LaunchTable::getPointerKey(QualType Type) const {
  if (!Type->isFunctionProtoType())
    return Type.getCanonicalType();
  return Context.getFunctionTypeWithExceptionSpec(Type, EST_None)
      .getCanonicalType();
}

LaunchTable::LaunchTable(ASTContext &Context)
    : LaunchTable(Context, listOwnDeclarations(Context)) {}

LaunchTable::LaunchTable(ASTContext &Context, llvm::ArrayRef<Decl *> Own)
    : Context(Context), Launches(Context, Own) {
  LaunchFinder Finder(*this);
  for (const Decl *D : Own)
    Finder.find(D);
}

/// Returns false if no device runs blocks of that shape.
static bool isBlock(const LaunchArguments::Extents &Threads) {
  for (unsigned I = 0; I != 3; ++I)
    if (Threads[I] == 0 || Threads[I] > MaxBlockExtents[I])
      return false;
  return Threads[0] * Threads[1] * Threads[2] <= MaxBlockExtents[0];
}

/// Returns the shape that \p Site gives; std::nullopt if no run gets there.
std::optional<BlockShape> LaunchTable::shapeOf(const LaunchSite &Site) const {
  const LaunchArguments Asked = Launches.find(Site.Launch, Site.Around);
  if (Asked.IsDead)
    return std::nullopt;
  BlockShape Shape;
  Shape.DynamicBytes = Asked.DynamicBytes;
  if (!Asked.Block || !isBlock(*Asked.Block))
    return Shape;
  Shape.Threads = *Asked.Block;
  Shape.MaxThreads = Shape.numThreads();
  Shape.Origin = ShapeOrigin::Launch;
  if (Asked.Grid && !llvm::is_contained(*Asked.Grid, 0))
    Shape.Grid = *Asked.Grid;
  return Shape;
}

LaunchTable::Shapes LaunchTable::shapesAt(llvm::ArrayRef<LaunchSite> Of) const {
  Shapes Result;
  for (const LaunchSite &Site : Of)
    if (std::optional<BlockShape> Shape = shapeOf(Site))
      Result.push_back(*Shape);
  return Result;
}

static bool areEqual(const BlockShape &A, const BlockShape &B) {
  return A.Threads == B.Threads && A.Grid == B.Grid && A.Origin == B.Origin &&
         A.DynamicBytes == B.DynamicBytes;
}

/// Returns the shape that stands for launches whose arguments are not known:
/// that of the author's mark or of the option, or a bound of the number of
/// threads.
static BlockShape
getFallback(const FunctionDecl *Kernel,
            std::optional<std::array<uint32_t, 3>> FromOption) {
  BlockShape Shape;
  const auto Marked = findAssumedBlock(Kernel);
  if (Marked || FromOption) {
    Shape.Threads = Marked ? *Marked : *FromOption;
    Shape.MaxThreads = Shape.numThreads();
    Shape.Origin = Marked ? ShapeOrigin::Mark : ShapeOrigin::Option;
    return Shape;
  }
  const auto *Bounds = Kernel->getAttr<CUDALaunchBoundsAttr>();
  Expr::EvalResult Max;
  if (Bounds && !Bounds->getMaxThreads()->isValueDependent() &&
      Bounds->getMaxThreads()->EvaluateAsInt(Max, Kernel->getASTContext())) {
    const llvm::APSInt Threads = Max.Val.getInt();
    if (Threads > 0 && Threads <= 1024) {
      Shape.MaxThreads = Threads.getExtValue();
      Shape.Origin = ShapeOrigin::LaunchBounds;
    }
  }
  return Shape;
}

/// Returns true if launches that this file does not show may run the rewritten
/// text of \p Kernel: the kernel is in a header that other files include.
static bool runsElsewhere(const FunctionDecl *Kernel, HeaderUse Headers) {
  const SourceManager &SM = Kernel->getASTContext().getSourceManager();
  const FunctionDecl *Written = Kernel->getTemplateInstantiationPattern();
  if (Headers == HeaderUse::NotWritten ||
      SM.isInMainFile(
          SM.getExpansionLoc((Written ? Written : Kernel)->getLocation())))
    return false;
  // The one-definition rule allows a single file to define it, so no other file
  // includes the header.
  if (Kernel->isExternallyVisible() && !Written && !Kernel->isInlined())
    return false;
  if (Headers == HeaderUse::Shared)
    return true;
  return Kernel->isExternallyVisible() &&
         !(Written && Headers == HeaderUse::OwnTemplates);
}

bool mayBeLaunchedElsewhere(const FunctionDecl *Kernel) {
  return Kernel->isExternallyVisible() &&
         (Kernel->getTemplateSpecializationKind() !=
              TSK_ImplicitInstantiation ||
          Kernel->getASTContext().getLangOpts().GPURelocatableDeviceCode);
}

std::string nameInObjects(const FunctionDecl *Function) {
  ASTContext &Context = Function->getASTContext();
  const std::unique_ptr<MangleContext> Names(Context.createMangleContext());
  if (!Function->hasAttr<CUDAGlobalAttr>() ||
      !Names->shouldMangleDeclName(Function))
    return ASTNameGenerator(Context).getName(Function);
  // Clang gives the kernel's host stub another name; nvcc does not.
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  Names->mangleName(GlobalDecl(Function, KernelReferenceKind::Kernel), OS);
  return Name;
}

const KernelUse *findInProgram(const FunctionDecl *Kernel,
                               const LaunchOptions &Options) {
  if (!Options.Program || !mayBeLaunchedElsewhere(Kernel))
    return nullptr;
  const auto Found = Options.Program->Kernels.find(nameInObjects(Kernel));
  return Found == Options.Program->Kernels.end() ? nullptr : &Found->second;
}

std::optional<Reason> LaunchTable::whyOpen(const FunctionDecl *Kernel,
                                           const LaunchOptions &Options) const {
  if (!Kernel->hasAttr<CUDAGlobalAttr>())
    return std::nullopt;
  if (Options.HostMayDiffer)
    return Reason::LaunchedOtherwise;
  if (Options.AssumeClosedWorld)
    return std::nullopt;
  if (mayBeLaunchedElsewhere(Kernel)) {
    if (!Options.Program)
      return Reason::LaunchedElsewhere;
    const auto *OfAll = findInProgram(Kernel, Options);
    if (!OfAll || !OfAll->IsOpen)
      return std::nullopt;
  } else if (!isLeaking(Kernel)) {
    return std::nullopt;
  }
  return Reason::AddressMayLaunch;
}

/// Returns true if the address of \p Kernel may get to functions of other
/// files.
bool LaunchTable::isLeaking(const FunctionDecl *Kernel) const {
  const auto Found = Holders.find(Kernel->getCanonicalDecl());
  return Found != Holders.end() &&
         llvm::any_of(Found->second, [&](const VarDecl *Holder) {
           return !Holder || Leaking.contains(Holder);
         });
}

std::pair<std::string, unsigned> findLine(SourceLocation Loc,
                                          const SourceManager &Sources) {
  Loc = Sources.getExpansionLoc(Loc);
  const auto File = Sources.getFileEntryRefForID(Sources.getFileID(Loc));
  if (!File)
    return {};
  StringRef Path = File->getFileEntry().tryGetRealPathName();
  return {(Path.empty() ? File->getName() : Path).str(),
          Sources.getExpansionLineNumber(Loc)};
}

bool LaunchTable::isOpenByAddress(const FunctionDecl *Kernel) const {
  const FunctionDecl *Key = Kernel->getCanonicalDecl();
  return isLeaking(Kernel) || Escaped.contains(Key) ||
         AddressTaken.contains(Key);
}

void LaunchTable::addTo(KernelUse &Use, const FunctionDecl *Kernel) const {
  const FunctionDecl *Key = Kernel->getCanonicalDecl();
  const SourceManager &Sources = Context.getSourceManager();
  for (const LaunchSite &Site : ByKernel.lookup(Key)) {
    const std::optional<BlockShape> Shape = shapeOf(Site);
    if (!Shape)
      continue;
    auto [File, Line] = findLine(Site.Loc, Sources);
    Use.Launches.push_back({*Shape, std::move(File), Line});
  }
  if (Use.IsOpen || !isOpenByAddress(Kernel))
    return;
  Use.IsOpen = true;
  std::tie(Use.OpenFile, Use.OpenLine) = findLine(Named.lookup(Key), Sources);
}

/// Adds the shape of unknown launches, unless a shape that is there already
/// says as little.
static void addUnseen(std::vector<BlockShape> &Shapes,
                      const FunctionDecl *Kernel, bool HasDynamic) {
  if (llvm::any_of(Shapes, [&](const BlockShape &Known) {
        // An option or mark holds for all launches whose arguments are not
        // known.
        return Known.Origin == ShapeOrigin::Option ||
               Known.Origin == ShapeOrigin::Mark ||
               (!Known.isKnown() && (!HasDynamic || !Known.DynamicBytes));
      }))
    return;
  BlockShape &Unseen = Shapes.emplace_back(getFallback(Kernel, std::nullopt));
  Unseen.IsUnseen = true;
}

std::vector<BlockShape> LaunchTable::shapesOf(const FunctionDecl *Kernel,
                                              const LaunchOptions &Options,
                                              bool HasDynamic) const {
  std::vector<BlockShape> Result = knownShapesOf(Kernel, Options);
  if (whyOpen(Kernel, Options))
    addUnseen(Result, Kernel, HasDynamic);
  return Result;
}

/// Collects the shapes of direct launches, of launches in other files, and of
/// launches through pointers of the kernel's type if its address is taken.
/// Where an unknown launch is possible, or no launch is found, the fallback is
/// one of them.
std::vector<BlockShape>
LaunchTable::knownShapesOf(const FunctionDecl *Kernel,
                           const LaunchOptions &Options) const {
  const FunctionDecl *Key = Kernel->getCanonicalDecl();
  Shapes Seen = shapesAt(ByKernel.lookup(Key));
  if (const auto *OfAll = findInProgram(Kernel, Options))
    for (const PlacedLaunch &Launch : OfAll->Launches)
      Seen.push_back(Launch.Block);
  if (AddressTaken.contains(Key)) {
    Shapes Pointed =
        shapesAt(ByPointerType.lookup(getPointerKey(Kernel->getType())));
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
      Shape = getFallback(Kernel, Options.Block);
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
