// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the models of all kernels of a translation unit: lists the launches
/// of each, walks its text once for each instance, and proves which subscripts
/// stay in bounds. A `__device__` function that declares arrays is treated as a
/// kernel of its own, with an instance for each kernel that calls it.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/KernelBuilder.h"
#include "AccessRelation.h"
#include "ArrayDeclaration.h"
#include "ArrayParts.h"
#include "KernelWalker.h"
#include "MissedUses.h"
#include "PlausibleShapes.h"
#include "cudaopt/IR/OwnDeclarations.h"
#include "cudaopt/Model/ValueInterval.h"
#include "cudaopt/Source/SourceText.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace clang;

namespace cudaopt {
namespace {

/// The specialisations of one function as written; the function itself if it is
/// no template.
using Specialisations = llvm::SmallVector<const FunctionDecl *, 2>;

/// Builds the model of one function as written.
class KernelBuilder {
public:
  KernelBuilder(ASTContext &Context, const IslContext &Isl,
                const ModelOptions &Options, const LaunchTable &Launches,
                const CallTable &Calls)
      : Context(Context), Isl(Isl), Options(Options), Launches(Launches),
        Calls(Calls) {}

  /// Adds a kernel that may call device functions.
  void addRoot(const FunctionDecl *Root) { Roots.push_back(Root); }

  Kernel build(const FunctionDecl *Written,
               llvm::ArrayRef<const FunctionDecl *> Functions, bool HasError);

private:
  void refuseAll(Kernel &K, Reason Why);
  void addInstances(Kernel &K, const FunctionDecl *Owner);
  bool addInstance(Kernel &K, const FunctionDecl *Root,
                   const FunctionDecl *Owner, const BlockShape &Block);
  void countSharedMemory(const FunctionDecl *Root,
                         KernelInstance &Instance) const;
  bool isOnlyExtern(const FunctionDecl *Root, const VarDecl *Var) const;
  std::vector<BlockShape> listShapes(const FunctionDecl *Root,
                                     const Kernel &K) const;
  void prove(KernelInstance &Instance, Kernel &K);

