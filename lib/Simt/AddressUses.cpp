// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A forward data-flow analysis: for each register, the shared variables of
/// which it may hold an address, or a number made of an address. Afterwards
/// every operation other than an access marks the variables of its operands as
/// used. The analysis is flow-insensitive and runs to a fixed point.
//===----------------------------------------------------------------------===//

#include "cudaopt/Simt/AddressUses.h"

#include "Arithmetic.h"

#include "llvm/ADT/BitVector.h"

namespace cudaopt::simt {

namespace {

/// Follows addresses from the constants where they originate to their uses. A
/// value that is loaded is taken to be no address: storing an address already
/// counts as a use.
class AddressFlow {
public:
  explicit AddressFlow(const Program &P)
      : P(P), Addresses(P.NumRegisters), Numbers(P.NumRegisters),
        Used(static_cast<unsigned>(P.Shared.size())) {
    for (auto *Values : {&Addresses, &Numbers})
      for (llvm::BitVector &Each : *Values)
        Each.resize(Used.size());
  }

  /// Returns the variables whose addresses are used as values.
  llvm::BitVector run();

private:
  /// Propagates through an operation; returns true if something was new.
  bool flow(const Operation &Op);
  bool flowNumbers(const Operation &Op);
  /// Marks what an operation uses.
  void findUses(const Operation &Op);
  static bool join(llvm::BitVector &To, const llvm::BitVector &From) {
    if (!From.test(To))
      return false;
    To |= From;
    return true;
  }
  /// \p To may hold what \p From holds.
  bool move(Register To, Register From) {
    if (To == NoRegister || From == NoRegister)
      return false;
    bool Changed = join(at(Addresses, To), at(Addresses, From));
    return join(at(Numbers, To), at(Numbers, From)) || Changed;
  }
  /// \p To may hold a number made of what \p From holds.
  bool compute(Register To, Register From) {
    if (To == NoRegister || From == NoRegister)
      return false;
    bool Changed = join(at(Numbers, To), at(Addresses, From));
    return join(at(Numbers, To), at(Numbers, From)) || Changed;
  }
  bool isTouched(Register R) {
    return R != NoRegister && (at(Addresses, R).any() || at(Numbers, R).any());
  }
  /// The register is used for more than an access.
  void use(Register R) {
    if (R == NoRegister)
      return;
    Used |= at(Addresses, R);
    Used |= at(Numbers, R);
  }
  /// The register is the address of an access: only numbers made of addresses
  /// count.
  void access(Register R) {
    if (R != NoRegister)
      Used |= at(Numbers, R);
  }
  static llvm::BitVector &at(std::vector<llvm::BitVector> &Values, Register R) {
    return Values[static_cast<size_t>(R)];
  }

