// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Local memory: each thread has the same variables at the same offsets of its
/// window. The structs that are parameters come first. Red zones lie between
/// variables, so that accesses out of bounds are found.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_LOCALMEMORY_H
#define CUDAOPT_LIB_SIMT_LOCALMEMORY_H

#include "cudaopt/Simt/Executor.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace cudaopt::simt {

/// The local memory of all threads of a block, one frame per thread.
class LocalMemory {
public:
  /// Lays out the frame. With \p Terms, bytes may be terms; \p Undefined is the
  /// tag of bytes that were never written.
  LocalMemory(const Program &P, const Launch &L, unsigned NumWarps,
              TermTable *Terms, uint64_t Undefined)
      : P(P), L(L), Undefined(Undefined) {
    for (const Parameter &Formal : P.Parameters)
      if (Formal.IsByValue)
        place(Formal.Value, Formal.Size, RedZone);
    for (const Block &B : P.Blocks)
      for (const Operation &Op : B.Operations)
        if (Op.Code == Opcode::Alloca)
          place(Op.D, static_cast<uint64_t>(Op.Immediate), Op.Align);
    if (Variables.empty())
      return;
    FrameSize = Variables.back().Offset + Variables.back().Size + RedZone;
    Bytes.resize(FrameSize * WarpSize * NumWarps);
    if (Terms)
      Tags.resize(Bytes.size());
  }

  /// Returns the offset of the variable whose address register \p R holds.
  uint64_t offsetOf(Register R) const { return OffsetOf.at(R); }

  /// Makes the local memory of a warp undefined, except for the parameters,
  /// which get their values.
  void startWarp(unsigned Warp) {
    if (Bytes.empty())
      return;
    size_t Begin = indexOf(Warp * WarpSize, 0);
    std::memset(&Bytes[Begin], SharedMemory::Forgotten, FrameSize * WarpSize);
    if (!Tags.empty())
      std::fill_n(&Tags[Begin], FrameSize * WarpSize, Undefined);
    for (size_t I = 0; I < P.Parameters.size(); ++I)
      if (P.Parameters[I].IsByValue)
        for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
          pass(indexOf(Warp * WarpSize + Lane, offsetOf(P.Parameters[I].Value)),
               L.Arguments[I]);
  }

  /// Returns true if the bytes all lie in one variable.
  bool contains(uint64_t Offset, uint64_t Size) const {
    auto Above =
        std::ranges::upper_bound(Variables, Offset, {}, &Variable::Offset);
    if (Above == Variables.begin())
      return false;
    const Variable &V = *std::prev(Above);
    return Offset - V.Offset < V.Size && Size <= V.Size - (Offset - V.Offset);
  }
  Byte *bytes(unsigned Thread, uint64_t Offset) {
    return &Bytes[indexOf(Thread, Offset)];
  }
  /// The tags of the bytes at \p Offset; null if there are no terms.
  uint64_t *tags(unsigned Thread, uint64_t Offset) {
    return Tags.empty() ? nullptr : &Tags[indexOf(Thread, Offset)];
  }

private:
  static constexpr uint64_t RedZone = 16;
  struct Variable {
    uint64_t Offset, Size;
  };

  /// Adds a variable to the frame.
  void place(Register R, uint64_t Size, uint64_t Align) {
    uint64_t Free =
        Variables.empty() ? 0 : Variables.back().Offset + Variables.back().Size;
    uint64_t Offset = (Free + RedZone + Align - 1) / Align * Align;
    Variables.push_back({Offset, Size});
    OffsetOf[R] = Offset;
  }
  /// Copies an argument to a frame.
  void pass(size_t Index, const Argument &Actual) {
    std::ranges::copy(Actual.Bytes, &Bytes[Index]);
    if (Tags.empty())
      return;
    std::fill_n(&Tags[Index], Actual.Bytes.size(), 0);
    std::ranges::copy(Actual.Tags, &Tags[Index]);
  }
  size_t indexOf(unsigned Thread, uint64_t Offset) const {
    return Thread * FrameSize + Offset;
  }

  const Program &P;
  const Launch &L;
  /// The tag of a byte that was never written.
  uint64_t Undefined;
  std::vector<Variable> Variables; ///< Sorted by offset.
  std::map<Register, uint64_t> OffsetOf;
  uint64_t FrameSize = 0;
  std::vector<Byte> Bytes;
  std::vector<uint64_t> Tags;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_LOCALMEMORY_H
