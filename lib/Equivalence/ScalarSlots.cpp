// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The scalars that a launch passes, and what the pointers among them point to.
/// A flow-insensitive data-flow analysis: registers are related to the
/// arguments they come from, to a fixed point. It need not be sound, since it
/// only selects data.
//===----------------------------------------------------------------------===//

#include "LaunchInputs.h"

#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace cudaopt;
using namespace cudaopt::simt;
using namespace llvm;

namespace {

/// Follows the pointers among the arguments to the accesses through them.
class PointerTracker {
public:
  PointerTracker(const Program &P, std::vector<ScalarSlot> &Slots)
      : P(P), Slots(Slots), Slot(P.NumRegisters, None),
        Struct(P.NumRegisters, {None, 0}) {}

  void run();

private:
  static constexpr unsigned None = ~0u;
  /// Records that \p To points into the buffer of slot \p Value. The first slot
  /// that is found for a register stays.
  void assign(Register To, unsigned Value);
  void copy(Register To, Register From);
  /// Propagates facts over one operation.
  void propagate(const Operation &Op);
  /// Handles a load of pointer fields from a struct parameter.
  void loadField(const Operation &Op);
  /// Records the element type of an access through \p Pointer.
  void note(const Operation &Op, Register Pointer);

  const Program &P;
  std::vector<ScalarSlot> &Slots;
  /// Indexed by register: the slot it points to, or None.
  std::vector<unsigned> Slot;
  /// Indexed by register that is an address within a struct parameter: the
  /// parameter and the offset in it.
  std::vector<std::pair<unsigned, int64_t>> Struct;
  bool Changed = false;
};

} // namespace

void PointerTracker::assign(Register To, unsigned Value) {
  if (To == NoRegister || Value == None || Slot[To] != None)
    return;
  Slot[To] = Value;
  Changed = true;
}

void PointerTracker::copy(Register To, Register From) {
  if (To == NoRegister || From == NoRegister)
    return;
  assign(To, Slot[From]);
  if (Struct[From].first != None && Struct[To].first == None) {
    Struct[To] = Struct[From];
    Changed = true;
  }
}

void PointerTracker::loadField(const Operation &Op) {
  auto [Parameter, Offset] = Struct[Op.A];
  for (unsigned I = 0; I != Op.Count; ++I)
    for (unsigned S = 0; S != Slots.size(); ++S)
      if (Slots[S].Parameter == Parameter && Slots[S].IsPointer &&
          Slots[S].Offset == Offset + I * (Op.Bits / 8))
        assign(Op.D + static_cast<Register>(I), S);
}

void PointerTracker::propagate(const Operation &Op) {
  switch (Op.Code) {
  case Opcode::Move:
    copy(Op.D, Op.A);
    break;
  case Opcode::Address:
    if (Op.A == NoRegister)
      break;
    assign(Op.D, Slot[Op.A]);
    if (Struct[Op.A].first != None && Op.Extra.empty() &&
        Struct[Op.D].first == None) {
      Struct[Op.D] = {Struct[Op.A].first, Struct[Op.A].second + Op.Immediate};
      Changed = true;
    }
    break;
  case Opcode::Select:
    copy(Op.D, Op.B);
    copy(Op.D, Op.C);
    break;
  case Opcode::Load:
    if (Op.A != NoRegister && Struct[Op.A].first != None)
      loadField(Op);
    break;
  default:
    break;
  }
}

void PointerTracker::note(const Operation &Op, Register Pointer) {
  if (Pointer == NoRegister || Slot[Pointer] == None || Op.Bits < 8)
    return;
  ScalarSlot &S = Slots[Slot[Pointer]];
  uint32_t Bytes = std::min(Op.Bits / 8u, 8u);
  S.ElementSize = S.PointsToFloat ? std::min(S.ElementSize, Bytes) : Bytes;
  S.PointsToFloat = S.PointsToFloat.value_or(false) || Op.IsFloat;
}

void PointerTracker::run() {
  for (unsigned I = 0; I != P.Parameters.size(); ++I)
    if (P.Parameters[I].IsByValue && P.Parameters[I].Value != NoRegister)
      Struct[P.Parameters[I].Value] = {I, 0};
  for (unsigned S = 0; S != Slots.size(); ++S)
    if (Slots[S].IsPointer && !Slots[S].IsField)
      assign(P.Parameters[Slots[S].Parameter].Value, S);
  do {
    Changed = false;
    for (const Block &B : P.Blocks) {
      for (const Operation &Op : B.Operations)
        propagate(Op);
      for (const Edge &E : B.Edges)
        for (auto [To, From] : E.Copies)
          copy(To, From);
    }
  } while (Changed);
  for (const Block &B : P.Blocks)
    for (const Operation &Op : B.Operations)
      if (Op.Code == Opcode::Load || Op.Code == Opcode::Store ||
          Op.Code == Opcode::AtomicRmw || Op.Code == Opcode::AtomicCas)
        note(Op, Op.A);
}

std::vector<ScalarSlot> cudaopt::findScalars(const Program &P) {
  std::vector<ScalarSlot> Slots;
  for (unsigned I = 0; I != P.Parameters.size(); ++I) {
    const Parameter &Param = P.Parameters[I];
    if (!Param.IsByValue) {
      ScalarSlot &S = Slots.emplace_back();
      S.Parameter = I;
      S.Size = Param.Size;
      S.IsPointer = Param.IsPointer;
      S.IsFloat = Param.IsFloat;
      S.Name = Param.Name;
      continue;
    }
    for (const Parameter::Field &F : Param.Fields) {
      ScalarSlot &S = Slots.emplace_back();
      S.Parameter = I;
      S.Offset = F.Offset;
      S.Size = F.Size;
      S.IsPointer = F.IsPointer;
      S.IsFloat = F.IsFloat;
      S.IsField = true;
      S.Name = formatv("{0}+{1}", Param.Name, F.Offset);
    }
  }
  PointerTracker(P, Slots).run();
  return Slots;
}
