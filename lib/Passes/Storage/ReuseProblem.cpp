// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the problem from the steps and live ranges of all instances, and
/// computes sizes and offsets as nvcc does: variables and objects one after the
/// other, in the order of their declarations.
//===----------------------------------------------------------------------===//

#include "ReuseProblem.h"

#include "InPlaceProof.h"
#include "StorageTree.h"
#include "WideAlignments.h"
#include "cudaopt/Model/SoleCaller.h"
#include "cudaopt/Source/StorageDeclaration.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace cudaopt;
using namespace clang;

/// Moving a smaller variable gains nothing, and makes the text longer.
static constexpr uint64_t LeastBytes = 16;
/// The number of proofs that findInPlace tries, over all pairs and instances.
static constexpr unsigned MaxProofs = 64;

/// Returns true if the type of \p V has no constructor or destructor, so that
/// it can be a member of a union.
static bool isTrivial(const SharedVariable &V) {
  const auto *Record =
      V.Decl->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return !Record || (Record->hasTrivialDefaultConstructor() &&
                     Record->hasTrivialDestructor());
}

/// Returns whether \p V may be moved into a union, or else why not.
static Mobility findMobility(const SharedVariable &V,
                             const FunctionDecl *Kernel, ASTContext &Context) {
  if (V.Pinned)
    return {/*IsFixed=*/true, V.Pinned};
  if (V.Size < LeastBytes || !V.Decl->isLocalVarDecl() || !isTrivial(V))
    return {/*IsFixed=*/true};
  const auto *Owner =
      dyn_cast<FunctionDecl>(V.Decl->getParentFunctionOrMethod());
  if (!Owner)
    return {/*IsFixed=*/true};
  if (Owner == Kernel)
    return {};
  std::optional<Refusal> Other = findOtherCaller(Owner, Kernel, Context);
  return {Other.has_value(), std::move(Other)};
}

/// Returns true if the text of the declaration of \p V can be rewritten.
static bool isEditable(const StoredVariable &V) {
  auto Text = findStorageDeclaration(V.Decl, V.owner()->getBody(),
                                     V.Decl->getASTContext());
  if (Text)
    return true;
  llvm::consumeError(Text.takeError());
  return false;
}

ReuseProblem::ReuseProblem(const Kernel &K) : K(K) {
  if (!K.Decl->hasAttr<CUDAGlobalAttr>())
    return;
  ASTContext &Context = K.Decl->getASTContext();
  for (const auto &Instance : K.Instances) {
    if (Instance->Block.Origin == ShapeOrigin::Assumed)
      continue;
    ReuseInstance &I = Instances.emplace_back();
    I.Program = buildSharedProgram(K, *Instance, Context);
    for (const SharedVariable &V : I.Program.Variables)
      I.Mobilities.push_back(findMobility(V, Instance->Decl, Context));
    I.Wide = findWideAlignments(K, I.Program);
  }
  findVariables();
  if (Variables.size() < 2)
    return;
  for (ReuseInstance &I : Instances)
    I.Ranges = computeLiveRanges(I.Program);
  findInterference();
}

ReuseProblem ReuseProblem::withLayouts(const LayoutMap &New) const {
  ReuseProblem Result(*this);
  Result.Layouts = &New;
  return Result;
}

ReuseProblem ReuseProblem::with(const ReuseDecision &New) const {
  ReuseProblem Result(*this);
  Result.Smaller.Private = New.Private;
  Result.Smaller.Trimmed = New.Trimmed;
  Result.InPlace.clear(); // It is indexed by the old variables.
  Result.findVariables();
  Result.findInterference();
  return Result;
}

bool ReuseProblem::isPrivate(const SharedVariable &V) const {
  return V.Array && llvm::is_contained(Smaller.Private, *V.Array);
}

/// Finds the variables that may be moved in every instance. In each
/// instantiation of a template a variable has a declaration of its own; its
/// source location identifies it.
void ReuseProblem::findVariables() {
  Variables.clear();
  Refused.reset();
  for (const ReuseInstance &I : Instances)
    if (I.Program.Refused && I.Program.Variables.size() > 1) {
      Refused = *I.Program.Refused;
      return;
    }
  llvm::SmallVector<SourceLocation, 8> Movable, Fixed;
  for (const ReuseInstance &I : Instances)
    for (const auto &[V, Moves] :
         llvm::zip(I.Program.Variables, I.Mobilities)) {
      const SourceLocation Place = V.Decl->getLocation();
      if (isPrivate(V))
        continue;
      if (Moves.IsFixed) {
        Fixed.push_back(Place);
        if (!Refused)
          Refused = Moves.Refused;
      } else if (!llvm::is_contained(Movable, Place)) {
        Movable.push_back(Place);
        Variables.push_back({V.Decl, V.Name});
      }
    }
  llvm::erase_if(Variables, [&](const StoredVariable &V) {
    return llvm::is_contained(Fixed, V.Decl->getLocation());
  });
  // Variables whose text cannot be rewritten are dropped only if two others are
  // left, which can still share bytes.
  if (llvm::count_if(Variables, isEditable) >= 2)
    llvm::erase_if(Variables, std::not_fn(isEditable));
  if (Variables.size() >= 2)
    Refused.reset();
  else if (!Refused)
    Refused = {Reason::FewVariables, "", K.Decl->getLocation()};
  for (ReuseInstance &I : Instances) {
    I.Ids.assign(Variables.size(), std::nullopt);
    for (auto [Id, V] : llvm::enumerate(I.Program.Variables))
      for (auto [Index, Known] : llvm::enumerate(Variables))
        if (Known.Decl->getLocation() == V.Decl->getLocation())
          I.Ids[Index] = Id;
  }
}

