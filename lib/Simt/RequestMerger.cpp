// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Predicts merged requests in optimized device code, by the rule of
/// Machine/MergedRequests.h. Scalar evolution tells how far addresses are apart
/// and how they are aligned; accesses are merged within a basic block only.
///
/// Groups of accesses that may be merged stay open while the block is scanned.
/// An obstacle closes those that must not be moved across it.
//===----------------------------------------------------------------------===//

#include "RequestMerger.h"

#include "cudaopt/Machine/MergedRequests.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include <optional>

using namespace llvm;

namespace cudaopt::simt {

using AddressMap = DenseMap<const GlobalValue *, SharedAddr>;
using IssueMap = DenseMap<const Instruction *, IssuedRequest>;

namespace {

/// What is known of a number: that it is Value modulo Modulus, a power of two.
struct Remainder {
  uint64_t Value = 0, Modulus = 1;
};

/// A group: accesses of one kind and width to one array, at known distances.
struct SideBySide {
  struct Member {
    const Instruction *I;
    int64_t Begin; ///< The distance from the first member in bytes.
  };
  MemoryOp Op;
  const GlobalVariable *Array;
  const SCEV *First; ///< The address of the first member.
  Remainder Place;   ///< The remainder of that address.
  unsigned Width;
  SmallVector<Member, 4> Members;
};

/// Scans the blocks of a function.
class RequestMerger {
public:
  RequestMerger(Function &F, const AddressMap &Addresses)
      : DL(F.getDataLayout()), Addresses(Addresses), Dominators(F),
        Loops(Dominators), Assumptions(F),
        Libraries(F.getParent()->getTargetTriple()), Library(Libraries, &F),
        Evolution(F, Library, Assumptions, Dominators, Loops) {}

  void visit(BasicBlock &BB);
  IssueMap take() { return std::move(Issued); }

private:
  /// Returns what is known of the remainder of an expression.
  Remainder remainderOf(const SCEV *S);
  void visitAccess(Instruction &I, MemoryOp Op, Value &Pointer, Type *T,
                   bool IsSimple);
  /// Adds an access to an open group, or opens one.
  void add(const Instruction &I, MemoryOp Op, const GlobalVariable &Array,
           const SCEV *Address, unsigned Width);
  /// Issues and removes the groups for which \p isObstructed holds: later
  /// accesses cannot join them.
  template <class Predicate> void closeIf(Predicate isObstructed);
  /// Decides which members of a group are merged.
  void issue(const SideBySide &Group);

  const DataLayout &DL;
  const AddressMap &Addresses;
  DominatorTree Dominators;
  LoopInfo Loops;
  AssumptionCache Assumptions;
  TargetLibraryInfoImpl Libraries;
  TargetLibraryInfo Library;
  ScalarEvolution Evolution;
  SmallVector<SideBySide, 4> Open;
  IssueMap Issued;
};

} // namespace

/// Returns a remainder with a modulus of at most MaxMergedBytes, since more is
/// never needed.
static Remainder reduced(uint64_t Value, uint64_t Modulus) {
  Modulus = std::min<uint64_t>(Modulus, MaxMergedBytes);
  return {Value & (Modulus - 1), Modulus};
}

/// Returns the variable whose address \p S is; null if it is none.
static const GlobalVariable *variableOf(const SCEV *S) {
  const auto *Unknown = dyn_cast<SCEVUnknown>(S);
  return Unknown ? dyn_cast<GlobalVariable>(
                       Unknown->getValue()->stripPointerCasts())
                 : nullptr;
}

/// A sum is known as far as its least known part; a recurrence as far as its
/// start and its step; a product with a constant gains the factors of two of
/// the constant. The addresses of shared variables are known exactly.
Remainder RequestMerger::remainderOf(const SCEV *S) {
  if (const auto *C = dyn_cast<SCEVConstant>(S))
    return reduced(C->getAPInt().getLoBits(8).extractBitsAsZExtValue(
                       std::min(8u, C->getAPInt().getBitWidth()), 0),
                   MaxMergedBytes);
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(S))
    return remainderOf(Cast->getOperand());
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
    Remainder R = {0, MaxMergedBytes};
    for (const SCEV *Operand : Sum->operands()) {
      const Remainder Part = remainderOf(Operand);
      R = reduced(R.Value + Part.Value, std::min(R.Modulus, Part.Modulus));
    }
    return R;
  }
  if (const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S)) {
    const Remainder Start = remainderOf(Recurrence->getStart());
    if (!Recurrence->isAffine())
      return {};
    const Remainder Step =
        remainderOf(Recurrence->getStepRecurrence(Evolution));
    const uint64_t Both = Step.Value | Step.Modulus;
    return reduced(Start.Value, std::min(Start.Modulus, Both & -Both));
  }
  if (const auto *Product = dyn_cast<SCEVMulExpr>(S);
      Product && isa<SCEVConstant>(Product->getOperand(0)) &&
      Product->getNumOperands() == 2) {
    const Remainder Factor = remainderOf(Product->getOperand(0));
    const Remainder Other = remainderOf(Product->getOperand(1));
    const uint64_t Power =
        (Factor.Value | Factor.Modulus) & -(Factor.Value | Factor.Modulus);
    return reduced(Factor.Value * Other.Value, Power * Other.Modulus);
  }
  if (auto Known = Addresses.find(variableOf(S)); Known != Addresses.end())
    return reduced(Known->second, MaxMergedBytes);
  return reduced(
      0, uint64_t(1) << std::min(
             4u, static_cast<unsigned>(Evolution.getMinTrailingZeros(S))));
}

