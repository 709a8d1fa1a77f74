// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Guesses the shape of a block from the dimensions of threadIdx that the
/// kernel uses, and rejects guesses with which it would not work.
//===----------------------------------------------------------------------===//

#include "PlausibleShapes.h"
#include "TouchedElements.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

static constexpr std::array<uint32_t, 3> UsualShapes[3][6] = {
    {{32, 1, 1},
     {64, 1, 1},
     {128, 1, 1},
     {256, 1, 1},
     {512, 1, 1},
     {1024, 1, 1}},
    {{8, 8, 1}, {8, 32, 1}, {16, 16, 1}, {32, 8, 1}, {32, 32, 1}, {64, 4, 1}},
    {{4, 4, 4}, {8, 4, 4}, {8, 8, 4}, {8, 8, 8}, {16, 4, 4}, {32, 4, 2}},
};

/// Returns the dimension, 1 to 3, of threadIdx that \p N reads as a member; 0
/// if it reads none.
static unsigned dimensionOf(const DynTypedNode &N) {
  const Expr *Base = nullptr;
  const NamedDecl *Read = nullptr;
  if (const auto *Member = N.get<MemberExpr>()) {
    Base = Member->getBase();
    Read = Member->getMemberDecl();
  } else if (const auto *Property = N.get<MSPropertyRefExpr>()) {
    // In clang's headers, `threadIdx.x` is a property.
    Base = Property->getBaseExpr();
    Read = Property->getPropertyDecl();
  }
  if (!Read || !Read->getIdentifier())
    return 0;
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Base))
    Base = Opaque->getSourceExpr();
  const auto *Ref = dyn_cast<DeclRefExpr>(Base->IgnoreParenImpCasts());
  if (!Ref || !Ref->getDecl()->getIdentifier() ||
      Ref->getDecl()->getName() != "threadIdx")
    return 0;
  return Read->getName() == "z" ? 3 : Read->getName() == "y" ? 2 : 1;
}

/// Returns the number of dimensions of threadIdx, at least 1, that \p Code
/// uses, or a callee that is not \p Seen yet.
static unsigned countDimensions(const Stmt *Code,
                                llvm::DenseSet<const FunctionDecl *> &Seen) {
  unsigned Count = 1;
  forEachNode(Code, [&](const DynTypedNode &N) {
    Count = std::max(Count, dimensionOf(N));
    const auto *Call = N.get<CallExpr>();
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    const FunctionDecl *Definition = nullptr;
    if (Callee && Callee->hasBody(Definition) && Seen.insert(Definition).second)
      Count = std::max(Count, countDimensions(Definition->getBody(), Seen));
  });
  return Count;
}

std::vector<BlockShape> listPlausibleShapes(const FunctionDecl *Kernel,
                                            const BlockShape &Unknown) {
  llvm::DenseSet<const FunctionDecl *> Seen;
  const unsigned NumDimensions = countDimensions(Kernel->getBody(), Seen);
  std::vector<BlockShape> Shapes;
  for (const auto &Threads : UsualShapes[NumDimensions - 1]) {
    BlockShape Shape;
    Shape.Threads = Threads;
    Shape.MaxThreads = Shape.numThreads();
    Shape.Origin = ShapeOrigin::Assumed;
    if (Shape.MaxThreads <= Unknown.MaxThreads)
      Shapes.push_back(Shape);
  }
  // The bound of __launch_bounds__ is mostly the number of threads launched.
  if (Unknown.Origin != ShapeOrigin::LaunchBounds)
    return Shapes;
  std::vector<BlockShape> Full;
  llvm::copy_if(Shapes, std::back_inserter(Full), [&](const BlockShape &Shape) {
    return Shape.MaxThreads == Unknown.MaxThreads;
  });
  if (Full.empty() && NumDimensions == 1) {
    BlockShape Shape;
    Shape.Threads = {Unknown.MaxThreads, 1, 1};
    Shape.MaxThreads = Unknown.MaxThreads;
    Shape.Origin = ShapeOrigin::Assumed;
    Full.push_back(Shape);
  }
  return Full.empty() ? Shapes : Full;
}

/// Returns true if \p A, executed at the evaluator's point, certainly leaves
/// its array.
static bool leavesArray(const KernelInstance &Instance, const Access &A,
                        Evaluator &Values) {
  auto Fails = [&](ValueId Condition) {
    std::optional<int64_t> Holds = Values.evaluate(Condition);
    return Holds && *Holds == 0;
  };
  if (llvm::any_of(A.Guards, Fails))
    return false;
  for (LoopId Id : A.Loops)
    if (Instance.Loops[Id].Condition && Fails(*Instance.Loops[Id].Condition))
      return false;
  for (auto [Id, Extent] :
       llvm::zip(A.Index, Instance.Shapes[A.Array].Extents)) {
    std::optional<int64_t> Subscript = Values.evaluate(Id);
    if (Subscript &&
        (*Subscript < 0 || static_cast<uint64_t>(*Subscript) >= Extent))
      return true;
  }
  return false;
}

bool isPlausible(const KernelInstance &Instance) {
  Evaluator Values(Instance.Values);
  const std::vector<int64_t> Iterators(Instance.Loops.size());
  const auto &Extents = Instance.Block.Threads;
  for (uint32_t T = 0; T < Instance.Block.numThreads(); ++T) {
    Values.moveTo({{T % Extents[0], T / Extents[0] % Extents[1],
                    T / Extents[0] / Extents[1]},
                   {},
                   Iterators});
    for (const Access &A : Instance.Accesses)
      if (leavesArray(Instance, A, Values))
        return false;
  }
  return true;
}

/// Returns the loops around \p A whose trip count depends on a parameter, on
/// the block, or on data: all threads are taken to be in the same iteration of
/// these.
static llvm::DenseSet<const Stmt *> listUnknownLoops(const KernelInstance &I,
                                                     const Access &A) {
  llvm::DenseSet<const Stmt *> Loops;
  for (LoopId Id : A.Loops) {
    const std::optional<ValueId> Test = I.Loops[Id].Condition;
    if (!Test || I.Values.dependsOnParameter(*Test) ||
        I.Values.dependsOnBlock(*Test))
      Loops.insert(I.Loops[Id].Statement);
  }
  return Loops;
}

bool isLikely(const KernelInstance &Instance, const Kernel &K) {
  constexpr uint64_t Budget = 500'000;
  ElementCounter Counter(Instance, Budget);
  for (auto [Id, Shape] : llvm::enumerate(Instance.Shapes)) {
    if (Shape.Extents.empty() || K.Arrays[Id].IsExtern ||
        !K.Arrays[Id].Refusals.empty())
      continue;
    ElementSet Written(Shape.numElements()), Read(Shape.numElements());
    for (const Access &A : Instance.Accesses) {
      if (A.Array != Id)
        continue;
      const TouchedElements Touched =
          Counter.find({&A}, listUnknownLoops(Instance, A), true);
      if (Touched.Leaves)
        return false;
      if (A.Kind == AccessKind::Read)
        Read |= Touched.Must;
      else if (A.hasWidth())
        Written |= Touched.May;
      else
        Written.set();
    }
    if (Written.any() && Read.test(Written))
      return false;
  }
  return true;
}

} // namespace cudaopt
