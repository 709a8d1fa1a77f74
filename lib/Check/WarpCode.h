// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A function of device code, prepared for runs: its blocks in an order in
/// which loops are contiguous, its operations with their operands found.
///
/// Each loop has a block of its own behind its last one, its latch, where the
/// threads of an iteration meet. So a run that always takes the first block
/// for which threads wait brings threads together wherever they can meet, and
/// no block comes twice in an iteration:
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

/// Where the value of each lane is; NoSlot of what is not known.
using LaneSlot = unsigned;
constexpr LaneSlot NoSlot = 0;

/// What a thread may read of itself and of its launch.
enum class LaneRegister : uint8_t { Thread, BlockSize, Block, GridSize };

struct LaneOperation {
  enum Kind : uint8_t {
    Forget,   ///< D is not known.
    Copy,     ///< A, in Bits bits.
    Binary,   ///< Opcode, of LLVM: A and B.
    Compare,  ///< Opcode, a predicate of LLVM: A and B of Bits bits.
    Extend,   ///< The sign of A, of Opcode bits, to Bits bits.
    Select,   ///< A ? B : C.
    Extremum, ///< Opcode, a predicate: the one of A and B that is less, ...
    Address,  ///< A, plus Addend, plus the sum of Terms.
    Register, ///< Opcode: a LaneRegister times 4, plus the dimension.
    Call,     ///< Of Callee.
    Barrier,  ///< Of the whole block.
    MayLeave, ///< Threads may be gone behind it.
    Opaque,   ///< What is called may access shared memory unseen.
  } What = Forget;
  uint8_t Bits = 64;
  unsigned Opcode = 0;
  LaneSlot A = NoSlot, B = NoSlot, C = NoSlot;
  LaneSlot D = NoSlot; ///< Of the result.
  uint64_t Addend = 0;
  std::vector<std::pair<LaneSlot, int64_t>> Terms; ///< Each with its factor.
  /// Subscripts of an address, and the extents of their dimensions.
  std::vector<std::pair<LaneSlot, uint64_t>> Extents;
  bool IsOfWhole = false; ///< A is the address of the array or struct.
  const llvm::Function *Callee = nullptr;
  std::vector<LaneSlot> Arguments;
  const llvm::Instruction *By = nullptr; ///< Of a call, or with Places.
  /// Accesses that it makes: numbers of places, each with its address.
  std::vector<std::pair<unsigned, LaneSlot>> Accesses;
};

/// A way from a block to the next one.
struct LaneEdge {
  unsigned To = 0;
  std::vector<unsigned> Left; ///< Loops that it leaves, innermost first.
  std::vector<std::pair<LaneSlot, LaneSlot>> Copies; ///< To, from.
};

struct LaneBlock {
  enum Kind : uint8_t { Jump, Branch, Switch, Return, End, Latch } Ends = End;
  std::vector<LaneOperation> Operations;
  LaneSlot Condition = NoSlot; ///< Of a branch or switch; of a return: value.
  std::vector<LaneEdge> Edges; ///< Of a branch: if true, if false.
  std::vector<uint64_t> Cases; ///< Of a switch: of all edges but the first.
  /// Where all threads come that come here and do not leave the function:
  /// a block; or the number of blocks, if that is its end.
  unsigned Reconvergence = 0;
  int Loop = -1; ///< The innermost; of a latch: its own.
  bool IsHeader = false;
};

struct LaneLoop {
  int Parent = -1;
  unsigned Header = 0, Latch = 0; ///< Its blocks are those from one to other.
  /// Phi nodes of the header, and where their next values wait.
  std::vector<std::pair<LaneSlot, LaneSlot>> Phis;
  /// Values that are used behind the loop, and the slots of what they were when
  /// threads left it.
  std::vector<std::pair<LaneSlot, LaneSlot>> Results;

  bool contains(unsigned Block) const {
    return Header <= Block && Block <= Latch;
  }
};

struct WarpCode {
  std::vector<LaneBlock> Blocks; ///< The first is the entry.
  std::vector<LaneLoop> Loops;   ///< Outer ones come first.
  std::vector<LaneSlot> Arguments;
  std::vector<std::pair<LaneSlot, uint64_t>> Constants;
  unsigned NumSlots = 1;
  /// False if blocks go back to blocks that are no headers.
  bool IsReducible = true;
};

/// Places of accesses, by what accesses there: an operand of it, or null for a
/// function of the library that gets an address somehow.
using PlacesOfCode = llvm::DenseMap<
    const llvm::Instruction *,
    llvm::SmallVector<std::pair<unsigned, const llvm::Use *>, 2>>;

/// The address of byte 0 of the shared variable of that number (from 0). No
/// offset leads from one to another.
constexpr unsigned VariableShift = 40;
constexpr uint64_t addressOf(unsigned Variable) {
  return uint64_t(Variable + 1) << VariableShift;
}

/// Drops what is computed for no address, no branch and no function.
void dropUnused(WarpCode &Code);

/// Prepares \p F. \p Variables are the numbers of shared variables.
WarpCode prepare(
    const llvm::Function &F, const SymbolTable &Symbols,
    const PlacesOfCode &Places,
    const llvm::DenseMap<const llvm::GlobalVariable *, unsigned> &Variables);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_WARPCODE_H
