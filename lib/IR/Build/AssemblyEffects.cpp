// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers the effects of instructions of inline assembly on memory and on other
/// threads to operations.
//===----------------------------------------------------------------------===//

#include "Assembly.h"

using namespace cudaopt;
using namespace cudaopt::ir;
using namespace llvm;

static Scope toScope(PtxEffect::Extent E) {
  return E == PtxEffect::Extent::Block    ? Scope::Block
         : E == PtxEffect::Extent::System ? Scope::System
                                          : Scope::Device;
}

/// Returns an operation of the given kind, named "asm ..." by the instruction,
/// for the caller to complete and append.
Operation Assembly::operation(Operation::Kind Kind, const PtxStatement &I,
                              Scope Extent) {
  Operation O;
  O.What = Kind;
  O.Why = ("asm " + I.Words.front()).str();
  O.Extent = Extent;
  O.Where = L.anchor(&S);
  return O;
}

/// Returns the type with which an instruction of type \p T loads to or stores
/// from the operand \p O: that of the register, if it has as many bits, else
/// \p T. (`ld.b32` may load a float.)
ir::Type Assembly::typeInMemory(const PtxOperand &O, const PtxType &T) {
  const Register *R = registerOf(O);
  if (!R)
    return toType(T);
  const bool IsNumber = R->Ty.isIntegral() || R->Ty.What == ir::Type::Float ||
                        R->Ty == ir::Type::pointer();
  return IsNumber && R->Ty.Bits == T.width() ? R->Ty : toType(T);
}

void Assembly::loadOne(const PtxOperand &To, ValueId From,
                       const PtxStatement &I, const PtxEffect &E) {
  Operation O = operation(Operation::Load, I, Scope::Thread);
  O.Why.clear();
  O.Address = From;
  O.Width = E.Type->width() / 8;
  O.IsVolatile = E.IsVolatile;
  O.Result = B.result(typeInMemory(To, *E.Type));
  write(To, L.append(std::move(O)).Result, I, Operation::Known);
}

/// Stores one register or immediate at \p To; an unknown value if the operand
/// is not understood.
void Assembly::storeOne(const PtxOperand &From, ValueId To,
                        const PtxStatement &I, const PtxEffect &E) {
  const ir::Type T = typeInMemory(From, *E.Type);
  ValueId V = T == ir::Type::pointer() && registerOf(From)
                  ? registerOf(From)->Held
                  : read(From, T);
  if (!V)
    V = unknown(toType(*E.Type), I, Operation::Known);
  Operation O = operation(Operation::Store, I, Scope::Thread);
  O.Why.clear();
  O.Address = To;
  O.Stored = V;
  O.Width = E.Type->width() / 8;
  O.IsVolatile = E.IsVolatile;
  L.append(std::move(O));
}

/// Lowers a vector access (`ld.shared.v4.f32`), which is one access of all its
/// bytes: a copy from or to a temporary object, whose elements are loaded or
/// stored one by one.
void Assembly::accessVector(const PtxOperand &Vector, ValueId At,
                            const PtxStatement &I, const PtxEffect &E) {
  Object Copied;
  Copied.What = Object::Temporary;
  Copied.Name = "vector";
  Copied.SourceType = L.Context.VoidTy;
  Copied.Size = E.Bytes;
  const ValueId Own = B.address(B.addObject(std::move(Copied)));
  PtxEffect One = E;
  One.IsVolatile = false;
  const auto ForEach = [&](auto Do) {
    for (auto [Index, Part] : enumerate(Vector.Parts))
      Do(Part, B.offset(Own, B.literal(Index * E.Type->width() / 8,
                                       ir::Type::integer(true, 64))));
  };
  const bool IsLoad = E.What == PtxEffect::Load;
  if (!IsLoad)
    ForEach([&](const PtxOperand &Part, ValueId To) {
      storeOne(Part, To, I, One);
    });
  Operation O = operation(Operation::Copy, I, Scope::Thread);
  O.Why.clear();
  O.Address = IsLoad ? Own : At;
  O.Stored = IsLoad ? At : Own;
  O.Width = E.Bytes;
  O.IsVolatile = E.IsVolatile;
  L.append(std::move(O));
  if (IsLoad)
    ForEach([&](const PtxOperand &Part, ValueId From) {
      loadOne(Part, From, I, One);
    });
}

/// Lowers `ld` and `st` of scalars and vectors. One operand is the address, the
/// other one the data.
void Assembly::access(const PtxStatement &I, const PtxEffect &E) {
  const ValueId At = address(I.Operands[E.Address], E.Where);
  const PtxOperand &Data = I.Operands[1 - E.Address];
  if (!At) {
    HasFailed = true;
    return;
  }
  if (E.Count > 1)
    accessVector(Data, At, I, E);
  else if (E.What == PtxEffect::Load)
    loadOne(Data, At, I, E);
  else
    storeOne(Data, At, I, E);
}

