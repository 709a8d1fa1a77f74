// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decodes the tags of result bytes to terms and numbers.
//===----------------------------------------------------------------------===//

#include "ByteValue.h"

#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;
using namespace cudaopt::simt;
using namespace llvm;

/// Returns the size of a term in bytes.
static unsigned bytesOf(const TermTable &Terms, TermId Id) {
  const TermTable::Term &T = Terms[Id];
  switch (T.Operator.What) {
  case TermOperator::Kind::Byte:
  case TermOperator::Kind::Undefined:
    return 1;
  case TermOperator::Kind::Bytes:
    return bytesOf(Terms, T.A) + bytesOf(Terms, T.B);
  default:
    return (T.Operator.Bits + 7) / 8;
  }
}

ByteValue cudaopt::valueAt(const Contents &C, size_t I,
                           const TermTable *Terms) {
  if (C.Tags.empty() || C.Tags[I] == 0)
    return {0, C.Bytes[I]};
  ByteValue V{static_cast<TermId>(C.Tags[I] >> 8),
              static_cast<unsigned>(C.Tags[I] & 0xFF)};
  while (true) {
    const TermTable::Term &T = (*Terms)[V.Term];
    switch (T.Operator.What) {
    case TermOperator::Kind::Byte:
      V = {T.A, T.B};
      continue;
    case TermOperator::Kind::Bytes:
      if (unsigned Low = bytesOf(*Terms, T.A); V.Index < Low)
        V.Term = T.A;
      else
        V = {T.B, V.Index - Low};
      continue;
    case TermOperator::Kind::Constant: {
      uint64_t Number = uint64_t(T.B) << 32 | T.A;
      return {0, static_cast<unsigned>(Number >> (8 * V.Index) & 0xFF)};
    }
    default:
      return V;
    }
  }
}

std::string cudaopt::textOf(const Contents &C, size_t Begin, unsigned Width,
                            const TermTable *Terms) {
  if (ByteValue V = valueAt(C, Begin, Terms); V.Term)
    return Terms->text(V.Term);
  uint64_t Number = 0;
  for (unsigned I = 0; I != Width && Begin + I < C.Bytes.size(); ++I)
    Number |= uint64_t(C.Bytes[Begin + I]) << (8 * I);
  return formatv("{0:x}", Number);
}
