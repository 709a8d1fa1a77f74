// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Inline assembly of the device: what its text does to memory and to other
/// threads (Ptx/Effects.h), and the few results that addresses and conditions
/// are made of. A register of the text is whichever value it got last.
///
///   asm("cvta.to.shared.u64 t, %1;"      t = shared(@s)
///       "cvt.u32.u64 %0, t;" ...)        u = u32(t)
///   asm("ld.shared.f32 %0, [%1+4];" ...) load f32 [@s + 4]
//===----------------------------------------------------------------------===//

#include "Assembly.h"

#include "clang/AST/Attr.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudaopt;
using namespace cudaopt::ir;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Registers only: no memory.
static bool isRegister(StringRef Constraint) {
  return Constraint.find_first_not_of("=+&rlfdhqbn0123456789") ==
         StringRef::npos;
}

bool Assembly::bindArguments() {
  if (S.isAsmGoto())
    return false;
  for (unsigned I = 0; I < S.getNumOutputs(); ++I) {
    const clang::Expr *E = S.getOutputExpr(I);
    if (!isRegister(S.getOutputConstraint(I)) || !L.isScalar(E->getType()) ||
        E->refersToBitField())
      return false;
    const ir::Type T = L.typeOf(E->getType());
    const ValueId At = L.get(E);
    const ValueId Old = S.isOutputPlusConstraint(I)
                            ? L.load(E, At, E->getType())
                            : B.undefined(T);
    Outputs.push_back(At);
    Arguments.push_back({T, Old});
  }
  for (unsigned I = 0; I < S.getNumInputs(); ++I) {
    const clang::Expr *E = S.getInputExpr(I);
    const ValueId V = L.get(E);
    if (!isRegister(S.getInputConstraint(I)) || !L.isScalar(E->getType()) || !V)
      return false;
    Arguments.push_back({B.value(V).Ty, V});
    // "0" is where the result begins.
    unsigned Tied = 0;
    if (!StringRef(S.getInputConstraint(I)).getAsInteger(10, Tied) &&
        Tied < Outputs.size())
      Arguments[Tied].Held = V;
  }
  return true;
}

Assembly::Register *Assembly::registerOf(const PtxOperand &O) {
  if (O.What == PtxOperand::Kind::Argument)
    return O.Value < Arguments.size() ? &Arguments[O.Value] : nullptr;
  if (O.What == PtxOperand::Kind::Name)
    for (auto &Scope : reverse(Scopes))
      if (auto Found = Scope.find(O.Name); Found != Scope.end())
        return &Found->second;
  return nullptr;
}

static ir::Type toType(const PtxType &T) {
  if (T.What == PtxType::Kind::Predicate)
    return ir::Type::boolean();
  if (T.isFloat() && T.Lanes == 1)
    return {ir::Type::Float, true, T.Bits, T.IsBrain};
  return ir::Type::integer(T.isSigned(), T.width());
}

void Assembly::declare(const PtxStatement &Declaration) {
  const std::optional<PtxType> T = Declaration.Words.size() == 1
                                       ? parsePtxType(Declaration.Words.front())
                                       : std::nullopt;
  // Of others only the bits are known.
  const ir::Type Ty = T ? toType(*T) : ir::Type::integer(false, 64);
  for (const PtxOperand &O : Declaration.Operands)
    Scopes.back()[O.Name] = {Ty, B.undefined(Ty)};
}

/// What \p O is as \p T; 0 if that is not known.
ValueId Assembly::read(const PtxOperand &O, ir::Type T) {
  ValueId V = 0;
  if (O.What == PtxOperand::Kind::Immediate)
    return O.IsFloat || !T.isIntegral() ? 0 : B.literal(O.Value, T);
  if (const Register *R = registerOf(O))
    V = R->Held;
  else if (O.Name == "WARP_SZ")
    V = B.literal(32, ir::Type::integer(false, 32));
  else if (StringRef Name = O.Name; Name.consume_front("%"))
    if (std::optional<SpecialRegister> Special = findSpecialRegister(Name))
      V = B.special(*Special);
  if (!V)
    return 0;
  if (O.IsNegated)
    V = B.unary(clang::UO_LNot, B.convert(V, ir::Type::boolean()));
  const ir::Type From = B.value(V).Ty;
  const bool IsAddress = From == ir::Type::pointer() && T.isIntegral();
  if (IsAddress)
    V = B.convert(V, ir::Type::integer(false, 64));
  if (From == T || IsAddress || (From.isIntegral() && T.isIntegral()))
    return B.convert(V, T);
  return 0;
}