template <class Predicate> void RequestMerger::closeIf(Predicate isObstructed) {
  erase_if(Open, [&](const SideBySide &Group) {
    const bool Closes = isObstructed(Group);
    if (Closes)
      issue(Group);
    return Closes;
  });
}

void RequestMerger::add(const Instruction &I, MemoryOp Op,
                        const GlobalVariable &Array, const SCEV *Address,
                        unsigned Width) {
  for (SideBySide &Group : Open) {
    if (Group.Op != Op || Group.Array != &Array || Group.Width != Width)
      continue;
    const auto *Distance =
        dyn_cast<SCEVConstant>(Evolution.getMinusSCEV(Address, Group.First));
    if (Distance && Distance->getAPInt().getSignificantBits() <= 32) {
      Group.Members.push_back({&I, Distance->getAPInt().getSExtValue()});
      return;
    }
  }
  Open.push_back({Op, &Array, Address, remainderOf(Address), Width, {{&I, 0}}});
}

/// Returns true if \p I loads 2 bytes only to widen them to a greater integer.
static bool isWidened(const Instruction &I) {
  return isa<LoadInst>(I) && I.getType()->isIntegerTy(16) && !I.use_empty() &&
         all_of(I.users(), [](const User *U) {
           return isa<ZExtInst>(U) || isa<SExtInst>(U);
         });
}

void RequestMerger::visitAccess(Instruction &I, MemoryOp Op, Value &Pointer,
                                Type *T, bool IsSimple) {
  const SCEV *Address = Evolution.getSCEV(&Pointer);
  const GlobalVariable *Array = variableOf(Evolution.getPointerBase(Address));
  // A pointer of which nothing is known most likely points to global memory,
  // and is no obstacle.
  if (Pointer.getType()->getPointerAddressSpace() !=
          NVPTXAS::ADDRESS_SPACE_SHARED &&
      (!Array || !Addresses.contains(Array)))
    return;
  closeIf([&](const SideBySide &Group) {
    return !IsSimple || isObstacle(Group.Op, Op, Group.Array == Array);
  });
  if (!IsSimple || !Array || !Addresses.contains(Array) || T->isAggregateType())
    return;
  const auto Width = static_cast<unsigned>(DL.getTypeStoreSize(T));
  // A less aligned access is lowered in parts.
  if (mergedBytes(Width) > Width && !isWidened(I) &&
      getLoadStoreAlignment(&I).value() >= Width)
    add(I, Op, *Array, Address, Width);
}

void RequestMerger::visit(BasicBlock &BB) {
  for (Instruction &I : BB) {
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      visitAccess(I, MemoryOp::Load, *Load->getPointerOperand(),
                  Load->getType(), Load->isSimple());
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      visitAccess(I, MemoryOp::Store, *Store->getPointerOperand(),
                  Store->getValueOperand()->getType(), Store->isSimple());
    } else if (I.mayWriteToMemory()) {
      // Shuffles and votes only exchange registers, and are no obstacle.
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !Call->onlyAccessesInaccessibleMemory())
        closeIf([](const SideBySide &) { return true; });
    }
  }
  closeIf([](const SideBySide &) { return true; });
}

/// For each member in program order, the longest aligned chunk of free members
/// around it becomes one request, which is counted at that member.
void RequestMerger::issue(const SideBySide &Group) {
  // Positions are counted in elements from an origin so far away that all are
  // positive.
  constexpr int64_t Origin = int64_t(1) << 34;
  const unsigned MaxCount = std::max<unsigned>(
      1, std::min<unsigned>(Group.Place.Modulus, mergedBytes(Group.Width)) /
             Group.Width);
  auto PlaceOf = [&](const SideBySide::Member &M) {
    return (Origin + static_cast<int64_t>(Group.Place.Value) + M.Begin) /
           Group.Width;
  };
  SmallVector<bool, 4> IsTaken(Group.Members.size());
  auto FindFree = [&](int64_t Place) {
    for (size_t I = 0; I < Group.Members.size(); ++I)
      if (!IsTaken[I] && PlaceOf(Group.Members[I]) == Place)
        return I;
    return Group.Members.size();
  };
  for (size_t I = 0; I < Group.Members.size(); ++I) {
    if (IsTaken[I])
      continue;
    const int64_t Place = PlaceOf(Group.Members[I]);
    const auto Low = static_cast<uint32_t>(Place % (1 << 20));
    const unsigned Count =
        findMergedCount(Low, MaxCount, [&](uint32_t Near, unsigned) {
          return FindFree(Place + Near - Low) < Group.Members.size();
        });
    const int64_t First = Place / Count * Count;
    if (Count > 1)
      for (int64_t Each = First; Each < First + Count; ++Each) {
        const size_t Part = FindFree(Each);
        IsTaken[Part] = true;
        Issued[Group.Members[Part].I].IsElsewhere = true;
      }
    if (Count > 1)
      Issued[Group.Members[I].I] = {
          static_cast<uint8_t>(Count * Group.Width),
          static_cast<int8_t>((First - Place) * Group.Width), false};
  }
}

IssueMap findMergedRequests(Function &F, const AddressMap &Addresses) {
  RequestMerger Merger(F, Addresses);
  for (BasicBlock &BB : F)
    Merger.visit(BB);
  return Merger.take();
}

} // namespace cudaopt::simt
