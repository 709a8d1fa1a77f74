// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Enumerates the iterations and threads of an access and marks the elements
/// they touch. Each evaluation is paid from a budget; when it is used up, the
/// result is the conservative one (all elements may be touched, none must).
//===----------------------------------------------------------------------===//

#include "TouchedElements.h"
#include "cudaopt/Model/ValueInterval.h"
#include "cudaopt/Model/ValueLeaves.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

/// One run through the iterations and threads of an access.
///
/// Outer loops are around the step: their iterations take the step at different
/// times, so Must is the intersection over these. Inner loops are inside of the
/// step: their iterations together form one execution of it, so their elements
/// are united.
class ElementCounter::Enumeration {
public:
  Enumeration(ElementCounter &Counter, const Access &A)
      : Counter(Counter), Instance(Counter.Instance), A(A),
        Eval(Instance.Values), Iterators(Instance.Loops.size(), 0),
        Shape(Instance.Shapes[A.Array]), Current(Shape.numElements()) {
    Result.May.resize(Shape.numElements());
    Result.Must.resize(Shape.numElements());
  }

  /// Partitions the guards and loops into those that can be evaluated and those
  /// that cannot; returns false if one that is needed cannot.
  bool prepare(const llvm::DenseSet<const Stmt *> &Outer, bool IsUnconditional);
  /// Returns false if a value is undefined, or the budget is used up.
  bool run() {
    bool Done = runOuter(0);
    if (!IsSure)
      Result.Must.reset();
    return Done;
  }

  TouchedElements Result;
  bool IsSure = true;

private:
  struct Level {
    LoopId Loop;
    ValueId Condition;
    bool IsOnce; ///< The touched elements do not depend on the iteration.
  };

  bool runOuter(size_t Depth);
  bool runThreads();
  bool runInner(size_t Depth);
  bool touch();
  void move() { Eval.moveTo({Thread, {}, Iterators}); }

  ElementCounter &Counter;
  const KernelInstance &Instance;
  const Access &A;
  Evaluator Eval;
  llvm::SmallVector<ValueId, 8> Guards; ///< The guards that can be evaluated.
  llvm::SmallVector<Level, 4> OuterLevels, InnerLevels;
  std::vector<int64_t> Iterators;
  std::array<int64_t, 3> Thread = {};
  const ArrayShape &Shape;
  ElementSet Current; ///< The elements of one iteration of the outer loops.
  bool IsFirst = true;
};

bool ElementCounter::Enumeration::prepare(
    const llvm::DenseSet<const Stmt *> &Outer, bool IsUnconditional) {
  const ValueGraph &Values = Instance.Values;
  llvm::SmallVector<ValueId, 16> Needed(A.Index.begin(), A.Index.end());
  for (ValueId Index : A.Index)
    if (!Counter.hasNumber(Index))
      return false;
  IsSure = A.DomainIsExact;
  for (ValueId Guard : A.Guards) {
    if (Counter.hasNumber(Guard)) {
      Guards.push_back(Guard);
      Needed.push_back(Guard);
    } else if (!IsUnconditional || findLeaves(Values, Guard).HasThread) {
      // It may fail. (A guard that is the same for all threads, of an
      // unconditional access, is a condition around the step: it holds whenever
      // the step is taken.)
      IsSure = false;
    }
  }
  // Innermost loops first: the test of a loop may need the iterators of the
  // loops around it, which then are needed, too.
  for (LoopId Id : llvm::reverse(A.Loops)) {
    const Loop &L = Instance.Loops[Id];
    const bool IsOuter = Outer.contains(L.Statement);
    const bool IsNeeded =
        llvm::is_contained(findLeaves(Values, Needed).Loops, Id);
    const bool HasTest = L.Condition && Counter.hasNumber(*L.Condition);
    if (!HasTest) {
      if (IsNeeded)
        return false;
      IsSure &= IsOuter;
      continue;
    }
    if (IsOuter && !IsNeeded)
      continue;
    Needed.push_back(*L.Condition);
    // All threads are in the same iteration of an outer loop.
    const bool IsUniform = !findLeaves(Values, *L.Condition).HasThread;
    IsSure &= !IsOuter || IsUniform;
    auto &Levels = IsOuter && IsUniform ? OuterLevels : InnerLevels;
    Levels.insert(Levels.begin(), {Id, *L.Condition, !IsNeeded});
  }
  return true;
}

/// Enumerates the outer loops. In each iteration, all threads run; May collects
/// the union, Must the intersection.
bool ElementCounter::Enumeration::runOuter(size_t Depth) {
  if (Depth == OuterLevels.size()) {
    Current.reset();
    if (!runThreads())
      return false;
    Result.May |= Current;
    if (IsFirst)
      Result.Must = Current;
    else
      Result.Must &= Current;
    IsFirst = false;
    return true;
  }
  const Level &L = OuterLevels[Depth];
  for (Iterators[L.Loop] = 0;; ++Iterators[L.Loop]) {
    Thread = {};
    move();
    std::optional<int64_t> Test = Eval.evaluate(L.Condition);
    if (!Test || !Counter.spend())
      return false;
    if (!*Test)
      return true;
    if (!runOuter(Depth + 1))
      return false;
  }
}

