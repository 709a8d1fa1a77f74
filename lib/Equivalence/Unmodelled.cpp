// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The list of operations with behaviours that are not modelled.
//===----------------------------------------------------------------------===//

#include "Unmodelled.h"

#include "llvm/ADT/StringRef.h"

using namespace cudaopt;
using namespace cudaopt::simt;
using namespace llvm;

/// Returns the name of a register that may have another value on another GPU,
/// in another launch or with another compiler; an empty string for other
/// registers.
static StringRef nameOfVarying(SpecialReg Register) {
  switch (Register) {
  case SpecialReg::WarpId:
    return "the register %warpid";
  case SpecialReg::NWarpId:
    return "the register %nwarpid";
  case SpecialReg::SmId:
    return "the register %smid";
  case SpecialReg::NSmId:
    return "the register %nsmid";
  case SpecialReg::GridId:
    return "the register %gridid";
  case SpecialReg::TotalSharedSize:
    return "the register %total_smem_size";
  default:
    return "";
  }
}

/// Returns a name for \p Op if it has behaviours that are not modelled, else an
/// empty string.
static StringRef nameOfUnmodelled(const Operation &Op) {
  switch (Op.Code) {
  case Opcode::Fence:
    return "a memory fence";
  case Opcode::AtomicRmw:
  case Opcode::AtomicCas:
    return Op.IsScoped ? "an atomic operation with a scope or an order" : "";
  case Opcode::Load:
  case Opcode::Store:
  case Opcode::Copy:
  case Opcode::Fill:
    return Op.IsVolatile ? "a volatile or atomic access" : "";
  case Opcode::SpecialRegister:
    return nameOfVarying(static_cast<SpecialReg>(Op.Variant));
  case Opcode::MbarrierWait:
    return "a test of a barrier object";
  case Opcode::Clock:
    return "the clock";
  case Opcode::ActiveMask:
    return "the mask of active lanes";
  case Opcode::Elect:
    return "the elected lane";
  default:
    return "";
  }
}

std::string cudaopt::findUnmodelled(const Program &P) {
  for (const Block &B : P.Blocks)
    for (const Operation &Op : B.Operations)
      if (StringRef Name = nameOfUnmodelled(Op); !Name.empty())
        return Name.str() + " at " + P.textOf(P.Sites[Op.Site]);
  return "";
}
