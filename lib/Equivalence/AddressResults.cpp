// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds addresses of shared memory in results, and results that show the
/// number of an address.
//===----------------------------------------------------------------------===//

#include "AddressResults.h"
#include "ByteValue.h"

#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;
using namespace cudaopt::simt;
using namespace llvm;

bool cudaopt::hasAddress(const Contents &C, size_t I, const TermTable *Terms) {
  if (!Terms || C.Tags.empty() || C.Tags[I] == 0)
    return false;
  const ByteValue V = valueAt(C, I, Terms);
  return V.Term && Terms->hasAddress(V.Term);
}

/// Returns true if byte \p I is part of four consecutive bytes that are all
/// bytes of one address, in order. A part of an address by itself shows its
/// number.
static bool isInWholeAddress(const Contents &C, size_t I,
                             const TermTable &Terms) {
  const ByteValue V = valueAt(C, I, &Terms);
  if (!Terms.asAddress(V.Term) || V.Index > I)
    return false;
  const size_t Begin = I - V.Index;
  constexpr unsigned Size = 4;
  if (Begin + Size > C.Bytes.size())
    return false;
  for (unsigned Byte = 0; Byte != Size; ++Byte)
    if (valueAt(C, Begin + Byte, &Terms) != ByteValue{V.Term, Byte})
      return false;
  return true;
}

static std::string findAddressNumber(const Contents &C, StringRef Name,
                                     const TermTable &Terms) {
  for (size_t I = 0; I != C.Tags.size(); ++I)
    if (hasAddress(C, I, &Terms) &&
        (Terms.dependsOnAddress(valueAt(C, I, &Terms).Term) ||
         !isInWholeAddress(C, I, Terms)))
      return formatv(
          "byte {0} of '{1}', {2}, depends on where a shared variable "
          "lies",
          I, Name, Terms.text(valueAt(C, I, &Terms).Term));
  return "";
}

std::string cudaopt::findAddressNumber(const SideResult &Result,
                                       const std::vector<ScalarSlot> &Slots,
                                       const TermTable &Terms) {
  for (size_t I = 0; I != Slots.size(); ++I)
    if (std::string Text =
            ::findAddressNumber(Result.Buffers[I], Slots[I].Name, Terms);
        !Text.empty())
      return Text;
  for (const auto &[Name, C] : Result.Variables)
    if (std::string Text = ::findAddressNumber(C, Name, Terms); !Text.empty())
      return Text;
  return "";
}

std::string cudaopt::withoutAddresses(StringRef Printed) {
  std::string Text;
  for (bool IsAddress = false; !Printed.empty(); IsAddress = !IsAddress) {
    auto [Part, Rest] = Printed.split(PrintedAddress);
    if (!IsAddress)
      Text += Part;
    Printed = Rest;
  }
  return Text;
}
