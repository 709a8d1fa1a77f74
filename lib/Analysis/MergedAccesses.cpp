// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The rules are a description of what nvcc 13.0 (-O3, sm_90) was observed to
/// do, the same for several kernels each, with accesses of one thread to
/// consecutive elements:
///
///   4 or 8 bytes an element, loads or stores  one access of 8 or 16 bytes,
///                                             if every address is provably
///                                             a multiple of that
///   2 bytes, stores                           the same, 4 or 8 bytes
///   2 bytes, loads                            the same for half, and for what
///                                             is copied or converted to float;
///                                             none for what is converted to
///                                             int, which takes a register of
///                                             its own at once
///   1 byte; volatile; atomics                 no merging
///   loop of constant trip count, unrolled     16 bytes; nested loops too, if
///   (wholly up to about 100 accesses)         all are unrolled wholly
///   #pragma unroll                            wholly, with 4096 accesses too
///   the same element again in unrolled code,  loaded once, if the array is not
///   or in all iterations of a loop            written in between, and 64
///                                             registers suffice
///   unknown trip count: unrolled by 4         half of the unrolled bytes: two
///                                             floats, two doubles
///   #pragma unroll N                          the same: N / 2 elements, two if
///                                             N is 2, none if it is odd
///   #pragma unroll 1, barrier, fence, division, no merging across iterations
///   sqrt, sin, inner loop that stays a loop
///   loads with a store to any shared array,   no merging across it
///   stores with a load or another array's store
///   between them
///   load under a condition inside the loop    no merging across iterations
///   global loads and stores, shuffles, break, no obstacle
///   loads of other arrays between loads
///   members of a struct aligned to 8 or 16    like elements
///   rows of odd pitch (s[32][33], s[t * 33])  no merging, whichever row
///   static array                              begins where the declarations
///                                             before it end: an u[33] before
///                                             it takes its alignment; arrays
///                                             of one element come last
///   s[r][k ^ (r << 2)], (k + 4 * r) % 32      no merging but of the first
///                                             chunk: differences of places
///                                             must be numbers
///   s[r][((k >> 2 ^ r) << 2) + (k & 3)]       as s[r][k], if k is a number;
///                                             not with | in place of +
///   s[r][((c & ~3) ^ f) + (c & 3)]            c = 8 * t + k: no merging, since
///                                             c & ~3 is not folded
///   s[r][((8 * t + (k & ~3)) ^ f) + (k & 3)]  as s[r][8 * t + k] (ColumnSum.h)
///   extern array                              begins at a multiple of 16
///
/// "Provably" is a matter of low bits (LowBits.h): those of thread and block
/// numbers, and of iterators of loops that are not unrolled, are unknown.
//===----------------------------------------------------------------------===//

#include "MergedAccesses.h"
#include "AccessContext.h"
#include "LowBits.h"

#include "cudaopt/Machine/MergedRequests.h"
#include "cudaopt/Model/ArrayViews.h"
#include "cudaopt/Model/ValueLeaves.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace cudaopt;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The compiler unrolls a loop wholly up to about so many executions of an
/// access.
static constexpr uint64_t MaxWholeTrips = 128;
/// The same for a loop with `#pragma unroll`.
static constexpr uint64_t MaxAskedTrips = 4096;
/// The bytes that a thread keeps in registers around a loop.
static constexpr uint64_t MaxHoisted = 64 * 4;
/// The iterations of a longer loop that are taken to stand side by side.
static constexpr uint64_t PartialTrips = 32;
/// The same for a loop of unknown trip count.
static constexpr uint64_t UnknownTrips = 4;

namespace {

/// Determines which accesses form a group, which of its loops are unrolled, and
/// what is known about the addresses of its members.
class GroupBuilder {
public:
  explicit GroupBuilder(const KernelInstance &Instance)
      : Instance(Instance), Text(Instance),
        ZeroBits(listZeroBits(Instance.Values, Instance.Values.size())) {}

