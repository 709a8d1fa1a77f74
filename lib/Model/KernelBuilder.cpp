// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Model/KernelBuilder.h"
#include "AccessRelation.h"
#include "BlockShape.h"
#include "KernelWalker.h"
#include "cudaopt/Model/ValueInterval.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace cudaopt {
namespace {

/// The specialisations of one function as written; the function itself if it is
/// no template.
using Specialisations = llvm::SmallVector<const FunctionDecl *, 2>;

class FunctionFinder : public RecursiveASTVisitor<FunctionFinder> {
public:
  explicit FunctionFinder(const SourceManager &SM) : SM(SM) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *Function) {
    if (!Function->doesThisDeclarationHaveABody() ||
        !(Function->hasAttr<CUDAGlobalAttr>() ||
          Function->hasAttr<CUDADeviceAttr>()) ||
        SM.isInSystemHeader(SM.getExpansionLoc(Function->getLocation())))
      return true;
    if (Function->isDependentContext()) {
      Found.insert({Function, {}});
      return true;
    }
    const FunctionDecl *Written = Function->getTemplateInstantiationPattern();
    Found[Written ? Written : Function].push_back(Function);
    return true;
  }
  // Classes and functions of the toolkit are not ours to look into.
  bool TraverseDecl(Decl *D) {
    if (D && !isa<TranslationUnitDecl>(D) &&
        SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  llvm::MapVector<const FunctionDecl *, Specialisations> Found;

private:
  const SourceManager &SM;
};

class SharedVariableFinder : public RecursiveASTVisitor<SharedVariableFinder> {
public:
  bool VisitVarDecl(VarDecl *Var) {
    if (Var->hasAttr<CUDASharedAttr>())
      Found.push_back(Var);
    return true;
  }
  // Of file scope.
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && Var->isFileVarDecl() && !llvm::is_contained(Found, Var))
      VisitVarDecl(Var);
    return true;
  }
  llvm::SmallVector<const VarDecl *, 4> Found;
};

/// Builds the model of one function as written.
class KernelBuilder {
public:
  KernelBuilder(ASTContext &Context, const IslContext &Isl,
                const ModelOptions &Options, const LaunchTable &Launches)
      : Context(Context), Isl(Isl), Options(Options), Launches(Launches) {}

  Kernel build(const FunctionDecl *Written,
               llvm::ArrayRef<const FunctionDecl *> Functions, bool HasError);

private:
  ArrayId findOrAddArray(Kernel &K, const VarDecl *Var);
  void blockAll(Kernel &K, Reason Why);
  void addInstance(Kernel &K, const FunctionDecl *Function,
                   const BlockShape &Block);
  ArrayShape getShape(const VarDecl *Var) const;
  void prove(KernelInstance &Instance, const Kernel &K);

  ASTContext &Context;
  const IslContext &Isl;
  const ModelOptions &Options;
  const LaunchTable &Launches;
};

} // namespace

static llvm::SmallVector<const VarDecl *, 4>
findSharedVariables(const FunctionDecl *Function) {
  SharedVariableFinder Finder;
  Finder.TraverseStmt(Function->getBody());
  return std::move(Finder.Found);
}

static bool isSupportedElement(QualType Type) {
  Type = Type.getCanonicalType();
  if (Type->isDependentType() || Type->isScalarType())
    return true;
  const auto *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() || Record->isUnion())
    return false;
  StringRef Name = Record->getIdentifier() ? Record->getName() : "";
  if (Name.starts_with("__half") || Name.starts_with("__nv_bfloat16"))
    return true;
  if (!Record->isAggregate() || Record->getNumBases())
    return false;
  return llvm::all_of(Record->fields(), [](const FieldDecl *Field) {
    QualType T = Field->getType();
    while (const ArrayType *Array = T->getAsArrayTypeUnsafe())
      T = Array->getElementType();
    return isSupportedElement(T);
  });
}

ArrayShape KernelBuilder::getShape(const VarDecl *Var) const {
  ArrayShape Shape;
  QualType Type = Var->getType();
  while (const ConstantArrayType *Array =
             Context.getAsConstantArrayType(Type)) {
    Shape.Extents.push_back(Array->getSize().getZExtValue());
    Type = Array->getElementType();
  }
  while (const ArrayType *Array = Context.getAsArrayType(Type))
    Type = Array->getElementType();
  if (!Type->isDependentType() && !Type->isIncompleteType())
    Shape.ElementSize = Context.getTypeSizeInChars(Type).getQuantity();
  return Shape;
}

ArrayId KernelBuilder::findOrAddArray(Kernel &K, const VarDecl *Var) {
  for (ArrayId Id = 0; Id < K.Arrays.size(); ++Id)
    if (K.Arrays[Id].Decl->getLocation() == Var->getLocation())
      return Id;
  SharedArray Array{};
  Array.Decl = Var;
  Array.Name = Var->getNameAsString();
  Array.IsExtern = Var->getType()->isIncompleteArrayType();
  QualType Element = Var->getType();
  unsigned Dimensions = 0;
  while (const ArrayType *Type = Context.getAsArrayType(Element)) {
    Element = Type->getElementType();
    ++Dimensions;
  }
  auto block = [&](Reason Why, std::string Detail) {
    Array.Blockers.push_back({Why, std::move(Detail), Var->getLocation()});
  };
  if (Var->isFileVarDecl() && !Array.IsExtern)
    block(Reason::FileScope, "");
  if (Dimensions > 4)
    block(Reason::TooManyDimensions, "");
  if (!isSupportedElement(Element))
    block(Reason::UnsupportedType, Element.getAsString());
  K.Arrays.push_back(std::move(Array));
  return K.Arrays.size() - 1;
}

