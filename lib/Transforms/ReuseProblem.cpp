// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReuseProblem.h"

#include "StorageTree.h"
#include "cudaopt/Model/SoleCaller.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace cudaopt;
using namespace clang;

/// Moving a smaller variable gains nothing, and costs its reader a line.
static constexpr uint64_t LeastBytes = 16;

/// Types with constructors have no place in a union.
static bool isTrivial(const SharedVariable &V) {
  const auto *Record =
      V.Decl->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return !Record || (Record->hasTrivialDefaultConstructor() &&
                     Record->hasTrivialDestructor());
}

/// Why the declaration of \p V may not go into a union; None if it is only not
/// worth it.
static std::optional<Blocker> findObstacle(const SharedVariable &V,
                                           const FunctionDecl *Kernel,
                                           ASTContext &Context) {
  if (V.Pinned)
    return V.Pinned;
  if (V.Size < LeastBytes || !V.Decl->isLocalVarDecl() || !isTrivial(V))
    return Blocker();
  const auto *Owner =
      dyn_cast<FunctionDecl>(V.Decl->getParentFunctionOrMethod());
  if (!Owner)
    return Blocker();
  if (Owner == Kernel)
    return std::nullopt;
  return findOtherCaller(Owner, Kernel, Context);
}

ReuseProblem::ReuseProblem(const Kernel &K, const Plan &P,
                           const ReuseDecision &Smaller)
    : K(K), P(P), Smaller(Smaller) {
  if (!K.Decl->hasAttr<CUDAGlobalAttr>())
    return;
  for (const auto &Instance : K.Instances) {
    if (Instance->Block.Origin == ShapeOrigin::Assumed)
      continue;
    Instances.push_back(
        {buildSharedProgram(K, *Instance, K.Decl->getASTContext()), {}, {}});
    const SharedProgram &Program = Instances.back().Program;
    if (Program.Refused && Program.Variables.size() > 1 &&
        Refused.Why == Reason::None)
      Refused = *Program.Refused;
  }
  if (Refused.Why != Reason::None)
    return;
  findVariables();
  if (Variables.size() < 2)
    return;
  for (ReuseInstance &I : Instances)
    analyse(I);
}

bool ReuseProblem::isPrivate(const SharedVariable &V) const {
  return V.Array && llvm::is_contained(Smaller.Private, *V.Array);
}

/// A variable has another declaration in each instance of a template, at one
/// place.
void ReuseProblem::findVariables() {
  llvm::SmallVector<SourceLocation, 8> Movable, Fixed;
  for (const ReuseInstance &I : Instances)
    for (const SharedVariable &V : I.Program.Variables) {
      const SourceLocation Place = V.Decl->getLocation();
      if (isPrivate(V))
        continue;
      if (std::optional<Blocker> Obstacle = findObstacle(
              V, I.Program.Instance->Decl, K.Decl->getASTContext())) {
        Fixed.push_back(Place);
        if (Refused.Why == Reason::None)
          Refused = *Obstacle;
      } else if (!llvm::is_contained(Movable, Place)) {
        Movable.push_back(Place);
        Variables.push_back({V.Decl, V.Name});
      }
    }
  llvm::erase_if(Variables, [&](const StoredVariable &V) {
    return llvm::is_contained(Fixed, V.Decl->getLocation());
  });
  if (Variables.size() >= 2)
    Refused = {};
  else if (Refused.Why == Reason::None)
    Refused = {Reason::FewVariables, "", K.Decl->getLocation()};
  for (ReuseInstance &I : Instances) {
    I.Ids.resize(Variables.size());
    for (auto [Id, V] : llvm::enumerate(I.Program.Variables))
      for (auto [Index, Known] : llvm::enumerate(Variables))
        if (Known.Decl->getLocation() == V.Decl->getLocation())
          I.Ids[Index] = Id;
  }
  Interference.assign(Variables.size(), llvm::BitVector(Variables.size()));
}

