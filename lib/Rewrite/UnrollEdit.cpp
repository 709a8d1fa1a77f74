// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the loops that nvcc unrolls now and might not with longer subscripts.
//===----------------------------------------------------------------------===//

#include "UnrollEdit.h"

#include "cudaopt/Source/Line.h"

#include "cudaopt/Model/ValueLeaves.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;

namespace cudaopt {

/// Nests with fewer iterations are unrolled with longer subscripts, too; those
/// with more were not unrolled before.
static constexpr uint64_t MinIterations = 16, MaxIterations = 64;

namespace {

/// Counts the iterations of a nest of loops in one instance, by evaluation.
class Nest {
public:
  Nest(const KernelInstance &Instance, llvm::ArrayRef<LoopId> Loops)
      : Instance(Instance), Loops(Loops), Values(Instance.Values),
        Iterators(Instance.Loops.size()) {}

  /// Returns the total number of iterations of the innermost loop, counting no
  /// further than \p Max + 1; std::nullopt if they cannot be counted.
  std::optional<uint64_t> count(uint64_t Max) { return countFrom(0, Max); }

private:
  std::optional<uint64_t> countFrom(size_t Depth, uint64_t Max) {
    if (Depth == Loops.size())
      return 1;
    const Loop &L = Instance.Loops[Loops[Depth]];
    uint64_t Sum = 0;
    for (int64_t &I = Iterators[L.Id] = 0; Sum <= Max; ++I) {
      Values.moveTo({{}, {}, Iterators});
      std::optional<int64_t> Holds = Values.evaluate(*L.Condition);
      if (!Holds || I > int64_t(Max))
        return std::nullopt;
      if (!*Holds)
        break;
      std::optional<uint64_t> Inner = countFrom(Depth + 1, Max);
      if (!Inner)
        return std::nullopt;
      Sum += *Inner;
    }
    Iterators[L.Id] = 0;
    return Sum;
  }

  const KernelInstance &Instance;
  llvm::ArrayRef<LoopId> Loops;
  Evaluator Values;
  std::vector<int64_t> Iterators;
};

} // namespace

/// Returns true if the trip count of some loop is a constant only once the loop
/// around it is unrolled: then the compiler unrolls the nest as a whole, or not
/// at all.
static bool isAllOrNothing(const KernelInstance &Instance,
                           llvm::ArrayRef<LoopId> Nest) {
  for (size_t I = 1; I < Nest.size(); ++I)
    if (llvm::is_contained(
            findLeaves(Instance.Values, *Instance.Loops[Nest[I]].Condition)
                .Loops,
            Nest[I - 1]))
      return true;
  return false;
}

/// Returns true if the compiler decides about \p L, and can see its trip count.
static bool mayBeUnrolled(const KernelInstance &Instance, const Loop &L) {
  return L.Condition && L.HasConstantBounds && !L.WantedUnroll &&
         isa<ForStmt>(L.Statement) &&
         findLeaves(Instance.Values, *L.Condition).areLoopsOnly();
}

/// Returns the innermost loops around \p A, outermost first, that the compiler
/// unrolls together.
static llvm::ArrayRef<LoopId> findUnrolledNest(const KernelInstance &Instance,
                                               const Access &A) {
  size_t First = A.Loops.size();
  while (First > 0 &&
         mayBeUnrolled(Instance, Instance.Loops[A.Loops[First - 1]]))
    --First;
  llvm::ArrayRef<LoopId> Loops = llvm::ArrayRef(A.Loops).drop_front(First);
  for (; !Loops.empty(); Loops = Loops.drop_front()) {
    std::optional<uint64_t> Count = Nest(Instance, Loops).count(MaxIterations);
    if (Count && *Count <= MaxIterations)
      return *Count >= MinIterations && isAllOrNothing(Instance, Loops)
                 ? Loops
                 : llvm::ArrayRef<LoopId>();
  }
  return {};
}

/// Inserts `#pragma unroll` in front of \p Statement, if that begins a line.
static llvm::Error insertPragma(const Stmt *Statement,
                                const ASTContext &Context, Edits &Own) {
  const SourceLocation Begin = Statement->getBeginLoc();
  std::optional<LineStyle> Line =
      findLineStart(Begin, Context.getSourceManager());
  if (!Line)
    return llvm::Error::success();
  return Own.insert(Begin, "#pragma unroll" + Line->next());
}

llvm::Error keepUnrolled(const Kernel &K, ArrayId Array,
                         const ASTContext &Context, TextEdits &Own) {
  // The text of a loop belongs to several instances, which must agree.
  using Place = std::pair<std::optional<FunctionUseId>, SourceLocation>;
  std::map<Place, const Stmt *> Wanted;
  std::set<Place> Unwanted;
  for (const auto &Instance : K.Instances) {
    std::set<LoopId> Around, Unrolled;
    for (const Access &A : Instance->Accesses) {
      if (A.Array != Array)
        continue;
      Around.insert(A.Loops.begin(), A.Loops.end());
      llvm::ArrayRef<LoopId> Nest = findUnrolledNest(*Instance, A);
      Unrolled.insert(Nest.begin(), Nest.end());
    }
    for (LoopId Id : Around) {
      const Loop &L = Instance->Loops[Id];
      const Place Where(K.findCopy(Array, L.Use), L.Statement->getBeginLoc());
      if (Unrolled.count(Id))
        Wanted[Where] = L.Statement;
      else
        Unwanted.insert(Where);
    }
  }
  for (const auto &[Where, Statement] : Wanted)
    if (!Unwanted.count(Where))
      if (llvm::Error Failed =
              insertPragma(Statement, Context, Own.of(K, Where.first)))
        return Failed;
  return llvm::Error::success();
}

} // namespace cudaopt
