// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Formats terms as text, for readers of a difference.
//===----------------------------------------------------------------------===//

#include "cudaopt/Simt/Terms.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstrTypes.h"
#include <utility>

namespace cudaopt::simt {

using Kind = TermOperator::Kind;

/// Returns the width of the floating-point numbers that \p O takes, or 0 if it
/// takes none.
static unsigned floatOperandBits(const TermOperator &O) {
  switch (O.Code) {
  case Opcode::FToS:
  case Opcode::FToU:
  case Opcode::FExtend:
  case Opcode::FTruncate:
    return O.SourceBits;
  default:
    return O.Code >= Opcode::FAdd && O.Code <= Opcode::FClass ? O.Bits : 0;
  }
}

/// Appends a constant: as a floating-point number of \p FloatBits bits if that
/// is not 0, else as an integer.
static void appendConstant(std::string &Text, uint64_t Value,
                           unsigned FloatBits) {
  const llvm::fltSemantics *Semantics =
      FloatBits == 16   ? &llvm::APFloat::IEEEhalf()
      : FloatBits == 32 ? &llvm::APFloat::IEEEsingle()
      : FloatBits == 64 ? &llvm::APFloat::IEEEdouble()
                        : nullptr;
  if (Semantics) {
    llvm::SmallString<32> Number;
    llvm::APFloat(*Semantics, llvm::APInt(FloatBits, Value, false, true))
        .toString(Number);
    Text += Number.str();
    if (llvm::all_of(Number, [](char C) { return C == '-' || isdigit(C); }))
      Text += ".0";
    return;
  }
  // Greater integers are printed in hexadecimal: they may be the bits of a
  // float.
  constexpr uint64_t Readable = 1 << 20;
  Text += Value < Readable ? llvm::utostr(Value)
                           : "0x" + llvm::utohexstr(Value, true);
}

namespace {

/// Writes a term until the text is long enough. Terms can be huge, since they
/// are graphs; but each level writes something before it descends, so that
/// neither the recursion nor the work exceeds the length of the text.
class TermWriter {
public:
  explicit TermWriter(const TermTable &Terms) : Terms(Terms) {}
  void write(TermId Id, unsigned FloatBits = 0);
  std::string take();

private:
  static constexpr size_t Limit = 300;
  void operation(const TermTable::Term &T);

  const TermTable &Terms;
  std::string Text;
};

} // namespace

void TermWriter::operation(const TermTable::Term &T) {
  const TermOperator &O = T.Operator;
  Text += nameOf(O.Code);
  if (O.Code == Opcode::Compare || O.Code == Opcode::FCompare) {
    Text += '.';
    Text += llvm::CmpInst::getPredicateName(predicateOf(O.Code, O.Variant));
  } else if (O.SourceBits != 0 && O.SourceBits != O.Bits) {
    Text += '.' + llvm::utostr(O.Bits);
  }
  Text += '(';
  llvm::StringRef Separator;
  for (TermId Operand : {T.A, T.B, T.C}) {
    if (Operand == 0)
      continue;
    Text += std::exchange(Separator, ", ");
    write(Operand, floatOperandBits(O));
  }
  Text += ')';
}

void TermWriter::write(TermId Id, unsigned FloatBits) {
  if (Text.size() > Limit)
    return;
  const TermTable::Term &T = Terms[Id];
  if (std::optional<SharedAddress> Address = Terms.asAddress(Id)) {
    Text += Terms.textOf(*Address);
    return;
  }
  switch (T.Operator.What) {
  case Kind::Operation:
    return operation(T);
  case Kind::Constant:
    return appendConstant(Text, uint64_t(T.B) << 32 | T.A, FloatBits);
  case Kind::Symbol:
    Text += "in" + llvm::utostr(T.A) + '[' + llvm::utostr(T.B) + ']';
    return;
  case Kind::Byte:
    Text += "byte" + llvm::utostr(T.B) + '(';
    write(T.A);
    Text += ')';
    return;
  case Kind::Bytes:
    Text += "bytes(";
    write(T.A);
    Text += ", ";
    write(T.B);
    Text += ')';
    return;
  case Kind::Undefined:
    Text += "undefined";
    return;
  case Kind::Address:
    llvm_unreachable("is written above");
  }
}

std::string TermWriter::take() {
  if (Text.size() > Limit) {
    Text.resize(Limit);
    Text += "...";
  }
  return std::move(Text);
}

std::string TermTable::text(TermId Id) const {
  TermWriter Writer(*this);
  Writer.write(Id);
  return Writer.take();
}

} // namespace cudaopt::simt
