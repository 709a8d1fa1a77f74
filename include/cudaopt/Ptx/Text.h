// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the text of inline assembly into statements of PTX. The parser knows
/// the syntax of statements, but no instruction (Effects.h does).
///
/// \verbatim
///   { .reg .pred p;                    Open, Declare
///     setp.ne.b32 p, $1, 0;            Instruction
///     @!p add.u32 $0, $2, 0x1F;        with a guard
///   }                                  Close
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PTX_TEXT_H
#define CUDAOPT_PTX_TEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace cudaopt {

/// A type of PTX: "s32", "f16x2", "pred".
struct PtxType {
  enum class Kind : uint8_t { Signed, Unsigned, Bits, Float, Predicate };
  Kind What = Kind::Bits;
  unsigned Bits = 32;   ///< The width of one lane.
  unsigned Lanes = 1;   ///< 2 for packed types such as f16x2.
  bool IsBrain = false; ///< It is bfloat16.
  unsigned width() const { return Bits * Lanes; }
  bool isFloat() const { return What == Kind::Float; }
  bool isSigned() const { return What == Kind::Signed; }
};

/// Returns the type that \p Word names; std::nullopt if it names none.
std::optional<PtxType> parsePtxType(llvm::StringRef Word);

/// An operand of a statement. Which members are set depends on What. The names
/// refer to the text that was parsed.
struct PtxOperand {
  enum class Kind : uint8_t {
    Name,      ///< A register of the text, or a special register.
    Argument,  ///< $Value: an argument of the call.
    Immediate, ///< Value.
    Address,   ///< [Parts[0] + Value]
    Vector,    ///< {Parts}
    Pair,      ///< Parts[0]|Parts[1]
  };
  Kind What = Kind::Name;
  llvm::StringRef Name;
  uint64_t Value = 0;
  /// Value holds the bits of a floating-point number of FloatBits bits.
  bool IsFloat = false;
  unsigned FloatBits = 0;
  /// The operand is a negated predicate: !p.
  bool IsNegated = false;
  std::vector<PtxOperand> Parts;
};

/// One statement; What tells its kind.
struct PtxStatement {
  enum class Kind : uint8_t { Instruction, Declare, Open, Close };
  Kind What = Kind::Instruction;
  /// The words of the opcode, "add", "cc", "u32" for add.cc.u32; in a
  /// declaration its type.
  llvm::SmallVector<llvm::StringRef, 6> Words;
  llvm::SmallVector<PtxOperand, 4> Operands; ///< In a declaration the names.
  std::optional<PtxOperand> Guard;           ///< The predicate after @.
};

/// A recursive-descent parser. The text must outlive the statements, which
/// refer to it.
class PtxParser {
public:
  explicit PtxParser(llvm::StringRef Text) : Rest(Text) {}
  /// Parses the whole text; std::nullopt if a part is not understood (labels,
  /// for example).
  std::optional<std::vector<PtxStatement>> parse();

private:
  void skipSpace();
  bool take(char Punctuation);
  llvm::StringRef takeWord();
  bool parseStatement(PtxStatement &S);
  bool parseOperands(PtxStatement &S);
  bool parseOperand(PtxOperand &Result);
  bool parseSingle(PtxOperand &Result);
  bool parseNumber(llvm::StringRef Word, PtxOperand &Result);

  llvm::StringRef Rest;
};

} // namespace cudaopt

#endif // CUDAOPT_PTX_TEXT_H