  /// Returns true if \p First and \p Last belong to one group: they are of the
  /// same kind, and no access between them keeps them apart.
  bool areSideBySide(const Access &First, const Access &Last) const;
  /// Fills in what a group has beside its members.
  void complete(AccessGroup &Group);

private:
  bool conflicts(const Access &A, const Access &Between) const;
  bool isStraight(const Loop &L, const AccessGroup &Group,
                  ArrayRef<LoopId> Unrolled) const;
  bool isConditional(const Loop &L, const Access &A) const;
  bool isConstantIn(ArrayRef<LoopId> Unrolled, ValueId Id) const;
  std::optional<uint64_t> findTrips(const Loop &L) const;
  /// Determines which loops of \p Group are unrolled. Returns the bytes of the
  /// widest access that the compiler can make of the result.
  unsigned unrollLoops(AccessGroup &Group);
  /// Determines out of which loops \p Group is hoisted.
  void hoist(AccessGroup &Group) const;
  bool isInvariant(const Loop &L, const AccessGroup &Group) const;
  unsigned findMergedBytes(const Access &A, unsigned MaxBytes) const;
  /// Fills in what is known about the address of \p Member.
  void place(MergeableAccess &Member, unsigned MaxBytes, LowBitsFinder &Bits);
  void placeElement(MergeableAccess &Member, LowBitsFinder &Bits);
  /// Limits the merge to the alignment that the column is known to have: as
  /// many executions as its known low bits tell apart.
  void limit(MergeableAccess &Member, LowBits Bits) {
    Member.MaxCount =
        std::min<unsigned>(Member.MaxCount, 1u << std::min(Bits.Known, 4u));
  }

  const KernelInstance &Instance;
  AccessContext Text;
  const std::vector<uint8_t> ZeroBits; ///< The result of listZeroBits().
};

} // namespace

/// Returns true if the compiler does not move \p A across \p Between.
bool GroupBuilder::conflicts(const Access &A, const Access &Between) const {
  return isObstacle(memoryOpOf(A.Kind), memoryOpOf(Between.Kind),
                    Between.Array == A.Array);
}

/// \p First and \p Last are elements of Instance.Accesses, in this order.
bool GroupBuilder::areSideBySide(const Access &First,
                                 const Access &Last) const {
  if (First.Kind != Last.Kind || First.Width != Last.Width ||
      First.Loops != Last.Loops || First.Guards != Last.Guards ||
      First.Interval != Last.Interval || First.Chunk != 1 || Last.Chunk != 1 ||
      !First.DomainIsExact || !Last.DomainIsExact ||
      First.Kind == AccessKind::Atomic)
    return false;
  return llvm::none_of(llvm::make_range(&First, &Last), [&](const Access &A) {
    return A.Interval != First.Interval || conflicts(First, A);
  });
}

/// Returns true if \p Id is a constant in each copy of the body when the loops
/// \p Unrolled are unrolled.
bool GroupBuilder::isConstantIn(ArrayRef<LoopId> Unrolled, ValueId Id) const {
  return LowBitsFinder(Instance.Values, Unrolled).find(Id).Known ==
         LowBits::All;
}

/// Returns how many executions of an access the compiler lets \p L have at most
/// to unroll it wholly.
static uint64_t findMaxTrips(const Loop &L) {
  return L.WantedUnroll ? MaxAskedTrips : MaxWholeTrips;
}

/// Returns the trip count of \p L if it is a constant for the compiler; any
/// count above findMaxTrips() is returned as that plus 1.
std::optional<uint64_t> GroupBuilder::findTrips(const Loop &L) const {
  if (!L.Condition || !L.HasConstantBounds || !isConstantIn(L.Id, *L.Condition))
    return std::nullopt;
  Evaluator Values(Instance.Values);
  std::vector<int64_t> Iterators(Instance.Loops.size());
  int64_t &Trips = Iterators[L.Id];
  for (; static_cast<uint64_t>(Trips) <= findMaxTrips(L); ++Trips) {
    Values.moveTo({{}, {}, Iterators});
    std::optional<int64_t> Holds = Values.evaluate(*L.Condition);
    if (!Holds)
      return std::nullopt;
    if (!*Holds)
      break;
  }
  return Trips;
}

/// Returns true if \p A is executed under a condition inside of \p L.
bool GroupBuilder::isConditional(const Loop &L, const Access &A) const {
  if (L.Statement)
    if (std::optional<bool> Found = Text.isConditional(A.Ref, L.Statement))
      return *Found;
  // The access stands in the text of another function. Then any guard that is
  // not a constant may be a condition inside of the loop.
  return !A.DomainIsExact || llvm::any_of(A.Guards, [&](ValueId Guard) {
    return !isConstantIn({}, Guard);
  });
}

