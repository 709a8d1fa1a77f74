// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Splits columns into base and number. That the base is a multiple of a chunk
/// is proved for the value as C computes it, since a layout's text relies on
/// it.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/ColumnSum.h"
#include "LowBits.h"
#include "MergedAccesses.h"
#include "cudaopt/Model/ValueInterval.h"
#include "cudaopt/Source/StatementParts.h"

#include "llvm/ADT/STLExtras.h"
#include <bit>

using namespace cudaopt;

/// Returns the terms of the column of \p A; empty if they are not known.
static llvm::SmallVector<SubscriptTerm, 2> findTerms(const Access &A) {
  llvm::SmallVector<SubscriptTerm, 2> Terms = A.Terms;
  if (A.Index.size() == 1 && A.Split)
    llvm::erase_if(Terms, [&](const SubscriptTerm &Term) {
      return !contains(A.Split->Column, Term.E);
    });
  return Terms;
}

ColumnSum cudaopt::splitColumn(const Access &A, LowBitsFinder &Bits,
                               llvm::ArrayRef<uint8_t> ZeroBits,
                               unsigned MaxCount) {
  ColumnSum Sum;
  for (const SubscriptTerm &Term : findTerms(A)) {
    if (Bits.find(Term.Value).Known == LowBits::All) {
      Sum.Numbers.push_back(Term);
    } else {
      Sum.Base.push_back(Term);
      Sum.BaseZeros = std::min<unsigned>(Sum.BaseZeros, ZeroBits[Term.Value]);
    }
  }
  if (!Sum.Base.empty() || !Sum.Numbers.empty())
    Sum.Chunk = std::min(MaxCount, 1u << std::min(Sum.BaseZeros, 4u));
  return Sum;
}

/// Returns ColumnSum::NumberBits.
static unsigned findNumberBits(const KernelInstance &Instance, const Access &A,
                               const ColumnSum &Sum) {
  ValueIntervals Intervals(Instance, A);
  uint64_t High = 0;
  for (const SubscriptTerm &Term : Sum.Numbers) {
    const std::optional<Interval> Found = Intervals.find(Term.Value);
    if (!Found || Found->Low < 0 || Found->High > INT32_MAX)
      return 64;
    High += Found->High;
  }
  const auto Bits = static_cast<unsigned>(std::bit_width(High));
  return Bits <= Sum.BaseZeros ? Bits : 64;
}

ColumnSums cudaopt::findColumnSums(const KernelInstance &Instance,
                                   ArrayId Array) {
  llvm::SmallVector<const Access *, 16> Accesses;
  for (const Access &A : Instance.Accesses)
    if (A.Array == Array && !A.isOpaque() && A.hasWidth())
      Accesses.push_back(&A);
  ColumnSums Sums;
  for (AccessGroup &Group : groupAccesses(Instance, Accesses))
    for (MergeableAccess &Member : Group.Members)
      if (Member.Sum.Chunk > 1) {
        Member.Sum.NumberBits = findNumberBits(Instance, *Member.A, Member.Sum);
        Sums[Member.A] = std::move(Member.Sum);
      }
  return Sums;
}
