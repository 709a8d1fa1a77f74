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

/// Calls \p Visit with each thread and each element of \p Array that it
/// accesses. Fails if \p Visit does, or if an access is not to a known element.
static llvm::Error
visitElements(const Kernel &K, const KernelInstance &Instance, ArrayId Array,
              clang::ASTContext &Context,
              llvm::function_ref<llvm::Error(unsigned, uint64_t)> Visit) {
  const std::string &Name = K.Arrays[Array].Name;
  if (!Instance.Block.isKnown())
    return makeError("the threads that access '{0}' are not known", Name);
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
  const Dim3 Block = Instance.Block.Threads;
  KernelInterpreter Interpreter(Instance.Decl, Block, Instance.Block.Grid,
                                References, Context, MaxSteps);
  std::vector<Execution> Executions;
  for (Dim3 BlockIndex : chooseBlocks(Instance.Block.Grid))
    for (unsigned Thread = 0; Thread < Instance.Block.numThreads(); ++Thread) {
      Executions.clear();
      const Dim3 Index = {Thread % Block[0], Thread / Block[0] % Block[1],
                          Thread / Block[0] / Block[1]};
      if (!Interpreter.run(Index, BlockIndex, Executions))
        return llvm::Error::success(); // As far as the budget goes.
      for (const Execution &E : Executions) {
        if (!E.Element)
          return makeError("thread {0} accesses an element of '{1}' that is "
                           "not known or not there",
                           Thread, Name);
        if (llvm::Error Violated = Visit(Thread, *E.Element))
          return Violated;
      }
    }
  return llvm::Error::success();
}

llvm::Error cudaopt::verifyPrivate(const Kernel &K,
                                   const KernelInstance &Instance,
                                   ArrayId Array, clang::ASTContext &Context) {
  const ArrayShape &Shape = Instance.Shapes[Array];
  if (Shape.Extents.empty())
    return llvm::Error::success();
  const std::string &Name = K.Arrays[Array].Name;
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