  ASTContext &Context;
  const IslContext &Isl;
  const ModelOptions &Options;
  const LaunchTable &Launches;
  const CallTable &Calls;
  std::vector<const FunctionDecl *> Roots;
  std::map<const FunctionDecl *, std::shared_ptr<KernelCode>> Codes;
  CallRecord Record; ///< The calls that the walks of the current kernel follow.
};

} // namespace

/// Returns the `__shared__` variables that \p Function declares, and those of
/// file scope that it names.
static llvm::SmallVector<const VarDecl *, 4>
findSharedVariables(const FunctionDecl *Function) {
  llvm::SmallVector<const VarDecl *, 4> Found;
  forEachNode(Function->getBody(), [&](const DynTypedNode &N) {
    const auto *Var = N.get<VarDecl>();
    if (const auto *Ref = N.get<DeclRefExpr>()) {
      Var = dyn_cast<VarDecl>(Ref->getDecl());
      if (!Var || !Var->isFileVarDecl() || llvm::is_contained(Found, Var))
        return;
    }
    if (Var && Var->hasAttr<CUDASharedAttr>())
      Found.push_back(Var);
  });
  return Found;
}

/// Returns the user's kernels and device functions, with their specialisations.
static llvm::MapVector<const FunctionDecl *, Specialisations>
findFunctions(const ASTContext &Context) {
  llvm::MapVector<const FunctionDecl *, Specialisations> Found;
  for (const FunctionDecl *Function :
       ownNodes<FunctionDecl>(Context, {.Instances = true})) {
    if (!Function->doesThisDeclarationHaveABody() ||
        !(Function->hasAttr<CUDAGlobalAttr>() ||
          Function->hasAttr<CUDADeviceAttr>()) ||
        isOfSystem(Function))
      continue;
    if (Function->isDependentContext()) {
      Found.insert({Function, {}});
      continue;
    }
    const FunctionDecl *Written = Function->getTemplateInstantiationPattern();
    Found[Written ? Written : Function].push_back(Function);
  }
  return Found;
}

void KernelBuilder::refuseAll(Kernel &K, Reason Why) {
  for (SharedArray &Array : K.Arrays)
    Array.Refusals.insert(Array.Refusals.begin(),
                          {Why, "", Array.Decl->getLocation()});
}

/// Refuses an array of which \p A may copy bytes from more than one row.
static void refuseRun(const Access &A, const KernelInstance &Instance,
                      SharedArray &Array) {
  const ArrayShape &Shape = Instance.Shapes[A.Array];
  const std::optional<int64_t> Bytes = Instance.Values.asConstant(A.Run->Bytes);
  const bool IsWhole =
      Bytes && *Bytes > int64_t(Shape.Extents.back() * Shape.ElementSize);
  Array.refuse({IsWhole ? Reason::CopiedAsWhole : Reason::CopyLeavesRow,
                A.Run->Call->getDirectCallee()->getNameAsString(),
                A.Run->Call->getExprLoc()});
}

/// Proves the bounds that decide whether a layout is legal: first by intervals,
/// which is cheap, then by isl, which also gives the relations.
void KernelBuilder::prove(KernelInstance &Instance, Kernel &K) {
  AccessRelations Relations(Instance, Isl);
  for (Access &A : Instance.Accesses) {
    A.InnerSubscriptsInBounds = Options.AssumeInBounds;
    if (Options.AssumeInBounds)
      A.BoundsTrust = Trust::ClosedWorld;
    if (A.isOpaque())
      continue;
    ValueIntervals Intervals(Instance, A);
    auto IsInRange = [&](ValueId Value, uint64_t Extent) {
      return Intervals.isInRange(Value, Extent) ||
             Isl.proves([&] { return Relations.isInRange(Value, Extent, A); });
    };
    const ArrayShape &Shape = Instance.Shapes[A.Array];
    if (K.Arrays[A.Array].Whole || K.hasParts(A.Array))
      A.OutermostInBounds = IsInRange(A.Index[0], Shape.Extents[0]);
    A.InnerSubscriptsInBounds = true;
    // For an unknown launch, a subscript that leaves its row may be believed
    // not to occur: it is undefined behaviour, like one that leaves the array.
    const bool MayBelieve = Instance.Block.IsUnseen;
    for (size_t I = 1; I < A.Index.size() && !Options.AssumeInBounds; ++I) {
      const bool IsProved =
          MayBelieve ? Intervals.isInRange(A.Index[I], Shape.Extents[I])
                     : IsInRange(A.Index[I], Shape.Extents[I]);
      if (!IsProved && MayBelieve)
        A.BoundsTrust = Trust::ClosedWorld;
      A.InnerSubscriptsInBounds &= IsProved || MayBelieve;
    }
    // A copy from column c on must end inside the row or at its end. A constant
    // number of bytes from a subscript on is like a wider access.
    auto EndsInRow = [&](size_t I, uint64_t RowLength) {
      const uint64_t Bytes = RowLength * Shape.ElementSize;
      return !A.Run || (IsInRange(A.Run->Bytes, Bytes + 1) &&
                        ((MayBelieve && Shape.Extents.size() > 1 &&
                          Instance.Values.asConstant(A.Run->Bytes)) ||
                         IsInRange(A.Run->Ends[I], Bytes + 1)));
    };
    for (auto [I, Split] : llvm::enumerate(A.Splits)) {
      uint64_t NumRows = llvm::divideCeil(Shape.Extents[0], Split.Pitch);
      if ((!A.Split || Split.Pitch < A.Split->Pitch) &&
          IsInRange(Split.Rest, Split.Pitch) &&
          IsInRange(Split.RowValue, NumRows) && EndsInRow(I, Split.Pitch))
        A.Split = Split;
    }
    const bool IsFlat = Shape.Extents.size() == 1;
    if (A.Run && !(IsFlat ? A.Split.has_value()
                          : A.InnerSubscriptsInBounds &&
                                EndsInRow(0, Shape.Extents.back())))
      refuseRun(A, Instance, K.Arrays[A.Array]);
    if (Options.WantsRelations)
      Isl.attempt([&] {
        A.Relation = Relations.computeRelation(A, K.Arrays[A.Array].Name,
                                               Relations.computeDomain(A));
      });
  }
}

/// Returns the function's name as its author writes it. For clang, `operator T
/// *` of a template converts to a type without a name.
static std::string nameAsWritten(const FunctionDecl &Function) {
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  Function.printNestedNameSpecifier(OS);
  OS << Function.getNameInfo().getAsString();
  return Name;
}

/// Sums up the bytes of the `__shared__` variables that a block of \p Root has,
/// and notes which functions declare them.
void KernelBuilder::countSharedMemory(const FunctionDecl *Root,
                                      KernelInstance &Instance) const {
  uint64_t &Bytes = Instance.StaticSharedBytes;
  llvm::SmallPtrSet<const VarDecl *, 8> Seen;
  for (const FunctionDecl *Function : Calls.reachedFrom(Root)) {
    if (isLibraryFunction(Context, Function))
      continue;
    for (const VarDecl *Var : findSharedVariables(Function)) {
      if (Function != Root && Var->isLocalVarDecl())
        Instance.SharedOwners.insert(
            nameAsWritten(*getWrittenDefinition(Function)));
      QualType Type = Var->getType();
      if (Type->isIncompleteType() || Type->isDependentType() ||
          !Seen.insert(Var->getCanonicalDecl()).second)
        continue;
      Bytes = llvm::alignTo(Bytes, Context.getDeclAlign(Var).getQuantity()) +
              Context.getTypeSizeInChars(Type).getQuantity();
    }
  }
}

/// Returns the offset at which the compiler puts \p Var if the variables before
/// it take \p End bytes; moves \p End behind it. Variables of unknown size come
/// after all others, and so do arrays of one element, which the compiler turns
/// into scalars; 0 is returned for both.
static uint64_t placeVariable(const ASTContext &Context, const VarDecl *Var,
                              uint64_t &End) {
  QualType Type = Var->getType();
  if (Type->isIncompleteType() || Type->isDependentType())
    return 0;
  if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type);
      Array && Context.getConstantArrayElementCount(Array) == 1)
    return 0;
  uint64_t Begin = llvm::alignTo(End, Context.getDeclAlign(Var).getQuantity());
  End = Begin + Context.getTypeSizeInChars(Type).getQuantity();
  return Begin;
}

