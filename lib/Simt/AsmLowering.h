// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers one piece of inline assembly. Like SSA construction, the lowering
/// maps each register of the text to the register of the program that holds its
/// last value; a guarded statement selects between the new and the old value:
///
///   add.s32 x, a, b;         %5 = add %1, %2           x is %5
///   @p add.s32 x, a, c;      %6 = add %1, %3
///                            %7 = select %p, %6, %5    x is %7
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_ASMLOWERING_H
#define CUDAOPT_LIB_SIMT_ASMLOWERING_H

#include "Lowering.h"
#include "PtxOperations.h"
#include "cudaopt/Ptx/Text.h"

#include "llvm/IR/InlineAsm.h"
#include <optional>
#include <utility>
#include <vector>

namespace cudaopt::simt {

/// What a register of the text is now: a register of the program, and its
/// declared width.
struct Slot {
  Register Value = NoRegister;
  unsigned Bits = 32;
};

/// The opcodes as Ptx/Instructions.def names them, and None for no opcode.
/// Return is never an arithmetic operation, so that it can stand for none.
namespace operation {
using enum Opcode;
inline constexpr Opcode None = Opcode::Return;
} // namespace operation

/// A row of PTX_ARITHMETIC.
struct ArithmeticRow {
  llvm::StringLiteral Name;
  uint8_t Operands;
  Opcode Signed, Unsigned, Float;
};

class AsmLowering {
public:
  AsmLowering(KernelLowering &K, const llvm::CallBase &Call)
      : K(K), Call(Call),
        Asm(*llvm::cast<llvm::InlineAsm>(Call.getCalledOperand())) {}
  void run();

private:
  // The functions that Ptx/Instructions.def names.
  void move();
  void convert();
  Register converted(PtxType To, PtxType From, Register R);
  void convertAddress();
  void isSpace();
  void sum();
  void product();
  void negate();
  void complement();
  void shift();
  void funnel();
  void countBits();
  void findHighest();
  void extractField();
  void insertField();
  void logic3();
  void makeMask();
  void sumOfDifference();
  void dotProduct();
  void packedArithmetic();
  void copySign();
  void setPredicate();
  void setMask();
  void select();
  void selectBySign();
  void load() { access(/*IsStore=*/false); }
  void store() { access(/*IsStore=*/true); }
  void atomic();
  void copyAsync();
  void copyBulk();
  void barrierObject();
  void arriveAtObject();
  void waitForObject();
  void fence();
  void ignore() { Words.clear(); }
  void leave();
  void trap();
  void barrier();
  void activeMask();
  void shuffle();
  void vote();
  void match();
  void warpReduce();
  void elect();

  struct Row {
    llvm::StringLiteral Name;
    void (AsmLowering::*Lower)();
  };
  /// Lowering functions by opcode, and operations by opcode and type.
  static const Row Rows[];
  static const ArithmeticRow ArithmeticRows[];

  /// Gives each constraint of the call a slot; returns false if one is not
  /// modelled.
  bool bindArguments();
  /// Makes the result of the call what the slots of the outputs hold.
  void defineResults();
  /// Lowers a statement. A word of the opcode that no lowering function took is
  /// a refusal, so that an unknown modifier is never ignored.
  void lower(const PtxStatement &S);
  void instruction();
  void arithmetic(const ArithmeticRow &R);
  /// Refuses the whole piece of assembly.
  void refuse();
  void declare(const PtxStatement &S);
  /// Returns the register of the text that \p O names; null if there is none.
  Slot *slotOf(const PtxOperand &O);

  /// Removes \p Word from the words of the instruction; returns false if it is
  /// not there.
  bool takeWord(llvm::StringRef Word);
  /// Removes and returns the first of \p Candidates that is among the words; an
  /// empty string if none is.
  llvm::StringRef takeOneOf(llvm::ArrayRef<llvm::StringRef> Candidates);
  /// Returns the type or operand with number \p Index; refuses the assembly if
  /// there is none.
  PtxType type(unsigned Index = 0);
  const PtxOperand &operand(unsigned Index);
  /// Returns the value of an operand with \p Bits bits: truncated, or extended.
  Register read(const PtxOperand &O, unsigned Bits, bool SignExtends = false);
  Register read(unsigned Index) { return read(operand(Index), type().width()); }
  Register readPredicate(unsigned Index) { return read(operand(Index), 1); }
  /// Returns the constant that operand \p Index must be; std::nullopt if it is
  /// none.
  std::optional<uint64_t> immediate(unsigned Index);
  /// Assigns a value of \p Bits bits, extended to the width of the register.
  void write(const PtxOperand &O, Register Value, unsigned Bits,
             bool IsSigned = false);
  void write(Register Value) {
    write(operand(0), Value, type().width(), type().isSigned());
  }
  /// Returns true, and refuses the assembly, if the statement has a guard.
  /// Called by instructions with effects, which unlike values cannot be
  /// selected.
  bool isGuarded();

  Register readSpecial(llvm::StringRef Name, unsigned Bits);
  /// Applies an operation to each lane of a packed type, or once to others.
  Register perLane(Opcode Code, llvm::ArrayRef<Register> Sources);
  /// Returns the sum and the carry out.
  std::pair<Register, Register> sumWithCarry(bool IsSub, unsigned Bits,
                                             Register A, Register B,
                                             Register CarryIn);
  /// Reads an operand, extended to twice its width if \p IsWide.
  Register widened(unsigned Index, bool IsWide);
  /// Returns the predicate that a word such as "lt" or "neu" names for the type
  /// of the instruction's sources.
  std::optional<llvm::CmpInst::Predicate> predicateOf(llvm::StringRef Word);
  /// Compares operands 1 and 2 in one lane.
  Register comparison(unsigned Lane);
  Register clampedTo(PackedInteger Type, Register R);
  /// Returns the address that an operand names, with the state space of the
  /// instruction.
  std::pair<Register, PointerSpace> address(const PtxOperand &O);
  Register addressIn(const PtxOperand &O);
  std::optional<llvm::AtomicRMWInst::BinOp> takeAtomicOperator();
  /// Takes memory order and scope from the words; returns true if the order is
  /// stronger than weak, so that other threads may observe the access.
  bool takeOrdering();
  Operation &emitOnObject(Opcode Code, unsigned Index, Register D = NoRegister,
                          Register B = NoRegister, Register C = NoRegister);
  /// Takes cache hints from the words. How data are cached does not change what
  /// they are.
  void takeCacheHints();
  void access(bool IsStore);

  KernelLowering &K;
  const llvm::CallBase &Call;
  const llvm::InlineAsm &Asm;
  llvm::SmallVector<Slot, 8> Arguments; ///< The values of $0, $1, ...
  /// The arguments of the call; null for results.
  llvm::SmallVector<const llvm::Value *, 8> ArgumentValues;
  unsigned NumResults = 0;
  /// The declared registers, by name, innermost scope last.
  std::vector<llvm::StringMap<Slot>> Scopes = {{}};
  /// The carry bit (CC.CF), once an instruction has set it.
  Register Carry = NoRegister;
  // State of the instruction that is being lowered. Words are the words of its
  // opcode that no one has taken yet.
  const PtxStatement *Current = nullptr;
  llvm::SmallVector<llvm::StringRef, 6> Words;
  llvm::SmallVector<PtxType, 2> Types;
  FloatModifiers How;
  Register Guard = NoRegister;
  /// The predicate of a comparison, once its word was taken.
  std::optional<llvm::CmpInst::Predicate> Compared;
  /// Control never gets behind the last statement.
  bool HasLeft = false;
};
} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_ASMLOWERING_H
