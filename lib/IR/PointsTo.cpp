// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Solves the inclusion constraints between values and objects by iteration. An
/// object that escapes is not followed any more: what is loaded from it may
/// lead anywhere. Since that only adds to the sets, the iteration ends.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/PointsTo.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace cudaopt::ir;
using namespace llvm;

/// The size of a pointer in memory.
static constexpr uint64_t PointerBytes = 8;

/// Returns true if \p V is a number that was made of a pointer, and may become
/// one again.
static bool isNumberOfPointer(const Function &F, const Value &V) {
  if (V.What == Value::SharedAddress)
    return true;
  return (V.What == Value::Convert || V.What == Value::Pure) &&
         V.Ty.What == Type::Integer && any_of(V.Operands, [&](ValueId Operand) {
           return F.value(Operand).Ty.What == Type::Pointer;
         });
}

/// Returns true if a value of type \p T may be a pointer, or hold some.
static bool isPointerLike(Type T) {
  return T.What == Type::Pointer || T.What == Type::Aggregate;
}

/// Returns true if an object of type \p T can hold an address. Classes without
/// a definition count as doing so.
static bool canHoldAddress(clang::QualType T) {
  if (T.isNull())
    return true;
  T = T.getCanonicalType();
  while (const clang::ArrayType *Array = T->getAsArrayTypeUnsafe())
    T = Array->getElementType().getCanonicalType();
  if (T->isArithmeticType() || T->isEnumeralType() || T->isVectorType() ||
      T->isVoidType())
    return false;
  const clang::CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition())
    return true;
  return any_of(Record->bases(),
                [](const clang::CXXBaseSpecifier &Base) {
                  return canHoldAddress(Base.getType());
                }) ||
         any_of(Record->fields(), [](const clang::FieldDecl *Field) {
           return canHoldAddress(Field->getType());
         });
}

/// Returns true for an array, whose name is its address.
static bool canDecay(const Object &O) {
  return O.SourceType.isNull() || O.SourceType->isArrayType();
}

bool PointsTo::isFollowed(ObjectId Id) const {
  const Object::Kind What = F.object(Id).What;
  return (What == Object::Local || What == Object::Temporary ||
          What == Object::Parameter) &&
         !Escaped.test(Id);
}

