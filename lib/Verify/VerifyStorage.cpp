// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks the storage of a plan: verifyReuse(), the entry point. It computes
/// the offset that a C++ compiler gives to each variable in the rewritten text,
/// and passes them to verifyStorage() for each instance.
//===----------------------------------------------------------------------===//

#include "cudaopt/Verify/Verify.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace cudaopt;

/// The alignment of dynamic shared memory, in bytes.
static constexpr uint64_t DynamicAlignment = 16;

namespace {

/// Computes the offsets of the variables of one instance.
class Placer {
public:
  Placer(const SharedProgram &Program, const Plan &P);

  /// Puts \p Tree at the first aligned offset from \p Begin on; returns the
  /// offset of its end.
  uint64_t put(const StorageNode &Tree, uint64_t Begin);
  uint64_t alignmentOf(const StorageNode &Tree) const;
  /// Places all variables; fails if that takes more bytes than countBefore().
  llvm::Expected<std::vector<StoredAt>> run();

  /// Returns the bytes that the variables take one after the other, with the
  /// plan's layouts, but without sharing.
  uint64_t countBefore() const;

private:
  std::optional<VariableId> findVariable(unsigned Stored) const;
  bool contains(const StorageNode &Tree, VariableId V) const;

  const SharedProgram &Program;
  const ReuseDecision &Reuse;
  std::vector<StoredAt> Places;
  std::vector<bool> IsPlaced;
};

} // namespace

Placer::Placer(const SharedProgram &Program, const Plan &P)
    : Program(Program), Reuse(*P.Reuse), Places(Program.Variables.size()),
      IsPlaced(Program.Variables.size()) {
  for (auto [Place, V] : llvm::zip(Places, Program.Variables)) {
    Place.Size = V.Size;
    if (!V.Array)
      continue;
    if (std::optional<uint64_t> New =
            Reuse.newBytesOf(*V.Array, Program.Instance->Shapes[*V.Array])) {
      Place.Size = *New;
      continue;
    }
    auto Layout = P.Layouts.find(*V.Array);
    if (Layout != P.Layouts.end() && Layout->second.isRewritten()) {
      Place.Size = Layout->second.New.bytes(Program.Instance->Shapes[*V.Array]);
      Place.IsPermuted = true;
    }
  }
}

std::optional<VariableId> Placer::findVariable(unsigned Stored) const {
  for (auto [Id, V] : llvm::enumerate(Program.Variables))
    if (V.Decl->getLocation() == Reuse.Variables[Stored].Decl->getLocation())
      return Id;
  return std::nullopt; // It is declared in a branch that is discarded here.
}

bool Placer::contains(const StorageNode &Tree, VariableId V) const {
  if (Tree.What == StorageNode::Kind::Variable)
    return findVariable(Tree.Variable) == V;
  return llvm::any_of(Tree.Members, [&](const StorageNode &Member) {
    return contains(Member, V);
  });
}

uint64_t Placer::alignmentOf(const StorageNode &Tree) const {
  uint64_t Alignment = 1;
  if (Tree.What == StorageNode::Kind::Variable)
    if (std::optional<VariableId> Id = findVariable(Tree.Variable))
      return Program.Variables[*Id].Alignment;
  for (const StorageNode &Member : Tree.Members)
    Alignment = std::max(Alignment, alignmentOf(Member));
  return Alignment;
}

uint64_t Placer::put(const StorageNode &Tree, uint64_t Begin) {
  const uint64_t Alignment = alignmentOf(Tree);
  Begin = llvm::alignTo(Begin, Alignment);
  if (Tree.What == StorageNode::Kind::Variable) {
    std::optional<VariableId> Id = findVariable(Tree.Variable);
    if (!Id)
      return Begin;
    Places[*Id].Offset = Begin;
    IsPlaced[*Id] = true;
    return Begin + Places[*Id].Size;
  }
  if (Tree.What == StorageNode::Kind::Gap)
    return Begin + Tree.Bytes;
  uint64_t End = Begin, Next = Begin;
  for (const StorageNode &Member : Tree.Members) {
    const uint64_t MemberEnd = put(Member, Next);
    End = std::max(End, MemberEnd);
    if (Tree.What == StorageNode::Kind::Sequence)
      Next = MemberEnd;
  }
  return llvm::alignTo(End, Alignment);
}

