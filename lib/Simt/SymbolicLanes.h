// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Arithmetic on terms, lane by lane. A number that is combined with a term
/// becomes a constant term. Operations that only move bytes build no operation
/// term, so that their result equals that of the same move through memory.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_SYMBOLICLANES_H
#define CUDAOPT_LIB_SIMT_SYMBOLICLANES_H

#include "RunState.h"

namespace cudaopt::simt {

/// Evaluates operations in lanes in which an operand is a term.
class SymbolicLanes {
public:
  explicit SymbolicLanes(RunState &State) : S(State), Terms(*State.Terms) {}

  /// Returns the active lanes in which an operand of \p Op is a term.
  static uint32_t of(const Operation &Op, const Warp &W) {
    uint32_t Lanes = W.symbolicOperands(Op);
    if (Op.Code == Opcode::Join || Op.Code == Opcode::Address)
      for (auto [R, Unused] : Op.Extra)
        Lanes |= W.symbolic(R) & W.Active.Bits;
    return Lanes;
  }

  /// Computes \p Op for \p Lanes.
  void evaluate(const Operation &Op, Warp &W, uint32_t Lanes) {
    forEachLane(Lanes, [&](unsigned Lane) {
      switch (Op.Code) {
      case Opcode::Select:
        return select(Op, W, Lane);
      case Opcode::AddOverflowU:
      case Opcode::AddOverflowS:
      case Opcode::SubOverflowU:
      case Opcode::SubOverflowS:
      case Opcode::MulOverflowU:
      case Opcode::MulOverflowS:
        return overflow(Op, W, Lane);
      default:
        S.put(W, Op.D, Lane, termOf(Op, W, Lane));
      }
    });
  }

private:
  /// Returns an operand as a term, or 0 if there is no operand.
  TermId operand(const Warp &W, Register R, unsigned Lane, unsigned Bits) {
    return R == NoRegister ? 0 : S.termOf(W, R, Lane, Bits);
  }

  TermId termOf(const Operation &Op, const Warp &W, unsigned Lane) {
    const bool Converts =
        Op.Code >= Opcode::Truncate && Op.Code <= Opcode::FTruncate;
    const bool AreBytes = Op.Bits % 8 == 0 && Op.SourceBits % 8 == 0;
    switch (Op.Code) {
    case Opcode::Address:
      return address(Op, W, Lane);
    case Opcode::Join:
      return join(Op, W, Lane);
    case Opcode::Split:
      return split(Op, operand(W, Op.A, Lane, Op.SourceBits));
    case Opcode::Truncate:
      if (AreBytes)
        return Terms.slice(operand(W, Op.A, Lane, Op.SourceBits), 0,
                           Op.Bits / 8u);
      break;
    case Opcode::ZeroExtend:
      if (AreBytes && Op.Bits > Op.SourceBits)
        return Terms.bytes(operand(W, Op.A, Lane, Op.SourceBits),
                           Terms.constant(0, Op.Bits - Op.SourceBits));
      break;
    case Opcode::FClass:
      return apply(Op, operand(W, Op.A, Lane, Op.Bits),
                   Terms.constant(static_cast<uint64_t>(Op.Immediate), 16), 0);
    default:
      break;
    }
    unsigned Bits = Converts ? Op.SourceBits : Op.Bits;
    return apply(Op, operand(W, Op.A, Lane, Bits), operand(W, Op.B, Lane, Bits),
                 operand(W, Op.C, Lane, Bits));
  }

  TermId apply(const Operation &Op, TermId A, TermId B, TermId C) {
    return Terms.apply(Op.Code, Op.Variant, Op.Bits, Op.SourceBits, A, B, C);
  }

  /// An address computation: the numbers are summed up first, so that equal
  /// addresses are equal terms.
  TermId address(const Operation &Op, const Warp &W, unsigned Lane) {
    auto Constant = [&](uint64_t Value) { return Terms.constant(Value, 64); };
    auto IsTerm = [&](Register R) { return W.symbolic(R) >> Lane & 1; };
    TermId Sum = operand(W, Op.A, Lane, 64);
    auto Number = static_cast<uint64_t>(Op.Immediate);
    for (auto [Index, Scale] : Op.Extra) {
      const auto Factor = static_cast<uint64_t>(Scale);
      if (!IsTerm(Index)) {
        Number += W[Index][Lane] * Factor;
        continue;
      }
      TermId Scaled = Terms.apply(
          Opcode::Mul, 0, 64, 0, operand(W, Index, Lane, 64), Constant(Factor));
      Sum = Terms.apply(Opcode::Add, 0, 64, 0, Sum, Scaled);
    }
    if (Number)
      Sum = Terms.apply(Opcode::Add, 0, 64, 0, Sum, Constant(Number));
    return Sum;
  }

  TermId split(const Operation &Op, TermId Whole) {
    auto Index = static_cast<unsigned>(Op.Immediate);
    if (Op.Bits % 8 == 0)
      return Terms.slice(Whole, Index * Op.Bits / 8, Op.Bits / 8u);
    return Terms.apply(Opcode::Split, Index, Op.Bits, Op.SourceBits, Whole);
  }

  TermId join(const Operation &Op, const Warp &W, unsigned Lane) {
    TermId Whole = 0;
    for (auto [Part, Offset] : Op.Extra) {
      TermId Next = operand(W, Part, Lane, Op.SourceBits);
      if (Op.SourceBits % 8 == 0) {
        Whole = Whole ? Terms.bytes(Whole, Next) : Next;
        continue;
      }
      Next = Terms.apply(Opcode::ZeroExtend, 0, Op.Bits, Op.SourceBits, Next);
      Next =
          Terms.apply(Opcode::Shl, 0, Op.Bits, 0, Next,
                      Terms.constant(static_cast<uint64_t>(Offset), Op.Bits));
      Whole =
          Whole ? Terms.apply(Opcode::Or, 0, Op.Bits, 0, Whole, Next) : Next;
    }
    return Whole;
  }

  /// A selection copies one of its values if the condition is a number, or if
  /// both values are equal; else it is an operation.
  void select(const Operation &Op, Warp &W, unsigned Lane) {
    if (!(W.symbolic(Op.A) >> Lane & 1))
      return W.move(Op.D, W[Op.A][Lane] & 1 ? Op.B : Op.C, 1u << Lane);
    TermId A = operand(W, Op.A, Lane, 1);
    TermId B = operand(W, Op.B, Lane, Op.Bits);
    TermId C = operand(W, Op.C, Lane, Op.Bits);
    S.put(W, Op.D, Lane, B == C ? B : apply(Op, A, B, C));
  }

  /// Returns the operation that computes the first result of one with overflow.
  static Opcode wrapping(Opcode Code) {
    switch (Code) {
    case Opcode::AddOverflowU:
    case Opcode::AddOverflowS:
      return Opcode::Add;
    case Opcode::SubOverflowU:
    case Opcode::SubOverflowS:
      return Opcode::Sub;
    default:
      return Opcode::Mul;
    }
  }

  void overflow(const Operation &Op, Warp &W, unsigned Lane) {
    TermId A = operand(W, Op.A, Lane, Op.Bits);
    TermId B = operand(W, Op.B, Lane, Op.Bits);
    S.put(W, Op.D, Lane, Terms.apply(wrapping(Op.Code), 0, Op.Bits, 0, A, B));
    S.put(W, Op.D + 1, Lane, apply(Op, A, B, 0));
  }

  RunState &S;
  TermTable &Terms;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_SYMBOLICLANES_H
