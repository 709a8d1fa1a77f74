// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes the claims that need the layouts of arrays: which byte of an array
/// becomes which.
//===----------------------------------------------------------------------===//

#include "RunClaims.h"

#include "cudaopt/Source/StatementParts.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace clang;

namespace cudaopt {

static uint64_t bytesOf(const ArrayShape &Shape) {
  return Shape.numElements() * Shape.ElementSize;
}

/// Returns the function that maps a byte of an array of shape \p Shape to its
/// place in the layout \p New.
static check::ByteMap mapBytes(const Layout &New, const ArrayShape &Shape) {
  return [New, Shape](uint64_t Byte) {
    return New.address(Byte / Shape.ElementSize, Byte % Shape.ElementSize,
                       Shape);
  };
}

//===----------------------------------------------------------------------===//
// Layouts, private and cut arrays
//===----------------------------------------------------------------------===//

static check::LayoutClaim makeLayoutClaim(const Kernel &K,
                                          const KernelInstance &Instance,
                                          ArrayId Array, const Layout &New) {
  const ArrayShape &Shape = Instance.Shapes[Array];
  check::LayoutClaim Claim;
  Claim.Begin = Shape.Begin;
  Claim.Size = bytesOf(Shape);
  Claim.Moved = mapBytes(New, Shape);
  Claim.Row = Shape.ElementSize *
              (Shape.Extents.size() == 1 ? New.Pitch : Shape.Extents.back());
  Claim.HasRows =
      Shape.Extents.size() > 1 && New.Kind != Layout::Family::Fields;
  Claim.IsCounted = llvm::all_of(Instance.Accesses, [&](const Access &A) {
    return A.Array != Array || namesElement(A);
  });
  const ArrayId Whole = K.Arrays[Array].Whole.value_or(Array);
  Claim.IsPart = llvm::any_of(
      K.Arrays, [&](const SharedArray &A) { return A.Whole == Whole; });
  return Claim;
}

check::LaunchClaim makeLaunchClaim(const BlockShape &Block) {
  return {Block.Threads, Block.Grid, Block.MaxThreads, Block.IsUnseen,
          Block.Origin == ShapeOrigin::Assumed};
}

/// Adds claims about layouts, privatized arrays and trimmed arrays. The number
/// of a layout claim must match its position in makeWavefrontClaims().
void addRunClaims(
    const Kernel &K, const KernelInstance &Instance, const Plan &P,
    ASTContext &Context,
    llvm::function_ref<std::optional<unsigned>(ArrayId)> FindVariable,
    check::KernelClaims &Claims) {
  Claims.Launch = makeLaunchClaim(Instance.Block);
  auto Stored = findBlock(K, Instance, P, Context);
  if (!Stored)
    llvm::consumeError(Stored.takeError()); // verifyPlan() reports it.
  unsigned Number = 0; // The same order as in makeWavefrontClaims().
  for (const auto &[Array, Decision] : P.Layouts) {
    if (!Decision.isRewritten())
      continue;
    const unsigned Id = Number++;
    if (Instance.Shapes[Array].Extents.empty())
      continue;
    check::LayoutClaim &Claim = Claims.Layouts.emplace_back(
        makeLayoutClaim(K, Instance, Array, Decision.New));
    Claim.Variable = *FindVariable(Array);
    Claim.Array = Id;
    Claim.Offset = Stored ? Stored->Offsets[Array] : 0;
  }
  if (!P.Reuse)
    return;
  for (ArrayId Array : P.Reuse->Private) {
    const ArrayShape &Shape = Instance.Shapes[Array];
    if (!Shape.Extents.empty())
      Claims.Private.push_back(
          {*FindVariable(Array), Shape.ElementSize, Shape.numElements(),
           *llvm::min_element(Shape.Extents),
           llvm::is_contained(P.Reuse->Duplicated, Array)});
  }
  for (const TrimmedArray &Each : P.Reuse->Trimmed) {
    const ArrayShape &Shape = Instance.Shapes[Each.Array];
    if (!Shape.Extents.empty())
      Claims.Trimmed.push_back(
          {*FindVariable(Each.Array), Shape.ElementSize,
           Shape.numElements() / Shape.Extents.front() * Each.Extent,
           Shape.numElements()});
  }
}

void addPiece(const KernelInstance &Instance, const Access &A, bool IsNew,
              check::AccessClaim &Claim) {
  const ArrayShape &Shape = Instance.Shapes[A.Array];
  if (namesElement(A) && !Shape.Extents.empty()) {
    Claim.Begin = Shape.Begin;
    Claim.Size = bytesOf(Shape);
  }
  if (A.Run) {
    const std::optional<int64_t> Bytes =
        Instance.Values.asConstant(A.Run->Bytes);
    Claim.Copied =
        std::max<uint64_t>(Claim.Copied.value_or(0), Bytes.value_or(0));
  }
  if (!IsNew || !A.hasWidth())
    return;
  const check::UseKind Kind = A.Kind == AccessKind::Read ? check::UseKind::Read
                              : A.Kind == AccessKind::Write
                                  ? check::UseKind::Write
                                  : check::UseKind::Atomic;
  Claim.Pieces.push_back({Kind, A.Offset, A.Width});
  llvm::sort(Claim.Pieces,
             [](const auto &X, const auto &Y) { return X.Offset < Y.Offset; });
}

std::vector<check::WavefrontClaim> makeWavefrontClaims(const Kernel &K,
                                                       const Plan &P) {
  std::vector<check::WavefrontClaim> Claims;
  for (const auto &[Array, Decision] : P.Layouts)
    if (Decision.isRewritten())
      Claims.push_back({K.Arrays[Array].Name, Decision.SourceCost.Before,
                        Decision.SourceCost.After, Decision.IsExact,
                        Decision.Cost.After < Decision.Cost.Before});
  return Claims;
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

/// Returns true if a path without a barrier leads from behind step \p From to
/// step \p To.
static bool isReached(const SharedProgram &Program, StepId From, StepId To) {
  llvm::BitVector Seen(Program.Steps.size());
  llvm::SmallVector<StepId, 16> Next(Program.Steps[From].Successors.begin(),
                                     Program.Steps[From].Successors.end());
  while (!Next.empty()) {
    const StepId S = Next.pop_back_val();
    if (Seen.test(S))
      continue;
    Seen.set(S);
    if (Program.Steps[S].What != Step::Kind::Barrier)
      llvm::append_range(Next, Program.Steps[S].Successors);
  }
  return Seen.test(To);
}

/// Returns true if step \p S, which accesses both variables, may write \p First
/// and then read an older value of \p Second.
static bool mayLose(const Step &S, VariableId First, VariableId Second) {
  return llvm::any_of(S.Uses,
                      [&](const SharedUse &Use) {
                        return Use.Variable == First && Use.Writes;
                      }) &&
         llvm::any_of(S.Uses, [&](const SharedUse &Use) {
           return Use.Variable == Second && Use.Reads && Use.Exposed.any();
         });
}

/// Describes, for each pair of steps without a barrier between them, which of
/// the two can run before the other, and whether one thread may overwrite a
/// value that it still needs; and assigns each access claim to the step that
/// contains it.
check::InPlaceClaim makeInPlaceClaim(const Plan &P,
                                     const SharedProgram &Program,
                                     llvm::ArrayRef<StoredAt> Places,
                                     const UnorderedSteps &Steps,
                                     llvm::ArrayRef<const Access *> Sources) {
  check::InPlaceClaim Claim;
  for (const bool IsOfB : {false, true}) {
    const VariableId V = IsOfB ? Steps.B : Steps.A;
    check::InPlaceClaim::Side &Side = IsOfB ? Claim.B : Claim.A;
    Side.Offset = Places[V].Offset;
    const std::optional<ArrayId> Array = Program.Variables[V].Array;
    const auto Decision = Array ? P.Layouts.find(*Array) : P.Layouts.end();
    if (Decision != P.Layouts.end() && Decision->second.isRewritten())
      Side.Moved =
          mapBytes(Decision->second.New, Program.Instance->Shapes[*Array]);
  }
  for (auto [A, B] : Steps.Pairs) {
    Claim.Pairs.push_back({unsigned(A), unsigned(B), isReached(Program, A, B),
                           isReached(Program, B, A)});
    for (StepId S : {A, B})
      Claim.MayLose[S] = {mayLose(Program.Steps[S], Steps.A, Steps.B),
                          mayLose(Program.Steps[S], Steps.B, Steps.A)};
  }
  for (const Access *Source : Sources) {
    int &Found = Claim.Steps.emplace_back(check::InPlaceClaim::NotKnown);
    if (!Source || Source->Function)
      continue;
    const bool IsOfB = Source->Array == Program.Variables[Steps.B].Array;
    Found = check::InPlaceClaim::OfNoPair;
    for (auto [A, B] : llvm::reverse(Steps.Pairs))
      if (contains(Program.Steps[IsOfB ? B : A].Statement, Source->Ref))
        Found = IsOfB ? B : A;
  }
  return Claim;
}

} // namespace cudaopt