bool PointsTo::isOnlyFollowed(const ObjectSet &Objects) const {
  for (ObjectId Id : Objects)
    if (!isFollowed(Id))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool PointsTo::transfer(ValueId Id) {
  const Value &V = F.value(Id);
  bool Changes = false;
  switch (V.What) {
  case Value::Literal: // A number as a pointer may lead anywhere.
    return V.Ty == Type::pointer() && V.Integer != 0 &&
           Targets[Id].test_and_set(0);
  case Value::None:
  case Value::Special:
  case Value::Argument: // A pointer to a function, at most.
  case Value::Undefined:
  case Value::Result:
    return false;
  case Value::Address:
    return Targets[Id].test_and_set(V.Object);
  case Value::Offset:
    for (ValueId Each : V.Operands)
      Changes |= Targets[Id] |= Targets[Each];
    if (F.value(V.Operands[0]).What == Value::Literal)
      Changes |= Targets[Id].test_and_set(0);
    return Changes;
  case Value::Select:
    for (ValueId Each : ArrayRef(V.Operands).drop_front())
      Changes |= Targets[Id] |= Targets[Each];
    return Changes;
  case Value::Phi:
    for (ValueId Each : V.Operands)
      Changes |= Targets[Id] |= Targets[Each];
    return Changes;
  case Value::Unary:
  case Value::Binary:
  case Value::Convert:
  case Value::SharedAddress:
  case Value::SharedPointer:
  case Value::Pure:
    break;
  }
  if (V.Ty.What == Type::Boolean || V.Ty.What == Type::Float)
    return false;
  for (ValueId Each : V.Operands)
    Changes |= Targets[Id] |= Targets[Each];
  // What a number leads to as a pointer is not known.
  const bool IsCopy = V.What == Value::Convert &&
                      F.value(V.Operands[0]).Ty.What == Type::Pointer;
  if (V.Ty.What == Type::Pointer && !IsCopy)
    Changes |= Targets[Id].test_and_set(0);
  return Changes;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Returns what pointers lead to that are loaded from \p Address.
ObjectSet PointsTo::readFrom(ValueId Address) const {
  ObjectSet Found;
  for (ObjectId Id : Targets[Address])
    if (isFollowed(Id))
      Found |= Held[Id].Targets;
    else
      Found.set(0);
  return Found;
}

bool PointsTo::write(const Write &W) {
  const bool IsOne = W.Stored && F.value(W.Stored).Ty.What != Type::Aggregate;
  const std::optional<Place> At = IsOne ? F.placeOf(W.Address) : std::nullopt;
  bool Changes = false;
  for (ObjectId Id : W.To) {
    if (!isFollowed(Id)) {
      Changes |= escape(W.Objects);
      continue;
    }
    Memory &Into = Held[Id];
    Changes |= Into.Targets |= W.Objects;
    if (W.Stored && !isPointerLike(F.value(W.Stored).Ty))
      Changes |= Into.Targets.test_and_set(0); // May be read as a pointer.
    if (W.Objects.empty())
      continue;
    if (At)
      Changes |= Into.Offsets.insert(At->Offset).second;
    else
      Changes |= !std::exchange(Into.IsScattered, true);
  }
  return Changes;
}

/// Returns true if \p Width bytes at \p Address may be a part of a pointer that
/// the object \p Id holds.
bool PointsTo::mayOverlapPointer(ValueId Address, uint64_t Width,
                                 ObjectId Id) const {
  const Memory &In = Held[Id];
  const std::optional<Place> At = F.placeOf(Address);
  if (In.IsScattered || !At || !Width)
    return true;
  return any_of(In.Offsets, [&](uint64_t Offset) {
    return Offset < At->Offset + Width && At->Offset < Offset + PointerBytes;
  });
}

/// Returns \p Objects with all that the pointers in them lead to.
ObjectSet PointsTo::reachableFrom(ObjectSet Objects) const {
  for (bool Changes = true; Changes;) {
    Changes = false;
    const ObjectSet Before = Objects;
    for (ObjectId Id : Before)
      Changes |= Objects |= Held[Id].Targets;
  }
  return Objects;
}

ObjectSet PointsTo::reachedBy(const Operation &O) const {
  ObjectSet Given;
  for (ValueId Each : O.Operands)
    Given |= Targets[Each];
  for (ObjectId Each : O.Mentions)
    Given.set(Each);
  return reachableFrom(std::move(Given));
}

/// Lets \p Objects escape, and all that pointers in them lead to.
bool PointsTo::escape(const ObjectSet &Objects) {
  ObjectSet All = reachableFrom(Objects);
  All.reset(0);
  return Escaped |= All;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Returns what \p V leads to if it may be a pointer. Numbers that were made of
/// one have let it escape.
ObjectSet PointsTo::pointersIn(ValueId V) const {
  return isPointerLike(F.value(V).Ty) ? Targets[V] : ObjectSet();
}

/// Returns Retention::Anywhere for operations that are not opaque.
Retention PointsTo::retentionOf(const Operation &O) const {
  return Retentions.lookup(&O);
}

/// Returns the objects whose addresses the opaque operation \p O gets.
ObjectSet PointsTo::givenTo(const Operation &O) const {
  ObjectSet Given;
  if (O.What != Operation::Opaque)
    return Given;
  for (ValueId Each : O.Operands)
    Given |= pointersIn(Each);
  for (ObjectId Each : O.Mentions)
    Given.set(Each);
  return Given;
}

/// Returns the objects whose addresses \p O gets, and lets escape.
ObjectSet PointsTo::passedTo(const Operation &O) const {
  if (O.What == Operation::Opaque)
    return retentionOf(O) == Retention::Anywhere ? givenTo(O) : ObjectSet();
  // An instruction that computes with a pointer makes a number of it.
  ObjectSet Used;
  if (O.What == Operation::Known || O.What == Operation::Shuffle)
    for (ValueId Each : O.Operands)
      if (none_of(O.Touches, [&](const Touch &T) { return T.Address == Each; }))
        Used |= pointersIn(Each);
  return Used;
}

/// Returns what the pointers lead to that \p O reads as something else.
ObjectSet PointsTo::misreadBy(const Operation &O) const {
  ObjectSet Misread;
  if (!O.Result || isPointerLike(F.value(O.Result).Ty))
    return Misread;
  const auto Read = [&](ValueId Address, uint64_t Width) {
    for (ObjectId Id : Targets[Address])
      if (isFollowed(Id) && mayOverlapPointer(Address, Width, Id))
        Misread |= Held[Id].Targets;
  };
  if (O.What == Operation::Load || O.What == Operation::Atomic)
    Read(O.Address, O.Width);
  for (const Touch &T : O.Touches)
    if (T.Reads)
      Read(T.Address, 0);
  // A call may return a number that it makes of what it gets, but not of the
  // object of a method.
  if (retentionOf(O) == Retention::InOperands && !O.Operands.empty())
    for (ValueId Each :
         ArrayRef(O.Operands)
             .drop_front(isa<clang::CXXMemberCallExpr>(O.Where.Node)))
      Read(Each, 0);
  return Misread;
}

/// Returns what the opaque operation \p O may store in objects that it gets.
SmallVector<PointsTo::Write, 2> PointsTo::keptBy(const Operation &O) const {
  SmallVector<Write, 2> Result;
  const Retention Kept = retentionOf(O);
  if (Kept == Retention::Anywhere || Kept == Retention::Nowhere)
    return Result;
  const ObjectSet Given = reachableFrom(givenTo(O));
  ObjectSet Objects;
  for (ObjectId Id : Given)
    Objects |= Held[Id].Targets;
  if (Kept == Retention::InOperands)
    Objects |= Given;
  else if (Kept == Retention::Reordered)
    for (ObjectId Id : Given)
      if (!isFollowed(Id) || canDecay(F.object(Id)))
        Objects.set(Id);
  Objects.set(0); // A pointer that it finds elsewhere.
  for (ObjectId Id : Given)
    if (Id && (Kept == Retention::AsBytes ||
               canHoldAddress(F.object(Id).SourceType))) {
      Write &W = Result.emplace_back();
      W.To.set(Id);
      W.Objects = Objects;
      W.Objects.reset(Id);
    }
  return Result;
}

/// Returns what \p O stores somewhere: the objects to which it leads, by the
/// address to which it is stored.
SmallVector<PointsTo::Write, 2> PointsTo::writesOf(const Operation &O) const {
  switch (O.What) {
  case Operation::Store:
    return {{Targets[O.Address], pointersIn(O.Stored), O.Stored, O.Address}};
  case Operation::Copy:
    return {{Targets[O.Address], readFrom(O.Stored)}};
  case Operation::Atomic: {
    ObjectSet Given;
    for (ValueId Each : O.Operands)
      Given |= pointersIn(Each);
    return {{Targets[O.Address], std::move(Given)}};
  }
  case Operation::Known: {
    SmallVector<Write, 2> Result;
    ObjectSet Read;
    for (const Touch &T : O.Touches)
      if (T.Reads)
        Read |= readFrom(T.Address);
    for (const Touch &T : O.Touches)
      if (T.Writes)
        Result.push_back({Targets[T.Address], Read});
    return Result;
  }
  case Operation::Opaque:
    return keptBy(O);
  default:
    return {};
  }
}

/// Returns what the result of \p O leads to. A number that is made of a pointer
/// has let it escape, so that nothing needs to be known of numbers.
ObjectSet PointsTo::resultOf(const Operation &O) const {
  ObjectSet Found;
  if (!isPointerLike(F.value(O.Result).Ty))
    return Found;
  switch (O.What) {
  case Operation::Load:
  case Operation::Atomic:
    return readFrom(O.Address);
  case Operation::Known:
    for (const Touch &T : O.Touches) {
      Found |= Targets[T.Address];
      if (T.Reads)
        Found |= readFrom(T.Address);
    }
    return Found;
  default:
    if (retentionOf(O) != Retention::Anywhere)
      Found = reachableFrom(givenTo(O));
    Found.set(0);
    return Found;
  }
}

bool PointsTo::transfer(const Operation &O) {
  bool Changes = O.Result && (Targets[O.Result] |= resultOf(O));
  for (const Write &W : writesOf(O))
    Changes |= write(W);
  Changes |= escape(passedTo(O));
  const ObjectSet Bytes = misreadBy(O);
  if (!Bytes.empty())
    Misread[&O] |= Bytes;
  return escape(Bytes) || Changes;
}

/// Returns true for the distance of two pointers.
static bool isDistance(const Function &F, const Value &V) {
  return V.What == Value::Binary && V.binary() == clang::BO_Sub &&
         all_of(V.Operands, [&](ValueId Each) {
           return isNumberOfPointer(F, F.value(Each));
         });
}

void PointsTo::findNumbers() {
  const auto Use = [&](ValueId Id) {
    if (isNumberOfPointer(F, F.value(Id)))
      Numbers.insert(Id);
  };
  for (ValueId Id = 1; Id < F.numValues(); ++Id)
    if (!isDistance(F, F.value(Id)))
      for (ValueId Each : F.value(Id).Operands)
        Use(Each);
  for (const std::unique_ptr<Block> &B : F.blocks()) {
    Use(B->Condition);
    for (const Operation &O : B->Operations) {
      for (ValueId Each : {O.Address, O.Stored})
        Use(Each);
      for (ValueId Each : O.Operands)
        Use(Each);
      for (const Touch &T : O.Touches)
        for (ValueId Each : {T.Address, T.Bytes, T.Stride})
          Use(Each);
    }
  }
}

/// Returns the objects of whose addresses \p Id is made as a number. The
/// distance of two pointers into one object says nothing of its address.
ObjectSet PointsTo::madeNumber(ValueId Id) const {
  if (Numbers.contains(Id))
    return Targets[Id];
  const Value &V = F.value(Id);
  if (!isDistance(F, V))
    return {};
  const ObjectSet &L = Targets[V.Operands[0]], &R = Targets[V.Operands[1]];
  return L == R && L.count() == 1 && !L.test(0) ? ObjectSet() : L | R;
}

void PointsTo::solve() {
  // What the caller has put into parameters of class type is not known.
  for (ObjectId Id = 1; Id < F.numObjects(); ++Id)
    if (F.object(Id).What == Object::Parameter)
      Held[Id].Targets.set(0);
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (ValueId Id = 1; Id < F.numValues(); ++Id) {
      Changes |= transfer(Id);
      Changes |= escape(madeNumber(Id));
    }
    for (const std::unique_ptr<Block> &B : F.blocks()) {
      for (const Operation &O : B->Operations)
        Changes |= transfer(O);
      if (B->Terminator == Block::Leave && B->Condition)
        Changes |= escape(Targets[B->Condition]);
    }
  }
}

//===----------------------------------------------------------------------===//
// Escapes
//===----------------------------------------------------------------------===//

void PointsTo::note(Escape::Kind How, const ObjectSet &Objects,
                    const Operation *By, ValueId Number) {
  ObjectSet All = reachableFrom(Objects);
  All.reset(0);
  if (!All.empty())
    Escapes.push_back({How, std::move(All), By, Number});
}

void PointsTo::findEscapes() {
  for (const std::unique_ptr<Block> &B : F.blocks()) {
    for (const Operation &O : B->Operations) {
      note(Escape::Passed, passedTo(O), &O);
      for (const Write &W : writesOf(O))
        if (!isOnlyFollowed(W.To))
          note(Escape::Stored, W.Objects, &O);
      if (const auto Found = Misread.find(&O); Found != Misread.end())
        note(Escape::Bytes, Found->second, &O);
    }
    if (B->Terminator == Block::Leave && B->Condition)
      note(Escape::Passed, Targets[B->Condition], nullptr);
  }
  for (ValueId Id = 1; Id < F.numValues(); ++Id)
    note(Escape::ToInteger, madeNumber(Id), nullptr, Id);
}

PointsTo::PointsTo(const Function &F,
                   function_ref<Retention(const Operation &)> RetentionOf)
    : F(F), Targets(F.numValues()), Held(F.numObjects()) {
  for (const std::unique_ptr<Block> &B : F.blocks())
    for (const Operation &O : B->Operations)
      if (O.What == Operation::Opaque)
        Retentions[&O] = RetentionOf(O);
  findNumbers();
  solve();
  findEscapes();
}
