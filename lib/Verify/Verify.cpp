// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks all layouts of a plan, and the memory that they take: verifyPlan(),
/// the entry point for layouts.
//===----------------------------------------------------------------------===//

#include "cudaopt/Verify/Verify.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;
using namespace cudaopt;

template <typename... Ts>
static llvm::Error makeError(const char *Format, Ts &&...Arguments) {
  return llvm::createStringError(
      llvm::formatv(Format, std::forward<Ts>(Arguments)...).str());
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Returns true if the layout of \p Array changes in \p Instance.
static bool isRewritten(const Plan &P, const KernelInstance &Instance,
                        ArrayId Array) {
  auto Decision = P.Layouts.find(Array);
  return Decision != P.Layouts.end() && Decision->second.isRewritten() &&
         !Instance.Shapes[Array].Extents.empty();
}

static llvm::Error
verifyLayouts(const Kernel &K, const KernelInstance &Instance, const Plan &P) {
  for (const auto &[Array, Decision] : P.Layouts) {
    if (!isRewritten(P, Instance, Array))
      continue;
    std::vector<const Access *> Accesses;
    for (const Access &A : Instance.Accesses)
      if (A.Array == Array)
        Accesses.push_back(&A);
    if (llvm::Error Violated =
            verifyLayout(Decision.New, Instance.Shapes[Array], Accesses,
                         K.Arrays[Array].Name))
      return Violated;
  }
  return llvm::Error::success();
}

/// Checks that a block of \p Instance does not need more shared memory than it
/// may have and, if the storage changes with the layouts, that as many blocks
/// fit on a multiprocessor as before. The size of an `extern` array is fixed by
/// the launch, so that it must not grow.
static llvm::Error verifySize(const Kernel &K, const KernelInstance &Instance,
                              const Plan &P, const Target &T,
                              const StoredBlock &Block) {
  uint64_t Bytes = Instance.StaticSharedBytes;
  for (const auto &[Array, Decision] : P.Layouts) {
    if (!isRewritten(P, Instance, Array))
      continue;
    const ArrayShape &Shape = Instance.Shapes[Array];
    uint64_t OldBytes = Shape.ElementSize;
    for (uint64_t Extent : Shape.Extents)
      OldBytes *= Extent;
    uint64_t NewBytes = Decision.New.bytes(Shape);
    if (!K.Arrays[Array].IsExtern)
      Bytes += NewBytes - OldBytes;
    else if (NewBytes > OldBytes)
      return makeError("'{0}' needs {1} bytes, and the launch gives {2}",
                       K.Arrays[Array].Name, NewBytes, OldBytes);
  }
  // Where variables share bytes, a shape that is only assumed says nothing: the
  // instance of unknown shape beside it has the same variables and is checked.
  if (P.Reuse && P.Reuse->placesLayouts() && !Block.Bytes)
    return llvm::Error::success();
  const uint64_t BytesOfLayouts = Bytes;
  Bytes = Block.Bytes.value_or(Bytes);
  if (Bytes > T.SharedPerBlock && Bytes > Instance.StaticSharedBytes)
    return makeError("a block needs {0} bytes of shared memory, more than the "
                     "{1} that it may have",
                     Bytes, T.SharedPerBlock);
  if (!Block.Bytes || Instance.Block.IsUnseen)
    return llvm::Error::success();
  const uint32_t Threads = Instance.Block.isKnown()
                               ? Instance.Block.numThreads()
                               : Instance.Block.MaxThreads;
  const unsigned Fits = blocksPerSM(T, Threads, Bytes);
  unsigned FitBefore = blocksPerSM(T, Threads, Instance.StaticSharedBytes);
  // The plan says which layouts are worth blocks; new storage must not cost
  // any.
  if (!(P.Reuse && P.Reuse->isRewritten()) &&
      llvm::any_of(P.Layouts, [](const auto &L) { return L.second.Lost; }))
    FitBefore = std::min(FitBefore, blocksPerSM(T, Threads, BytesOfLayouts));
  if (Fits < FitBefore)
    return makeError("{0} blocks fit on a multiprocessor instead of {1}", Fits,
                     FitBefore);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

bool cudaopt::namesElement(const Access &A) {
  // A wmma call names the first element of a fragment, which is not the element
  // that each lane accesses.
  if (A.Run && A.Run->Ldm)
    return false;
  const Expr *Base = A.Ref->IgnoreParenImpCasts();
  size_t NumSubscripts = 0;
  while (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Base)) {
    Base = Subscript->getBase()->IgnoreParenImpCasts();
    ++NumSubscripts;
  }
  const auto *Name = dyn_cast<DeclRefExpr>(Base);
  return Name && !isa<ParmVarDecl>(Name->getDecl()) && !A.IsThroughRowPointer &&
         NumSubscripts == A.Subscripts.size();
}

llvm::Error cudaopt::verifyPlan(const Kernel &K, const Plan &P, const Target &T,
                                ASTContext &Context) {
  if (llvm::none_of(P.Layouts,
                    [](const auto &L) { return L.second.isRewritten(); }))
    return llvm::Error::success();
  for (const std::unique_ptr<KernelInstance> &Instance : K.Instances) {
    if (llvm::Error Violated = verifyLayouts(K, *Instance, P))
      return Violated;
    llvm::Expected<StoredBlock> Stored = findBlock(K, *Instance, P, Context);
    if (!Stored)
      return Stored.takeError();
    if (llvm::Error Violated = verifySize(K, *Instance, P, T, *Stored))
      return Violated;
    if (llvm::Error Violated = verifyParts(K, *Instance, P))
      return Violated;
  }
  return llvm::Error::success();
}
