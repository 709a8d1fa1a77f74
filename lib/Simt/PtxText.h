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

#ifndef CUDAOPT_LIB_SIMT_PTXTEXT_H
#define CUDAOPT_LIB_SIMT_PTXTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace cudaopt::simt {

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

inline void PtxParser::skipSpace() {
  for (;;) {
    Rest = Rest.ltrim();
    if (Rest.starts_with("//"))
      Rest = Rest.substr(Rest.find('\n'));
    else if (Rest.starts_with("/*"))
      Rest = Rest.substr(std::min(Rest.size(), Rest.find("*/") + 2));
    else
      return;
  }
}

inline bool PtxParser::take(char Punctuation) {
  skipSpace();
  return Rest.consume_front(llvm::StringRef(&Punctuation, 1));
}

inline llvm::StringRef PtxParser::takeWord() {
  skipSpace();
  llvm::StringRef Word = Rest.take_while([](char C) {
    return llvm::isAlnum(C) || C == '_' || C == '.' || C == '%' || C == '$' ||
           C == ':';
  });
  Rest = Rest.drop_front(Word.size());
  return Word;
}

inline bool PtxParser::parseNumber(llvm::StringRef Word, PtxOperand &Result) {
  Result.What = PtxOperand::Kind::Immediate;
  if (Word.consume_front_insensitive("0f"))
    Result.FloatBits = 32;
  else if (Word.consume_front_insensitive("0d"))
    Result.FloatBits = 64;
  Result.IsFloat = Result.FloatBits != 0;
  if (Result.IsFloat)
    return Word.size() * 4 == Result.FloatBits &&
           !Word.getAsInteger(16, Result.Value);
  if (!Word.consume_back("U"))
    Word.consume_back("u");
  unsigned Radix = Word.consume_front_insensitive("0x") ? 16 : 10;
  return !Word.getAsInteger(Radix, Result.Value);
}

inline bool PtxParser::parseSingle(PtxOperand &Result) {
  Result.IsNegated = take('!');
  bool IsMinus = take('-');
  llvm::StringRef Word = takeWord();
  if (Word.empty())
    return false;
  if (llvm::isDigit(Word.front())) {
    if (!parseNumber(Word, Result) || (IsMinus && Result.IsFloat))
      return false;
    Result.Value = IsMinus ? 0 - Result.Value : Result.Value;
    return true;
  }
  // "$$" is a dollar sign, "$0" an argument.
  if (Word.front() == '$' && !Word.starts_with("$$")) {
    Result.What = PtxOperand::Kind::Argument;
    return !IsMinus && !Word.drop_front().getAsInteger(10, Result.Value);
  }
  Result.Name = Word;
  return !IsMinus;
}

inline bool PtxParser::parseOperand(PtxOperand &Result) {
  if (take('[')) {
    Result.What = PtxOperand::Kind::Address;
    PtxOperand Distance;
    bool Ok = parseSingle(Result.Parts.emplace_back());
    if (Ok && take('+')) {
      Ok =
          parseSingle(Distance) && Distance.What == PtxOperand::Kind::Immediate;
      Result.Value = Distance.Value;
    }
    return Ok && take(']');
  }
  if (take('{')) {
    Result.What = PtxOperand::Kind::Vector;
    do {
      if (!parseSingle(Result.Parts.emplace_back()))
        return false;
    } while (take(','));
    return take('}');
  }
  if (!parseSingle(Result))
    return false;
  if (!take('|'))
    return true;
  PtxOperand First = Result;
  Result = PtxOperand();
  Result.What = PtxOperand::Kind::Pair;
  Result.Parts = {First, PtxOperand()};
  return parseSingle(Result.Parts.back());
}

inline bool PtxParser::parseOperands(PtxStatement &S) {
  if (take(';'))
    return true;
  skipSpace();
  if (Rest.empty())
    return true;
  do {
    if (!parseOperand(S.Operands.emplace_back()))
      return false;
  } while (take(','));
  skipSpace();
  return take(';') || Rest.empty() || Rest.front() == '}';
}

inline bool PtxParser::parseStatement(PtxStatement &S) {
  if (take('{')) {
    S.What = PtxStatement::Kind::Open;
    return true;
  }
  if (take('}')) {
    S.What = PtxStatement::Kind::Close;
    return true;
  }
  if (take('@') && !parseSingle(S.Guard.emplace()))
    return false;
  llvm::StringRef Word = takeWord();
  if (Word.ends_with(":") || Word.empty())
    return false;
  if (Word.consume_front(".reg")) {
    S.What = PtxStatement::Kind::Declare;
    if (Word.empty())
      Word = takeWord();
    Word.consume_front(".");
  }
  Word.split(S.Words, '.');
  return parseOperands(S);
}

inline std::optional<std::vector<PtxStatement>> PtxParser::parse() {
  std::vector<PtxStatement> Statements;
  for (;;) {
    while (take(';')) {
    }
    skipSpace();
    if (Rest.empty())
      return Statements;
    if (!parseStatement(Statements.emplace_back()))
      return std::nullopt;
  }
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_PTXTEXT_H