/// A result of which nothing is known but what it depends on.
ValueId Assembly::unknown(ir::Type T, const PtxStatement &Of,
                          Operation::Kind Kind) {
  Operation O;
  O.What = Kind;
  O.Why = ("asm " + Of.Words.front()).str();
  O.Extent = Kind == Operation::Shuffle ? Scope::Warp : Scope::Thread;
  for (const PtxOperand &Operand : ArrayRef(Of.Operands).drop_front())
    addOperands(Operand, O.Operands);
  O.Result = B.result(T);
  O.Where = L.anchor(&S);
  return L.append(std::move(O)).Result;
}

void Assembly::addOperands(const PtxOperand &O,
                           SmallVectorImpl<ValueId> &Operands) {
  if (const Register *R = registerOf(O))
    Operands.push_back(R->Held);
  for (const PtxOperand &Part : O.Parts)
    addOperands(Part, Operands);
}

/// \p V is the new value of \p O: an integer as wide as the register or
/// narrower, or of its type; 0 if nothing is known of it.
void Assembly::write(const PtxOperand &O, ValueId V, const PtxStatement &By,
                     Operation::Kind Kind) {
  if (O.What == PtxOperand::Kind::Vector || O.What == PtxOperand::Kind::Pair) {
    for (const PtxOperand &Part : O.Parts)
      write(Part, 0, By, Kind);
    return;
  }
  if (O.Name == "_")
    return;
  Register *R = registerOf(O);
  if (!R) {
    HasFailed = true;
    return;
  }
  const ir::Type From = V ? B.value(V).Ty : ir::Type();
  const bool IsBits = R->Ty == ir::Type::pointer() || R->Ty.isIntegral();
  const bool Fits = V && ((From.isIntegral() && IsBits) || From == R->Ty ||
                          (From == ir::Type::pointer() && IsBits));
  R->Held = Fits ? B.convert(V, R->Ty) : unknown(R->Ty, By, Kind);
}

/// The pointer in \p O; 0 if it has another form.
ValueId Assembly::address(const PtxOperand &O, PtxEffect::Space Where) {
  const Register *R = O.Parts.empty() ? nullptr : registerOf(O.Parts[0]);
  if (!R)
    return 0;
  ValueId V = R->Held;
  const ir::Type T = B.value(V).Ty;
  if (Where == PtxEffect::Space::Local ||
      (T != ir::Type::pointer() &&
       (T.What != ir::Type::Integer || T.Bits < 32)))
    return 0;
  if (Where == PtxEffect::Space::Shared)
    V = B.sharedPointer(B.convert(
        V, T == ir::Type::pointer() ? ir::Type::integer(false, 64) : T));
  else
    V = B.convert(V, ir::Type::pointer());
  return B.offset(V, B.literal(O.Value, ir::Type::integer(true, 64)));
}

//===----------------------------------------------------------------------===//
// Results that are known
//===----------------------------------------------------------------------===//

static std::optional<clang::BinaryOperatorKind> operatorOf(StringRef Name) {
  return StringSwitch<std::optional<clang::BinaryOperatorKind>>(Name)
      .Case("add", clang::BO_Add)
      .Case("sub", clang::BO_Sub)
      .Case("mul", clang::BO_Mul)
      .Case("and", clang::BO_And)
      .Case("or", clang::BO_Or)
      .Case("xor", clang::BO_Xor)
      .Case("shl", clang::BO_Shl)
      .Case("shr", clang::BO_Shr)
      .Cases({"eq"}, clang::BO_EQ)
      .Cases({"ne"}, clang::BO_NE)
      .Cases({"lt", "lo"}, clang::BO_LT)
      .Cases({"le", "ls"}, clang::BO_LE)
      .Cases({"gt", "hi"}, clang::BO_GT)
      .Cases({"ge", "hs"}, clang::BO_GE)
      .Default(std::nullopt);
}

