// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the parts of memory that can be promoted to SSA values, as LLVM's SROA
/// and mem2reg do, and computes their liveness.
///
/// A slot is a scalar at a constant offset in one of a thread's own objects
/// (local variables and temporaries). All accesses of an object with slots are
/// loads and stores of whole slots, and its address does not escape: nothing
/// but these operations can observe a slot. A scalar variable has one slot,
/// closures and small classes have one for each member.
///
/// An unchanged variable (Object::IsUnchanged) is promoted although its address
/// escapes. Then the store that initialises it stays, for the code that has the
/// address, and the loads become the stored value.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_SLOTS_H
#define CUDAOPT_LIB_IR_SLOTS_H

#include "cudaopt/IR/Function.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace cudaopt::ir {

/// The slots of one function, numbered from 0.
class Slots {
public:
  explicit Slots(const Function &F);

  size_t size() const { return Types.size(); }
  Type typeOf(unsigned Slot) const { return Types[Slot]; }
  /// Returns the slot that \p O loads or stores; std::nullopt if \p O is
  /// another operation or accesses memory without slots.
  std::optional<unsigned> slotOf(const Operation &O) const;
  /// Returns whether the store \p O to a slot has to stay, since the address of
  /// the object escapes.
  bool isKept(const Operation &O) const {
    return Kept.test(F.placeOf(O.Address)->Object);
  }
  /// Returns the slots that are live at the beginning of \p B: read on some
  /// path from there before they are written.
  const llvm::BitVector &liveIn(const Block &B) const { return LiveIn[B.Id]; }

private:
  /// A scalar that some operation accesses: a slot, unless its object is
  /// excluded.
  struct Part {
    uint64_t Width = 0;
    Type Ty;
    unsigned Slot = 0;
    unsigned NumStores = 0;
  };

  /// What an operation that has an address may do with the object.
  enum class Use { Reads, MayConstruct, Writes };
  void exclude(ValueId Used, Use For = Use::Writes);
  Use useBy(const Operation &O) const;
  void addAccess(const Operation &O);
  void excludeOverlaps();
  void excludeReinitialised();
  void findLiveness();

  const Function &F;
  /// Objects that are not promoted, by id.
  llvm::BitVector Excluded;
  /// Unchanged objects whose address escapes, by id.
  llvm::BitVector Kept;
  /// The uses that exclude() has looked at.
  llvm::DenseSet<std::pair<ValueId, unsigned>> Seen;
  std::map<Place, Part> Parts;
  std::vector<Type> Types;
  std::vector<llvm::BitVector> LiveIn;
};

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_SLOTS_H
