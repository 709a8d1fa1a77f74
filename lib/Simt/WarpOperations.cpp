// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Executes shuffles, votes, matches, reductions and barriers of a warp.
//===----------------------------------------------------------------------===//

#include "WarpOperations.h"
#include "Arithmetic.h"

namespace cudaopt::simt {

bool WarpOperations::dependsOnData(const Operation &Op, const Warp &W,
                                   Register R, const char *What) {
  if (!(W.symbolic(R) & W.Active.Bits))
    return false;
  S.dependsOnData(What, Op);
  return true;
}

/// Calls \p Body(mask, lanes) for each group of active lanes that name the same
/// mask. Reports live lanes of the mask that are absent, and lanes that are not
/// in their own mask.
template <class Function>
void WarpOperations::forEachGroup(const Operation &Op, const Warp &W,
                                  Register Mask, Function Body) {
  if (dependsOnData(Op, W, Mask, "a mask of lanes"))
    return;
  const LaneValues Masks = W[Mask];
  for (uint32_t Left = W.Active.Bits; Left;) {
    uint64_t Named = Masks[static_cast<unsigned>(std::countr_zero(Left))];
    uint32_t Lanes = 0;
    forEachLane(Left, [&](unsigned Lane) {
      Lanes |= static_cast<uint32_t>(Masks[Lane] == Named) << Lane;
    });
    Left &= ~Lanes;
    auto Bits = static_cast<uint32_t>(Named);
    uint32_t Absent = Bits & W.Live & ~Lanes, Unnamed = Lanes & ~Bits;
    if (Absent || Unnamed)
      S.report(FindingKind::WarpMask, Op, W, Absent ? Absent : Unnamed);
    Body(Bits, Lanes);
  }
}

/// The clamp operand of shfl has two fields: bits 0 to 4 bound the source lane,
/// and bits 8 to 12 mask the bits of the lane number that select a segment of
/// the warp. Least and Greatest are the ends of the lane's segment. A source
/// outside of it is replaced by the lane itself.
void WarpOperations::shuffleGroup(const Operation &Op, Warp &W, uint32_t Mask,
                                  uint32_t Lanes) {
  const LaneValues From = W[Op.A], By = W[Op.B], Clamp = W[Op.C];
  const uint32_t Terms = W.symbolic(Op.A);
  const uint32_t Present = Lanes & Mask;
  uint32_t Astray = 0;
  forEachLane(Lanes, [&](unsigned Lane) {
    auto L = static_cast<int>(Lane), B = static_cast<int>(By[Lane] & 31);
    auto Bound = static_cast<int>(Clamp[Lane] & 31);
    auto Segment = static_cast<int>(Clamp[Lane] >> 8 & 31);
    int Least = L & Segment, Greatest = Least | (Bound & ~Segment);
    int Source = L;
    bool Inside = true;
    switch (static_cast<ShuffleKind>(Op.Variant)) {
    case ShuffleKind::Up:
      Source = L - B;
      Inside = Source >= Greatest; // The clamp of .up is a lower bound.
      break;
    case ShuffleKind::Down:
      Source = L + B;
      Inside = Source <= Greatest;
      break;
    case ShuffleKind::Butterfly:
      Source = L ^ B;
      Inside = Source <= Greatest;
      break;
    case ShuffleKind::Index:
      Source = Least | (B & ~Segment);
      Inside = Source <= Greatest;
      break;
    }
    if (!Inside)
      Source = L;
    auto Index = static_cast<unsigned>(Source);
    if (!(Present >> Index & 1)) {
      Astray |= 1u << Lane;
      W.put(Op.D, Lane, UndefinedBytes & maskOf(Op.Bits));
    } else if (Terms >> Index & 1) {
      W.putTerm(Op.D, Lane, static_cast<TermId>(From[Index]));
    } else {
      W.put(Op.D, Lane, From[Index]);
    }
    if (Op.Count == 2)
      W.put(Op.D + 1, Lane, Inside);
  });
  if (Astray)
    S.report(FindingKind::InactiveLane, Op, W, Astray);
}

void WarpOperations::shuffle(const Operation &Op, Warp &W) {
  if (dependsOnData(Op, W, Op.B, "the lane of a shuffle") ||
      dependsOnData(Op, W, Op.C, "the range of a shuffle"))
    return;
  forEachGroup(Op, W, Op.Extra[0].first, [&](uint32_t Mask, uint32_t Lanes) {
    shuffleGroup(Op, W, Mask, Lanes);
  });
}

void WarpOperations::vote(const Operation &Op, Warp &W) {
  if (dependsOnData(Op, W, Op.B, "a vote"))
    return;
  forEachGroup(Op, W, Op.A, [&](uint32_t Mask, uint32_t Lanes) {
    uint32_t Voters = Lanes & Mask, Ballot = 0;
    forEachLane(Voters, [&](unsigned Lane) {
      Ballot |= static_cast<uint32_t>(W[Op.B][Lane] & 1) << Lane;
    });
    uint64_t Result = Ballot;
    switch (static_cast<VoteKind>(Op.Variant)) {
    case VoteKind::All:
      Result = Ballot == Voters;
      break;
    case VoteKind::Any:
      Result = Ballot != 0;
      break;
    case VoteKind::Uniform:
      Result = Ballot == Voters || Ballot == 0;
      break;
    case VoteKind::Ballot:
      break;
    }
    forEachLane(Lanes, [&](unsigned Lane) { W.put(Op.D, Lane, Result); });
  });
}

void WarpOperations::match(const Operation &Op, Warp &W) {
  if (dependsOnData(Op, W, Op.B, "a match"))
    return;
  const LaneValues Values = W[Op.B];
  forEachGroup(Op, W, Op.A, [&](uint32_t Mask, uint32_t Lanes) {
    uint32_t Members = Lanes & Mask;
    forEachLane(Lanes, [&](unsigned Lane) {
      uint32_t Equal = 0;
      forEachLane(Members, [&](unsigned Other) {
        Equal |= static_cast<uint32_t>(Values[Other] == Values[Lane]) << Other;
      });
      if (Op.Code == Opcode::MatchAny)
        return W.put(Op.D, Lane, Equal);
      bool All = Equal == Members;
      W.put(Op.D, Lane, All ? Members : 0);
      W.put(Op.D + 1, Lane, All);
    });
  });
}

static Opcode opcodeOf(ReduceKind Kind) {
  switch (Kind) {
  case ReduceKind::Add:
    return Opcode::Add;
  case ReduceKind::MinS:
    return Opcode::MinS;
  case ReduceKind::MaxS:
    return Opcode::MaxS;
  case ReduceKind::MinU:
    return Opcode::MinU;
  case ReduceKind::MaxU:
    return Opcode::MaxU;
  case ReduceKind::And:
    return Opcode::And;
  case ReduceKind::Or:
    return Opcode::Or;
  case ReduceKind::Xor:
    return Opcode::Xor;
  }
  llvm_unreachable("all kinds are listed");
}

static llvm::AtomicRMWInst::BinOp operatorOf(ReduceKind Kind) {
  using llvm::AtomicRMWInst;
  switch (Kind) {
  case ReduceKind::Add:
    return AtomicRMWInst::Add;
  case ReduceKind::MinS:
    return AtomicRMWInst::Min;
  case ReduceKind::MaxS:
    return AtomicRMWInst::Max;
  case ReduceKind::MinU:
    return AtomicRMWInst::UMin;
  case ReduceKind::MaxU:
    return AtomicRMWInst::UMax;
  case ReduceKind::And:
    return AtomicRMWInst::And;
  case ReduceKind::Or:
    return AtomicRMWInst::Or;
  case ReduceKind::Xor:
    return AtomicRMWInst::Xor;
  }
  llvm_unreachable("all kinds are listed");
}

/// The operations are associative and commutative, so that the order is no
/// matter; lanes in ascending order give both sides of a comparison the same
/// term.
void WarpOperations::reduceTerms(const Operation &Op, Warp &W, uint32_t Lanes) {
  Opcode Code = opcodeOf(static_cast<ReduceKind>(Op.Variant));
  TermId Sum = 0;
  forEachLane(Lanes, [&](unsigned Lane) {
    TermId Next = S.termOf(W, Op.A, Lane, Op.Bits);
    Sum = Sum ? S.Terms->apply(Code, 0, Op.Bits, 0, Sum, Next) : Next;
  });
  forEachLane(Lanes, [&](unsigned Lane) { S.put(W, Op.D, Lane, Sum); });
}

void WarpOperations::reduce(const Operation &Op, Warp &W) {
  auto Operator = operatorOf(static_cast<ReduceKind>(Op.Variant));
  forEachGroup(Op, W, Op.B, [&](uint32_t Mask, uint32_t Lanes) {
    uint32_t Members = Lanes & Mask;
    if (!Members)
      return;
    if (W.symbolic(Op.A) & Members)
      return reduceTerms(Op, W, Members);
    auto First = static_cast<unsigned>(std::countr_zero(Members));
    uint64_t Sum = W[Op.A][First];
    forEachLane(Members & (Members - 1), [&](unsigned Lane) {
      Sum = combine(Operator, Op.Bits, Sum, W[Op.A][Lane]);
    });
    forEachLane(Lanes, [&](unsigned Lane) { W.put(Op.D, Lane, Sum); });
  });
}

/// The leader is the lowest lane of the group. PTX does not say which lane is
/// elected.
void WarpOperations::elect(const Operation &Op, Warp &W) {
  forEachGroup(Op, W, Op.A, [&](uint32_t Mask, uint32_t Lanes) {
    auto Leader = static_cast<unsigned>(
        std::countr_zero(Lanes & Mask ? Lanes & Mask : Lanes));
    forEachLane(Lanes, [&](unsigned Lane) {
      W.put(Op.D, Lane, Leader);
      W.put(Op.D + 1, Lane, Lane == Leader);
    });
  });
}

void WarpOperations::run(const Operation &Op, Warp &W) {
  switch (Op.Code) {
  case Opcode::WarpBarrier:
    return forEachGroup(Op, W, Op.A, [&](uint32_t Mask, uint32_t Lanes) {
      Races.meetWarp(W.Id, Lanes & Mask, W.Live);
    });
  case Opcode::Shuffle:
    return shuffle(Op, W);
  case Opcode::Vote:
    return vote(Op, W);
  case Opcode::MatchAny:
  case Opcode::MatchAll:
    return match(Op, W);
  case Opcode::WarpReduce:
    return reduce(Op, W);
  case Opcode::Elect:
    return elect(Op, W);
  default: // ActiveMask
    forEachLane(W.Active.Bits,
                [&](unsigned Lane) { W.put(Op.D, Lane, W.Active.Bits); });
  }
}

} // namespace cudaopt::simt
