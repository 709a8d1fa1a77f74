// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Slots.h"

#include "clang/AST/ExprCXX.h"

using namespace cudaopt::ir;
using namespace llvm;

static bool isAccess(const Operation &O) {
  return (O.What == Operation::Load || O.What == Operation::Store) &&
         !O.IsVolatile && O.Width;
}

static Type typeOfAccess(const Function &F, const Operation &O) {
  return F.value(O.What == Operation::Load ? O.Result : O.Stored).Ty;
}

std::optional<Slots::Place> Slots::placeOf(ValueId Address) const {
  const Value *V = &F.value(Address);
  uint64_t Offset = 0;
  if (V->What == Value::Offset) {
    const Value &Bytes = F.value(V->Operands[1]);
    if (Bytes.What != Value::Literal || Bytes.Integer.isNegative())
      return std::nullopt;
    Offset = Bytes.Integer.getLimitedValue();
    V = &F.value(V->Operands[0]);
  }
  if (V->What != Value::Address)
    return std::nullopt;
  return Place{V->Object, Offset};
}

/// What has the address of an object while that is constructed may write to it
/// still. (An unchanged scalar is written by its initialisation only.)
Slots::Use Slots::useBy(const Operation &O) const {
  const auto Constructs = [](const clang::Stmt *S) {
    return isa_and_nonnull<clang::CXXConstructExpr>(S);
  };
  return Constructs(O.Where.Node) || any_of(F.callsOf(O.Where.Path), Constructs)
             ? Use::MayConstruct
             : Use::Reads;
}

/// Whatever address \p Used contains goes where slots cannot follow.
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

void Slots::addAccess(const Operation &O) {
  const std::optional<Place> At = placeOf(O.Address);
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

void Slots::excludeOverlaps() {
  for (auto Each = Parts.begin(); Each != Parts.end(); ++Each) {
    const auto Next = std::next(Each);
    if (Next != Parts.end() && Next->first.Object == Each->first.Object &&
        Each->first.Offset + Each->second.Width > Next->first.Offset)
      Excluded.set(Each->first.Object);
  }
}

/// What is kept has one initialisation, and all of it is seen.
void Slots::excludeReinitialised() {
  for (const auto &[At, Each] : Parts)
    if (Kept.test(At.Object) && Each.NumStores != 1)
      Excluded.set(At.Object);
}

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
  const std::optional<Place> At = placeOf(O.Address);
  if (!At || Excluded.test(At->Object))
    return std::nullopt;
  return Parts.at(*At).Slot;
}

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