void ReuseProblem::findInterference() {
  Interference.assign(Variables.size(), llvm::BitVector(Variables.size()));
  for (const ReuseInstance &I : Instances)
    for (unsigned A = 0; A != Variables.size(); ++A)
      for (unsigned B = 0; B != A; ++B)
        if (I.Ids[A] && I.Ids[B] && I.Ranges.interfere(*I.Ids[A], *I.Ids[B])) {
          Interference[A].set(B);
          Interference[B].set(A);
        }
}

/// Returns the step of \p P for the statement \p Place, perhaps of another
/// instance, if a barrier can be inserted in front of it; else null.
static const Step *findStep(const SharedProgram &P, const Stmt *Place) {
  auto Found = llvm::find_if(P.Steps, [&](const Step &S) {
    return S.MayFollowBarrier && S.Statement &&
           S.Statement->getBeginLoc() == Place->getBeginLoc();
  });
  return Found == P.Steps.end() ? nullptr : &*Found;
}

ReuseProblem
ReuseProblem::withBarriers(llvm::ArrayRef<const Stmt *> Places) const {
  ReuseProblem New(*this);
  for (ReuseInstance &I : New.Instances) {
    llvm::SmallVector<StepId, 4> Steps;
    for (const Stmt *Place : Places)
      if (const Step *Found = findStep(I.Program, Place))
        Steps.push_back(Found - I.Program.Steps.data());
    I.Program = insertBarriers(I.Program, Steps);
    I.Ranges = computeLiveRanges(I.Program);
  }
  New.findInterference();
  return New;
}

std::vector<const Stmt *> ReuseProblem::barrierPlaces() const {
  std::vector<const Stmt *> Places;
  if (Instances.empty())
    return Places;
  for (const Step &S : Instances.front().Program.Steps)
    // Places in loops are left out: what a barrier costs there is not known.
    if (S.MayFollowBarrier && S.LoopDepth == 0 &&
        llvm::all_of(Instances, [&](const ReuseInstance &I) {
          return findStep(I.Program, S.Statement);
        }))
      Places.push_back(S.Statement);
  return Places;
}

bool ReuseProblem::interfere(unsigned A, unsigned B) const {
  return Interference[A].test(B);
}

/// Returns the new layout of \p V; null if it keeps its own.
const Layout *ReuseProblem::findLayout(const SharedVariable &V) const {
  if (!V.Array || !Layouts)
    return nullptr;
  auto Found = Layouts->find(*V.Array);
  return Found != Layouts->end() && Found->second.isRewritten()
             ? &Found->second.New
             : nullptr;
}

/// Returns true if the proof about the elements of \p A and \p B also holds for
/// their bytes with the current layouts: neither has a new one, or both have
/// the same shape and get the same one.
bool ReuseProblem::haveSamePlaces(const ReuseInstance &I, VariableId A,
                                  VariableId B) const {
  const SharedVariable &X = I.Program.Variables[A], &Y = I.Program.Variables[B];
  const Layout *OfX = findLayout(X), *OfY = findLayout(Y);
  if (!OfX && !OfY)
    return true;
  const auto &Shapes = I.Program.Instance->Shapes;
  return OfX && OfY && *OfX == *OfY &&
         Shapes[*X.Array].Extents == Shapes[*Y.Array].Extents &&
         Shapes[*X.Array].ElementSize == Shapes[*Y.Array].ElementSize;
}

