// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which shared array an address is meant to be in: that of which the address
/// was computed, where the program shows it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_INTENDEDARRAYS_H
#define CUDAOPT_LIB_SIMT_INTENDEDARRAYS_H

#include "cudaopt/Simt/Program.h"

#include <optional>
#include <vector>

namespace cudaopt::simt {

class IntendedArrays {
public:
  IntendedArrays(const Program &P, const SharedMemory &Memory)
      : Bases(P.NumRegisters) {
    for (auto [R, Value] : P.Constants) {
      Base &B = Bases[static_cast<size_t>(R)];
      if (isShared(Value))
        B.OfGeneric =
            Memory.findArray(static_cast<SharedAddr>(Value - SharedWindow));
      else if (Value < WindowSize) // If it is an address at all.
        B.OfOffset = Memory.findArray(static_cast<SharedAddr>(Value));
    }
    while (propagate(P)) {
    }
  }

  /// The array that an access through \p R, which has Space, means.
  std::optional<unsigned> of(Register R, PointerSpace Space) const {
    if (R == NoRegister)
      return std::nullopt;
    const Base &B = Bases[static_cast<size_t>(R)];
    return Space == PointerSpace::Shared ? B.OfOffset : B.OfGeneric;
  }

private:
  /// The array, if the register is a generic address, or an offset.
  struct Base {
    std::optional<unsigned> OfGeneric, OfOffset;
    bool operator==(const Base &) const = default;
  };

  /// Returns true if a register has become known.
  bool propagate(const Program &P) {
    bool Changed = false;
    for (const Block &B : P.Blocks)
      for (const Operation &Op : B.Operations) {
        if (Op.A == NoRegister || Op.D == NoRegister)
          continue;
        Base From = Bases[static_cast<size_t>(Op.A)];
        if (Op.Code == Opcode::ToShared)
          From = {std::nullopt, From.OfGeneric};
        else if (Op.Code == Opcode::ToGeneric)
          From = {From.OfOffset, std::nullopt};
        else if (Op.Code != Opcode::Address && Op.Code != Opcode::Move)
          continue;
        Base &To = Bases[static_cast<size_t>(Op.D)];
        if (To != Base())
          continue;
        To = From;
        Changed |= From != Base();
      }
    return Changed;
  }

  std::vector<Base> Bases; ///< By register; of phi nodes nothing is known.
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_INTENDEDARRAYS_H