/// Enumerates the threads of the block at the current iteration of the outer
/// loops.
bool ElementCounter::Enumeration::runThreads() {
  const auto &Threads = Instance.Block.Threads;
  for (Thread[2] = 0; Thread[2] != Threads[2]; ++Thread[2])
    for (Thread[1] = 0; Thread[1] != Threads[1]; ++Thread[1])
      for (Thread[0] = 0; Thread[0] != Threads[0]; ++Thread[0])
        if (!runInner(0))
          return false;
  return true;
}

/// Enumerates the inner loops of one thread.
bool ElementCounter::Enumeration::runInner(size_t Depth) {
  if (Depth == InnerLevels.size())
    return touch();
  const Level &L = InnerLevels[Depth];
  for (Iterators[L.Loop] = 0;; ++Iterators[L.Loop]) {
    move();
    std::optional<int64_t> Test = Eval.evaluate(L.Condition);
    if (!Test || !Counter.spend())
      return false;
    if (!*Test)
      return true;
    if (!runInner(Depth + 1))
      return false;
    if (L.IsOnce)
      return true;
  }
}

/// Marks the elements of one access, if its guards hold. A guard that cannot be
/// evaluated here does not exclude the access from May, but from Must.
bool ElementCounter::Enumeration::touch() {
  if (!Counter.spend())
    return false;
  move();
  for (ValueId Guard : Guards) {
    std::optional<int64_t> Holds = Eval.evaluate(Guard);
    if (Holds && !*Holds)
      return true;
    IsSure &= Holds.has_value();
  }
  int64_t Element = 0;
  for (size_t I = 0; I != A.Index.size(); ++I) {
    std::optional<int64_t> Index = Eval.evaluate(A.Index[I]);
    if (!Index || *Index > INT32_MAX || *Index < INT32_MIN)
      return false;
    Result.Leaves |= *Index < 0 || uint64_t(*Index) >= Shape.Extents[I];
    Element = Element * int64_t(Shape.Extents[I]) + *Index;
  }
  // What is outside of the array, no thread accesses.
  for (unsigned I = 0; I != A.Chunk; ++I, ++Element)
    if (Element >= 0 && uint64_t(Element) < Shape.numElements())
      Current.set(Element);
  return true;
}

/// For a block of unknown shape, removes from \p May the elements that \p A
/// cannot touch, as the intervals of its subscripts show.
static void narrow(const KernelInstance &Instance, const Access &A,
                   ElementSet &May) {
  const ArrayShape &Shape = Instance.Shapes[A.Array];
  ValueIntervals Intervals(Instance, A);
  __int128 Low = 0, High = 0;
  for (auto [Id, Extent] : llvm::zip(A.Index, Shape.Extents)) {
    const std::optional<Interval> Each = Intervals.find(Id);
    if (!Each || Each->Low < INT32_MIN || Each->High > INT32_MAX)
      return;
    Low = Low * int64_t(Extent) + Each->Low;
    High = High * int64_t(Extent) + Each->High;
  }
  High += A.Chunk;
  // What is outside of the array, no thread accesses.
  if (Low > 0)
    May.reset(0, unsigned(std::min<__int128>(Low, May.size())));
  if (High < May.size())
    May.reset(unsigned(std::max<__int128>(High, 0)), May.size());
}

TouchedElements ElementCounter::find(llvm::ArrayRef<const Access *> Pieces,
                                     const llvm::DenseSet<const Stmt *> &Outer,
                                     bool IsUnconditional) {
  const Access &A = *Pieces.front();
  const ArrayShape &Shape = Instance.Shapes[A.Array];
  TouchedElements All;
  All.May.resize(Shape.numElements(), true);
  All.Must.resize(Shape.numElements());
  if (A.isOpaque() || !Budget)
    return All;
  if (!Instance.Block.isKnown()) {
    // For an unknown launch, intervals limit what may be accessed.
    if (Instance.Block.IsUnseen)
      narrow(Instance, A, All.May);
    return All;
  }
  Enumeration Run(*this, A);
  if (!Run.prepare(Outer, IsUnconditional) || !Run.run())
    return All;
  unsigned Bytes = 0;
  for (const Access *Piece : Pieces)
    Bytes += Piece->Width;
  if (Bytes != Shape.ElementSize * A.Chunk)
    Run.Result.Must.reset();
  return std::move(Run.Result);
}

} // namespace cudaopt
