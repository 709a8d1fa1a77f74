// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers inline assembly of the device: its effects on memory and on other
/// threads (Ptx/Effects.h), and those results that addresses and conditions are
/// usually computed from. Other results are unknown, but depend on the
/// operands. A register of the text stands for the value that was written to it
/// last.
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

/// Returns true for constraints that allow registers and constants only, no
/// memory.
static bool isRegister(StringRef Constraint) {
  return Constraint.find_first_not_of("=+&rlfdhqbn0123456789") ==
         StringRef::npos;
}

/// Gives each operand of the statement its value. Returns false for operands
/// that are not supported.
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
    // An input "0" shares the register of output 0, and is its first value.
    unsigned Tied = 0;
    if (!StringRef(S.getInputConstraint(I)).getAsInteger(10, Tied) &&
        Tied < Outputs.size())
      Arguments[Tied].Held = V;
  }
  return true;
}

/// Returns the register or argument that \p O names, the innermost of that
/// name; null if it names none.
Assembly::Register *Assembly::registerOf(const PtxOperand &O) {
  if (O.What == PtxOperand::Kind::Argument)
    return O.Value < Arguments.size() ? &Arguments[O.Value] : nullptr;
  if (O.What == PtxOperand::Kind::Name)
    for (auto &Scope : reverse(Scopes))
      if (auto Found = Scope.find(O.Name); Found != Scope.end())
        return &Found->second;
  return nullptr;
}

/// Declares registers, with undefined values.
void Assembly::declare(const PtxStatement &Declaration) {
  const std::optional<PtxType> T = Declaration.Words.size() == 1
                                       ? parsePtxType(Declaration.Words.front())
                                       : std::nullopt;
  // A type that is not known is taken for 64 bits.
  const ir::Type Ty = T ? toType(*T) : ir::Type::integer(false, 64);
  for (const PtxOperand &O : Declaration.Operands)
    Scopes.back()[O.Name] = {Ty, B.undefined(Ty)};
}

/// Returns the value of the operand \p O as type \p T; 0 if it is not known.
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

/// Appends an operation of kind \p Kind whose result, of type \p T, is unknown
/// but depends on the operands of \p Of.
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

/// Appends the values of all registers in \p O to \p Operands.
void Assembly::addOperands(const PtxOperand &O,
                           SmallVectorImpl<ValueId> &Operands) {
  if (const Register *R = registerOf(O))
    Operands.push_back(R->Held);
  for (const PtxOperand &Part : O.Parts)
    addOperands(Part, Operands);
}

/// Writes \p V to the register that \p O names. \p V is an integer that is not
/// wider than the register, or a value of its type; 0 stands for an unknown
/// value, which an operation of kind \p Kind gives. Each element of a vector
/// gets an unknown value.
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

/// Returns the address that the operand \p O (`[%1+4]`) is in the space
/// \p Where, as a generic pointer; 0 if it has another form.
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
// Statements
//===----------------------------------------------------------------------===//

/// Appends the registers that an instruction with the destination \p O writes.
void Assembly::addWritten(const PtxOperand &O,
                          SmallVectorImpl<Register *> &Written) {
  if (Register *R = registerOf(O))
    Written.push_back(R);
  if (O.What != PtxOperand::Kind::Address)
    for (const PtxOperand &Part : O.Parts)
      addWritten(Part, Written);
}

/// Executes an instruction under a predicate: `@p st.shared.f32 ...`. It
/// becomes a branch. The registers that it writes have different values on the
/// two paths; they are kept in temporary objects meanwhile, which promotion
/// turns into phis.
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

/// Lowers one instruction. If its result is a value without effects, a
/// predicate becomes a Select instead of a branch.
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

/// All instructions are checked to be known before the first is lowered.
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