/// Returns true if unrolling \p L, in which the loops \p Unrolled are unrolled
/// already, lets accesses of \p Group from different iterations merge: the body
/// then is straight-line code without an obstacle. A guard that is a constant
/// in the unrolled code is no condition any more.
bool GroupBuilder::isStraight(const Loop &L, const AccessGroup &Group,
                              ArrayRef<LoopId> Unrolled) const {
  if (!L.MayUnroll)
    return false;
  const Access &A = *Group.Members.front().A;
  for (const Loop &Inner : Instance.Loops)
    if (Inner.Parent == L.Id && !llvm::is_contained(Unrolled, Inner.Id) &&
        (!Inner.MayUnroll || !findTrips(Inner)))
      return false;
  for (const Access &Other : Instance.Accesses)
    if (llvm::is_contained(Other.Loops, L.Id) && conflicts(A, Other))
      return false;
  if (!isConditional(L, A))
    return true;
  SmallVector<LoopId, 4> Constant(Unrolled);
  Constant.push_back(L.Id);
  return A.DomainIsExact && llvm::all_of(A.Guards, [&](ValueId Guard) {
           return isConstantIn(Constant, Guard);
         });
}

/// Returns the bytes that the compiler merges at most if iterations that access
/// \p Bytes each are unrolled partly, \p Factor times: half of the unrolled
/// bytes, but at least two iterations; for an odd factor, the greatest power of
/// two that divides the bytes of one iteration.
static unsigned findPartialBytes(uint64_t Bytes, uint64_t Factor) {
  if (Factor % 2)
    return Bytes & -Bytes;
  return std::min<uint64_t>(MaxMergedBytes,
                            Bytes * std::max<uint64_t>(2, Factor / 2));
}

// Loops are unrolled from the innermost one outwards. An outer loop is unrolled
// wholly or not at all; only the innermost one may be unrolled partly.
unsigned GroupBuilder::unrollLoops(AccessGroup &Group) {
  const Access &A = *Group.Members.front().A;
  Group.Depth = A.Loops.size();
  Group.Iterations = 1;
  SmallVector<LoopId, 4> Unrolled;
  uint64_t Executions = 1;
  while (Group.Depth > 0) {
    const Loop &L = Instance.Loops[A.Loops[Group.Depth - 1]];
    if (!isStraight(L, Group, Unrolled))
      break;
    const std::optional<uint64_t> Trips = findTrips(L);
    const uint64_t Wanted = L.WantedUnroll.value_or(MaxWholeTrips);
    if (Trips && *Trips <= Wanted &&
        Executions * std::max<uint64_t>(1, *Trips) <= findMaxTrips(L)) {
      --Group.Depth;
      Group.Iterations = std::max<uint64_t>(1, *Trips);
      Executions *= Group.Iterations;
      Unrolled.push_back(L.Id);
      continue;
    }
    // What does not change in the loop is loaded in front of it.
    if (!Unrolled.empty() || isInvariant(L, Group))
      break;
    --Group.Depth;
    Group.IsPartial = true;
    Group.Iterations = Trips ? PartialTrips : UnknownTrips;
    if (L.WantedUnroll && *L.WantedUnroll != UINT64_MAX)
      Group.Iterations = std::min(*L.WantedUnroll, PartialTrips);
    else if (Trips)
      break;
    return findPartialBytes(A.Width * Group.Members.size(), Group.Iterations);
  }
  return MaxMergedBytes;
}

/// Splits the address of \p Member into row and column, and finds what the
/// compiler knows about either. If the row (or its low bits) is not constant,
/// other executions access rows that are StepElsewhere away, which must not
/// spoil the alignment.
void GroupBuilder::placeElement(MergeableAccess &Member, LowBitsFinder &Bits) {
  const Access &A = *Member.A;
  const ArrayShape &Shape = Instance.Shapes[A.Array];
  Member.Column = A.Index.back();
  if (A.Index.size() == 1 && A.Split) {
    Member.Column = A.Split->Rest;
    const LowBits Row = Bits.find(A.Split->RowValue);
    if (Row.Known < LowBits::All)
      Member.StepElsewhere = A.Split->Pitch << std::min(Row.Known, 16u);
  } else if (A.Index.size() == 1) {
    const LowBits Index = Bits.find(A.Index.front());
    if (Index.Known < LowBits::All)
      Member.StepElsewhere = uint64_t(1) << std::min(Index.Known, 16u);
  }
  uint64_t Pitch = 1;
  for (size_t D = A.Index.size() - 1; D > 0 && !Member.StepElsewhere; --D) {
    Pitch *= Shape.Extents[D];
    const LowBits Row = Bits.find(A.Index[D - 1]);
    if (Row.Known < LowBits::All)
      Member.StepElsewhere = Pitch << std::min(Row.Known, 16u);
  }
  limit(Member, Bits.find(*Member.Column));
}