/// Returns true if \p Var is the only name by which a block of \p Root knows
/// its dynamic shared memory: all `extern` arrays begin at the same address.
bool KernelBuilder::isOnlyExtern(const FunctionDecl *Root,
                                 const VarDecl *Var) const {
  for (const FunctionDecl *Function : Calls.reachedFrom(Root))
    for (const VarDecl *Other : findSharedVariables(Function))
      if (Other != Var && Other->getType()->isIncompleteArrayType())
        return false;
  return true;
}

/// Adds an instance with the arrays that \p Owner declares, as the kernel
/// \p Root uses them: \p Owner itself, or one that calls it. Returns false if
/// the walk of \p Root does not get to \p Owner.
bool KernelBuilder::addInstance(Kernel &K, const FunctionDecl *Root,
                                const FunctionDecl *Owner,
                                const BlockShape &Block) {
  auto Instance = std::make_unique<KernelInstance>();
  Instance->Decl = Root;
  std::shared_ptr<KernelCode> &OfRoot = Codes[Root];
  if (!OfRoot)
    OfRoot = std::make_shared<KernelCode>(Root);
  Instance->Code = OfRoot;
  Instance->Block = Block;
  countSharedMemory(Root, *Instance);
  Instance->Shapes.resize(K.Arrays.size());
  llvm::DenseMap<const VarDecl *, ArrayId> Arrays;
  const auto Variables = findSharedVariables(Owner);
  std::optional<BoundKernel> Code;
  if (llvm::any_of(Variables, [](const VarDecl *Var) {
        return Var->getType()->isArrayType();
      })) {
    if (!Instance->Code->live()) {
      refuseAll(K, Reason::UnstructuredControl);
      return Root == Owner;
    }
    Code.emplace(*Instance->Code, *Instance);
  }
  // The compiler places variables in the order of their declarations.
  uint64_t End = 0;
  for (const VarDecl *Var : Variables) {
    const uint64_t Begin = placeVariable(Context, Var, End);
    if (!Var->getType()->isArrayType())
      continue;
    ArrayId Id = findOrAddArray(K, Var);
    Instance->Shapes.resize(K.Arrays.size());
    Instance->Shapes[Id] = getDeclaredShape(Var);
    if (K.Arrays[Id].IsExtern && Block.DynamicBytes && isOnlyExtern(Root, Var))
      setDynamicSize(Instance->Shapes[Id], Var, *Block.DynamicBytes);
    if (exceedsMemory(Instance->Shapes[Id])) {
      K.Arrays[Id].Refusals.push_back(
          {Reason::ExceedsMemory, "", Var->getLocation()});
      Instance->Shapes[Id] = {};
    }
    Instance->Shapes[Id].BaseAlignment = llvm::MinAlign(Begin, 16);
    if (!Var->isFileVarDecl() &&
        (!K.Arrays[Id].IsExtern || !Instance->Shapes[Id].Extents.empty()))
      Arrays[Var] = Id;
    if (Root == Owner && K.Arrays[Id].IsExtern && Arrays.contains(Var))
      addParts(K, *Instance, *Code, Var, Arrays);
  }
  bool IsReached = Root == Owner;
  if (!Arrays.empty()) {
    KernelWalker Walker(Context, K, *Instance, *Code, Arrays, Calls, Record);
    Walker.walk();
    refuseMissedUses(K, *Instance, *Instance->Code->live(), Arrays);
    IsReached |= Walker.entered(Owner);
    if (Block.Origin == ShapeOrigin::Assumed && !isPlausible(*Instance))
      return IsReached;
    assignAccessesToParts(K, *Instance);
    prove(*Instance, K);
    blockLeftParts(K, *Instance);
  }
  K.Instances.push_back(std::move(Instance));
  return IsReached;
}

