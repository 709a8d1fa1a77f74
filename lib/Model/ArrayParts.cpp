// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the sub-arrays of `extern __shared__` arrays, assigns accesses to
/// them, and checks that they do not overlap.
//===----------------------------------------------------------------------===//

#include "ArrayParts.h"

#include "ArrayDeclaration.h"
#include "cudaopt/Source/SourceText.h"
#include "cudaopt/Support/Nodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace cudaopt {

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {
/// Reads an initialiser as a base plus a sum of scaled indices.
class AddressReader {
public:
  explicit AddressReader(const ASTContext &Context) : Context(Context) {}

  bool readPointer(const Expr *E);
  PartAddress Address = {};

private:
  bool readPlace(const Expr *E);
  bool addStep(const Expr *Pointer, const Expr *Index, int Sign);

  const ASTContext &Context;
};
} // namespace

/// Adds \p Index times the size of what \p Pointer, which has been read
/// already, points to.
bool AddressReader::addStep(const Expr *Pointer, const Expr *Index, int Sign) {
  const QualType Element = Pointer->getType()->getPointeeType();
  if (Element->isIncompleteType() || !Index->getType()->isIntegerType())
    return false;
  Address.Steps.push_back(
      {Index, Sign * Context.getTypeSizeInChars(Element).getQuantity()});
  return true;
}

/// Reads \p E as an lvalue: `s` or `p[i]`.
bool AddressReader::readPlace(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    Address.Base = Ref;
    return Ref->getType()->isArrayType();
  }
  const auto *Sub = dyn_cast<ArraySubscriptExpr>(E);
  return Sub && Sub->getBase() == Sub->getLHS() &&
         readPointer(Sub->getBase()) &&
         addStep(Sub->getBase(), Sub->getIdx(), 1);
}

/// Reads \p E as an address: `s`, `p`, `p + i`, `&p[i]`, and casts of them.
bool AddressReader::readPointer(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *Operand = Cast->getSubExpr();
    switch (Cast->getCastKind()) {
    case CK_ArrayToPointerDecay:
      return readPlace(Operand);
    case CK_NoOp:
    case CK_BitCast:
      return Operand->getType()->isPointerType() && readPointer(Operand);
    case CK_LValueToRValue:
      Address.Base = dyn_cast<DeclRefExpr>(Operand->IgnoreParens());
      return Address.Base && Address.Base->getType()->isPointerType();
    default:
      return false;
    }
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->getOpcode() == UO_AddrOf && readPlace(Op->getSubExpr());
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op || (Op->getOpcode() != BO_Add && Op->getOpcode() != BO_Sub))
    return false;
  const Expr *Pointer = Op->getLHS(), *Index = Op->getRHS();
  if (Op->getOpcode() == BO_Add && Index->getType()->isPointerType())
    std::swap(Pointer, Index);
  return Pointer->getType()->isPointerType() && readPointer(Pointer) &&
         addStep(Pointer, Index, Op->getOpcode() == BO_Add ? 1 : -1);
}