/// Returns true if all iterations of \p L execute the same loads.
bool GroupBuilder::isInvariant(const Loop &L, const AccessGroup &Group) const {
  const Access &First = *Group.Members.front().A;
  SmallVector<ValueId, 16> Roots(First.Guards.begin(), First.Guards.end());
  for (const MergeableAccess &Member : Group.Members)
    llvm::append_range(Roots, Member.A->Index);
  return !llvm::is_contained(findLeaves(Instance.Values, Roots).Loops, L.Id);
}

/// Returns true if the compiler may merge \p A with others, or leave it out.
static bool isPlain(const Access &A) {
  return !A.IsAlone && A.Kind != AccessKind::Atomic &&
         !A.Ref->getType().isVolatileQualified();
}

void GroupBuilder::hoist(AccessGroup &Group) const {
  const Access &A = *Group.Members.front().A;
  Group.HoistedDepth = Group.Depth;
  if (Group.IsPartial || A.Kind != AccessKind::Read || !isPlain(A))
    return;
  SmallVector<LoopId, 4> Inside(ArrayRef(A.Loops).drop_front(Group.Depth));
  uint64_t Bytes = Group.Members.size() * A.Width;
  for (LoopId Id : Inside)
    Bytes *= findTrips(Instance.Loops[Id]).value_or(MaxHoisted);
  while (Group.HoistedDepth > 0 && Bytes <= MaxHoisted) {
    const Loop &L = Instance.Loops[A.Loops[Group.HoistedDepth - 1]];
    if (!isStraight(L, Group, Inside) || !isInvariant(L, Group))
      return;
    --Group.HoistedDepth;
    Inside.push_back(L.Id);
  }
}

/// Returns the bytes of the widest access that \p A may become a part of, among
/// others of \p MaxBytes in all.
unsigned GroupBuilder::findMergedBytes(const Access &A,
                                       unsigned MaxBytes) const {
  if (A.Chunk != 1 ||
      (A.Width == 2 && A.Kind == AccessKind::Read && Text.isWidened(A.Ref)))
    return A.Width;
  return std::min(MaxBytes, mergedBytes(A.Width));
}

void GroupBuilder::place(MergeableAccess &Member, unsigned MaxBytes,
                         LowBitsFinder &Bits) {
  const Access &A = *Member.A;
  if (!isPlain(A))
    return;
  Member.IsLoadedOnce = A.Kind == AccessKind::Read;
  Member.MaxCount = std::max(1u, findMergedBytes(A, MaxBytes) / A.Width);
  if (Member.MaxCount == 1)
    return;
  if (A.Width != Instance.Shapes[A.Array].ElementSize) {
    Member.StepElsewhere = 1;
    return;
  }
  placeElement(Member, Bits);
  Member.Sum = splitColumn(A, Bits, ZeroBits, Member.MaxCount);
}

void GroupBuilder::complete(AccessGroup &Group) {
  const unsigned MaxBytes = unrollLoops(Group);
  const Access &A = *Group.Members.front().A;
  LowBitsFinder Bits(Instance.Values,
                     ArrayRef(A.Loops).drop_front(Group.Depth));
  // A single access outside of unrolled loops merges with nothing.
  const bool IsAlone =
      Group.Members.size() == 1 && Group.Depth == A.Loops.size();
  for (MergeableAccess &Member : Group.Members)
    place(Member, IsAlone ? A.Width : MaxBytes, Bits);
  hoist(Group);
}

// An access joins the latest group whose first member it may stand beside. The
// accesses are in source order, so that what lies between is known.
std::vector<AccessGroup>
cudaopt::groupAccesses(const KernelInstance &Instance,
                       ArrayRef<const Access *> Accesses) {
  GroupBuilder Builder(Instance);
  std::vector<AccessGroup> Groups;
  for (const Access *A : Accesses) {
    auto It = llvm::find_if(llvm::reverse(Groups), [&](const AccessGroup &G) {
      return Builder.areSideBySide(*G.Members.front().A, *A);
    });
    if (It != Groups.rend())
      It->Members.push_back({A});
    else
      Groups.emplace_back().Members.push_back({A});
  }
  for (AccessGroup &Group : Groups)
    Builder.complete(Group);
  return Groups;
}