uint64_t Placer::countBefore() const {
  uint64_t End = 0;
  for (auto [Place, V] : llvm::zip(Places, Program.Variables))
    End = llvm::alignTo(End, V.Alignment) + Place.Size;
  return End;
}

llvm::Expected<std::vector<StoredAt>> Placer::run() {
  const uint64_t Before = countBefore();
  uint64_t End = 0;
  // The object in dynamic memory, which is stored behind all static memory.
  const StorageNode *Dynamic =
      Reuse.Launches.empty() ? nullptr : &Reuse.Objects.back();
  for (auto [Id, V] : llvm::enumerate(Program.Variables)) {
    if (IsPlaced[Id] || (Dynamic && contains(*Dynamic, Id)))
      continue;
    const auto Object = llvm::find_if(
        Reuse.Objects, [&](const auto &Each) { return contains(Each, Id); });
    if (Object != Reuse.Objects.end()) {
      End = put(*Object, End);
      continue;
    }
    Places[Id].Offset = llvm::alignTo(End, V.Alignment);
    End = Places[Id].Offset + Places[Id].Size;
  }
  if (Dynamic)
    End = put(*Dynamic, llvm::alignTo(End, DynamicAlignment));
  // An object is stored where its first variable was, and has the greatest
  // alignment of its variables: that may cost padding.
  constexpr uint64_t Slack = 16;
  if (End > Before + Slack * Reuse.Objects.size())
    return llvm::createStringError("it takes " + llvm::Twine(End) +
                                   " bytes instead of " + llvm::Twine(Before));
  return std::move(Places);
}

