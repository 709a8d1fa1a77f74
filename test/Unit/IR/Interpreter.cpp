// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using namespace cudaopt::ir;
using llvm::APInt;
using llvm::APSInt;

static constexpr unsigned MaxBlocks = 2000;

Interpreter::Number Interpreter::binary(const Value &V) {
  const Number L = evaluate(V.Operands[0]), R = evaluate(V.Operands[1]);
  if (!L || !R)
    return std::nullopt;
  const bool IsSigned = F.value(V.Operands[0]).Ty.IsSigned;
  const APSInt A(*L, !IsSigned), B(*R, !IsSigned);
  const auto Truth = [](bool Is) { return APInt(1, Is); };
  switch (V.binary()) {
  case clang::BO_Add:
    return *L + *R;
  case clang::BO_Sub:
    return *L - *R;
  case clang::BO_Mul:
    return *L * *R;
  case clang::BO_Div:
  case clang::BO_Rem:
    if (R->isZero())
      return std::nullopt;
    return V.binary() == clang::BO_Div ? APInt(A / B) : APInt(A % B);
  case clang::BO_Shl:
  case clang::BO_Shr: {
    if (R->uge(L->getBitWidth()))
      return std::nullopt;
    const unsigned By = R->getZExtValue();
    return V.binary() == clang::BO_Shl ? L->shl(By)
           : V.Ty.IsSigned             ? L->ashr(By)
                                       : L->lshr(By);
  }
  case clang::BO_And:
    return *L & *R;
  case clang::BO_Or:
    return *L | *R;
  case clang::BO_Xor:
    return *L ^ *R;
  case clang::BO_LT:
    return Truth(A < B);
  case clang::BO_GT:
    return Truth(A > B);
  case clang::BO_LE:
    return Truth(A <= B);
  case clang::BO_GE:
    return Truth(A >= B);
  case clang::BO_EQ:
    return Truth(*L == *R);
  case clang::BO_NE:
    return Truth(*L != *R);
  default:
    return std::nullopt;
  }
}

Interpreter::Number Interpreter::compute(const Value &V) {
  switch (V.What) {
  case Value::Literal:
    return APInt(V.Integer);
  case Value::Argument:
    if (const auto Given = Arguments.find(V.Decl); Given != Arguments.end())
      return Given->second;
    return std::nullopt;
  case Value::Address:
    return APInt(64, uint64_t(V.Object) << 32);
  case Value::Binary:
    return binary(V);
  case Value::Undefined:
    return APInt(V.Ty.Bits, 0xABCDu & ((1ull << V.Ty.Bits) - 1), false,
                 /*implicitTrunc=*/true);
  default:
    break;
  }
  llvm::SmallVector<APInt, 3> Operands;
  for (ValueId Each : V.Operands) {
    const Number N = evaluate(Each);
    if (!N)
      return std::nullopt;
    Operands.push_back(*N);
  }
  switch (V.What) {
  case Value::Offset:
    return Operands[0] + Operands[1];
  case Value::Select:
    return Operands[Operands[0].isZero() ? 2 : 1];
  case Value::Unary:
    return V.unary() == clang::UO_Minus ? -Operands[0]
           : V.unary() == clang::UO_Not ? ~Operands[0]
                                        : APInt(1, Operands[0].isZero());
  case Value::Convert: {
    const Type From = F.value(V.Operands[0]).Ty;
    if (V.Ty.What == Type::Float || From.What == Type::Float)
      return std::nullopt;
    if (V.Ty.What == Type::Boolean)
      return APInt(1, !Operands[0].isZero());
    return From.IsSigned ? Operands[0].sextOrTrunc(V.Ty.Bits)
                         : Operands[0].zextOrTrunc(V.Ty.Bits);
  }
  default:
    return std::nullopt;
  }
}

Interpreter::Number Interpreter::evaluate(ValueId Id) {
  if (const auto Known = Defined.find(Id); Known != Defined.end())
    return Known->second;
  if (const auto Known = Computed.find(Id); Known != Computed.end())
    return Known->second;
  const Number N = compute(F.value(Id));
  if (N)
    Computed.insert({Id, *N});
  if (N && OnValue)
    OnValue(Id, *Here, *N);
  return N;
}

