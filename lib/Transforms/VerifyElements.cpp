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

/// Calls \p Visit with each thread and each element of \p Array that it
/// accesses. Fails if \p Visit does, or if an access is not to a known element.
static llvm::Error
visitElements(const Kernel &K, const KernelInstance &Instance, ArrayId Array,
              clang::ASTContext &Context,
              llvm::function_ref<llvm::Error(unsigned, uint64_t)> Visit) {
  const std::string &Name = K.Arrays[Array].Name;
  std::vector<TracedReference> References;
  for (const Access &A : Instance.Accesses) {
    if (A.Array != Array)
      continue;
    if (!namesElement(A))
      return makeError("'{0}' is accessed by more than its subscripts", Name);
    if (llvm::none_of(References, [&](const TracedReference &Known) {
          return Known.Ref == A.Ref;
        }))
      References.push_back(
          {A.Ref, A.Subscripts, Instance.Shapes[Array].Extents});
  }
  for (const Dim3 Block : listBlocks(Instance.Block))
    if (llvm::Error Violated =
            visitBlock(Instance, Block, References, Name, Context, Visit))
      return Violated;
  return llvm::Error::success();
}

llvm::Error cudaopt::verifyPrivate(const Kernel &K,
                                   const KernelInstance &Instance,
                                   ArrayId Array, clang::ASTContext &Context) {
  const ArrayShape &Shape = Instance.Shapes[Array];
  if (Shape.Extents.empty())
    return llvm::Error::success();
  const std::string &Name = K.Arrays[Array].Name;
  if (Instance.Block.IsUnseen)
    return llvm::Error::success(); // Its threads cannot be run.
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
