// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The text of inline assembly as statements of PTX. Knows the shape of
/// statements, no instruction.
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

/// "s32", "f16x2", "pred".
struct PtxType {
  enum class Kind : uint8_t { Signed, Unsigned, Bits, Float, Predicate };
  Kind What = Kind::Bits;
  unsigned Bits = 32; ///< Of one lane.
  unsigned Lanes = 1;
  bool IsBrain = false; ///< bfloat16.
  unsigned width() const { return Bits * Lanes; }
  bool isFloat() const { return What == Kind::Float; }
  bool isSigned() const { return What == Kind::Signed; }
};

/// Nothing if \p Word names no type.
std::optional<PtxType> parsePtxType(llvm::StringRef Word);

struct PtxOperand {
  enum class Kind : uint8_t {
    Name,      ///< A register of the text, or a special register.
    Argument,  ///< $Value of the call.
    Immediate, ///< Value.
    Address,   ///< [Parts[0] + Value]
    Vector,    ///< {Parts}
    Pair,      ///< Parts[0]|Parts[1]
  };
  Kind What = Kind::Name;
  llvm::StringRef Name;
  uint64_t Value = 0;
  bool IsFloat = false; ///< Value holds the bits of a number of FloatBits.
  unsigned FloatBits = 0;
  bool IsNegated = false; ///< !p
  std::vector<PtxOperand> Parts;
};

struct PtxStatement {
  enum class Kind : uint8_t { Instruction, Declare, Open, Close };
  Kind What = Kind::Instruction;
  /// "add", "cc", "u32"; of a declaration its type.
  llvm::SmallVector<llvm::StringRef, 6> Words;
  llvm::SmallVector<PtxOperand, 4> Operands; ///< Of a declaration the names.
  std::optional<PtxOperand> Guard;
};

class PtxParser {
public:
  explicit PtxParser(llvm::StringRef Text) : Rest(Text) {}
  /// Nothing if the text is not understood.
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
