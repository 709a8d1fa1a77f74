// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A function of device code, translated from LLVM IR to a form that a run can
/// interpret fast: blocks in an order in which loops are contiguous, and
/// operations whose operands are numbered slots.
///
/// Each loop gets an artificial block behind its last one, its latch, where the
/// threads of an iteration meet. A run always takes the first block in this
/// order for which threads wait. So threads reconverge wherever their paths
/// meet, and no block is executed twice in an iteration:
///
/// \verbatim
///   for.cond      header                         order 1
///   for.body      "if (a || b) s[i] = 0;"              2
///   lor.rhs                                            3
///   if.then       waits for those of for.body and 3    4
///   for.inc       back to for.cond by the latch        5
///   (latch)                                            6
///   for.end                                            7
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_WARPCODE_H
#define CUDAOPT_LIB_CHECK_WARPCODE_H

#include "FoundUses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <vector>

namespace cudaopt::check {

/// The number of a virtual register, which holds a LaneValue. NoSlot stands for
/// a value that is never known.
using LaneSlot = unsigned;
constexpr LaneSlot NoSlot = 0;

/// The special registers by which a thread knows its index and its launch:
/// threadIdx, blockDim, blockIdx, gridDim.
enum class LaneRegister : uint8_t { Thread, BlockSize, Block, GridSize };

/// One instruction. Its result, if it is used, goes to the slot D.
struct LaneOperation {
  enum Kind : uint8_t {
    Forget,   ///< The result is not known.
    Copy,     ///< A, truncated to Bits bits.
    Binary,   ///< A and B, combined by the LLVM opcode Opcode.
    Compare,  ///< A and B of Bits bits, by the LLVM predicate Opcode.
    Extend,   ///< A, sign-extended from Opcode bits to Bits bits.
    Select,   ///< A ? B : C.
    Extremum, ///< A if the LLVM predicate Opcode holds for A and B, else B.
    Address,  ///< A, plus Addend, plus the sum of Terms.
    Register, ///< A special register: Opcode is 4 * LaneRegister + dimension.
    Call,     ///< Runs Callee.
    Barrier,  ///< A barrier of the whole block.
    MayLeave, ///< Threads may end here, or go on.
    Opaque,   ///< A call of unknown code, which may access shared memory.
  } What = Forget;
  uint8_t Bits = 64;
  unsigned Opcode = 0;
  LaneSlot A = NoSlot, B = NoSlot, C = NoSlot;
  LaneSlot D = NoSlot; ///< The slot of the result.
  uint64_t Addend = 0;
  std::vector<std::pair<LaneSlot, int64_t>> Terms; ///< Each with its factor.
  /// The subscripts of an address, and the extents of their dimensions.
  std::vector<std::pair<LaneSlot, uint64_t>> Extents;
  /// True if the address A is that of the whole array or struct that is
  /// subscripted, not of an element of it (the first index of the GEP is 0).
  bool IsOfWhole = false;
  const llvm::Function *Callee = nullptr;
  std::vector<LaneSlot> Arguments;
  /// The instruction, for calls and for operations with accesses.
  const llvm::Instruction *By = nullptr;
  /// The accesses that it makes: numbers of places (RunFacts::Places), each
  /// with its address.
  std::vector<std::pair<unsigned, LaneSlot>> Accesses;
};

/// An edge from a block to a successor.
struct LaneEdge {
  unsigned To = 0;
  std::vector<unsigned> Left; ///< The loops that it leaves, innermost first.
  /// What it copies for phi nodes: pairs of destination and source.
  std::vector<std::pair<LaneSlot, LaneSlot>> Copies;
};

/// A basic block.
struct LaneBlock {
  enum Kind : uint8_t { Jump, Branch, Switch, Return, End, Latch } Ends = End;
  const llvm::BasicBlock *From = nullptr; ///< Null for a latch.
  std::vector<LaneOperation> Operations;
  /// The condition of a branch or switch; the value that a return returns.
  LaneSlot Condition = NoSlot;
  /// The edges; of a branch the true edge first, of a switch the default.
  std::vector<LaneEdge> Edges;
  /// The cases of a switch: those of all edges but the first.
  std::vector<uint64_t> Cases;
  /// The block where all threads meet again that come here and do not leave the
  /// function: its immediate post-dominator, or the latch of its loop if that
  /// would be the next iteration. The number of blocks if there is none.
  unsigned Reconvergence = 0;
  int Loop = -1; ///< The innermost loop, or -1; of a latch, its own loop.
  bool IsHeader = false;
};

/// A natural loop, whose blocks are those from Header to Latch.
struct LaneLoop {
  int Parent = -1; ///< The loop around it, or -1.
  unsigned Header = 0, Latch = 0;
  /// Phi nodes of the header, each with a second slot in which its value for
  /// the next iteration waits: threads of an iteration must not see it yet.
  std::vector<std::pair<LaneSlot, LaneSlot>> Phis;
  /// Values that are used behind the loop, each with a second slot for what it
  /// was when a thread left the loop: others go on changing the first.
  std::vector<std::pair<LaneSlot, LaneSlot>> Results;

  bool contains(unsigned Block) const {
    return Header <= Block && Block <= Latch;
  }
};

/// A translated function.
struct WarpCode {
  std::vector<LaneBlock> Blocks; ///< The first is the entry.
  std::vector<LaneLoop> Loops;   ///< Outer loops come before inner ones.
  std::vector<LaneSlot> Arguments;
  std::vector<std::pair<LaneSlot, uint64_t>> Constants;
  unsigned NumSlots = 1; ///< Slots are 0 (NoSlot) to NumSlots - 1.
  /// False if control flow is irreducible, that is, some edge leads back to a
  /// block that is no loop header, or is not known. A run is then incomplete.
  bool IsReducible = true;
};

/// The places (numbers in RunFacts::Places) of the accesses that each
/// instruction makes, each with the operand that is the address; null for a
/// call of a library function whose address argument is not known.
using PlacesOfCode = llvm::DenseMap<
    const llvm::Instruction *,
    llvm::SmallVector<std::pair<unsigned, const llvm::Use *>, 2>>;

/// The address that runs give to byte 0 of the shared variable with that number
/// (from 0). The variables are 2^40 bytes apart, so that no offset leads from
/// one to another, and the address 0 belongs to none.
constexpr unsigned VariableShift = 40;
constexpr uint64_t addressOf(unsigned Variable) {
  return uint64_t(Variable + 1) << VariableShift;
}

/// Removes operations whose results are used for no address, no branch, and no
/// call (dead code elimination): most of what kernels compute are data.
void dropUnused(WarpCode &Code);

/// Translates \p F. \p Variables are the numbers of shared variables.
WarpCode prepare(
    const llvm::Function &F, const SymbolTable &Symbols,
    const PlacesOfCode &Places,
    const llvm::DenseMap<const llvm::GlobalVariable *, unsigned> &Variables);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_WARPCODE_H