// A pair may share in place if that is proved in every instance in which the
// two interfere. Pairs that are not reached because of MaxProofs stay apart.
std::vector<StaysApart> ReuseProblem::findInPlace() {
  std::vector<StaysApart> Apart;
  InPlace.assign(Variables.size(), llvm::BitVector(Variables.size()));
  unsigned NumProofs = 0;
  for (unsigned A = 0; A != Variables.size(); ++A)
    for (unsigned B = 0; B != A; ++B) {
      if (!interfere(A, B))
        continue;
      InPlaceResult Found;
      for (const ReuseInstance &I : Instances) {
        if (!I.Ids[A] || !I.Ids[B] || !I.Ranges.interfere(*I.Ids[A], *I.Ids[B]))
          continue;
        if (++NumProofs > MaxProofs)
          return Apart;
        Found = proveInPlace(K, I, *I.Ids[B], *I.Ids[A]);
        if (Found.isProved())
          continue;
        if (Found.IsCandidate) {
          const bool IsFirst = Found.Dying == *I.Ids[B];
          Apart.push_back({Variables[IsFirst ? B : A].Name,
                           Variables[IsFirst ? A : B].Name,
                           std::move(*Found.Refused)});
        }
        break;
      }
      if (Found.isProved()) {
        InPlace[A].set(B);
        InPlace[B].set(A);
      }
    }
  return Apart;
}

bool ReuseProblem::mayShareInPlace(unsigned A, unsigned B) const {
  return !InPlace.empty() && InPlace[A].test(B) &&
         llvm::all_of(Instances, [&](const ReuseInstance &I) {
           return !I.Ids[A] || !I.Ids[B] ||
                  haveSamePlaces(I, *I.Ids[A], *I.Ids[B]);
         });
}

PlacementItem ReuseProblem::itemOf(const ReuseInstance &I,
                                   VariableId Id) const {
  const SharedVariable &V = I.Program.Variables[Id];
  PlacementItem Item = {V.Size, V.Alignment};
  if (!V.Array)
    return Item;
  if (std::optional<uint64_t> New =
          Smaller.newBytesOf(*V.Array, I.Program.Instance->Shapes[*V.Array])) {
    Item.Size = *New;
    if (*New == 0)
      Item.Alignment = 1;
    return Item;
  }
  if (isLaidOut(V))
    Item.Size = findLayout(V)->bytes(I.Program.Instance->Shapes[*V.Array]);
  return Item;
}

std::vector<PlacementItem> ReuseProblem::itemsOf(const ReuseInstance &I) const {
  std::vector<PlacementItem> Items(Variables.size());
  for (auto [Item, Id] : llvm::zip(Items, I.Ids))
    if (Id)
      Item = itemOf(I, *Id);
  return Items;
}

/// Raises the alignments of \p Items to those on which wide accesses of \p I
/// rely.
static void alignForWide(const ReuseInstance &I,
                         llvm::MutableArrayRef<PlacementItem> Items) {
  for (auto [Item, Id] : llvm::zip(Items, I.Ids))
    if (Id)
      Item.Alignment = std::max<uint64_t>(Item.Alignment, I.Wide[*Id]);
}

PlacementProblem ReuseProblem::placementOf(const ReuseInstance &I) const {
  PlacementProblem Problem;
  Problem.Items = itemsOf(I);
  alignForWide(I, Problem.Items);
  auto whole = [&](unsigned V) {
    return BusyBytes{V, 0, Problem.Items[V].Size};
  };
  for (const LiveInterval &Interval : I.Ranges.Intervals) {
    std::vector<BusyBytes> Busy;
    for (auto [Index, Id] : llvm::enumerate(I.Ids))
      if (Id && Interval.Busy[*Id].any())
        Busy.push_back(whole(Index));
    Problem.Intervals.push_back(std::move(Busy));
  }
  // The placement must suit all instances: variables that interfere in another
  // one get an artificial interval in which both are busy.
  for (unsigned A = 0; A != Variables.size(); ++A)
    for (unsigned B = 0; B != A; ++B)
      if (I.Ids[A] && I.Ids[B] && interfere(A, B))
        Problem.Intervals.push_back({whole(A), whole(B)});
  return Problem;
}

std::optional<PlacementProblem> ReuseProblem::placementOfParts() const {
  PlacementProblem Problem;
  Problem.Items = itemsOf(Instances.front());
  for (const ReuseInstance &I : Instances) {
    if (I.Program.Instance->Decl->getTemplateInstantiationPattern() ||
        itemsOf(I) != Problem.Items)
      return std::nullopt;
    for (std::optional<VariableId> Id : I.Ids)
      // Busy bytes are those of the declared layout. A new layout moves the
      // elements, and may be refused later. Which layout a variable of another
      // function gets is not known here.
      if (!Id ||
          I.Program.Variables[*Id].Decl->getParentFunctionOrMethod() !=
              I.Program.Instance->Decl ||
          isLaidOut(I.Program.Variables[*Id]))
        return std::nullopt;
    for (const LiveInterval &Interval : I.Ranges.Intervals) {
      std::vector<BusyBytes> Busy;
      for (auto [Index, Id] : llvm::enumerate(I.Ids))
        if (auto Hull = findHull(Interval.Busy[*Id], I.Program.Variables[*Id]))
          Busy.push_back({ItemId(Index), Hull->first, Hull->second});
      Problem.Intervals.push_back(std::move(Busy));
    }
  }
  for (const ReuseInstance &I : Instances)
    alignForWide(I, Problem.Items);
  return Problem;
}