void KernelBuilder::blockAll(Kernel &K, Reason Why) {
  for (SharedArray &Array : K.Arrays)
    Array.Blockers.insert(Array.Blockers.begin(),
                          {Why, "", Array.Decl->getLocation()});
}

/// Proves the bounds that decide whether a layout is legal: by intervals, or
/// where they do not suffice by isl, which also gives the relations.
void KernelBuilder::prove(KernelInstance &Instance, const Kernel &K) {
  AccessRelations Relations(Instance, Isl);
  for (Access &A : Instance.Accesses) {
    if (A.isOpaque())
      continue;
    ValueIntervals Intervals(Instance, A);
    auto IsInRange = [&](ValueId Value, uint64_t Extent) {
      return Intervals.isInRange(Value, Extent) || Isl.proves([&] {
        return Relations.isInRange(Value, Extent, Relations.computeDomain(A));
      });
    };
    const ArrayShape &Shape = Instance.Shapes[A.Array];
    A.InnerSubscriptsInBounds = true;
    for (size_t I = 1; I < A.Index.size(); ++I)
      A.InnerSubscriptsInBounds &= IsInRange(A.Index[I], Shape.Extents[I]);
    for (const LinearSplit &Split : A.Splits) {
      uint64_t NumRows = llvm::divideCeil(Shape.Extents[0], Split.Pitch);
      if ((!A.Split || Split.Pitch < A.Split->Pitch) &&
          IsInRange(Split.Rest, Split.Pitch) &&
          IsInRange(Split.RowValue, NumRows))
        A.Split = Split;
    }
    if (Options.WantsRelations)
      Isl.attempt([&] {
        A.Relation = Relations.computeRelation(A, K.Arrays[A.Array].Name,
                                               Relations.computeDomain(A));
      });
  }
}

void KernelBuilder::addInstance(Kernel &K, const FunctionDecl *Function,
                                const BlockShape &Block) {
  auto Instance = std::make_unique<KernelInstance>();
  Instance->Decl = Function;
  Instance->Block = Block;
  Instance->Shapes.resize(K.Arrays.size());
  llvm::DenseMap<const VarDecl *, ArrayId> Arrays;
  for (const VarDecl *Var : findSharedVariables(Function)) {
    QualType Type = Var->getType();
    if (!Type->isIncompleteType() && !Type->isDependentType())
      Instance->StaticSharedBytes =
          llvm::alignTo(Instance->StaticSharedBytes,
                        Context.getDeclAlign(Var).getQuantity()) +
          Context.getTypeSizeInChars(Type).getQuantity();
    if (!Type->isArrayType())
      continue;
    ArrayId Id = findOrAddArray(K, Var);
    Instance->Shapes.resize(K.Arrays.size());
    Instance->Shapes[Id] = getShape(Var);
    if (!K.Arrays[Id].IsExtern && !Var->isFileVarDecl())
      Arrays[Var] = Id;
  }
  if (!Arrays.empty()) {
    KernelWalker(Context, K, *Instance, Arrays).walk();
    prove(*Instance, K);
  }
  K.Instances.push_back(std::move(Instance));
}

Kernel KernelBuilder::build(const FunctionDecl *Written,
                            llvm::ArrayRef<const FunctionDecl *> Functions,
                            bool HasError) {
  Kernel K;
  K.Decl = Written;
  K.Name = Written->getQualifiedNameAsString();
  for (const VarDecl *Var : findSharedVariables(Written))
    if (Var->getType()->isArrayType())
      findOrAddArray(K, Var);
  if (HasError) {
    blockAll(K, Reason::ErrorInKernel);
    return K;
  }
  if (!Written->hasAttr<CUDAGlobalAttr>()) {
    blockAll(K, Reason::InDeviceFunction);
    return K;
  }
  for (const FunctionDecl *Function : Functions)
    for (const BlockShape &Block : Launches.shapesOf(Function, Options))
      addInstance(K, Function, Block);
  // An array of an earlier instance may be missing in a later one.
  for (auto &Instance : K.Instances)
    Instance->Shapes.resize(K.Arrays.size());
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
  FunctionFinder Finder(SM);
  Finder.TraverseDecl(Context.getTranslationUnitDecl());
  LaunchTable Launches(Context);
  KernelBuilder Builder(Context, Isl, Options, Launches);
  std::vector<Kernel> Kernels;
  for (const auto &[Written, Functions] : Finder.Found) {
    Kernel K = Builder.build(Written, Functions,
                             contains(SM, Written->getSourceRange(), Errors));
    // A __device__ function matters only if it declares an array.
    if (Written->hasAttr<CUDAGlobalAttr>() || !K.Arrays.empty())
      Kernels.push_back(std::move(K));
  }
  return Kernels;
}

} // namespace cudaopt