/// A sum, a product or a combination of bits: it wraps.
ValueId Assembly::arithmetic(const PtxStatement &I, const PtxType &T) {
  const std::optional<clang::BinaryOperatorKind> Opcode =
      operatorOf(I.Words.front());
  if (!Opcode || I.Operands.size() != 3 || I.Words.size() > 3)
    return 0;
  const bool IsPlain =
      I.Words.size() == 2 || (*Opcode == clang::BO_Mul && I.Words[1] == "lo");
  if (!IsPlain || (*Opcode == clang::BO_Mul && I.Words.size() == 2))
    return 0;
  const bool Shifts = *Opcode == clang::BO_Shl || *Opcode == clang::BO_Shr;
  const bool IsSigned = *Opcode == clang::BO_Shr && T.isSigned();
  const ir::Type Ty = ir::Type::integer(IsSigned, T.width());
  const ValueId X = read(I.Operands[1], Ty);
  const ValueId Y =
      read(I.Operands[2], Shifts ? ir::Type::integer(false, 32) : Ty);
  // A distance beyond the width has a meaning in PTX, but none in C++.
  if (!X || !Y ||
      (Shifts && (B.value(Y).What != Value::Literal ||
                  B.value(Y).Integer.uge(T.width()))))
    return 0;
  return B.binary(*Opcode, Ty, X, Y);
}

/// `setp.lt.s32 p, a, b`.
ValueId Assembly::comparison(const PtxStatement &I, const PtxType &T) {
  const std::optional<clang::BinaryOperatorKind> Opcode =
      operatorOf(I.Words[1]);
  if (I.Words.size() != 3 || I.Operands.size() != 3 || !Opcode ||
      !clang::BinaryOperator::isComparisonOp(*Opcode) ||
      I.Operands[0].What == PtxOperand::Kind::Pair)
    return 0;
  const ir::Type Ty = ir::Type::integer(T.isSigned(), T.width());
  const ValueId X = read(I.Operands[1], Ty), Y = read(I.Operands[2], Ty);
  return X && Y ? B.binary(*Opcode, ir::Type::boolean(), X, Y) : 0;
}

/// `cvta.to.shared`, `cvta.shared`; other spaces share their addresses.
ValueId Assembly::spaceConversion(const PtxStatement &I, PtxEffect::Space To) {
  const ir::Type Wide = ir::Type::integer(false, 64);
  const ValueId V = read(I.Operands[1], Wide);
  if (!V || To == PtxEffect::Space::Local)
    return 0;
  if (To != PtxEffect::Space::Shared)
    return V;
  return is_contained(I.Words, "to")
             ? B.sharedAddress(B.convert(V, ir::Type::pointer()))
             : B.convert(B.sharedPointer(V), Wide);
}

