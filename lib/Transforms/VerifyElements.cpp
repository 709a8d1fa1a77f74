// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks which elements of an array the threads of a block access: runs them
/// all and looks.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/KernelInterpreter.h"
#include "cudaopt/Transforms/Verify.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace cudaopt;

/// Statements that are interpreted for one array, at most: some 0.1 s.
static constexpr uint64_t MaxSteps = 1'000'000;

template <typename... Ts>
static llvm::Error makeError(const char *Format, Ts &&...Arguments) {
  return llvm::createStringError(
      llvm::formatv(Format, std::forward<Ts>(Arguments)...).str());
}

/// The first block, and one in its middle if the grid is known.
static llvm::SmallVector<Dim3, 2> chooseBlocks(const Dim3 &Grid) {
  llvm::SmallVector<Dim3, 2> Blocks = {{0, 0, 0}};
  if (Grid[0] && (Grid[0] > 1 || Grid[1] > 1 || Grid[2] > 1))
    Blocks.push_back({Grid[0] / 2, Grid[1] / 2, Grid[2] / 2});
  return Blocks;
}

/// The block of a known launch; of others, those that have the most threads in
/// some dimension.
static llvm::SmallVector<Dim3, 4> listBlocks(const BlockShape &Block) {
  if (Block.isKnown())
    return {Block.Threads};
  const uint32_t Most = Block.MaxThreads;
  const uint32_t Deep = std::min(Most, MaxBlockExtents[2]);
  return {{Most, 1, 1},
          {1, Most, 1},
          {std::max(Most / Deep, 1u), 1, Deep},
          {std::min(Most, WarpSize), std::max(Most / WarpSize, 1u), 1}};
}

/// Runs the threads of a \p Block of \p Instance.
static llvm::Error
visitBlock(const KernelInstance &Instance, const Dim3 &Block,
           const std::vector<TracedReference> &References, llvm::StringRef Name,
           clang::ASTContext &Context,
           llvm::function_ref<llvm::Error(unsigned, uint64_t)> Visit) {
  KernelInterpreter Interpreter(Instance.Decl, Block, Instance.Block.Grid,
                                References, Context, MaxSteps);
  std::vector<Execution> Executions;
  const unsigned NumThreads = Block[0] * Block[1] * Block[2];
  for (Dim3 BlockIndex : chooseBlocks(Instance.Block.Grid))
    for (unsigned Thread = 0; Thread < NumThreads; ++Thread) {
      Executions.clear();
      const Dim3 Index = {Thread % Block[0], Thread / Block[0] % Block[1],
                          Thread / Block[0] / Block[1]};
      if (!Interpreter.run(Index, BlockIndex, Executions))
        return llvm::Error::success(); // As far as the budget goes.
      for (const Execution &E : Executions) {
        if (!E.Element && Instance.Block.isKnown())
          return makeError("thread {0} accesses an element of '{1}' that is "
                           "not known or not there",
                           Thread, Name);
        if (!E.Element)
          continue; // In a block that the author did not think of.
        if (llvm::Error Violated = Visit(Thread, *E.Element))
          return Violated;
      }
    }
  return llvm::Error::success();
}

/// The references to \p Array, if each names its element.
static llvm::Expected<std::vector<TracedReference>>
listReferences(const Kernel &K, const KernelInstance &Instance, ArrayId Array) {
  std::vector<TracedReference> References;
  for (const Access &A : Instance.Accesses) {
    if (A.Array != Array)
      continue;
    if (!namesElement(A))
      return makeError("'{0}' is accessed by more than its subscripts",
                       K.Arrays[Array].Name);
    if (llvm::none_of(References, [&](const TracedReference &Known) {
          return Known.Ref == A.Ref;
        }))
      References.push_back(
          {A.Ref, A.Subscripts, Instance.Shapes[Array].Extents});
  }
  return References;
}

/// Calls \p Visit with each thread and each element of \p Array that it
/// accesses. Fails if \p Visit does, or if an access is not to a known element.
static llvm::Error
visitElements(const Kernel &K, const KernelInstance &Instance, ArrayId Array,
              clang::ASTContext &Context,
              llvm::function_ref<llvm::Error(unsigned, uint64_t)> Visit) {
  const std::string &Name = K.Arrays[Array].Name;
  auto References = listReferences(K, Instance, Array);
  if (!References)
    return References.takeError();
  for (const Dim3 Block : listBlocks(Instance.Block))
    if (llvm::Error Violated =
            visitBlock(Instance, Block, *References, Name, Context, Visit))
      return Violated;
  return llvm::Error::success();
}

