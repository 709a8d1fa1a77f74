// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which shared array an address is meant to be in: the array from whose
/// address the program computes it, where that can be told. An access through
/// such an address that lands in another array is an error although it is in
/// bounds there: with `int a[4], b[4]`, a[5] is not a way to access b[1].
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_INTENDEDARRAYS_H
#define CUDAOPT_LIB_SIMT_INTENDEDARRAYS_H

#include "cudaopt/Simt/Program.h"

#include <optional>
#include <vector>

namespace cudaopt::simt {

/// A forward data-flow analysis over the operations that form addresses. It
/// follows no phi nodes, of whose registers nothing is known.
class IntendedArrays {
public:
  IntendedArrays(const Program &P, const SharedMemory &Memory)
      : Bases(P.NumRegisters) {
    for (auto [R, Value] : P.Constants) {
      Base &B = Bases[static_cast<size_t>(R)];
      if (isShared(Value))
        B.OfGeneric =
            Memory.findArray(static_cast<SharedAddr>(Value - SharedWindow));
      // The number may as well be no address; then it is never used as one.
      else if (Value < WindowSize)
        B.OfOffset = Memory.findArray(static_cast<SharedAddr>(Value));
    }
    while (propagate(P)) {
    }
  }

  /// Returns the array that an access through \p R means, where \p Space tells
  /// whether the register holds an offset in the window or a generic address;
  /// std::nullopt if it is not known.
  std::optional<unsigned> of(Register R, PointerSpace Space) const {
    if (R == NoRegister)
      return std::nullopt;
    const Base &B = Bases[static_cast<size_t>(R)];
    return Space == PointerSpace::Shared ? B.OfOffset : B.OfGeneric;
  }

private:
  /// The array that a register points into if it is used as a generic address,
  /// or as an offset in the window.
  struct Base {
    std::optional<unsigned> OfGeneric, OfOffset;
    bool operator==(const Base &) const = default;
  };

  /// Propagates through all operations once; returns true if something was new.
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

  /// Indexed by register.
  std::vector<Base> Bases;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_INTENDEDARRAYS_H