/// Lowers `atom` and `red`, and operations on barrier objects in memory
/// (`mbarrier`), which access them like atomics.
void Assembly::atomic(const PtxStatement &I, const PtxEffect &E) {
  Operation O = operation(Operation::Atomic, I, toScope(E.Among));
  O.Address = address(I.Operands[E.Address], E.Where);
  O.Width = E.Bytes;
  for (const PtxOperand &Each : ArrayRef(I.Operands).drop_front(E.Address + 1))
    addOperands(Each, O.Operands);
  if (!O.Address) {
    HasFailed = true;
    return;
  }
  const Register *To = E.HasResult ? registerOf(I.Operands[0]) : nullptr;
  if (To)
    O.Result = B.result(To->Ty);
  const ValueId Result = L.append(std::move(O)).Result;
  if (E.HasResult)
    write(I.Operands[0], Result, I, Operation::Known);
}

/// Lowers `cp.async`, which copies a constant number of bytes from global to
/// shared memory.
void Assembly::copyAsync(const PtxStatement &I) {
  Operation O = operation(Operation::Known, I, Scope::Thread);
  O.IsAsynchronous = true;
  const ValueId To = address(I.Operands[0], PtxEffect::Space::Shared);
  const ValueId From = address(I.Operands[1], PtxEffect::Space::Global);
  const ValueId Size = read(I.Operands[2], ir::Type::integer(false, 32));
  if (!To || !From || !Size || B.value(Size).What != Value::Literal) {
    HasFailed = true;
    return;
  }
  const uint64_t Bytes = B.value(Size).Integer.getLimitedValue();
  O.Touches = {{From, true, false, Bytes}, {To, false, true, Bytes}};
  L.append(std::move(O));
}

/// Lowers `ldmatrix` and `stmatrix`: each lane gives the address of a row, and
/// the elements that it gets or stores are those of other lanes' rows.
void Assembly::matrix(const PtxStatement &I, const PtxEffect &E) {
  Operation O = operation(Operation::Known, I, Scope::Warp);
  const bool IsLoad = E.What == PtxEffect::LoadMatrix;
  const ValueId At = address(I.Operands[E.Address], E.Where);
  if (!At) {
    HasFailed = true;
    return;
  }
  O.Touches = {{At, IsLoad, !IsLoad, E.Bytes}};
  if (!IsLoad)
    addOperands(I.Operands[1], O.Operands);
  L.append(std::move(O));
  if (IsLoad)
    write(I.Operands[0], 0, I, Operation::Shuffle);
}

/// Appends the operands among \p From that are known integers to \p Operands.
void Assembly::addNumbers(ArrayRef<PtxOperand> From,
                          SmallVectorImpl<ValueId> &Operands) {
  for (const PtxOperand &Each : From)
    if (const ValueId V = read(Each, ir::Type::integer(false, 32)))
      Operands.push_back(V);
}

/// Lowers `bar`, `barrier` and `bar.warp`. If the instruction has a result, the
/// destination comes first and a predicate last.
void Assembly::barrier(const PtxStatement &I, const PtxEffect &E) {
  const bool IsOfWarp = E.What == PtxEffect::WarpBarrier;
  Operation O =
      operation(Operation::Barrier, I, IsOfWarp ? Scope::Warp : Scope::Group);
  addNumbers(ArrayRef(I.Operands).drop_front(E.HasResult), O.Operands);
  // Barrier 0 without a number of threads is one of the whole block.
  const size_t Numbers = E.HasResult ? 3 : 1;
  const bool IsOfBlock = !IsOfWarp && I.Operands.size() == Numbers &&
                         !O.Operands.empty() &&
                         B.value(O.Operands[0]).isLiteral(0);
  if (IsOfBlock)
    O.Extent = Scope::Block;
  L.append(std::move(O));
  if (E.HasResult)
    write(I.Operands[0], 0, I, Operation::Shuffle);
}

void Assembly::wait(const PtxStatement &I) {
  Operation O = operation(Operation::Wait, I, Scope::Thread);
  addNumbers(I.Operands, O.Operands);
  HasFailed |= O.Operands.size() != I.Operands.size();
  L.append(std::move(O));
}

void Assembly::execute(const PtxStatement &I, const PtxEffect &E) {
  switch (E.What) {
  case PtxEffect::Compute: {
    // The instruction reads a special register that is not known here, such
    // as a clock, and may change.
    const bool Samples = any_of(I.Operands, [&](const PtxOperand &O) {
      return O.Name.starts_with("%") && !registerOf(O);
    });
    return write(I.Operands[0], 0, I,
                 Samples ? Operation::Sample : Operation::Known);
  }
  case PtxEffect::Exchange:
    return write(I.Operands[0], 0, I, Operation::Shuffle);
  case PtxEffect::Load:
  case PtxEffect::Store:
    return access(I, E);
  case PtxEffect::Atomic:
  case PtxEffect::BarrierObject:
    return atomic(I, E);
  case PtxEffect::CopyAsync:
    return copyAsync(I);
  case PtxEffect::Commit:
    L.append(operation(Operation::Commit, I, Scope::Thread));
    return;
  case PtxEffect::Wait:
    return wait(I);
  case PtxEffect::LoadMatrix:
  case PtxEffect::StoreMatrix:
    return matrix(I, E);
  case PtxEffect::Barrier:
  case PtxEffect::WarpBarrier:
    return barrier(I, E);
  case PtxEffect::Fence:
    L.append(operation(Operation::Fence, I, toScope(E.Among)));
    return;
  case PtxEffect::Leave:
    return L.appendOpaque(operation(Operation::Opaque, I, Scope::Thread));
  case PtxEffect::Nothing:
    return;
  }
}
