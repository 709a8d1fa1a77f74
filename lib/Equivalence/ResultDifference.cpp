// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares the results of two runs byte by byte.
//===----------------------------------------------------------------------===//

#include "ResultDifference.h"
#include "AddressResults.h"
#include "ByteValue.h"

#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;
using namespace cudaopt::simt;
using namespace llvm;

Verdict cudaopt::makeVerdict(VerdictKind Kind, std::string Detail) {
  Verdict V;
  V.Kind = Kind;
  V.Detail = std::move(Detail);
  return V;
}

/// Returns the first byte that differs, std::nullopt if none does. If only
/// addresses of shared memory differ, the verdict is Unsupported: they may be
/// the addresses of one element in two layouts, which cannot be told.
static std::optional<Verdict> compareContents(const Contents &Before,
                                              const Contents &After,
                                              StringRef Name, unsigned Width,
                                              const TermTable *Terms) {
  std::optional<Verdict> First;
  for (size_t I = 0; I != Before.Bytes.size(); ++I) {
    if (valueAt(Before, I, Terms) == valueAt(After, I, Terms) ||
        (!Before.Unordered.empty() && Before.Unordered.test(I)))
      continue;
    const bool AreAddresses =
        hasAddress(Before, I, Terms) || hasAddress(After, I, Terms);
    if (AreAddresses && First)
      continue;
    size_t Begin = I - I % Width;
    std::string Old = textOf(Before, Begin, Width, Terms);
    std::string New = textOf(After, Begin, Width, Terms);
    if (!AreAddresses)
      return makeVerdict(VerdictKind::Different,
                         formatv("byte {0} of '{1}' becomes {2} instead of {3}",
                                 I, Name, New, Old));
    First = makeVerdict(
        VerdictKind::Unsupported,
        formatv("byte {0} of '{1}' holds an address of shared memory, {2}, and "
                "{3} after the rewrite: whether they are the same element "
                "cannot be told",
                I, Name, Old, New));
  }
  return First;
}

std::optional<Verdict>
cudaopt::findDifference(const SideResult &Before, const SideResult &After,
                        const std::vector<ScalarSlot> &Slots,
                        const TermTable *Terms) {
  std::optional<Verdict> Worst;
  auto Take = [&](std::optional<Verdict> V) {
    if (V && (!Worst || V->Kind > Worst->Kind))
      Worst = std::move(V);
  };
  for (size_t I = 0; I != Slots.size(); ++I)
    Take(compareContents(Before.Buffers[I], After.Buffers[I], Slots[I].Name,
                         Slots[I].ElementSize, Terms));
  for (const auto &[Name, Contents] : Before.Variables) {
    auto Other = After.Variables.find(Name);
    if (Other == After.Variables.end() ||
        Other->second.Bytes.size() != Contents.Bytes.size())
      return makeVerdict(VerdictKind::Different,
                         formatv("variable '{0}' is no longer there", Name));
    Take(compareContents(Contents, Other->second, Name, 4, Terms));
  }
  if (Before.Printed == After.Printed)
    return Worst;
  if (withoutAddresses(Before.Printed) != withoutAddresses(After.Printed))
    Take(makeVerdict(VerdictKind::Different, "it prints something else"));
  Take(
      makeVerdict(VerdictKind::Unsupported,
                  "it prints an address of shared memory, and another one "
                  "after the rewrite: whether they are the same element cannot "
                  "be told"));
  return Worst;
}