/// Returns the shapes of the launches of \p Root; if \p K has arrays, also
/// those that launches of unknown shape may plausibly have.
std::vector<BlockShape> KernelBuilder::listShapes(const FunctionDecl *Root,
                                                  const Kernel &K) const {
  const bool HasDynamic = llvm::any_of(
      K.Arrays, [](const SharedArray &Array) { return Array.IsExtern; });
  std::vector<BlockShape> Shapes = Launches.shapesOf(Root, Options, HasDynamic);
  auto Unknown = llvm::find_if(Shapes, [](const BlockShape &Shape) {
    return !Shape.isKnown() && !Shape.IsUnseen;
  });
  if (K.Arrays.empty() || Unknown == Shapes.end())
    return Shapes;
  const BlockShape Of = *Unknown;
  for (BlockShape Shape : listPlausibleShapes(Root, Of)) {
    Shape.DynamicBytes = Of.DynamicBytes;
    Shapes.push_back(Shape);
  }
  return Shapes;
}

/// Removes assumed shapes that the kernel would not work with, among the
/// instances from \p First on; but keeps them if it would work with none.
static void dropUnlikelyShapes(Kernel &K, size_t First) {
  llvm::SmallPtrSet<const KernelInstance *, 8> Unlikely;
  llvm::SmallPtrSet<const FunctionDecl *, 4> HasLikely;
  for (const auto &Instance : llvm::drop_begin(K.Instances, First)) {
    if (Instance->Block.Origin != ShapeOrigin::Assumed)
      continue;
    if (isLikely(*Instance, K))
      HasLikely.insert(Instance->Decl);
    else
      Unlikely.insert(Instance.get());
  }
  llvm::erase_if(K.Instances, [&](const auto &Instance) {
    return Unlikely.contains(Instance.get()) &&
           HasLikely.contains(Instance->Decl);
  });
}

/// Adds to \p K what other files may do with \p Instance, one of its functions,
/// and what they do.
static void addOthers(Kernel &K, const FunctionDecl *Instance,
                      const ModelOptions &Options) {
  if (!mayBeLaunchedElsewhere(Instance))
    return;
  K.IsOpenToOthers = true;
  if (!Options.Program)
    return;
  if (!K.InProgram)
    K.InProgram.emplace();
  if (const KernelUse *Use = findInProgram(Instance, Options))
    K.InProgram->add(*Use);
}

