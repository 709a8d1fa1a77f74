// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Describes the effects of PTX instructions: the kind by the table
/// Ptx/Instructions.def, the rest by modifiers and operands. An instruction in
/// a form that is not known is refused.
//===----------------------------------------------------------------------===//

#include "cudaopt/Ptx/Effects.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace cudaopt;
using namespace llvm;

namespace {

/// An instruction that is being described. The describe functions complete
/// Effect and return false if the form is not known.
struct Instruction {
  const PtxStatement &S;
  PtxEffect Effect;

  bool has(StringRef Word) const { return is_contained(S.Words, Word); }
  bool hasAny(ArrayRef<StringRef> Words) const {
    return any_of(Words, [&](StringRef Each) { return has(Each); });
  }
  size_t numOperands() const { return S.Operands.size(); }
  bool isAddress(unsigned Index) const {
    return Index < numOperands() &&
           S.Operands[Index].What == PtxOperand::Kind::Address;
  }

  void findModifiers();
  bool describeAccess(unsigned Address, unsigned Operands);
  bool describeAtomic();
  bool describeCopy();
  bool describeMatrix(bool IsLoad);
  bool describeObject();
  bool describeBarrier();
  bool describe();
};

} // namespace

/// Looks the name up in the table; std::nullopt if its effect is not known.
static std::optional<PtxEffect::Kind> findKind(StringRef Name) {
  return StringSwitch<std::optional<PtxEffect::Kind>>(Name)
#define PTX_ARITHMETIC(NAME, OPERANDS, SIGNED, UNSIGNED, FLOAT)                \
  .Case(NAME, PtxEffect::Compute)
#define PTX(NAME, LOWERING, EFFECT) .Case(NAME, PtxEffect::EFFECT)
#define PTX_EFFECT(NAME, EFFECT) .Case(NAME, PtxEffect::EFFECT)
#include "cudaopt/Ptx/Instructions.def"
      .Default(std::nullopt);
}

bool cudaopt::fallsThrough(StringRef Opcode) {
  if (const std::optional<PtxEffect::Kind> Kind = findKind(Opcode))
    return *Kind != PtxEffect::Leave;
  return StringSwitch<bool>(Opcode)
#define PTX_OTHER(NAME) .Case(NAME, true)
#include "cudaopt/Ptx/Instructions.def"
      .Default(false);
}

/// Reads the type, state space, scope, vector length and memory order from the
/// words of the opcode.
void Instruction::findModifiers() {
  for (StringRef Word : ArrayRef(S.Words).drop_front())
    if (std::optional<PtxType> T = parsePtxType(Word)) {
      if (!Effect.Type)
        Effect.Type = T;
    } else if (Word == "global") {
      Effect.Where = PtxEffect::Space::Global;
    } else if (Word.starts_with("shared")) {
      Effect.Where = PtxEffect::Space::Shared;
    } else if (Word == "const" || Word == "param") {
      Effect.Where = PtxEffect::Space::Constant;
    } else if (Word == "local") {
      Effect.Where = PtxEffect::Space::Local;
    } else if (Word == "cta") {
      Effect.Among = PtxEffect::Extent::Block;
    } else if (Word == "sys") {
      Effect.Among = PtxEffect::Extent::System;
    } else if (Word == "v2" || Word == "v4" || Word == "v8") {
      Effect.Count = Word[1] - '0';
    }
  Effect.IsVolatile =
      hasAny({"volatile", "relaxed", "acquire", "release", "mmio"});
}

/// Describes a load or store. It has \p Operands operands, of which \p Address
/// is the address and the other one the data.
bool Instruction::describeAccess(unsigned Address, unsigned Operands) {
  Effect.Address = Address;
  if (!Effect.Type || numOperands() != Operands || !isAddress(Address) ||
      hasAny({"unified"}))
    return false;
  const PtxOperand &Data = S.Operands[1 - Address];
  const bool IsVector = Data.What == PtxOperand::Kind::Vector;
  Effect.Bytes = Effect.Type->width() / 8 * Effect.Count;
  Effect.HasResult = Address == 1;
  return IsVector == (Effect.Count > 1) &&
         (!IsVector || Data.Parts.size() == Effect.Count);
}