std::optional<PartAddress> findPartAddress(const VarDecl *Var,
                                           const ASTContext &Context) {
  const QualType Type = Var->getType();
  if (!Var->hasInit() || !Var->hasLocalStorage() || !Type->isPointerType() ||
      Type.isVolatileQualified() ||
      Type->getPointeeType()->isIncompleteType() ||
      !Type->getPointeeType()->isObjectType())
    return std::nullopt;
  AddressReader Reader(Context);
  if (!Reader.readPointer(Var->getInit()))
    return std::nullopt;
  return Reader.Address;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {
/// A pointer that names a sub-array, and where that begins.
struct Part {
  const VarDecl *Pointer;
  /// Bytes from the start of the array; std::nullopt if not constant.
  std::optional<uint64_t> Begin;
};

/// Finds the pointers into one array in the body of a function, in source
/// order.
class PartFinder {
public:
  PartFinder(const KernelInstance &Instance, BoundKernel &Code,
             const VarDecl *Whole)
      : Context(Whole->getASTContext()), Code(Code), Values(Instance.Values) {
    Begins[Whole] = 0;
  }

  void visit(const VarDecl *Var) {
    const std::optional<PartAddress> Address = findPartAddress(Var, Context);
    if (!Address)
      return;
    if (auto Base = Begins.find(Address->Base->getDecl());
        Base != Begins.end()) {
      std::optional<uint64_t> Begin = add(Base->second, *Address);
      Begins[Var] = Begin;
      Found.push_back({Var, Begin});
    }
  }

  llvm::SmallVector<Part, 8> Found;

private:
  std::optional<uint64_t> add(std::optional<uint64_t> Base,
                              const PartAddress &Address);

  const ASTContext &Context;
  BoundKernel &Code;
  const ValueGraph &Values;
  llvm::DenseMap<const ValueDecl *, std::optional<uint64_t>> Begins;
};
} // namespace

/// More bytes than the shared memory of any block; keeps sums from overflowing.
static constexpr int64_t MaxBytes = int64_t(1) << 31;

std::optional<uint64_t> PartFinder::add(std::optional<uint64_t> Base,
                                        const PartAddress &Address) {
  int64_t Sum = Base.value_or(0);
  for (const PartAddress::Step &Step : Address.Steps) {
    std::optional<ValueId> Value = Code.valueOf(Step.Index, 0);
    std::optional<int64_t> Index =
        Value ? Values.asConstant(*Value) : std::nullopt;
    if (!Base || !Index || *Index <= -MaxBytes || *Index >= MaxBytes)
      return std::nullopt;
    Sum += *Index * Step.Scale;
  }
  if (!Base || Sum < 0 || Sum >= MaxBytes)
    return std::nullopt;
  return Sum;
}

/// Where a part of an array of \p Bytes bytes ends that begins at \p Begin.
static uint64_t findEnd(llvm::ArrayRef<Part> Parts, uint64_t Begin,
                        uint64_t Bytes) {
  uint64_t End = std::max(Begin, Bytes);
  for (const Part &Other : Parts)
    if (Other.Begin && *Other.Begin > Begin)
      End = std::min(End, *Other.Begin);
  return End;
}

/// Returns what keeps \p P from being an array of its own; std::nullopt if
/// nothing does.
static std::optional<Refusal> findPartRefusal(const Part &P) {
  const ASTContext &Context = P.Pointer->getASTContext();
  auto refuse = [&](Reason Why) {
    return Refusal{Why, P.Pointer->getNameAsString(), P.Pointer->getLocation()};
  };
  if (!P.Begin)
    return refuse(Reason::RuntimePart);
  if (*P.Begin %
      Context.getTypeAlignInChars(P.Pointer->getType()->getPointeeType())
          .getQuantity())
    return refuse(Reason::MisalignedPart);
  return std::nullopt;
}

void addParts(Kernel &K, KernelInstance &Instance, BoundKernel &Code,
              const VarDecl *Whole,
              llvm::DenseMap<const VarDecl *, ArrayId> &Arrays) {
  PartFinder Finder(Instance, Code, Whole);
  for (const VarDecl *Var : nodesIn<VarDecl>(Instance.Decl->getBody()))
    Finder.visit(Var);
  if (Finder.Found.empty())
    return;
  const ArrayId WholeId = Arrays.lookup(Whole);
  const uint64_t Bytes = *Instance.Block.DynamicBytes;
  for (const Part &P : Finder.Found) {
    const ArrayId Id = findOrAddArray(K, P.Pointer);
    K.Arrays[Id].Whole = WholeId;
    if (K.Arrays[Id].WantedLayout.empty())
      K.Arrays[Id].WantedLayout = K.Arrays[WholeId].WantedLayout;
    // A shape that is only assumed may not fit the kernel, so it forbids
    // nothing.
    if (std::optional<Refusal> R = findPartRefusal(P);
        R && Instance.Block.Origin != ShapeOrigin::Assumed)
      K.Arrays[Id].refuse(std::move(*R));
    Instance.Shapes.resize(K.Arrays.size());
    ArrayShape &Shape = Instance.Shapes[Id];
    Shape = getDeclaredShape(P.Pointer);
    Shape.Begin = P.Begin.value_or(Bytes);
    Shape.BaseAlignment = llvm::MinAlign(Shape.Begin, 16);
    setSize(Shape, P.Pointer,
            findEnd(Finder.Found, Shape.Begin, Bytes) - Shape.Begin);
    Arrays[P.Pointer] = Id;
  }
  setSize(Instance.Shapes[WholeId], Whole, findEnd(Finder.Found, 0, Bytes));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static bool isAccessed(const KernelInstance &Instance, ArrayId Id) {
  return llvm::any_of(Instance.Accesses,
                      [&](const Access &A) { return A.Array == Id; });
}

/// Returns the sub-array of \p Whole that is accessed and has the same first
/// byte.
static std::optional<ArrayId>
findFirstPart(const Kernel &K, const KernelInstance &Instance, ArrayId Whole) {
  for (ArrayId Id = 0; Id != K.Arrays.size(); ++Id)
    if (K.Arrays[Id].Whole == Whole && !Instance.Shapes[Id].Extents.empty() &&
        Instance.Shapes[Id].Begin == 0 && isAccessed(Instance, Id))
      return Id;
  return std::nullopt;
}

/// Returns true if two arrays have the same element type and the same extents.
static bool isAlike(const Kernel &K, const KernelInstance &Instance, ArrayId A,
                    ArrayId B) {
  auto ElementOf = [&](ArrayId Id) {
    const QualType Type = K.Arrays[Id].Decl->getType();
    return Type->isPointerType()
               ? Type->getPointeeType()
               : QualType(Type->getArrayElementTypeNoTypeQual(), 0);
  };
  const ASTContext &Context = Instance.Decl->getASTContext();
  return Instance.Shapes[A].Extents == Instance.Shapes[B].Extents &&
         Context.hasSameUnqualifiedType(ElementOf(A), ElementOf(B));
}

void assignAccessesToParts(Kernel &K, KernelInstance &Instance) {
  const size_t NumArrays = Instance.Shapes.size();
  auto Overlap = [&](ArrayId Id) {
    K.Arrays[Id].refuse({Reason::OverlappingParts, K.Arrays[Id].Name,
                         K.Arrays[Id].Decl->getLocation()});
  };
  for (Access &A : Instance.Accesses) {
    if (K.Arrays[A.Array].Whole || !K.hasParts(A.Array))
      continue;
    std::optional<ArrayId> First = findFirstPart(K, Instance, A.Array);
    if (!First)
      continue;
    // CallRecord has already noted the array that a function uses, so that the
    // access cannot be moved to another one.
    if (A.Function || !isAlike(K, Instance, A.Array, *First))
      Overlap(*First);
    else
      A.Array = *First;
  }
  for (ArrayId Id = 0; Id != NumArrays; ++Id)
    for (ArrayId Other = 0; Other != Id; ++Other)
      if (K.Arrays[Id].Whole && K.Arrays[Id].Whole == K.Arrays[Other].Whole &&
          Instance.Shapes[Id].Begin == Instance.Shapes[Other].Begin &&
          isAccessed(Instance, Id) && isAccessed(Instance, Other))
        Overlap(Id);
}

void blockLeftParts(Kernel &K, const KernelInstance &Instance) {
  if (Instance.Block.Origin == ShapeOrigin::Assumed)
    return;
  const ASTContext &Context = Instance.Decl->getASTContext();
  for (const Access &A : Instance.Accesses) {
    SharedArray &Array = K.Arrays[A.Array];
    if ((Array.Whole || K.hasParts(A.Array)) &&
        !(A.OutermostInBounds && A.InnerSubscriptsInBounds))
      Array.refuse({Reason::LeavesPart, getWrittenText(A.Ref, Context),
                    A.Ref->getExprLoc()});
  }
}

/// Returns true if the sentence for \p Why tells which sub-array is meant.
static bool namesPart(Reason Why) {
  return Why == Reason::RuntimePart || Why == Reason::MisalignedPart ||
         Why == Reason::OverlappingParts || Why == Reason::LeavesPart ||
         Why == Reason::OtherPart;
}

void spreadPartRefusals(Kernel &K) {
  for (ArrayId Whole = 0; Whole != K.Arrays.size(); ++Whole) {
    if (!K.hasParts(Whole))
      continue;
    auto IsOfGroup = [&](ArrayId Id) {
      return Id == Whole || K.Arrays[Id].Whole == Whole;
    };
    std::optional<Refusal> First;
    for (ArrayId Id = 0; Id != K.Arrays.size() && !First; ++Id)
      if (IsOfGroup(Id) && !K.Arrays[Id].Refusals.empty()) {
        First = K.Arrays[Id].Refusals.front();
        if (!namesPart(First->Why))
          First = Refusal{Reason::OtherPart, K.Arrays[Id].Name, First->Loc};
      }
    for (ArrayId Id = 0; Id != K.Arrays.size() && First; ++Id)
      if (IsOfGroup(Id) && K.Arrays[Id].Refusals.empty())
        K.Arrays[Id].refuse(*First);
  }
}

} // namespace cudaopt
