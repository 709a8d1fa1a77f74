// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Queries of a function of the IR: call paths, and the objects that a pointer
/// may point into.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/Function.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace cudaopt::ir;
using namespace llvm;

SmallVector<Touch, 2> cudaopt::ir::touchesOf(const Operation &O) {
  switch (O.What) {
  case Operation::Load:
    return {{.Address = O.Address, .Reads = true, .Width = O.Width}};
  case Operation::Store:
    return {{.Address = O.Address, .Writes = true, .Width = O.Width}};
  case Operation::Atomic:
    return {{.Address = O.Address,
             .Reads = true,
             .Writes = true,
             .Width = O.Width}};
  case Operation::Copy:
    return {{.Address = O.Stored, .Reads = true, .Width = O.Width},
            {.Address = O.Address, .Writes = true, .Width = O.Width}};
  default:
    return {O.Touches.begin(), O.Touches.end()};
  }
}

SmallVector<const clang::Stmt *, 4> Function::callsOf(CallPathId Path) const {
  SmallVector<const clang::Stmt *, 4> Calls;
  for (; Path; Path = Paths[Path].Parent)
    Calls.push_back(Paths[Path].Call);
  std::reverse(Calls.begin(), Calls.end());
  return Calls;
}

std::optional<CallPathId> Function::pathOf(const clang::Stmt *Call,
                                           CallPathId Caller) const {
  for (size_t Path = 1; Path < Paths.size(); ++Path)
    if (Paths[Path].Call == Call && Paths[Path].Parent == Caller)
      return Path;
  return std::nullopt;
}

std::optional<Evaluation> Function::evaluationOf(const clang::Stmt *S,
                                                 CallPathId Path) const {
  const auto Known = Evaluations.find({S, Path});
  return Known == Evaluations.end() ? std::nullopt
                                    : std::optional(Known->second);
}

/// Walks from the pointer to the objects that it may be based on. Offsets,
/// selects and phis hand on the objects of their pointers; an offset that is
/// computed from addresses may lead to their objects, too. Any other pointer,
/// such as one that was loaded, may point anywhere (object 0); the operands
/// that it was computed from are followed in addition.
SmallVector<ObjectId, 2> Function::rootsOf(ValueId Pointer) const {
  SmallVector<ObjectId, 2> Roots;
  SmallSet<ValueId, 8> Seen;
  std::vector<ValueId> Ahead = {Pointer};
  while (!Ahead.empty()) {
    const ValueId Id = Ahead.back();
    Ahead.pop_back();
    if (!Seen.insert(Id).second)
      continue;
    const Value &V = Values[Id];
    const bool IsPointer = V.Ty.What == Type::Pointer;
    ObjectId Root = 0;
    switch (V.What) {
    case Value::Offset:
      append_range(Ahead, V.Operands);
      if (Values[V.Operands[0]].What != Value::Literal)
        continue;
      break; // An integer as a pointer.
    case Value::Select:
      Ahead.push_back(V.Operands[1]);
      Ahead.push_back(V.Operands[2]);
      continue;
    case Value::Phi:
      append_range(Ahead, V.Operands);
      continue;
    case Value::Literal: // A null pointer points to nothing.
      if (V.Integer == 0)
        continue;
      break;
    case Value::Address:
      Root = V.Object;
      break;
    default:
      // An integer carries the addresses that it was computed from; as a
      // pointer, it may be any other, too.
      if (V.Ty.What != Type::Boolean && V.Ty.What != Type::Float)
        append_range(Ahead, V.Operands);
      break;
    }
    const bool Points = IsPointer || V.What == Value::Address;
    if (Points && !is_contained(Roots, Root))
      Roots.push_back(Root);
  }
  sort(Roots);
  return Roots;
}

std::optional<Place> Function::placeOf(ValueId Address) const {
  const Value *V = &Values[Address];
  uint64_t Offset = 0;
  if (V->What == Value::Offset) {
    const Value &Bytes = Values[V->Operands[1]];
    if (Bytes.What != Value::Literal || Bytes.Integer.isNegative())
      return std::nullopt;
    Offset = Bytes.Integer.getLimitedValue();
    V = &Values[V->Operands[0]];
  }
  if (V->What != Value::Address)
    return std::nullopt;
  return Place{V->Object, Offset};
}

void Block::printAsOperand(raw_ostream &OS, bool) const { OS << 'B' << Id; }

StringRef cudaopt::ir::getName(SpecialRegister R) {
  static constexpr StringLiteral Names[] = {
#define SPECIAL(NAME, TEXT, PTX) TEXT,
#include "cudaopt/IR/SpecialRegisters.def"
  };
  return Names[static_cast<unsigned>(R)];
}

std::optional<SpecialRegister>
cudaopt::ir::findSpecialRegister(StringRef Name) {
  return StringSwitch<std::optional<SpecialRegister>>(Name)
#define SPECIAL(NAME, TEXT, PTX) .Case(PTX, SpecialRegister::NAME)
#include "cudaopt/IR/SpecialRegisters.def"
      .Default(std::nullopt);
}