bool Instruction::describeAtomic() {
  Effect.HasResult = S.Words.front() == "atom";
  Effect.Address = Effect.HasResult ? 1 : 0;
  if (!Effect.Type || !isAddress(Effect.Address) || Effect.Count > 1 ||
      hasAny({"async"}))
    return false;
  Effect.Bytes = Effect.Type->width() / 8;
  return true;
}

/// Describes cp.async and its commit and wait; bulk copies are not known.
bool Instruction::describeCopy() {
  if (!has("async") || hasAny({"bulk", "mbarrier", "reduce"}))
    return false;
  if (has("commit_group")) {
    Effect.What = PtxEffect::Commit;
    return true;
  }
  if (hasAny({"wait_group", "wait_all"})) {
    Effect.What = PtxEffect::Wait;
    return numOperands() == (has("wait_all") ? 0u : 1u);
  }
  Effect.Where = PtxEffect::Space::Shared;
  return has("global") && numOperands() >= 3 && isAddress(0) && isAddress(1);
}

/// Describes ldmatrix and stmatrix on shared memory.
bool Instruction::describeMatrix(bool IsLoad) {
  Effect.Address = IsLoad ? 1 : 0;
  Effect.HasResult = IsLoad;
  Effect.Bytes = 16;
  return isAddress(Effect.Address) && numOperands() == 2 && has("m8n8") &&
         Effect.Where == PtxEffect::Space::Shared;
}

/// Describes an operation on an mbarrier object. Arrivals and waits have a
/// result.
bool Instruction::describeObject() {
  if (hasAny({"pending_count", "expect_tx", "complete_tx"}) ||
      numOperands() == 0)
    return false;
  Effect.HasResult = !isAddress(0);
  Effect.Address = Effect.HasResult ? 1 : 0;
  Effect.Bytes = 8;
  Effect.Among = PtxEffect::Extent::Block;
  // The object of a cluster may lie in the shared memory of another block.
  return isAddress(Effect.Address) && !has("cluster") &&
         !has("shared::cluster");
}

/// Describes a barrier of the block or warp. Arriving without waiting
/// (bar.arrive) is refused, since the thread then does not meet the others
/// there.
bool Instruction::describeBarrier() {
  if (has("cluster") || hasAny({"arrive"}))
    return false;
  if (has("warp")) {
    Effect.What = PtxEffect::WarpBarrier;
    return has("sync") && numOperands() == 1;
  }
  Effect.HasResult = has("red");
  return has("sync") ? numOperands() == 1 || numOperands() == 2
                     : has("red") && numOperands() >= 3;
}

bool Instruction::describe() {
  findModifiers();
  switch (Effect.What) {
  case PtxEffect::Load:
    return describeAccess(1, 2);
  case PtxEffect::Store:
    return describeAccess(0, 2);
  case PtxEffect::Atomic:
    return describeAtomic();
  case PtxEffect::CopyAsync:
    return describeCopy();
  case PtxEffect::LoadMatrix:
  case PtxEffect::StoreMatrix:
    return describeMatrix(Effect.What == PtxEffect::LoadMatrix);
  case PtxEffect::BarrierObject:
    return describeObject();
  case PtxEffect::Barrier:
    return describeBarrier();
  case PtxEffect::Compute:
    Effect.IsPlain = !hasAny({"cc"}) && S.Words.front() != "addc" &&
                     S.Words.front() != "subc" && S.Words.front() != "madc";
    [[fallthrough]];
  case PtxEffect::Exchange:
    Effect.HasResult = true;
    return numOperands() != 0;
  case PtxEffect::Fence:
    if (S.Words.front() == "membar")
      Effect.Among = has("cta")   ? PtxEffect::Extent::Block
                     : has("sys") ? PtxEffect::Extent::System
                                  : PtxEffect::Extent::Device;
    return true;
  default:
    return true;
  }
}

std::optional<PtxEffect> cudaopt::describeEffect(const PtxStatement &S) {
  if (S.What != PtxStatement::Kind::Instruction || S.Words.empty())
    return std::nullopt;
  const std::optional<PtxEffect::Kind> Kind = findKind(S.Words.front());
  if (!Kind)
    return std::nullopt;
  Instruction I{S, {}};
  I.Effect.What = *Kind;
  return I.describe() ? std::optional(I.Effect) : std::nullopt;
}
