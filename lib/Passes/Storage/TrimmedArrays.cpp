// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Takes the elements that steps may access from the shared program, of which
/// the greatest decides how many rows are needed.
//===----------------------------------------------------------------------===//

#include "TrimmedArrays.h"

#include "PlainUses.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace cudaopt;

/// Returns the number of rows of \p Array up to the last one that \p I may
/// access; std::nullopt if that is not known.
static std::optional<uint64_t> countRows(const ReuseInstance &I,
                                         ArrayId Array) {
  const KernelInstance &Instance = *I.Program.Instance;
  const ArrayShape &Shape = Instance.Shapes[Array];
  // A sub-array of dynamic memory may have no elements at all.
  if ((!Instance.Block.isKnown() && !Instance.Block.IsUnseen) ||
      Shape.numElements() == 0)
    return std::nullopt;
  const uint64_t RowElements = Shape.numElements() / Shape.Extents.front();
  uint64_t NumRows = 0;
  for (const Step &S : I.Program.Steps)
    for (const SharedUse &Use : S.Uses) {
      const SharedVariable &V = I.Program.Variables[Use.Variable];
      if (V.Array != Array)
        continue;
      if (V.Pinned || Use.May.size() != Shape.numElements())
        return std::nullopt;
      NumRows = std::max<uint64_t>(
          NumRows,
          llvm::divideCeil(uint64_t(Use.May.find_last()) + 1, RowElements));
    }
  return NumRows;
}

/// Returns the number of rows that suffices for all instances; std::nullopt if
/// that is not known, or if nothing can be cut.
static std::optional<uint64_t>
findExtent(llvm::ArrayRef<ReuseInstance> Instances, ArrayId Array) {
  uint64_t Needed = 0, Present = UINT64_MAX;
  for (const ReuseInstance &I : Instances) {
    const ArrayShape &Shape = I.Program.Instance->Shapes[Array];
    if (Shape.Extents.empty())
      continue;
    std::optional<uint64_t> Rows = countRows(I, Array);
    if (!Rows)
      return std::nullopt;
    Needed = std::max(Needed, *Rows);
    Present = std::min<uint64_t>(Present, Shape.Extents.front());
  }
  if (Needed == 0 || Present == UINT64_MAX)
    return std::nullopt;
  // Variables behind the array must keep the alignment that wide accesses need.
  const unsigned Alignment = findWidest(Instances).Alignment;
  while (Needed < Present && !keepsAligned(Instances, Array, Needed, Alignment))
    ++Needed;
  if (Needed >= Present)
    return std::nullopt;
  return Needed;
}

/// Returns why \p Array must not be cut although its last rows are not
/// accessed; std::nullopt if it may be.
static std::optional<Refusal>
findRefusal(const Kernel &K, llvm::ArrayRef<ReuseInstance> Instances,
            const LayoutMap &Layouts, ArrayId Array) {
  const clang::SourceLocation Loc = K.Arrays[Array].Decl->getLocation();
  if (auto Layout = Layouts.find(Array);
      Layout != Layouts.end() && Layout->second.isRewritten())
    return Refusal{Reason::HasNewLayout, "", Loc};
  if (llvm::any_of(Instances, [](const ReuseInstance &I) {
        return I.Program.Instance->Decl->isTemplateInstantiation();
      }))
    return Refusal{Reason::ExtentsOfInstance, "", Loc};
  return findUnusualUse(K, Array, "shrink");
}

ShrinkDecision cudaopt::findTrimmedArrays(
    const Kernel &K, llvm::ArrayRef<ReuseInstance> Instances,
    const LayoutMap &Layouts, llvm::ArrayRef<ArrayId> Private) {
  ShrinkDecision Decision;
  const std::vector<ReuseInstance> Seen = listSeen(Instances);
  for (ArrayId Array = 0; Array != K.Arrays.size(); ++Array) {
    if (K.Arrays[Array].IsExtern || llvm::is_contained(Private, Array))
      continue;
    const std::optional<uint64_t> Extent = findExtent(Instances, Array);
    if (!Extent) {
      if (findExtent(Seen, Array))
        Decision.NotTrimmed.push_back(
            {Array, orOpen(findRefusal(K, Seen, Layouts, Array), K, Array)});
      continue;
    }
    if (std::optional<Refusal> R = findRefusal(K, Instances, Layouts, Array))
      Decision.NotTrimmed.push_back({Array, std::move(*R)});
    else
      Decision.Trimmed.push_back({Array, *Extent});
  }
  return Decision;
}
