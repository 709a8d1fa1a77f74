// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers inline assembly on barriers that are objects in shared memory
/// (mbarrier).
//===----------------------------------------------------------------------===//

#include "AsmLowering.h"

#include "llvm/ADT/STLExtras.h"

namespace cudaopt::simt {

/// Emits an operation on the object whose address is operand \p Index.
Operation &AsmLowering::emitOnObject(Opcode Code, unsigned Index, Register D,
                                     Register B, Register C) {
  const bool IsRelaxed = llvm::is_contained(Words, "relaxed");
  takeOrdering();
  auto [Address, Space] = address(operand(Index));
  Operation &O = K.emit(Code, 64, D, Address, B, C);
  O.Space = Space;
  O.Align = 8;
  O.Variant = IsRelaxed ? MbarrierRelaxed : 0;
  return O;
}

/// mbarrier.arrive{.noComplete} state, [object]{, count}
/// mbarrier.arrive.expect_tx state, [object], bytes
void AsmLowering::arriveAtObject() {
  const bool IsDrop = takeWord("arrive_drop");
  if (!IsDrop && !takeWord("arrive"))
    return refuse();
  const bool NoComplete = takeWord("noComplete");
  const bool Expects = takeWord("expect_tx");
  const bool HasNumber = Current->Operands.size() > 2;
  if (Expects && !HasNumber)
    return refuse();
  Register Number = HasNumber ? read(operand(2), 32) : NoRegister;
  Register Token = K.fresh();
  Operation &O = emitOnObject(Opcode::MbarrierArrive, 1, Token,
                              Expects ? NoRegister : Number,
                              Expects ? Number : NoRegister);
  O.Variant = static_cast<uint8_t>(O.Variant | (IsDrop ? MbarrierDrop : 0) |
                                   (NoComplete ? MbarrierNoComplete : 0) |
                                   (Expects ? MbarrierExpectsBytes : 0));
  write(operand(0), Token, 64);
}

/// mbarrier.try_wait{.parity} over, [object], token{, time}
/// The time limit is ignored: a wait may always give up early.
void AsmLowering::waitForObject() {
  takeOneOf({"test_wait", "try_wait"});
  const bool IsParity = takeWord("parity");
  Register Named = read(operand(2), IsParity ? 32 : 64), IsOver = K.fresh();
  Operation &O = emitOnObject(Opcode::MbarrierWait, 1, IsOver, Named);
  O.Variant = static_cast<uint8_t>(O.Variant | (IsParity ? MbarrierParity : 0));
  write(operand(0), IsOver, 1);
}

void AsmLowering::barrierObject() {
  if (isGuarded())
    return;
  if (takeWord("init")) {
    emitOnObject(Opcode::MbarrierInit, 0, NoRegister, read(operand(1), 32));
  } else if (takeWord("inval")) {
    emitOnObject(Opcode::MbarrierInval, 0);
  } else if (takeWord("pending_count")) {
    write(operand(0), read(operand(1), 32), 32);
  } else if (llvm::is_contained(Words, "test_wait") ||
             llvm::is_contained(Words, "try_wait")) {
    waitForObject();
  } else if (llvm::is_contained(Words, "arrive") ||
             llvm::is_contained(Words, "arrive_drop")) {
    arriveAtObject();
  } else {
    const bool HasCome = takeWord("complete_tx");
    if (!HasCome && !takeWord("expect_tx"))
      return refuse();
    Operation &O = emitOnObject(Opcode::MbarrierBytes, 0, NoRegister,
                                read(operand(1), 32));
    O.Variant =
        static_cast<uint8_t>(O.Variant | (HasCome ? MbarrierCompletes : 0));
  }
}

/// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
///     [to], [from], size, [object]
void AsmLowering::copyBulk() {
  if (!takeWord("global") || !takeWord("mbarrier::complete_tx::bytes") ||
      Current->Operands.size() != 4)
    return refuse();
  auto [To, Space] = address(operand(0));
  if (Space != PointerSpace::Shared)
    return refuse();
  Register From = addressIn(operand(1)), Size = read(operand(2), 32);
  Register Object = addressIn(operand(3));
  Operation &O = K.emit(Opcode::CopyBulk, 8, NoRegister, To, From, Size);
  O.Space = Space;
  O.Align = 16;
  O.Extra = {{Object, 0}};
}

} // namespace cudaopt::simt
