// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Value range analysis by abstract interpretation over intervals, with
/// widening and narrowing (Cousot and Cousot 1977).
///
/// Only phis need a fixed point; other values are evaluated from their
/// operands. Phis start empty and grow to the union of what comes in over all
/// edges. A phi that still grows after some rounds is widened: each bound that
/// moves goes to the end of the type. From there on, each round can only take
/// away what no edge brings. So the condition of a loop bounds its induction
/// variable:
///
///   for (int i = 0; i < 64; ++i)    i: [0, 0], [0, 1], ..., then widened to
///                                   [0, 2^31), then narrowed to [0, 64]
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/Ranges.h"

#include "RangeTransfer.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

using namespace cudaopt::ir;
using llvm::CmpInst;
using llvm::ConstantRange;

/// The number of rounds in which the range of a phi may grow before it is
/// widened, and the number of rounds of narrowing.
static constexpr unsigned MaxGrowth = 6, NumNarrowing = 3;

ValueRanges::ValueRanges(const Function &F, LaunchShape Shape)
    : F(F), Shape(std::move(Shape)),
      // The tree does not change the graph that it reads.
      Dominance(const_cast<Function &>(F)),
      Wraps(F.context().getLangOpts().isSignedOverflowDefined()) {
  FactsOf.resize(F.blocks().size());
  findPhis();
  findRanges();
  narrow();
  findBits();
}

static bool hasRange(const Value &V) { return V.Ty.isIntegral(); }

ConstantRange ValueRanges::full(ValueId V) const {
  return ConstantRange::getFull(F.value(V).Ty.Bits);
}