/// Adds all instances in which the arrays of \p Owner exist.
void KernelBuilder::addInstances(Kernel &K, const FunctionDecl *Owner) {
  const size_t First = K.Instances.size();
  if (Owner->hasAttr<CUDAGlobalAttr>()) {
    if (!K.WhyOpen)
      K.WhyOpen = Launches.whyOpen(Owner, Options);
    addOthers(K, Owner, Options);
    for (const BlockShape &Block : listShapes(Owner, K))
      addInstance(K, Owner, Owner, Block);
    dropUnlikelyShapes(K, First);
    return;
  }
  bool IsReached = false;
  for (const FunctionDecl *Root : Roots)
    if (Calls.reachedFrom(Root).contains(Owner)) {
      if (!K.WhyOpen)
        K.WhyOpen = Launches.whyOpen(Root, Options);
      addOthers(K, Root, Options);
      for (const BlockShape &Block : listShapes(Root, K))
        IsReached |= addInstance(K, Root, Owner, Block);
    }
  dropUnlikelyShapes(K, First);
  if (!IsReached && !K.Arrays.empty())
    refuseAll(K, Reason::InDeviceFunction);
}

/// Builds one kernel: declares its arrays, adds the instances, and settles what
/// the calls that were followed mean for the arrays.
Kernel KernelBuilder::build(const FunctionDecl *Written,
                            llvm::ArrayRef<const FunctionDecl *> Functions,
                            bool HasError) {
  Kernel K;
  K.Decl = Written;
  K.Name = nameAsWritten(*Written);
  K.Marks = Options.Marks;
  Record = CallRecord();
  for (const VarDecl *Var : findSharedVariables(Written))
    if (Var->getType()->isArrayType())
      findOrAddArray(K, Var);
  if (HasError) {
    refuseAll(K, Reason::ErrorInKernel);
    return K;
  }
  const bool IsKernel = Written->hasAttr<CUDAGlobalAttr>();
  if (!IsKernel && K.Arrays.empty())
    return K;
  for (SharedArray &Array : K.Arrays)
    if (!IsKernel && Array.IsExtern)
      Array.Refusals.push_back(
          {Reason::InDeviceFunction, "", Array.Decl->getLocation()});
  for (const FunctionDecl *Function : Functions)
    addInstances(K, Function);
  // An array of an earlier instance may be missing in a later one.
  for (auto &Instance : K.Instances)
    Instance->Shapes.resize(K.Arrays.size());
  Record.finish(K, Calls);
  spreadPartRefusals(K);
  return K;
}

static bool contains(const SourceManager &SM, SourceRange Range,
                     llvm::ArrayRef<SourceLocation> Errors) {
  SourceLocation Begin = SM.getExpansionLoc(Range.getBegin()),
                 End = SM.getExpansionRange(Range.getEnd()).getEnd();
  return llvm::any_of(Errors, [&](SourceLocation Loc) {
    Loc = SM.getExpansionLoc(Loc);
    return SM.isPointWithin(Loc, Begin, End);
  });
}

std::vector<Kernel> buildKernels(ASTContext &Context, const IslContext &Isl,
                                 const ModelOptions &Options,
                                 llvm::ArrayRef<SourceLocation> Errors) {
  const SourceManager &SM = Context.getSourceManager();
  const auto Found = findFunctions(Context);
  LaunchTable Launches(Context);
  auto hasError = [&](const FunctionDecl *Function) {
    return contains(SM, Function->getSourceRange(), Errors);
  };
  CallTable Calls(Context, hasError);
  KernelBuilder Builder(Context, Isl, Options, Launches, Calls);
  for (const auto &[Written, Functions] : Found)
    if (Written->hasAttr<CUDAGlobalAttr>() && !hasError(Written))
      for (const FunctionDecl *Function : Functions)
        Builder.addRoot(Function);
  std::vector<Kernel> Kernels;
  for (const auto &[Written, Functions] : Found) {
    Kernel K = Builder.build(Written, Functions, hasError(Written));
    // A __device__ function matters only if it declares an array.
    if (Written->hasAttr<CUDAGlobalAttr>() || !K.Arrays.empty())
      Kernels.push_back(std::move(K));
  }
  return Kernels;
}

} // namespace cudaopt