/// Null if the access is outside of an object of the function.
std::vector<uint8_t> *Interpreter::bytesOf(const APInt &Pointer, uint64_t Width,
                                           uint64_t &Offset) {
  const ObjectId Id = Pointer.lshr(32).getZExtValue();
  Offset = Pointer.getLoBits(32).getZExtValue();
  if (!Id || Id >= F.numObjects() || !F.object(Id).Size)
    return nullptr;
  std::vector<uint8_t> &Bytes = Memory[Id];
  Bytes.resize(*F.object(Id).Size);
  return Offset + Width <= Bytes.size() ? &Bytes : nullptr;
}

bool Interpreter::execute(const Operation &O) {
  const bool Accesses = O.What == Operation::Load ||
                        O.What == Operation::Store || O.What == Operation::Copy;
  const Number At = Accesses ? evaluate(O.Address) : std::nullopt;
  uint64_t Offset = 0;
  std::vector<uint8_t> *Bytes = At ? bytesOf(*At, O.Width, Offset) : nullptr;
  if (!Bytes)
    return false;
  if (O.What == Operation::Load) {
    APInt N(8 * O.Width, 0);
    for (uint64_t I = 0; I < O.Width; ++I)
      N.insertBits((*Bytes)[Offset + I], 8 * I, 8);
    Defined[O.Result] = N.trunc(F.value(O.Result).Ty.Bits);
    if (OnValue)
      OnValue(O.Result, *Here, Defined[O.Result]);
    return true;
  }
  if (O.What == Operation::Store) {
    const Number N = evaluate(O.Stored);
    if (!N)
      return false;
    const APInt Wide = N->zextOrTrunc(8 * O.Width);
    for (uint64_t I = 0; I < O.Width; ++I)
      (*Bytes)[Offset + I] = Wide.extractBitsAsZExtValue(8, 8 * I);
    return true;
  }
  const Number From = evaluate(O.Stored);
  uint64_t Begin = 0;
  std::vector<uint8_t> *Source =
      From ? bytesOf(*From, O.Width, Begin) : nullptr;
  if (!Source)
    return false;
  const std::vector<uint8_t> Copied(Source->begin() + Begin,
                                    Source->begin() + Begin + O.Width);
  llvm::copy(Copied, Bytes->begin() + Offset);
  return true;
}

/// Gives the phis of \p To what comes in from \p From, all at once.
bool Interpreter::enter(const Block &To, const Block &From) {
  const size_t Index =
      llvm::find(To.Predecessors, &From) - To.Predecessors.begin();
  std::vector<std::pair<ValueId, APInt>> New;
  for (ValueId Phi : To.Phis) {
    const Number N = evaluate(F.value(Phi).Operands[Index]);
    if (!N)
      return false;
    New.push_back({Phi, *N});
  }
  Computed.clear();
  Here = &To;
  for (auto &[Phi, N] : New) {
    Defined[Phi] = N;
    if (OnValue)
      OnValue(Phi, To, N);
  }
  return true;
}

const Block *Interpreter::next(const Block &B) {
  if (B.Terminator == Block::Jump)
    return B.Successors[0];
  if (B.Terminator != Block::Branch && B.Terminator != Block::Switch)
    return nullptr;
  const Number Condition = evaluate(B.Condition);
  if (!Condition)
    return nullptr;
  if (B.Terminator == Block::Branch)
    return B.Successors[Condition->isZero() ? 1 : 0];
  const APSInt N(*Condition, !F.value(B.Condition).Ty.IsSigned);
  const Block *Default = nullptr;
  for (auto [To, Case] : llvm::zip(B.Successors, B.Cases)) {
    if (!Case)
      Default = To;
    else if (APSInt::compareValues(Case->first, N) <= 0 &&
             APSInt::compareValues(N, Case->second) <= 0)
      return To;
  }
  return Default;
}

std::optional<APInt> Interpreter::run() {
  Here = F.entry();
  for (unsigned I = 0; I < MaxBlocks; ++I) {
    const Block &B = *Here;
    for (const Operation &O : B.Operations) {
      if (!execute(O))
        return std::nullopt;
      Computed.clear();
    }
    if (B.Terminator == Block::Leave)
      return B.Condition ? evaluate(B.Condition) : std::nullopt;
    const Block *To = next(B);
    if (!To || !enter(*To, B))
      return std::nullopt;
  }
  return std::nullopt;
}
