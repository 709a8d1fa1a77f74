// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers the inline assembly that affects memory, other threads, or control
/// flow.
//===----------------------------------------------------------------------===//

#include "AsmLowering.h"

#include "llvm/ADT/StringSwitch.h"

namespace cudaopt::simt {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The state spaces. The interpreter runs no clusters of several blocks, so
/// that the shared memory of the cluster is that of the block.
static constexpr llvm::StringRef SpaceNames[] = {
    "global", "shared", "shared::cta", "shared::cluster", "local", "const"};

/// cvta: between generic addresses and offsets in a window. Global and constant
/// addresses are generic already.
void AsmLowering::convertAddress() {
  bool IsTo = takeWord("to");
  llvm::StringRef Space = takeOneOf(SpaceNames);
  if (Space.empty())
    return refuse();
  Register In = read(1);
  Opcode Code = Space.starts_with("shared")
                    ? (IsTo ? Opcode::ToShared : Opcode::ToGeneric)
                : Space == "local"
                    ? (IsTo ? Opcode::ToLocal : Opcode::LocalToGeneric)
                    : Opcode::Move;
  write(Code == Opcode::Move ? In : K.op(Code, 64, In));
}

void AsmLowering::isSpace() {
  llvm::StringRef Name = takeOneOf(SpaceNames);
  if (Name.empty())
    return refuse();
  auto Space = llvm::StringSwitch<StateSpace>(Name)
                   .Case("global", StateSpace::Global)
                   .Case("local", StateSpace::Local)
                   .Case("const", StateSpace::Const)
                   .Default(StateSpace::Shared);
  write(operand(0),
        K.op(Opcode::IsSpace, 64, read(operand(1), 64), NoRegister, NoRegister,
             static_cast<uint8_t>(Space)),
        1);
}

/// Takes the state space from the words. Offsets in shared memory often have 32
/// bits, and are extended.
std::pair<Register, PointerSpace> AsmLowering::address(const PtxOperand &O) {
  llvm::StringRef Name = takeOneOf(SpaceNames);
  auto Space = llvm::StringSwitch<PointerSpace>(Name)
                   .Case("global", PointerSpace::Global)
                   .Cases({"shared", "shared::cta", "shared::cluster"},
                          PointerSpace::Shared)
                   .Case("local", PointerSpace::Local)
                   .Case("const", PointerSpace::Const)
                   .Default(PointerSpace::Generic);
  return {addressIn(O), Space};
}

Register AsmLowering::addressIn(const PtxOperand &O) {
  if (O.What == PtxOperand::Kind::Address)
    return K.offset(read(O.Parts.front(), 64), static_cast<int64_t>(O.Value));
  refuse();
  return K.constant(0);
}

bool AsmLowering::takeOrdering() {
  bool IsStrong = !takeOneOf({"relaxed", "acquire", "release", "acq_rel", "sc",
                              "volatile", "mmio"})
                       .empty();
  takeWord("weak");
  takeOneOf({"cta", "cluster", "gpu", "sys"});
  return IsStrong;
}

void AsmLowering::takeCacheHints() {
  takeOneOf({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  takeWord("nc");
  llvm::erase_if(Words, [](llvm::StringRef Word) {
    return Word.starts_with("L1::") || Word.starts_with("L2::");
  });
}

/// ld and st. The elements of a vector are copied to, or from, consecutive
/// registers.
void AsmLowering::access(bool IsStore) {
  if (isGuarded())
    return;
  bool IsStrong = takeOrdering();
  takeCacheHints();
  PtxType T = type();
  llvm::StringRef Vector = takeOneOf({"v2", "v4"});
  unsigned Count = Vector.empty() ? 1 : Vector == "v2" ? 2 : 4;
  const PtxOperand &Value = operand(IsStore ? 1 : 0);
  bool IsVector = Value.What == PtxOperand::Kind::Vector;
  unsigned Bytes = T.width() / 8 * Count;
  if (IsVector != (Count > 1) || (IsVector && Value.Parts.size() != Count) ||
      Bytes > 16 || Current->Operands.size() != 2)
    return refuse();
  auto [Address, Space] = address(operand(IsStore ? 0 : 1));

  Register First = K.fresh(Count);
  for (unsigned I = 0; IsStore && I < Count; ++I)
    K.emit(Opcode::Move, T.width(), First + static_cast<Register>(I),
           read(IsVector ? Value.Parts[I] : Value, T.width()));
  Operation &O = K.emit(IsStore ? Opcode::Store : Opcode::Load, T.width(),
                        IsStore ? NoRegister : First, Address,
                        IsStore ? First : NoRegister);
  O.Count = static_cast<uint8_t>(Count);
  O.Space = Space;
  O.IsFloat = T.isFloat() && T.Lanes == 1;
  O.IsVolatile = IsStrong;
  O.Align = Bytes;
  for (unsigned I = 0; !IsStore && I < Count; ++I)
    write(IsVector ? Value.Parts[I] : Value, First + static_cast<Register>(I),
          T.width(), T.isSigned());
}

/// atom and red.
void AsmLowering::atomic() {
  if (isGuarded())
    return;
  bool HasResult = Current->Words.front() == "atom";
  static constexpr llvm::StringLiteral Scopes[] = {
      "cta", "cluster", "sys", "acquire", "release", "acq_rel", "sc"};
  const bool IsScoped = llvm::any_of(Scopes, [this](llvm::StringRef Word) {
    return llvm::is_contained(Words, Word);
  });
  takeOrdering();
  takeCacheHints();
  PtxType T = type();
  auto [Address, Space] = address(operand(HasResult ? 1 : 0));
  Register Value = read(operand(HasResult ? 2 : 1), T.width());
  auto Finish = [Space = Space, IsScoped](Operation &O) {
    O.Space = Space;
    O.IsVolatile = true;
    O.IsScoped = IsScoped;
    O.Align = O.Bits / 8u;
  };
  if (takeWord("cas")) {
    Register New = read(operand(HasResult ? 3 : 2), T.width());
    Register Result = K.fresh(2);
    Finish(K.emit(Opcode::AtomicCas, T.width(), Result, Address, Value, New));
    return HasResult ? write(Result) : void();
  }
  std::optional<llvm::AtomicRMWInst::BinOp> Operator = takeAtomicOperator();
  if (!Operator)
    return refuse();
  // Each lane of a packed type is atomic by itself.
  llvm::SmallVector<Register, 2> Results;
  for (unsigned Lane = 0; Lane < T.Lanes; ++Lane) {
    Register New =
        T.Lanes == 1 ? Value : K.element(Lane, T.Bits, T.width(), Value);
    Register Place = K.offset(Address, Lane * T.Bits / 8);
    Results.push_back(K.fresh());
    Operation &O =
        K.emit(Opcode::AtomicRmw, T.Bits, Results.back(), Place, New);
    O.Variant = static_cast<uint8_t>(*Operator);
    O.IsFloat = T.isFloat();
    O.SourceBits = T.IsBrain ? 32 : 0;
    Finish(O);
  }
  if (HasResult)
    write(T.Lanes == 1 ? Results.front() : K.join(Results, T.Bits));
}

std::optional<llvm::AtomicRMWInst::BinOp> AsmLowering::takeAtomicOperator() {
  using Rmw = llvm::AtomicRMWInst;
  PtxType T = type();
  bool IsSigned = T.isSigned();
  llvm::StringRef Name = takeOneOf(
      {"add", "min", "max", "and", "or", "xor", "exch", "inc", "dec"});
  if (Name.empty() || (T.isFloat() && Name != "add" && Name != "exch"))
    return std::nullopt;
  return llvm::StringSwitch<Rmw::BinOp>(Name)
      .Case("add", T.isFloat() ? Rmw::FAdd : Rmw::Add)
      .Case("min", IsSigned ? Rmw::Min : Rmw::UMin)
      .Case("max", IsSigned ? Rmw::Max : Rmw::UMax)
      .Case("and", Rmw::And)
      .Case("or", Rmw::Or)
      .Case("xor", Rmw::Xor)
      .Case("exch", Rmw::Xchg)
      .Case("inc", Rmw::UIncWrap)
      .Default(Rmw::UDecWrap);
}

/// cp.async: the copy itself, the end of a group, the wait for groups, or the
/// arrival at an object when copies are complete.
void AsmLowering::copyAsync() {
  if (isGuarded() || !takeWord("async"))
    return refuse();
  if (takeWord("bulk"))
    return copyBulk();
  if (takeWord("mbarrier")) {
    if (!takeWord("arrive"))
      return refuse();
    emitOnObject(Opcode::MbarrierCopies, 0).Variant =
        takeWord("noinc") ? MbarrierNoIncrement : 0;
    return;
  }
  if (takeWord("commit_group")) {
    K.emit(Opcode::CommitAsync, 32);
    return;
  }
  bool IsWaitAll = takeWord("wait_all");
  if (IsWaitAll || takeWord("wait_group")) {
    std::optional<uint64_t> Pending = IsWaitAll ? 0 : immediate(0);
    if (!Pending)
      return refuse();
    // wait_all also waits for copies that are in no group yet.
    if (IsWaitAll)
      K.emit(Opcode::CommitAsync, 32);
    K.emit(Opcode::WaitAsync, 32).Immediate = static_cast<int64_t>(*Pending);
    return;
  }
  // The last operand then is a policy, which does not change the data.
  const bool HasPolicy = llvm::is_contained(Words, "L2::cache_hint");
  takeCacheHints();
  const size_t NumOperands = Current->Operands.size() - HasPolicy;
  std::optional<uint64_t> Bytes = immediate(2);
  if (!Bytes || NumOperands > 4 || !takeWord("global"))
    return refuse();
  auto [To, Space] = address(operand(0));
  Register From = addressIn(operand(1));
  // A predicate in place of the number of bytes says that there are none.
  const Slot *Size = NumOperands == 4 ? slotOf(operand(3)) : nullptr;
  if (Size && Size->Bits == 1)
    return refuse();
  Register Present = NumOperands == 4 ? read(operand(3), 32) : NoRegister;
  if (Space != PointerSpace::Shared)
    return refuse();
  Operation &O = K.emit(Opcode::CopyAsync, 8, NoRegister, To, From, Present);
  O.Immediate = static_cast<int64_t>(*Bytes);
  O.Align = static_cast<uint32_t>(*Bytes);
  O.Space = Space;
}

void AsmLowering::fence() {
  takeOrdering();
  takeWord("gl");
  takeWord("mbarrier_init");
  // The interpreter has no proxies: copies are ordered like all other accesses.
  if (takeWord("proxy")) {
    takeOneOf({"async", "alias"});
    takeOneOf(SpaceNames);
  }
  K.emit(Opcode::Fence, 32);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// exit, which may have a guard.
void AsmLowering::leave() {
  if (Guard != NoRegister) {
    K.emit(Opcode::LeaveIf, 1, NoRegister, Guard);
    return;
  }
  K.endBlock(Opcode::Return);
  HasLeft = true;
}

void AsmLowering::trap() {
  if (isGuarded())
    return;
  K.endBlock(Opcode::Trap);
  HasLeft = true;
}

/// bar, barrier and bar.warp.sync. Barrier 0 has no operand in the program.
void AsmLowering::barrier() {
  if (isGuarded())
    return;
  takeWord("cta");
  if (takeWord("warp")) {
    if (!takeWord("sync"))
      return refuse();
    K.emit(Opcode::WarpBarrier, 32, NoRegister, read(operand(0), 32));
    return;
  }
  takeWord("aligned");
  size_t Count = Current->Operands.size();
  if (takeWord("red")) {
    llvm::StringRef Name = takeOneOf({"popc", "and", "or"});
    if (Name.empty() || Count < 3)
      return refuse();
    unsigned Bits = Name == "popc" ? 32 : 1;
    Register D =
        K.op(Opcode::BarrierReduce, Bits, read(operand(1), 32),
             Count > 3 ? read(operand(2), 32) : NoRegister,
             readPredicate(static_cast<unsigned>(Count) - 1),
             static_cast<uint8_t>(Name == "popc"  ? BarrierReduceKind::PopCount
                                  : Name == "and" ? BarrierReduceKind::And
                                                  : BarrierReduceKind::Or));
    return write(operand(0), D, Bits);
  }
  if (!takeWord("sync"))
    return refuse();
  std::optional<uint64_t> Number = immediate(0);
  Register Which = Number && *Number == 0 ? NoRegister : read(operand(0), 32);
  K.emit(Opcode::Barrier, 32, NoRegister, Which,
         Count > 1 ? read(operand(1), 32) : NoRegister);
}

void AsmLowering::activeMask() {
  if (!isGuarded())
    write(K.op(Opcode::ActiveMask, 32));
}

void AsmLowering::shuffle() {
  llvm::StringRef Name = takeOneOf({"up", "down", "bfly", "idx"});
  if (isGuarded() || !takeWord("sync") || Name.empty())
    return refuse();
  const PtxOperand &D = operand(0);
  bool IsPair = D.What == PtxOperand::Kind::Pair;
  Register Value = read(1), Lane = read(operand(2), 32);
  Register Clamp = read(operand(3), 32), Mask = read(operand(4), 32);
  Register Result = K.fresh(2);
  Operation &O = K.emit(Opcode::Shuffle, 32, Result, Value, Lane, Clamp);
  O.Variant = static_cast<uint8_t>(llvm::StringSwitch<ShuffleKind>(Name)
                                       .Case("up", ShuffleKind::Up)
                                       .Case("down", ShuffleKind::Down)
                                       .Case("bfly", ShuffleKind::Butterfly)
                                       .Default(ShuffleKind::Index));
  O.Count = IsPair ? 2 : 1;
  O.Extra = {{Mask, 0}};
  write(IsPair ? D.Parts[0] : D, Result, 32);
  if (IsPair)
    write(D.Parts[1], Result + 1, 1);
}

void AsmLowering::vote() {
  llvm::StringRef Name = takeOneOf({"all", "any", "uni", "ballot"});
  if (isGuarded() || !takeWord("sync") || Name.empty())
    return refuse();
  auto Kind = llvm::StringSwitch<VoteKind>(Name)
                  .Case("all", VoteKind::All)
                  .Case("any", VoteKind::Any)
                  .Case("uni", VoteKind::Uniform)
                  .Default(VoteKind::Ballot);
  unsigned Bits = Kind == VoteKind::Ballot ? 32 : 1;
  write(operand(0),
        K.op(Opcode::Vote, Bits, read(operand(2), 32), readPredicate(1),
             NoRegister, static_cast<uint8_t>(Kind)),
        Bits);
}

void AsmLowering::match() {
  bool IsAll = takeWord("all");
  if (isGuarded() || !takeWord("sync") || (!IsAll && !takeWord("any")))
    return refuse();
  Register Value = read(1), Mask = read(operand(2), 32), Result = K.fresh(2);
  K.emit(IsAll ? Opcode::MatchAll : Opcode::MatchAny, type().Bits, Result, Mask,
         Value);
  const PtxOperand &D = operand(0);
  bool IsPair = D.What == PtxOperand::Kind::Pair;
  write(IsPair ? D.Parts[0] : D, Result, 32);
  if (IsPair && IsAll)
    write(D.Parts[1], Result + 1, 1);
}

void AsmLowering::warpReduce() {
  llvm::StringRef Name = takeOneOf({"add", "min", "max", "and", "or", "xor"});
  if (isGuarded() || !takeWord("sync") || Name.empty() || type().isFloat())
    return refuse();
  bool IsSigned = type().isSigned();
  auto Kind = llvm::StringSwitch<ReduceKind>(Name)
                  .Case("add", ReduceKind::Add)
                  .Case("min", IsSigned ? ReduceKind::MinS : ReduceKind::MinU)
                  .Case("max", IsSigned ? ReduceKind::MaxS : ReduceKind::MaxU)
                  .Case("and", ReduceKind::And)
                  .Case("or", ReduceKind::Or)
                  .Default(ReduceKind::Xor);
  write(K.op(Opcode::WarpReduce, 32, read(1), read(operand(2), 32), NoRegister,
             static_cast<uint8_t>(Kind)));
}

void AsmLowering::elect() {
  const PtxOperand &D = operand(0);
  if (isGuarded() || !takeWord("sync") || D.What != PtxOperand::Kind::Pair)
    return refuse();
  Register Result = K.fresh(2);
  K.emit(Opcode::Elect, 32, Result, read(operand(1), 32));
  write(D.Parts[0], Result, 32);
  write(D.Parts[1], Result + 1, 1);
}

} // namespace cudaopt::simt
