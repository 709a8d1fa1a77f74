// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the slots of a function in one pass over its operations, which
/// excludes objects whose address escapes, and computes their liveness.
//===----------------------------------------------------------------------===//

#include "Slots.h"

#include "clang/AST/ExprCXX.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Returns true for a plain load or store, the only accesses that can be
/// promoted.
static bool isAccess(const Operation &O) {
  return (O.What == Operation::Load || O.What == Operation::Store) &&
         !O.IsVolatile && O.Width;
}

static Type typeOfAccess(const Function &F, const Operation &O) {
  return F.value(O.What == Operation::Load ? O.Result : O.Stored).Ty;
}

/// Returns what \p O may do with an object whose address it is given. A
/// constructor may still write to the object, even if that is unchanged later
/// on. (An unchanged scalar is written by its initialisation only.)
Slots::Use Slots::useBy(const Operation &O) const {
  const auto Constructs = [](const clang::Stmt *S) {
    return isa_and_nonnull<clang::CXXConstructExpr>(S);
  };
  return Constructs(O.Where.Node) || any_of(F.callsOf(O.Where.Path), Constructs)
             ? Use::MayConstruct
             : Use::Reads;
}

/// Excludes the objects whose addresses \p Used is computed from, since they
/// escape to an operation that uses them as \p For says. Unchanged objects that
/// the operation cannot write are kept instead.
void Slots::exclude(ValueId Used, Use For) {
  std::vector<ValueId> Ahead = {Used};
  while (!Ahead.empty()) {
    const ValueId Id = Ahead.back();
    Ahead.pop_back();
    if (!Id || !Seen.insert({Id, static_cast<unsigned>(For)}).second)
      continue;
    const Value &V = F.value(Id);
    if (V.What == Value::Address) {
      const Object &O = F.object(V.Object);
      const bool MayStay = For == Use::Reads || (For == Use::MayConstruct &&
                                                 O.SourceType->isScalarType());
      (MayStay && O.IsUnchanged ? Kept : Excluded).set(V.Object);
    }
    append_range(Ahead, V.Operands);
  }
}

/// Adds the scalar that \p O accesses as a part. Excludes the object if \p O is
/// no plain access of it, if it is no object of the thread, or if another
/// operation accesses the same bytes with another type.
void Slots::addAccess(const Operation &O) {
  const std::optional<Place> At = F.placeOf(O.Address);
  if (!At || !isAccess(O))
    return exclude(O.Address, O.What == Operation::Load && !O.IsVolatile
                                  ? Use::Reads
                                  : Use::Writes);
  const Object &Of = F.object(At->Object);
  const bool IsOwn = Of.What == Object::Local || Of.What == Object::Temporary;
  const Type Ty = typeOfAccess(F, O);
  if (!IsOwn || !Of.Size || At->Offset + O.Width > *Of.Size ||
      Ty.What == Type::Aggregate) {
    Excluded.set(At->Object);
    return;
  }
  auto [Known, IsNew] = Parts.try_emplace(*At, Part{O.Width, Ty, 0, 0});
  Known->second.NumStores += O.What == Operation::Store;
  if (!IsNew && (Known->second.Width != O.Width || Known->second.Ty != Ty))
    Excluded.set(At->Object);
}

/// Excludes objects of which two parts share bytes: a store to one would change
/// the other. Parts are sorted by object and offset, so that it suffices to
/// compare neighbours.
void Slots::excludeOverlaps() {
  for (auto Each = Parts.begin(); Each != Parts.end(); ++Each) {
    const auto Next = std::next(Each);
    if (Next != Parts.end() && Next->first.Object == Each->first.Object &&
        Each->first.Offset + Each->second.Width > Next->first.Offset)
      Excluded.set(Each->first.Object);
  }
}

/// Excludes kept objects some part of which is not stored exactly once: only if
/// one store initialises it is its value the same wherever it is loaded.
void Slots::excludeReinitialised() {
  for (const auto &[At, Each] : Parts)
    if (Kept.test(At.Object) && Each.NumStores != 1)
      Excluded.set(At.Object);
}

/// Backward dataflow analysis: a slot is live at the beginning of a block if it
/// is read there before it is written, or not written and live at the end.
/// Phis are then only made for live slots (pruned SSA form).
void Slots::findLiveness() {
  std::vector<BitVector> Written(F.blocks().size(), BitVector(size()));
  LiveIn = Written;
  for (const std::unique_ptr<Block> &B : F.blocks())
    for (const Operation &O : B->Operations)
      if (const std::optional<unsigned> Slot = slotOf(O)) {
        if (O.What == Operation::Store)
          Written[B->Id].set(*Slot);
        else if (!Written[B->Id].test(*Slot))
          LiveIn[B->Id].set(*Slot);
      }
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (const std::unique_ptr<Block> &B : reverse(F.blocks())) {
      BitVector Live(size());
      for (const Block *Next : B->Successors)
        Live |= LiveIn[Next->Id];
      Live.reset(Written[B->Id]);
      Live |= LiveIn[B->Id];
      Changes |= Live != LiveIn[B->Id];
      LiveIn[B->Id] = std::move(Live);
    }
  }
}

std::optional<unsigned> Slots::slotOf(const Operation &O) const {
  if (!isAccess(O))
    return std::nullopt;
  const std::optional<Place> At = F.placeOf(O.Address);
  if (!At || Excluded.test(At->Object))
    return std::nullopt;
  return Parts.at(*At).Slot;
}

/// Looks at all uses of addresses first. Slots get their numbers last, when it
/// is known which objects are excluded.
Slots::Slots(const Function &F)
    : F(F), Excluded(F.numObjects()), Kept(F.numObjects()) {
  for (const std::unique_ptr<Block> &B : F.blocks()) {
    exclude(B->Condition, Use::Reads);
    for (ValueId Phi : B->Phis)
      exclude(Phi, Use::Reads);
    for (const Operation &O : B->Operations) {
      if (O.Address)
        addAccess(O);
      exclude(O.Stored, O.What == Operation::Copy ? Use::Reads : useBy(O));
      for (ValueId Used : O.Operands)
        exclude(Used, useBy(O));
      for (const Touch &T : O.Touches)
        for (ValueId Used : {T.Address, T.Bytes, T.Stride})
          exclude(Used, T.Writes ? Use::Writes : Use::Reads);
    }
  }
  excludeOverlaps();
  excludeReinitialised();
  for (auto &[At, Each] : Parts)
    if (!Excluded.test(At.Object)) {
      Each.Slot = Types.size();
      Types.push_back(Each.Ty);
    }
  findLiveness();
}