/// The value of an instruction that computes; 0 if it is not known.
ValueId Assembly::compute(const PtxStatement &I, const PtxEffect &E) {
  const StringRef Name = I.Words.front();
  if (!E.Type || !E.IsPlain || I.Operands.size() < 2 ||
      I.Operands[0].What == PtxOperand::Kind::Vector ||
      I.Operands[1].What == PtxOperand::Kind::Vector)
    return 0;
  if (Name == "mov") {
    // Whatever its type, the register that is read tells what is moved.
    const Register *To = registerOf(I.Operands[0]);
    return To ? read(I.Operands[1], To->Ty == ir::Type::pointer()
                                        ? ir::Type::integer(false, 64)
                                        : To->Ty)
              : 0;
  }
  if (Name == "cvta")
    return spaceConversion(I, E.Where);
  if (E.Type->isFloat() || E.Type->Lanes != 1)
    return 0;
  if (Name == "setp")
    return comparison(I, *E.Type);
  if (Name == "selp" && I.Operands.size() == 4) {
    const ir::Type T = toType(*E.Type);
    const ValueId X = read(I.Operands[1], T), Y = read(I.Operands[2], T),
                  P = read(I.Operands[3], ir::Type::boolean());
    return X && Y && P ? B.select(P, X, Y) : 0;
  }
  if (Name == "cvt" && I.Words.size() == 3) {
    const std::optional<PtxType> From = parsePtxType(I.Words[2]);
    if (!From || From->isFloat())
      return 0;
    const ValueId V = read(I.Operands[1], toType(*From));
    return V ? B.convert(V, toType(*E.Type)) : 0;
  }
  return arithmetic(I, *E.Type);
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

static Scope toScope(PtxEffect::Extent E) {
  return E == PtxEffect::Extent::Block    ? Scope::Block
         : E == PtxEffect::Extent::System ? Scope::System
                                          : Scope::Device;
}

Operation Assembly::operation(Operation::Kind Kind, const PtxStatement &I,
                              Scope Extent) {
  Operation O;
  O.What = Kind;
  O.Why = ("asm " + I.Words.front()).str();
  O.Extent = Extent;
  O.Where = L.anchor(&S);
  return O;
}

/// The type of the register, if the instruction hands over as many bits.
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

/// All elements of a vector are one access.
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

void Assembly::barrier(const PtxStatement &I, const PtxEffect &E) {
  const bool IsOfWarp = E.What == PtxEffect::WarpBarrier;
  Operation O =
      operation(Operation::Barrier, I, IsOfWarp ? Scope::Warp : Scope::Group);
  for (const PtxOperand &Each : ArrayRef(I.Operands).drop_front(E.HasResult))
    if (const ValueId V = read(Each, ir::Type::integer(false, 32)))
      O.Operands.push_back(V);
  // All threads take part in barrier 0, if no number of them is given.
  const size_t Numbers = E.HasResult ? 3 : 1;
  const bool IsOfBlock = !IsOfWarp && I.Operands.size() == Numbers &&
                         !O.Operands.empty() &&
                         B.value(O.Operands[0]).isLiteral(0);
  if (IsOfBlock)
    O.Extent = Scope::Block;
  L.append(std::move(O));
  Block *Next = B.addBlock();
  B.jump(L.Here, Next);
  L.Here = Next;
  if (E.HasResult)
    write(I.Operands[0], 0, I, Operation::Shuffle);
}

void Assembly::wait(const PtxStatement &I) {
  Operation O = operation(Operation::Wait, I, Scope::Thread);
  for (const PtxOperand &Each : I.Operands)
    if (const ValueId V = read(Each, ir::Type::integer(false, 32)))
      O.Operands.push_back(V);
  HasFailed |= O.Operands.size() != I.Operands.size();
  L.append(std::move(O));
}

void Assembly::execute(const PtxStatement &I, const PtxEffect &E) {
  switch (E.What) {
  case PtxEffect::Compute: {
    // A clock, for instance.
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

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// The registers that \p O names, to which an instruction writes.
void Assembly::addWritten(const PtxOperand &O,
                          SmallVectorImpl<Register *> &Written) {
  if (Register *R = registerOf(O))
    Written.push_back(R);
  if (O.What != PtxOperand::Kind::Address)
    for (const PtxOperand &Part : O.Parts)
      addWritten(Part, Written);
}

/// `@p st.shared.f32 ...`: a branch. What it writes goes through memory.
void Assembly::executeIf(ValueId Condition, const PtxStatement &I,
                         const PtxEffect &E) {
  SmallVector<Register *, 4> Written;
  if (E.HasResult)
    addWritten(I.Operands[0], Written);
  SmallVector<ValueId, 4> Places;
  const auto Store = [&](size_t Index) {
    Operation O = operation(Operation::Store, I, Scope::Thread);
    O.Why.clear();
    O.Address = Places[Index];
    O.Stored = Written[Index]->Held;
    O.Width = divideCeil(Written[Index]->Ty.Bits, 8u);
    L.append(std::move(O));
  };
  for (size_t Index = 0; Index < Written.size(); ++Index) {
    Object Held;
    Held.What = Object::Temporary;
    Held.Name = "register";
    Held.SourceType = L.Context.VoidTy;
    Held.Size = divideCeil(Written[Index]->Ty.Bits, 8u);
    Places.push_back(B.address(B.addObject(std::move(Held))));
    Store(Index);
  }
  Block *Then = B.addBlock(), *Next = B.addBlock();
  B.branch(L.Here, Condition, Then, Next, L.anchor(&S));
  L.Here = Then;
  execute(I, E);
  for (size_t Index = 0; Index < Written.size(); ++Index)
    Store(Index);
  B.jump(L.Here, Next);
  L.Here = Next;
  for (size_t Index = 0; Index < Written.size(); ++Index) {
    Operation O = operation(Operation::Load, I, Scope::Thread);
    O.Why.clear();
    O.Address = Places[Index];
    O.Width = divideCeil(Written[Index]->Ty.Bits, 8u);
    O.Result = B.result(Written[Index]->Ty);
    Written[Index]->Held = L.append(std::move(O)).Result;
  }
}

void Assembly::lower(const PtxStatement &I, const PtxEffect &E) {
  ValueId Guard = 0;
  if (I.Guard) {
    Guard = read(*I.Guard, ir::Type::boolean());
    if (!Guard) {
      HasFailed = true;
      return;
    }
  }
  const ValueId Computed = E.What == PtxEffect::Compute ? compute(I, E) : 0;
  Register *To = Computed ? registerOf(I.Operands[0]) : nullptr;
  const bool IsSimple =
      To && (To->Ty == B.value(Computed).Ty ||
             (To->Ty.isIntegral() && B.value(Computed).Ty.isIntegral()) ||
             To->Ty == ir::Type::pointer());
  if (IsSimple) {
    const ValueId New = B.convert(Computed, To->Ty);
    To->Held = Guard ? B.select(Guard, New, To->Held) : New;
    return;
  }
  if (Guard)
    executeIf(Guard, I, E);
  else
    execute(I, E);
}

bool Assembly::run() {
  const std::string Text = S.generateAsmString(L.Context);
  const std::optional<std::vector<PtxStatement>> Statements =
      PtxParser(Text).parse();
  if (!Statements)
    return false;
  std::vector<std::optional<PtxEffect>> Effects;
  int Depth = 0;
  for (const PtxStatement &I : *Statements) {
    const bool Acts = I.What == PtxStatement::Kind::Instruction;
    Effects.push_back(Acts ? describeEffect(I) : std::nullopt);
    Depth += I.What == PtxStatement::Kind::Open;
    Depth -= I.What == PtxStatement::Kind::Close;
    if ((Acts && !Effects.back()) || Depth < 0)
      return false;
  }
  if (!bindArguments())
    return false;
  for (auto [I, E] : zip_equal(*Statements, Effects)) {
    if (I.What == PtxStatement::Kind::Open)
      Scopes.emplace_back();
    else if (I.What == PtxStatement::Kind::Close)
      Scopes.pop_back();
    else if (I.What == PtxStatement::Kind::Declare)
      declare(I);
    else
      lower(I, *E);
    if (HasFailed)
      return false;
  }
  for (unsigned I = 0; I < Outputs.size(); ++I)
    L.store(S.getOutputExpr(I), Outputs[I], Arguments[I].Held,
            S.getOutputExpr(I)->getType());
  return true;
}

bool Lowering::isOfDevice() const {
  return Decl->hasAttr<clang::CUDAGlobalAttr>() ||
         (Decl->hasAttr<clang::CUDADeviceAttr>() &&
          !Decl->hasAttr<clang::CUDAHostAttr>());
}

ValueId Lowering::lowerAssembly(const clang::GCCAsmStmt *S) {
  if (!isOfDevice() || !Assembly(*this, *S).run())
    opaque(S, "asm");
  return 0;
}
