// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints the summary line of a file.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Report.h"
#include "cudaopt/Support/Diagnostics.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cudaopt {

namespace {

/// Counts what was not changed, by reason.
class KeptCount {
public:
  void add(StringRef Reason) {
    ++Total;
    if (!Reason.empty())
      ++Reasons[Reason];
  }
  bool isEmpty() const { return Total == 0; }
  void print(raw_ostream &OS) const;

private:
  size_t Total = 0;
  MapVector<StringRef, size_t> Reasons;
};

} // namespace

/// Prints "3 kept (2 no-conflict, in-macro)", the most frequent reason first.
void KeptCount::print(raw_ostream &OS) const {
  constexpr size_t MostReasons = 3;
  OS << Total << " kept";
  SmallVector<std::pair<StringRef, size_t>> Sorted(Reasons.begin(),
                                                   Reasons.end());
  sort(Sorted, [](const auto &A, const auto &B) {
    return std::pair(B.second, A.first) < std::pair(A.second, B.first);
  });
  for (auto [I, Each] : enumerate(ArrayRef(Sorted).take_front(MostReasons))) {
    OS << (I ? ", " : " (");
    if (Each.second > 1 && Each.second != Total)
      OS << Each.second << ' ';
    OS << Each.first;
  }
  if (Sorted.size() > MostReasons)
    OS << ", ...";
  if (!Sorted.empty())
    OS << ')';
}

static void printNumber(size_t Count, StringRef Noun, raw_ostream &OS) {
  OS << Count << ' ' << Noun << (Count == 1 ? "" : "s");
}

static void printLoops(ArrayRef<LoopReport> Loops, raw_ostream &OS) {
  size_t Parallel = 0, Proposed = 0;
  KeptCount Kept;
  for (const LoopReport &L : Loops) {
    Parallel += L.IsRewritten;
    Proposed += L.IsProposal;
    if (!L.IsRewritten && !L.IsProposal)
      Kept.add(L.Reason);
  }
  OS << "; ";
  printNumber(Parallel, "loop", OS);
  OS << " made parallel, ";
  if (Proposed)
    OS << Proposed << " proposed, ";
  Kept.print(OS);
}

/// Prints "; not counted: 2 kernels (extern-array, arrays of 'reduce')" for the
/// kernels of which no access has a count.
static void printUncounted(ArrayRef<KernelReport> Kernels, raw_ostream &OS) {
  size_t Count = 0;
  SmallVector<StringRef> Reasons;
  // These functions are counted with their arrays.
  SmallVector<StringRef> Owners;
  for (const KernelReport &K : Kernels) {
    const bool HasMemory = !K.Arrays.empty() ||
                           (K.SharedBytes && K.SharedBytes->Before) ||
                           K.DynamicBytes.value_or(0);
    if (!K.IsKernel || K.Cost || !HasMemory)
      continue;
    ++Count;
    for (const ArrayReport &A : K.Arrays)
      if (!A.Reason.empty() && !is_contained(Reasons, A.Reason))
        Reasons.push_back(A.Reason);
    for (StringRef Owner : K.ArraysIn)
      if (!is_contained(Owners, Owner))
        Owners.push_back(Owner);
  }
  if (!Count)
    return;
  const std::string Elsewhere = "arrays of '" + join(Owners, "', '") + "'";
  if (!Owners.empty())
    Reasons.push_back(Elsewhere);
  OS << "; not counted: ";
  printNumber(Count, "kernel", OS);
  if (!Reasons.empty())
    OS << " (" << join(Reasons, ", ") << ')';
}

/// Prints "; 2 loops read rows in tiles, 1 kept (walk-store)" if the pass
/// global-access found some.
static void printRows(ArrayRef<KernelReport> Kernels, raw_ostream &OS) {
  size_t Staged = 0;
  KeptCount Kept;
  for (const KernelReport &K : Kernels)
    for (const Finding &F : K.Findings) {
      if (F.What == diag::remark_rows_staged)
        ++Staged;
      if (F.What == diag::remark_rows_kept)
        Kept.add(F.Why ? getReasonId(*F.Why) : "");
    }
  if (Staged == 0 && Kept.isEmpty())
    return;
  OS << "; ";
  printNumber(Staged, "loop", OS);
  OS << (Staged == 1 ? " reads" : " read") << " rows in tiles, ";
  Kept.print(OS);
}

void printSummary(const FileReport &File, raw_ostream &OS) {
  size_t Rewritten = 0, Smaller = 0;
  KeptCount Kept;
  for (const KernelReport &K : File.Kernels) {
    Smaller += K.Storage && K.Storage->isRewritten();
    for (const ArrayReport &A : K.Arrays) {
      Rewritten += A.IsRewritten;
      if (!A.IsRewritten)
        Kept.add(A.Reason);
    }
  }
  OS << File.File << ": ";
  printNumber(
      count_if(File.Kernels, [](const KernelReport &K) { return K.IsKernel; }),
      "kernel", OS);
  OS << ", ";
  printNumber(Rewritten, "array", OS);
  OS << " rewritten, ";
  Kept.print(OS);
  if (Smaller) {
    OS << ", ";
    printNumber(Smaller, "kernel", OS);
    OS << " in less shared memory";
  }
  printRows(File.Kernels, OS);
  printUncounted(File.Kernels, OS);
  if (!File.Loops.empty())
    printLoops(File.Loops, OS);
  OS << '\n';
}

} // namespace cudaopt