uint64_t ReuseProblem::bytesOf(const ReuseInstance &I,
                               llvm::ArrayRef<StorageNode> Objects,
                               PlaceReader Read) const {
  const std::vector<PlacementItem> Items = itemsOf(I);
  // The object of each variable. An object is counted once, at the place of its
  // first variable.
  llvm::SmallDenseMap<VariableId, const StorageNode *> ObjectOf;
  for (const StorageNode &Object : Objects)
    for (unsigned V : listVariables(Object))
      if (I.Ids[V])
        ObjectOf[*I.Ids[V]] = &Object;
  llvm::SmallPtrSet<const StorageNode *, 4> Counted;
  uint64_t End = 0; // The compiler keeps the order of the declarations.
  auto add = [&](VariableId Id, const StorageNode *Object,
                 const StorageExtent &Each) {
    End = llvm::alignTo(End, std::max<uint64_t>(Each.Alignment, 1));
    if (Read)
      Read(Id, Object, End, Each.Size);
    End += Each.Size;
  };
  for (VariableId Id = 0; Id != I.Program.Variables.size(); ++Id) {
    const StorageNode *Object = ObjectOf.lookup(Id);
    if (!Object) {
      const PlacementItem Own = itemOf(I, Id);
      add(Id, nullptr, {Own.Size, Own.Alignment});
    } else if (Counted.insert(Object).second) {
      add(Id, Object, layOutStorage(*Object, Items));
    }
  }
  return End;
}

// Static offsets are computed as nvcc does. Variables in an object get theirs
// from the tree.
std::optional<VariableId>
ReuseProblem::findMisaligned(const ReuseInstance &I,
                             llvm::ArrayRef<StorageNode> Objects) const {
  const std::vector<PlacementItem> Items = itemsOf(I);
  std::vector<uint64_t> InObjects(Items.size());
  std::vector<uint64_t> Begins(I.Program.Variables.size());
  bytesOf(
      I, Objects,
      [&](VariableId Id, const StorageNode *Object, uint64_t Begin, uint64_t) {
        Begins[Id] = Begin;
        if (!Object)
          return;
        placeStorage(*Object, Items, Begin, InObjects);
        for (unsigned V : listVariables(*Object))
          if (I.Ids[V])
            Begins[*I.Ids[V]] = InObjects[V];
      });
  for (auto [Id, V] : llvm::enumerate(I.Program.Variables))
    if (!isPrivate(V) && Begins[Id] % I.Wide[Id])
      return VariableId(Id);
  return std::nullopt;
}

static bool isUnseen(const ReuseInstance &I) {
  return I.Program.Instance->Block.IsUnseen;
}

std::vector<ReuseInstance>
cudaopt::listSeen(llvm::ArrayRef<ReuseInstance> Instances) {
  std::vector<ReuseInstance> Seen;
  if (llvm::none_of(Instances, isUnseen))
    return Seen;
  llvm::copy_if(Instances, std::back_inserter(Seen), std::not_fn(isUnseen));
  return Seen;
}

Refusal cudaopt::orOpen(std::optional<Refusal> R, const Kernel &K,
                        ArrayId Array) {
  if (R)
    return std::move(*R);
  assert(K.WhyOpen && "all launches are known");
  return {*K.WhyOpen, K.Name, K.Arrays[Array].Decl->getLocation()};
}

WideVariable cudaopt::findWidest(llvm::ArrayRef<ReuseInstance> Instances) {
  WideVariable Widest;
  for (const ReuseInstance &I : Instances)
    for (auto [Alignment, V] : llvm::zip(I.Wide, I.Program.Variables))
      if (Alignment > Widest.Alignment)
        Widest = {V.Name, Alignment};
  return Widest;
}

bool cudaopt::keepsAligned(llvm::ArrayRef<ReuseInstance> Instances,
                           ArrayId Array, uint64_t Rows, unsigned Alignment) {
  return llvm::all_of(Instances, [&](const ReuseInstance &I) {
    const ArrayShape &Shape = I.Program.Instance->Shapes[Array];
    if (Shape.Extents.empty() || Shape.numElements() == 0)
      return true;
    const uint64_t RowBytes =
        Shape.numElements() / Shape.Extents.front() * Shape.ElementSize;
    return (Shape.Extents.front() - Rows) * RowBytes % Alignment == 0;
  });
}