  const Program &P;
  /// Indexed by register: the variables of which it may be an address, and
  /// those of which it may be a number made of an address.
  std::vector<llvm::BitVector> Addresses, Numbers;
  llvm::BitVector Used;
};

} // namespace

/// Propagates through an operation whose result is a number, never an address
/// into the variables of its operands. Returns true if something was new.
bool AddressFlow::flowNumbers(const Operation &Op) {
  bool Changed = false;
  const bool HasTwoResults =
      Op.Code >= Opcode::AddOverflowU && Op.Code <= Opcode::MulOverflowS;
  for (Register From : {Op.A, Op.B, Op.C}) {
    Changed |= compute(Op.D, From);
    if (HasTwoResults)
      Changed |= compute(Op.D + 1, From);
  }
  return Changed;
}

bool AddressFlow::flow(const Operation &Op) {
  bool Changed = false;
  switch (Op.Code) {
  case Opcode::Move:
  case Opcode::ToShared:
  case Opcode::ToGeneric:
  case Opcode::ZeroExtend:
  case Opcode::SignExtend:
    return move(Op.D, Op.A);
  case Opcode::Truncate:
  case Opcode::Split: // Less than 32 bits are no address any more.
    return Op.Bits < 32 ? compute(Op.D, Op.A) : move(Op.D, Op.A);
  case Opcode::Sub:
    Changed = compute(Op.D, Op.B);
    return move(Op.D, Op.A) || Changed;
  case Opcode::Add:
    Changed = isTouched(Op.A) && compute(Op.D, Op.B);
    Changed |= isTouched(Op.B) && compute(Op.D, Op.A);
    Changed |= move(Op.D, Op.B);
    return move(Op.D, Op.A) || Changed;
  case Opcode::Select:
    Changed = move(Op.D, Op.B);
    Changed |= move(Op.D, Op.C);
    return compute(Op.D, Op.A) || Changed;
  case Opcode::Address:
    for (auto [From, Unused] : Op.Extra)
      Changed |= compute(Op.D, From);
    return move(Op.D, Op.A) || Changed;
  case Opcode::Join:
    for (auto [From, Unused] : Op.Extra)
      Changed |= move(Op.D, From);
    return Changed;
  case Opcode::Shuffle:
    return move(Op.D, Op.A);
  default:
    return isArithmetic(Op.Code) && flowNumbers(Op);
  }
}

void AddressFlow::findUses(const Operation &Op) {
  switch (Op.Code) {
  case Opcode::Load:
    return access(Op.A);
  case Opcode::Store:
    access(Op.A);
    for (Register I = 0; I < Op.Count; ++I)
      use(Op.B + I);
    return;
  case Opcode::AtomicRmw:
    access(Op.A);
    for (Register I = 0; I < Op.Count; ++I)
      use(Op.B + I);
    return;
  case Opcode::AtomicCas:
    access(Op.A);
    use(Op.B);
    return use(Op.C);
  case Opcode::Copy:
    access(Op.A);
    return access(Op.B);
  case Opcode::Fill:
    access(Op.A);
    return use(Op.B);
  case Opcode::CopyAsync:
    access(Op.A);
    access(Op.B);
    return use(Op.C);
  case Opcode::MbarrierInit:
  case Opcode::MbarrierInval:
  case Opcode::MbarrierArrive:
  case Opcode::MbarrierWait:
  case Opcode::MbarrierBytes:
  case Opcode::MbarrierCopies:
    access(Op.A);
    use(Op.B);
    return use(Op.C);
  case Opcode::CopyBulk:
    access(Op.A);
    access(Op.B);
    access(Op.Extra.front().first);
    return use(Op.C);
  // Wherever a variable lies, its address is in the same state space.
  case Opcode::IsSpace:
  case Opcode::Print:
  case Opcode::AssertFail:
    access(Op.A);
    return access(Op.B);
  case Opcode::Shuffle:
    use(Op.B);
    use(Op.C);
    break;
  default:
    if (isArithmetic(Op.Code))
      return;
    for (Register R : {Op.A, Op.B, Op.C})
      use(R);
  }
  if (Op.Code != Opcode::Switch) // There Extra holds edges, not registers.
    for (auto [R, Unused] : Op.Extra)
      use(R);
}

llvm::BitVector AddressFlow::run() {
  for (const SharedConstant &C : P.SharedConstants)
    at(C.IsNumber ? Numbers : Addresses, C.R).set(C.Variable);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Block &B : P.Blocks) {
      for (const Operation &Op : B.Operations)
        Changed |= flow(Op);
      for (const Edge &E : B.Edges)
        for (auto [To, From] : E.Copies)
          Changed |= move(To, From);
    }
  }
  for (const Block &B : P.Blocks)
    for (const Operation &Op : B.Operations)
      findUses(Op);
  return Used;
}

std::vector<unsigned> findAddressUses(const Program &P) {
  if (P.SharedConstants.empty())
    return {};
  const llvm::BitVector Used = AddressFlow(P).run();
  return {Used.set_bits_begin(), Used.set_bits_end()};
}

} // namespace cudaopt::simt
