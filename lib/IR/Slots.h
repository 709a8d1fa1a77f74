// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The scalars of a function that can be values instead of memory.
///
/// A slot is a part of a thread's own object at a constant place. All accesses
/// of an object with slots are loads and stores of whole slots, and its address
/// goes nowhere else: nothing but these operations can see the slot. Variables
/// have one slot, closures and small classes one for each member.
///
/// Of an unchanged variable, other operations may have the address. They get
/// what its initialisation stored, which stays; loads are values as of others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_SLOTS_H
#define CUDAOPT_LIB_IR_SLOTS_H

#include "cudaopt/IR/Function.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace cudaopt::ir {

class Slots {
public:
  explicit Slots(const Function &F);

  size_t size() const { return Types.size(); }
  Type typeOf(unsigned Slot) const { return Types[Slot]; }
  /// The slot that \p O loads or stores; none if it is another operation.
  std::optional<unsigned> slotOf(const Operation &O) const;
  /// Whether the object that \p O stores to is read elsewhere, too.
  bool isKept(const Operation &O) const {
    return Kept.test(placeOf(O.Address)->Object);
  }
  /// A byte of an object.
  struct Place {
    ObjectId Object = 0;
    uint64_t Offset = 0;
    auto operator<=>(const Place &) const = default;
  };
  /// The object and the constant offset that \p Address is made of.
  std::optional<Place> placeOf(ValueId Address) const;
  /// Those that are read on some way from the beginning of \p B, before they
  /// are written.
  const llvm::BitVector &liveIn(const Block &B) const { return LiveIn[B.Id]; }

private:
  struct Part {
    uint64_t Width = 0;
    Type Ty;
    unsigned Slot = 0;
    unsigned NumStores = 0;
  };

  enum class Use { Reads, MayConstruct, Writes };
  void exclude(ValueId Used, Use For = Use::Writes);
  Use useBy(const Operation &O) const;
  void addAccess(const Operation &O);
  void excludeOverlaps();
  void excludeReinitialised();
  void findLiveness();

  const Function &F;
  llvm::BitVector Excluded; ///< By object.
  llvm::BitVector Kept;     ///< By object.
  llvm::DenseSet<std::pair<ValueId, unsigned>> Seen;
  std::map<Place, Part> Parts;
  std::vector<Type> Types;
  std::vector<llvm::BitVector> LiveIn;
};

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_SLOTS_H