/// A block with two threads in each dimension that is not \p Observed, and in
/// the others as many as the hardware and \p Shape allow.
static Dim3 chooseDuplicates(const ThreadDimensions &Observed,
                             const ArrayShape &Shape, uint32_t MaxThreads) {
  for (uint64_t Size = *llvm::min_element(Shape.Extents);; --Size) {
    Dim3 Block = {2, 2, 2};
    uint64_t NumThreads = 1;
    for (unsigned D = 0; D != 3; ++D) {
      if (Observed[D])
        Block[D] = std::min<uint64_t>(Size, MaxBlockExtents[D]);
      NumThreads *= Block[D];
    }
    if (NumThreads <= MaxThreads || Size <= 1)
      return Block;
  }
}

static bool areSame(const Execution &A, const Execution &B) {
  return A.Reference == B.Reference && A.Iteration == B.Iteration &&
         A.Element == B.Element && A.IsCertain == B.IsCertain;
}

/// Threads that Observed tells apart have elements of their own; others make
/// the same accesses in the same order.
static llvm::Error verifyDuplicates(const Kernel &K,
                                    const KernelInstance &Instance,
                                    ArrayId Array, clang::ASTContext &Context) {
  const std::string &Name = K.Arrays[Array].Name;
  const ArrayShape &Shape = Instance.Shapes[Array];
  if (!Instance.Observed)
    return makeError("the threads that access '{0}' are not known", Name);
  auto References = listReferences(K, Instance, Array);
  if (!References)
    return References.takeError();
  const Dim3 Block =
      chooseDuplicates(*Instance.Observed, Shape, Instance.Block.MaxThreads);
  KernelInterpreter Interpreter(Instance.Decl, Block, Instance.Block.Grid,
                                *References, Context, MaxSteps);
  std::map<Dim3, std::vector<Execution>> Known; // By the first duplicate.
  std::vector<std::optional<Dim3>> Owners(Shape.numElements());
  std::vector<Execution> Executions;
  for (unsigned Thread = 0; Thread != Block[0] * Block[1] * Block[2];
       ++Thread) {
    const Dim3 Index = {Thread % Block[0], Thread / Block[0] % Block[1],
                        Thread / Block[0] / Block[1]};
    Dim3 First = {};
    for (unsigned D = 0; D != 3; ++D)
      First[D] = (*Instance.Observed)[D] ? Index[D] : 0;
    Executions.clear();
    if (!Interpreter.run(Index, {}, Executions))
      return llvm::Error::success(); // As far as the budget goes.
    for (const Execution &E : Executions)
      if (!E.Element || E.Element != Executions.front().Element ||
          std::exchange(Owners[*E.Element], First).value_or(First) != First)
        return makeError("element of '{0}' that thread {1} accesses is not its "
                         "own",
                         Name, Thread);
    const auto [Same, IsNew] = Known.try_emplace(First, Executions);
    if (!IsNew && !llvm::equal(Same->second, Executions, areSame))
      return makeError("thread {0} does not access '{1}' as those do that are "
                       "said to be its duplicates",
                       Thread, Name);
  }
  return llvm::Error::success();
}

llvm::Error cudaopt::verifyPrivate(const Kernel &K,
                                   const KernelInstance &Instance,
                                   ArrayId Array, bool IsDuplicated,
                                   clang::ASTContext &Context) {
  const ArrayShape &Shape = Instance.Shapes[Array];
  if (Shape.Extents.empty())
    return llvm::Error::success();
  const std::string &Name = K.Arrays[Array].Name;
  if (Instance.Block.IsUnseen)
    return IsDuplicated ? verifyDuplicates(K, Instance, Array, Context)
                        : llvm::Error::success(); // They race.
  if (!Instance.Block.isKnown())
    return makeError("the threads that access '{0}' are not known", Name);
  std::vector<std::optional<unsigned>> Owners(Shape.numElements());
  std::vector<std::optional<uint64_t>> Owned(Instance.Block.numThreads());
  return visitElements(
      K, Instance, Array, Context,
      [&](unsigned Thread, uint64_t Element) -> llvm::Error {
        if (Owners[Element].value_or(Thread) != Thread)
          return makeError("threads {0} and {1} access element {2} of '{3}'",
                           *Owners[Element], Thread, Element, Name);
        if (Owned[Thread].value_or(Element) != Element)
          return makeError("thread {0} accesses elements {1} and {2} of '{3}'",
                           Thread, *Owned[Thread], Element, Name);
        Owners[Element] = Thread;
        Owned[Thread] = Element;
        return llvm::Error::success();
      });
}

llvm::Error cudaopt::verifyTrimmed(const Kernel &K,
                                   const KernelInstance &Instance,
                                   ArrayId Array, uint64_t NumElements,
                                   clang::ASTContext &Context) {
  if (Instance.Shapes[Array].Extents.empty())
    return llvm::Error::success();
  return visitElements(
      K, Instance, Array, Context,
      [&](unsigned Thread, uint64_t Element) -> llvm::Error {
        if (Element < NumElements)
          return llvm::Error::success();
        return makeError("thread {0} accesses element {1} of '{2}', which has "
                         "{3}",
                         Thread, Element, K.Arrays[Array].Name, NumElements);
      });
}