/// Removes the uses of private arrays from \p Program, since they have no
/// bytes. For arrays whose elements duplicate threads may share in launches
/// that are not known, verifyPhases() must hold.
static llvm::Error removePrivate(const ReuseDecision &Reuse,
                                 SharedProgram &Program) {
  const KernelInstance &Instance = *Program.Instance;
  for (ArrayId Array : Reuse.Private) {
    if (Instance.Shapes[Array].Extents.empty())
      continue;
    const bool IsDuplicated = llvm::is_contained(Reuse.Duplicated, Array);
    for (auto [Id, V] : llvm::enumerate(Program.Variables))
      if (IsDuplicated && Instance.Block.IsUnseen && V.Array == Array)
        if (llvm::Error Violated = verifyPhases(Program, Id))
          return Violated;
    for (Step &S : Program.Steps)
      llvm::erase_if(S.Uses, [&](const SharedUse &Use) {
        return Program.Variables[Use.Variable].Array == Array;
      });
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<StoredAt>>
cudaopt::findPlaces(const SharedProgram &Program, const Plan &P) {
  return Placer(Program, P).run();
}

llvm::Expected<StoredBlock> cudaopt::findBlock(const Kernel &K,
                                               const KernelInstance &Instance,
                                               const Plan &P,
                                               clang::ASTContext &Context) {
  StoredBlock Block{std::vector<uint64_t>(K.Arrays.size()), std::nullopt};
  if (!P.Reuse || !P.Reuse->placesLayouts() ||
      Instance.Block.Origin == ShapeOrigin::Assumed)
    return Block;
  const SharedProgram Program = buildSharedProgram(K, Instance, Context);
  auto Places = findPlaces(Program, P);
  if (!Places)
    return Places.takeError();
  Block.Bytes = 0;
  for (auto [V, Place] : llvm::zip_equal(Program.Variables, *Places)) {
    Block.Bytes = std::max(*Block.Bytes, Place.Offset + Place.Size);
    if (V.Array)
      Block.Offsets[*V.Array] = Place.Offset;
  }
  return Block;
}

/// Checks that arrays which are accessed several elements at a time are still
/// aligned for that. The declaration does not demand it; an access that was
/// aligned in the source's storage must be aligned in the new one.
static llvm::Error verifyAlignments(const SharedProgram &Program,
                                    const ReuseDecision &Reuse,
                                    llvm::ArrayRef<StoredAt> Places) {
  uint64_t End = 0;
  for (auto [V, Place] : llvm::zip_equal(Program.Variables, Places)) {
    const uint64_t Begin = llvm::alignTo(End, V.Alignment);
    End = Begin + V.Size;
    if (!V.Array || llvm::is_contained(Reuse.Private, *V.Array))
      continue;
    for (const Access &A : Program.Instance->Accesses)
      if (A.Array == *V.Array && A.Width > V.ElementSize &&
          Begin % A.Width == 0 && Place.Offset % A.Width != 0)
        return llvm::createStringError(
            "'" + V.Name + "' is accessed " + llvm::Twine(A.Width) +
            " bytes at a time, and lies at byte " + llvm::Twine(Place.Offset));
  }
  return llvm::Error::success();
}

/// Returns \p Program with the barriers that \p Reuse adds. Fails if one of
/// them cannot be inserted.
static llvm::Expected<SharedProgram> addBarriers(SharedProgram Program,
                                                 const ReuseDecision &Reuse) {
  llvm::SmallVector<StepId, 4> Barriers;
  for (const clang::Stmt *Next : Reuse.NewBarriers)
    for (auto [Id, S] : llvm::enumerate(Program.Steps))
      if (S.MayFollowBarrier && S.Statement &&
          S.Statement->getBeginLoc() == Next->getBeginLoc()) {
        Barriers.push_back(Id);
        break;
      }
  if (Barriers.size() != Reuse.NewBarriers.size())
    return llvm::createStringError("a barrier has no place");
  return Barriers.empty() ? std::move(Program)
                          : insertBarriers(Program, Barriers);
}

/// Returns true if \p Reuse says that the two variables share bytes in place.
static bool isSaidInPlace(const SharedProgram &Program,
                          const ReuseDecision &Reuse, VariableId A,
                          VariableId B) {
  auto isAt = [&](unsigned Stored, VariableId V) {
    return Reuse.Variables[Stored].Decl->getLocation() ==
           Program.Variables[V].Decl->getLocation();
  };
  return llvm::any_of(Reuse.InPlace, [&](const InPlacePair &Pair) {
    return (isAt(Pair.A, A) && isAt(Pair.B, B)) ||
           (isAt(Pair.A, B) && isAt(Pair.B, A));
  });
}

llvm::Error cudaopt::verifyReuse(const Kernel &K, const Plan &P,
                                 clang::ASTContext &Context,
                                 InPlaceCheck CheckInPlace) {
  const ReuseDecision &Reuse = *P.Reuse;
  for (const auto &Instance : K.Instances) {
    if (Instance->Block.Origin == ShapeOrigin::Assumed)
      continue;
    auto Program =
        addBarriers(buildSharedProgram(K, *Instance, Context), Reuse);
    if (!Program)
      return Program.takeError();
    if (Program->Refused && !Reuse.Objects.empty())
      return llvm::createStringError(Program->Refused->text());
    if (llvm::Error Violated = removePrivate(Reuse, *Program))
      return Violated;
    if (!Reuse.Launches.empty() &&
        Placer(*Program, P).put(Reuse.Objects.back(), 0) >
            Reuse.dynamicBytesOf(Instance->Decl))
      return llvm::createStringError("a launch asks for too little memory");
    auto Places = findPlaces(*Program, P);
    if (!Places)
      return Places.takeError();
    if (llvm::Error Violated = verifyAlignments(*Program, Reuse, *Places))
      return Violated;
    if (llvm::Error Violated = verifyStorage(
            *Program, *Places, [&](const UnorderedSteps &Steps) -> llvm::Error {
              if (!isSaidInPlace(*Program, Reuse, Steps.A, Steps.B))
                return llvm::createStringError(
                    "they are not said to be in place");
              return CheckInPlace(*Program, *Places, Steps);
            }))
      return Violated;
  }
  return llvm::Error::success();
}