void ReuseProblem::analyse(ReuseInstance &I) {
  I.Ranges = computeLiveRanges(I.Program);
  for (unsigned A = 0; A != Variables.size(); ++A)
    for (unsigned B = 0; B != A; ++B)
      if (I.Ids[A] && I.Ids[B] && I.Ranges.interfere(*I.Ids[A], *I.Ids[B])) {
        Interference[A].set(B);
        Interference[B].set(A);
      }
}

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
  New.Interference.assign(Variables.size(), llvm::BitVector(Variables.size()));
  for (ReuseInstance &I : New.Instances) {
    llvm::SmallVector<StepId, 4> Steps;
    for (const Stmt *Place : Places)
      if (const Step *Found = findStep(I.Program, Place))
        Steps.push_back(Found - I.Program.Steps.data());
    I.Program = insertBarriers(I.Program, Steps);
    New.analyse(I);
  }
  return New;
}

std::vector<const Stmt *> ReuseProblem::barrierPlaces() const {
  std::vector<const Stmt *> Places;
  if (Instances.empty())
    return Places;
  for (const Step &S : Instances.front().Program.Steps)
    // In a loop a barrier costs more than what is known here can tell.
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

/// True if the plan gives \p V another layout.
bool ReuseProblem::isLaidOut(const SharedVariable &V) const {
  if (!V.Array)
    return false;
  auto Found = P.Layouts.find(*V.Array);
  return Found != P.Layouts.end() && Found->second.isRewritten();
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
    Item.Size = P.Layouts.find(*V.Array)->second.New.bytes(
        I.Program.Instance->Shapes[*V.Array]);
  return Item;
}

std::vector<PlacementItem> ReuseProblem::itemsOf(const ReuseInstance &I) const {
  std::vector<PlacementItem> Items(Variables.size());
  for (auto [Item, Id] : llvm::zip(Items, I.Ids))
    if (Id)
      Item = itemOf(I, *Id);
  return Items;
}

PlacementProblem ReuseProblem::placementOf(const ReuseInstance &I) const {
  PlacementProblem Problem;
  Problem.Items = itemsOf(I);
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
  // What interferes elsewhere does here.
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
      // A layout moves elements, and may be taken back later; those of another
      // function's variables are not known here.
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
  return Problem;
}

static bool contains(const StorageNode &Tree, unsigned Variable) {
  if (Tree.What == StorageNode::Kind::Variable)
    return Tree.Variable == Variable;
  return llvm::any_of(Tree.Members, [&](const StorageNode &Member) {
    return contains(Member, Variable);
  });
}

/// Returns the object that \p Variable is a part of; null if it is of none.
static const StorageNode *findObject(llvm::ArrayRef<StorageNode> Objects,
                                     unsigned Variable) {
  auto Found = llvm::find_if(Objects, [&](const StorageNode &Object) {
    return contains(Object, Variable);
  });
  return Found == Objects.end() ? nullptr : Found;
}

std::vector<StoredAt>
ReuseProblem::placesOf(const ReuseInstance &I,
                       llvm::ArrayRef<StorageNode> Objects) const {
  const std::vector<PlacementItem> Items = itemsOf(I);
  std::vector<StoredAt> Places(I.Program.Variables.size());
  llvm::DenseMap<const StorageNode *, uint64_t> Bases;
  std::vector<uint64_t> Offsets(Variables.size());
  uint64_t End = 0; // The compiler keeps the order of the declarations.
  auto place = [&End](uint64_t Size, uint64_t Alignment) {
    uint64_t Begin = llvm::alignTo(End, std::max<uint64_t>(Alignment, 1));
    End = Begin + Size;
    return Begin;
  };
  for (VariableId Id = 0; Id != Places.size(); ++Id) {
    const PlacementItem Own = itemOf(I, Id);
    Places[Id].Size = Own.Size;
    auto Index = llvm::find(I.Ids, std::optional(Id));
    const StorageNode *Object =
        Index == I.Ids.end() ? nullptr
                             : findObject(Objects, Index - I.Ids.begin());
    if (!Object) {
      Places[Id].Offset = place(Own.Size, Own.Alignment);
      continue;
    }
    if (Bases.try_emplace(Object, 0).second) {
      const StorageExtent Whole = layOutStorage(*Object, Items);
      layOutStorage(*Object, Items, Offsets,
                    place(Whole.Size, Whole.Alignment));
    }
    Places[Id].Offset = Offsets[Index - I.Ids.begin()];
  }
  return Places;
}

uint64_t ReuseProblem::bytesOf(const ReuseInstance &I,
                               llvm::ArrayRef<StorageNode> Objects) const {
  uint64_t End = 0;
  for (const StoredAt &Place : placesOf(I, Objects))
    End = std::max(End, Place.Offset + Place.Size);
  return End;
}
