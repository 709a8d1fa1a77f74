// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The parser of inline assembly.
//===----------------------------------------------------------------------===//

#include "cudaopt/Ptx/Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace cudaopt;
using namespace llvm;

std::optional<PtxType> cudaopt::parsePtxType(StringRef Word) {
  if (Word == "pred")
    return PtxType{PtxType::Kind::Predicate, 1, 1};
  if (Word.ends_with("f16x2") || Word == "bf16")
    return PtxType{PtxType::Kind::Float, 16, Word.ends_with("x2") ? 2u : 1u,
                   Word.starts_with("b")};
  PtxType T;
  switch (Word.empty() ? 0 : Word.front()) {
  case 's':
    T.What = PtxType::Kind::Signed;
    break;
  case 'u':
    T.What = PtxType::Kind::Unsigned;
    break;
  case 'b':
    break;
  case 'f':
    T.What = PtxType::Kind::Float;
    break;
  default:
    return std::nullopt;
  }
  if (Word.drop_front().getAsInteger(10, T.Bits) || T.Bits > 64 ||
      T.Bits < (T.isFloat() ? 16u : 8u) || !isPowerOf2_32(T.Bits))
    return std::nullopt;
  return T;
}

void PtxParser::skipSpace() {
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

bool PtxParser::take(char Punctuation) {
  skipSpace();
  return Rest.consume_front(llvm::StringRef(&Punctuation, 1));
}

llvm::StringRef PtxParser::takeWord() {
  skipSpace();
  llvm::StringRef Word = Rest.take_while([](char C) {
    return llvm::isAlnum(C) || C == '_' || C == '.' || C == '%' || C == '$' ||
           C == ':';
  });
  Rest = Rest.drop_front(Word.size());
  return Word;
}

bool PtxParser::parseNumber(llvm::StringRef Word, PtxOperand &Result) {
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

bool PtxParser::parseSingle(PtxOperand &Result) {
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
  // LLVM writes a dollar sign as "$$", and arguments as "$0", "$1", ...
  if (Word.front() == '$' && !Word.starts_with("$$")) {
    Result.What = PtxOperand::Kind::Argument;
    return !IsMinus && !Word.drop_front().getAsInteger(10, Result.Value);
  }
  Result.Name = Word;
  return !IsMinus;
}

bool PtxParser::parseOperand(PtxOperand &Result) {
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

bool PtxParser::parseOperands(PtxStatement &S) {
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

bool PtxParser::parseStatement(PtxStatement &S) {
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

std::optional<std::vector<PtxStatement>> PtxParser::parse() {
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