void ValueRanges::findPhis() {
  for (const std::unique_ptr<Block> &B : F.blocks())
    for (ValueId Phi : B->Phis)
      if (hasRange(F.value(Phi)))
        Phis.push_back(Phi);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Adds the comparisons that are known if the value of \p Condition is
/// \p Holds.
void ValueRanges::addFacts(ValueId Condition, bool Holds, Facts &Known) const {
  const Value &V = F.value(Condition);
  if (V.What == Value::Unary && V.unary() == clang::UO_LNot)
    return addFacts(V.Operands[0], !Holds, Known);
  if (V.What == Value::Convert && V.Ty.What == Type::Boolean &&
      hasRange(F.value(V.Operands[0]))) {
    Known.push_back(
        {V.Operands[0], Holds ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ, 0});
    return addFacts(V.Operands[0], Holds, Known);
  }
  if (V.What == Value::Convert && F.value(V.Operands[0]).Ty == Type::boolean())
    return addFacts(V.Operands[0], Holds, Known);
  if (V.What != Value::Binary || !hasRange(F.value(V.Operands[0])))
    return;
  const std::optional<CmpInst::Predicate> Compared =
      predicateOf(V.binary(), F.value(V.Operands[0]).Ty.IsSigned);
  if (!Compared)
    return;
  const CmpInst::Predicate P =
      Holds ? *Compared : CmpInst::getInversePredicate(*Compared);
  Known.push_back({V.Operands[0], P, V.Operands[1]});
  Known.push_back(
      {V.Operands[1], CmpInst::getSwappedPredicate(P), V.Operands[0]});
}

/// Adds what is known on the edge from \p From to \p To.
void ValueRanges::addEdgeFacts(const Block &From, const Block &To,
                               Facts &Known) const {
  if (From.Terminator == Block::Branch &&
      From.Successors[0] != From.Successors[1])
    addFacts(From.Condition, From.Successors[0] == &To, Known);
}

/// Returns the comparisons that hold wherever control is in \p B: those of the
/// edges that dominate it. An edge into a block without other predecessors
/// dominates whatever that block dominates.
const ValueRanges::Facts &ValueRanges::factsAt(const Block &B) const {
  std::optional<Facts> &Cached = FactsOf[B.Id];
  if (Cached)
    return *Cached;
  Facts &Known = Cached.emplace();
  for (const auto *Node = Dominance.getNode(&B); Node && Node->getIDom();
       Node = Node->getIDom()) {
    const Block &To = *Node->getBlock();
    if (To.Predecessors.size() == 1)
      addEdgeFacts(*To.Predecessors[0], To, Known);
  }
  return Known;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The range of a special register, from the launch if that is known, else from
/// what the hardware allows. The first twelve registers are threadIdx,
/// blockIdx, blockDim and gridDim, each with x, y and z (SpecialRegisters.def).
ConstantRange ValueRanges::special(SpecialRegister R) const {
  const auto Below = [](uint64_t Least, uint64_t Most) {
    return ConstantRange::getNonEmpty(llvm::APInt(32, Least),
                                      llvm::APInt(32, Most));
  };
  const auto Index = static_cast<unsigned>(R);
  const unsigned Axis = Index % 3;
  static constexpr uint64_t MostThreads[] = {1024, 1024, 64};
  static constexpr uint64_t MostBlocks[] = {0x7fffffff, 65535, 65535};
  const auto Extent = [&](const auto &Known, const uint64_t *Most, bool IsDim) {
    const uint64_t Size = Known ? (*Known)[Axis] : Most[Axis];
    if (!IsDim)
      return Below(0, std::max<uint64_t>(Size, 1));
    return Known ? ConstantRange(llvm::APInt(32, Size)) : Below(1, Size + 1);
  };
  if (Index < 3)
    return Extent(Shape.Block, MostThreads, false);
  if (Index < 6)
    return Extent(Shape.Grid, MostBlocks, false);
  if (Index < 9)
    return Extent(Shape.Block, MostThreads, true);
  if (Index < 12)
    return Extent(Shape.Grid, MostBlocks, true);
  if (R == SpecialRegister::LaneId)
    return Below(0, 32);
  if (R == SpecialRegister::WarpSize)
    return ConstantRange(llvm::APInt(32, 32));
  return ConstantRange::getFull(32);
}

/// Computes the range of a value from those of its operands. The range of a phi
/// is what the fixed point has found so far.
ConstantRange ValueRanges::transfer(ValueId Id, const Facts &Known,
                                    Memo &Done) const {
  const Value &V = F.value(Id);
  const auto Of = [&](unsigned I) {
    return evaluate(V.Operands[I], Known, Done);
  };
  const auto Has = [&](unsigned I) { return hasRange(F.value(V.Operands[I])); };
  switch (V.What) {
  case Value::Literal:
    return ConstantRange(V.Integer);
  case Value::Special:
    return special(V.Register);
  case Value::Argument:
    if (const auto Bound = Shape.Arguments.find(V.Decl);
        Bound != Shape.Arguments.end() &&
        Bound->second.getBitWidth() == V.Ty.Bits)
      return Bound->second;
    return full(Id);
  case Value::Phi: {
    const auto Found = PhiRanges.find(Id);
    return Found == PhiRanges.end() ? full(Id) : Found->second;
  }
  case Value::Unary:
    return Has(0) ? rangeOfUnary(V, Of(0), Wraps) : full(Id);
  case Value::Binary:
    return Has(0) && Has(1) ? rangeOfBinary(V, F.value(V.Operands[0]).Ty, Of(0),
                                            Of(1), Wraps)
                            : full(Id);
  case Value::Select: {
    const ConstantRange Condition = Of(0);
    if (const llvm::APInt *Only = Condition.getSingleElement())
      return Of(Only->isZero() ? 2 : 1);
    return Of(1).unionWith(Of(2), preferred(V.Ty));
  }
  case Value::Convert:
    return Has(0) ? rangeOfConversion(F.value(V.Operands[0]).Ty, V.Ty, Of(0))
                  : full(Id);
  case Value::Pure: {
    llvm::SmallVector<ConstantRange, 3> Operands;
    for (unsigned I = 0; I < V.Operands.size(); ++I) {
      if (!Has(I))
        return full(Id);
      Operands.push_back(Of(I));
    }
    return rangeOfCall(V, Operands);
  }
  default:
    return full(Id);
  }
}

/// The range of \p V where \p Known holds. \p Done caches the ranges under
/// these facts.
ConstantRange ValueRanges::evaluate(ValueId V, const Facts &Known,
                                    Memo &Done) const {
  if (const auto Found = Done.find(V); Found != Done.end())
    return Found->second;
  ConstantRange Range = transfer(V, Known, Done);
  for (const Fact &Each : Known) {
    if (Each.X != V)
      continue;
    // The other side is evaluated without the facts: with x < y and y > x, x
    // and y would otherwise be evaluated in turns without an end.
    Memo Plain;
    const ConstantRange Other =
        Each.Y ? evaluate(Each.Y, {}, Plain)
               : ConstantRange(llvm::APInt(Range.getBitWidth(), 0));
    Range = Range.intersectWith(
        ConstantRange::makeAllowedICmpRegion(Each.Holds, Other),
        preferred(F.value(V).Ty));
  }
  Done.insert({V, Range});
  return Range;
}

/// The union of what comes into \p Phi over all edges, each under the
/// conditions that hold on that edge.
ConstantRange ValueRanges::incoming(ValueId Phi) const {
  const Value &V = F.value(Phi);
  const Block &Home = *F.blocks()[V.Block];
  ConstantRange Range = ConstantRange::getEmpty(V.Ty.Bits);
  for (auto [Before, In] : llvm::zip_equal(Home.Predecessors, V.Operands)) {
    Facts Known = factsAt(*Before);
    addEdgeFacts(*Before, Home, Known);
    Memo Done;
    Range = Range.unionWith(evaluate(In, Known, Done), preferred(V.Ty));
  }
  return Range;
}

/// Widening: returns \p New, a superset of \p Old, with each bound that has
/// moved set to the end of the type.
static ConstantRange widen(const ConstantRange &Old, const ConstantRange &New,
                           const Type &T) {
  const auto Least = [&](const ConstantRange &R) {
    return T.IsSigned ? R.getSignedMin() : R.getUnsignedMin();
  };
  const auto Most = [&](const ConstantRange &R) {
    return T.IsSigned ? R.getSignedMax() : R.getUnsignedMax();
  };
  const ConstantRange All = ConstantRange::getFull(T.Bits);
  if (Old.isEmptySet())
    return New;
  const llvm::APInt First = Least(Old) == Least(New) ? Least(New) : Least(All);
  const llvm::APInt Last = Most(Old) == Most(New) ? Most(New) : Most(All);
  return ConstantRange::getNonEmpty(First, Last + 1);
}

/// The ascending phase. It ends: after MaxGrowth changes a phi is widened,
/// which can happen at most a few times, and after twice as many it is full.
void ValueRanges::findRanges() {
  for (ValueId Phi : Phis)
    PhiRanges.insert({Phi, ConstantRange::getEmpty(F.value(Phi).Ty.Bits)});
  llvm::DenseMap<ValueId, unsigned> Growth;
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (ValueId Phi : Phis) {
      ConstantRange &Old = PhiRanges.find(Phi)->second;
      const Type T = F.value(Phi).Ty;
      ConstantRange New = Old.unionWith(incoming(Phi), preferred(T));
      if (New == Old)
        continue;
      const unsigned Rounds = ++Growth[Phi];
      if (Rounds > 2 * MaxGrowth)
        New = full(Phi);
      else if (Rounds > MaxGrowth)
        New = widen(Old, New, T);
      Changes |= New != Old;
      Old = New;
    }
  }
}

/// The descending phase. Any number of rounds is sound: both the old ranges and
/// what comes in under them contain the least fixed point.
void ValueRanges::narrow() {
  for (unsigned Round = 0; Round < NumNarrowing; ++Round)
    for (ValueId Phi : Phis) {
      ConstantRange &Old = PhiRanges.find(Phi)->second;
      Old = Old.intersectWith(incoming(Phi), preferred(F.value(Phi).Ty));
    }
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// The known bits of a value; std::nullopt if it depends on a phi into which
/// nothing has come yet. \p Done caches the results.
std::optional<llvm::KnownBits> ValueRanges::bits(
    ValueId Id,
    llvm::DenseMap<ValueId, std::optional<llvm::KnownBits>> &Done) const {
  if (const auto Found = Done.find(Id); Found != Done.end())
    return Found->second;
  const Value &V = F.value(Id);
  std::optional<llvm::KnownBits> Result = llvm::KnownBits(V.Ty.Bits);
  if (V.What == Value::Literal) {
    Result = llvm::KnownBits::makeConstant(V.Integer);
  } else if (V.What == Value::Phi) {
    if (const auto Found = PhiBits.find(Id); Found != PhiBits.end())
      Result = Found->second;
  } else if (V.What == Value::Special || V.What == Value::Argument) {
    Memo Ranges;
    Result = evaluate(Id, {}, Ranges).toKnownBits();
  } else if (llvm::all_of(V.Operands, [&](ValueId Each) {
               return hasRange(F.value(Each));
             })) {
    llvm::SmallVector<llvm::KnownBits, 3> Operands;
    for (ValueId Each : V.Operands) {
      const std::optional<llvm::KnownBits> Known = bits(Each, Done);
      if (!Known)
        return Done[Id] = std::nullopt;
      Operands.push_back(*Known);
    }
    if (!Operands.empty())
      Result = bitsOfOperation(V, F.value(V.Operands[0]).Ty, Operands);
  }
  return Done[Id] = Result;
}

/// The fixed point of the known bits of phis: bits on which the operands differ
/// become unknown. A bit can change once only, so that it needs no widening.
void ValueRanges::findBits() {
  for (ValueId Phi : Phis)
    PhiBits[Phi] = std::nullopt;
  for (bool Changes = true; Changes;) {
    Changes = false;
    llvm::DenseMap<ValueId, std::optional<llvm::KnownBits>> Done;
    for (ValueId Phi : Phis) {
      std::optional<llvm::KnownBits> New = PhiBits.lookup(Phi);
      for (ValueId In : F.value(Phi).Operands)
        if (const std::optional<llvm::KnownBits> Each = bits(In, Done))
          New = New ? New->intersectWith(*Each) : *Each;
      const std::optional<llvm::KnownBits> Old = PhiBits.lookup(Phi);
      if (New && (!Old || *New != *Old)) {
        PhiBits[Phi] = New;
        Changes = true;
        Done.clear();
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

ConstantRange ValueRanges::rangeOf(ValueId V) const {
  const ConstantRange Range = evaluate(V, {}, Ranges);
  const ConstantRange OfBits =
      ConstantRange::fromKnownBits(bitsOf(V), F.value(V).Ty.IsSigned);
  const ConstantRange Both =
      Range.intersectWith(OfBits, preferred(F.value(V).Ty));
  return Both.isEmptySet() ? full(V) : Both;
}

ConstantRange ValueRanges::rangeAt(ValueId V, const Block &B) const {
  Memo Done;
  const ConstantRange Range = rangeOf(V).intersectWith(
      evaluate(V, factsAt(B), Done), preferred(F.value(V).Ty));
  return Range.isEmptySet() ? full(V) : Range;
}

llvm::KnownBits ValueRanges::bitsOf(ValueId V) const {
  const std::optional<llvm::KnownBits> Result = bits(V, Bits);
  const ConstantRange Range = evaluate(V, {}, Ranges);
  if (!Result || Range.isEmptySet())
    return llvm::KnownBits(F.value(V).Ty.Bits);
  const llvm::KnownBits Both = Result->unionWith(Range.toKnownBits());
  return Both.hasConflict() ? llvm::KnownBits(F.value(V).Ty.Bits) : Both;
}
