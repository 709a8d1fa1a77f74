// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The state of lowering one piece of inline assembly. A register of the text
/// is whichever register of the program got its last value, so that a guarded
/// statement is a selection.
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

/// A register of the text.
struct Slot {
  Register Value = NoRegister;
  unsigned Bits = 32;
};

/// Names of operations, and the name of none.
namespace operation {
using enum Opcode;
inline constexpr Opcode None = Opcode::Return;
} // namespace operation

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
  static const Row Rows[];
  static const ArithmeticRow ArithmeticRows[];

  bool bindArguments();
  void defineResults();
  void lower(const PtxStatement &S);
  void instruction();
  void arithmetic(const ArithmeticRow &R);
  void refuse();
  void declare(const PtxStatement &S);
  Slot *slotOf(const PtxOperand &O);

  /// Takes \p Word from the words of the instruction.
  bool takeWord(llvm::StringRef Word);
  /// Takes the first of \p Candidates that is there; empty if none is.
  llvm::StringRef takeOneOf(llvm::ArrayRef<llvm::StringRef> Candidates);
  PtxType type(unsigned Index = 0);
  const PtxOperand &operand(unsigned Index);
  Register read(const PtxOperand &O, unsigned Bits, bool SignExtends = false);
  Register read(unsigned Index) { return read(operand(Index), type().width()); }
  Register readPredicate(unsigned Index) { return read(operand(Index), 1); }
  /// The constant that operand \p Index must be.
  std::optional<uint64_t> immediate(unsigned Index);
  void write(const PtxOperand &O, Register Value, unsigned Bits,
             bool IsSigned = false);
  void write(Register Value) {
    write(operand(0), Value, type().width(), type().isSigned());
  }
  /// Effects, unlike values, cannot be selected.
  bool isGuarded();

  Register readSpecial(llvm::StringRef Name, unsigned Bits);
  Register perLane(Opcode Code, llvm::ArrayRef<Register> Sources);
  std::pair<Register, Register> sumWithCarry(bool IsSub, unsigned Bits,
                                             Register A, Register B,
                                             Register CarryIn);
  Register widened(unsigned Index, bool IsWide);
  std::optional<llvm::CmpInst::Predicate> predicateOf(llvm::StringRef Word);
  Register comparison(unsigned Lane);
  Register clampedTo(PackedInteger Type, Register R);
  std::pair<Register, PointerSpace> address(const PtxOperand &O);
  Register addressIn(const PtxOperand &O);
  std::optional<llvm::AtomicRMWInst::BinOp> takeAtomicOperator();
  bool takeOrdering();
  Operation &emitOnObject(Opcode Code, unsigned Index, Register D = NoRegister,
                          Register B = NoRegister, Register C = NoRegister);
  void takeCacheHints();
  void access(bool IsStore);

  KernelLowering &K;
  const llvm::CallBase &Call;
  const llvm::InlineAsm &Asm;
  llvm::SmallVector<Slot, 8> Arguments; ///< $0, $1, ...
  llvm::SmallVector<const llvm::Value *, 8>
      ArgumentValues; ///< Null for results.
  unsigned NumResults = 0;
  std::vector<llvm::StringMap<Slot>> Scopes = {{}};
  Register Carry = NoRegister;
  // Of the current instruction:
  const PtxStatement *Current = nullptr;
  llvm::SmallVector<llvm::StringRef, 6> Words;
  llvm::SmallVector<PtxType, 2> Types;
  FloatModifiers How;
  Register Guard = NoRegister;
  std::optional<llvm::CmpInst::Predicate> Compared;
  bool HasLeft = false; ///< No statement behind this one runs.
};
} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_ASMLOWERING_H
