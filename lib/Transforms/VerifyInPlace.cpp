// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks that two arrays may share bytes with no barrier between: runs all
/// threads of a block and looks who accesses each byte, and in what order.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/KernelInterpreter.h"
#include "cudaopt/Transforms/Verify.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;

/// Statements that are interpreted for one pair, at most: some 0.2 s.
static constexpr uint64_t MaxSteps = 2'000'000;

template <typename... Ts>
static llvm::Error makeError(const char *Format, Ts &&...Arguments) {
  return llvm::createStringError(
      llvm::formatv(Format, std::forward<Ts>(Arguments)...).str());
}

namespace {

/// One access to one byte, or a barrier.
struct Event {
  bool IsBarrier;
  bool IsOfB;
  StepId Where;
  uint64_t Byte;
};

/// Finds all names in a body.
class NameFinder : public clang::DynamicRecursiveASTVisitor {
public:
  bool VisitDeclRefExpr(clang::DeclRefExpr *Ref) override {
    Names.push_back(Ref);
    return true;
  }
  std::vector<const clang::DeclRefExpr *> Names;
};

class InPlaceChecker {
public:
  InPlaceChecker(const Plan &P, const SharedProgram &Program,
                 llvm::ArrayRef<StoredAt> Places, const UnorderedSteps &Steps,
                 clang::ASTContext &Context)
      : P(P), Program(Program), Instance(*Program.Instance), Places(Places),
        Steps(Steps), Context(Context) {}

  llvm::Error run();

private:
  enum class Direction { None, AFirst, BFirst };
  /// The threads that access a byte: none yet, one, or more.
  using Owners = llvm::DenseMap<uint64_t, unsigned>;
  static constexpr unsigned Many = ~0u;

  const SharedVariable &variable(bool IsOfB) const {
    return Program.Variables[IsOfB ? Steps.B : Steps.A];
  }
  llvm::Error findReferences();
  llvm::Error findNames() const;
  std::optional<StepId> findStep(const clang::Stmt *Ref, bool IsOfB) const;
  llvm::Error runThreads();
  llvm::Error addThread(unsigned Thread, llvm::ArrayRef<Execution> Executions);
  void addElement(bool IsOfB, StepId Where, uint64_t Element,
                  std::vector<Event> &Events) const;
  bool mayLose(StepId S, bool IsBFirst) const;
  llvm::Error addSegment(llvm::ArrayRef<Event> Segment);
  llvm::Error addDirection(StepId S, Direction New);
  bool isReached(StepId From, StepId To) const;
  llvm::Error checkPairs();

  const Plan &P;
  const SharedProgram &Program;
  const KernelInstance &Instance;
  const llvm::ArrayRef<StoredAt> Places;
  const UnorderedSteps &Steps;
  clang::ASTContext &Context;

  struct Traced {
    bool IsBarrier, IsOfB;
    StepId Where;
  };
  std::vector<TracedReference> References;
  std::vector<Traced> Of; ///< By reference.
  std::map<std::pair<bool, StepId>, Owners> OwnersOf;
  llvm::DenseMap<StepId, Direction> Directions;
};

} // namespace

static bool contains(const clang::Stmt *S, const clang::Stmt *Wanted) {
  return S == Wanted ||
         (S && llvm::any_of(S->children(), [&](const clang::Stmt *Child) {
            return contains(Child, Wanted);
          }));
}

/// The step among those to be checked in which \p Ref stands.
std::optional<StepId> InPlaceChecker::findStep(const clang::Stmt *Ref,
                                               bool IsOfB) const {
  for (auto [A, B] : Steps.Pairs)
    if (const StepId S = IsOfB ? B : A;
        contains(Program.Steps[S].Statement, Ref))
      return S;
  return std::nullopt;
}

/// The arrays are named by nothing but the references that are traced.
llvm::Error InPlaceChecker::findNames() const {
  NameFinder Finder;
  Finder.TraverseStmt(Instance.Decl->getBody());
  for (const clang::DeclRefExpr *Name : Finder.Names)
    for (const bool IsOfB : {false, true})
      if (Name->getDecl()->getLocation() ==
              variable(IsOfB).Decl->getLocation() &&
          llvm::none_of(Instance.Accesses, [&](const Access &A) {
            return A.Array == *variable(IsOfB).Array && !A.Function &&
                   namesElement(A) && contains(A.Ref, Name);
          }))
        return makeError("'{0}' is named by more than its elements",
                         variable(IsOfB).Name);
  return llvm::Error::success();
}

llvm::Error InPlaceChecker::findReferences() {
  for (const bool IsOfB : {false, true})
    if (!variable(IsOfB).Array)
      return makeError("'{0}' has no known elements", variable(IsOfB).Name);
  if (!Instance.Block.isKnown())
    return makeError("the threads are not known");
  if (llvm::Error Violated = findNames())
    return Violated;
  llvm::DenseSet<const clang::Expr *> Known;
  for (const Access &A : Instance.Accesses)
    for (const bool IsOfB : {false, true}) {
      if (A.Array != *variable(IsOfB).Array)
        continue;
      if (!namesElement(A) || A.Function)
        return makeError("'{0}' is accessed by more than its subscripts",
                         variable(IsOfB).Name);
      std::optional<StepId> Where = findStep(A.Ref, IsOfB);
      if (!Where || !Known.insert(A.Ref).second)
        continue;
      References.push_back(
          {A.Ref, A.Subscripts, Instance.Shapes[A.Array].Extents});
      Of.push_back({false, IsOfB, *Where});
    }
  for (auto [S, What] : llvm::enumerate(Program.Steps))
    if (What.What == Step::Kind::Barrier)
      // Others, of functions that it calls, keep nothing apart here.
      if (const auto *E = llvm::dyn_cast_or_null<clang::Expr>(What.Statement);
          E && contains(Instance.Decl->getBody(), E) &&
          Known.insert(E->IgnoreParens()).second) {
        References.push_back({E->IgnoreParens(), {}, {}});
        Of.push_back({true, false, StepId(S)});
      }
  return llvm::Error::success();
}

void InPlaceChecker::addElement(bool IsOfB, StepId Where, uint64_t Element,
                                std::vector<Event> &Events) const {
  const ArrayId Array = *variable(IsOfB).Array;
  const ArrayShape &Shape = Instance.Shapes[Array];
  const uint64_t Begin = Places[IsOfB ? Steps.B : Steps.A].Offset;
  const auto Decision = P.Layouts.find(Array);
  const bool IsMoved =
      Decision != P.Layouts.end() && Decision->second.isRewritten();
  for (unsigned Byte = 0; Byte != Shape.ElementSize; ++Byte)
    Events.push_back(
        {false, IsOfB, Where,
         Begin + (IsMoved ? Decision->second.New.address(Element, Byte, Shape)
                          : Element * Shape.ElementSize + Byte)});
}

llvm::Error InPlaceChecker::addDirection(StepId S, Direction New) {
  Direction &Known = Directions.try_emplace(S, New).first->second;
  if (Known != New)
    return makeError("step {0} lies between accesses to both", S);
  return llvm::Error::success();
}

/// True if step \p S, which accesses both in turn, may write the one that comes
/// first and read an older value of the other.
bool InPlaceChecker::mayLose(StepId S, bool IsBFirst) const {
  const VariableId First = IsBFirst ? Steps.B : Steps.A,
                   Second = IsBFirst ? Steps.A : Steps.B;
  const auto &Uses = Program.Steps[S].Uses;
  return llvm::any_of(Uses,
                      [&](const SharedUse &Use) {
                        return Use.Variable == First && Use.Writes;
                      }) &&
         llvm::any_of(Uses, [&](const SharedUse &Use) {
           return Use.Variable == Second && Use.Reads && Use.Exposed.any();
         });
}

/// What a thread does between two barriers, in steps that access both: one
/// after the other.
llvm::Error InPlaceChecker::addSegment(llvm::ArrayRef<Event> Segment) {
  struct Seen {
    bool IsOfB;       ///< The one that came first.
    bool Has = false; ///< The other has come, too.
  };
  std::map<std::pair<StepId, uint64_t>, Seen> Bytes;
  for (const Event &E : Segment) {
    auto [It, IsNew] = Bytes.try_emplace({E.Where, E.Byte}, Seen{E.IsOfB});
    Seen &Known = It->second;
    if (IsNew || (Known.IsOfB == E.IsOfB && !Known.Has))
      continue;
    if (Known.IsOfB == E.IsOfB)
      return makeError(
          "a thread accesses byte {0} as the one, as the other and "
          "as the one again",
          E.Byte);
    Known.Has = true;
    if (mayLose(E.Where, Known.IsOfB))
      return makeError("step {0} may read what it has overwritten", E.Where);
    if (llvm::Error Violated = addDirection(
            E.Where, Known.IsOfB ? Direction::BFirst : Direction::AFirst))
      return Violated;
  }
  return llvm::Error::success();
}

llvm::Error InPlaceChecker::addThread(unsigned Thread,
                                      llvm::ArrayRef<Execution> Executions) {
  std::vector<Event> Segment;
  for (const Execution &E : Executions) {
    const auto &[IsBarrier, IsOfB, Where] = Of[E.Reference];
    if (IsBarrier) {
      if (llvm::Error Violated = addSegment(Segment))
        return Violated;
      Segment.clear();
      continue;
    }
    if (!E.Element)
      return makeError("thread {0} accesses an element of '{1}' that is not "
                       "known or not there",
                       Thread, variable(IsOfB).Name);
    const size_t First = Segment.size();
    addElement(IsOfB, Where, *E.Element, Segment);
    Owners &Known = OwnersOf[{IsOfB, Where}];
    for (const Event &Each : llvm::ArrayRef(Segment).drop_front(First)) {
      unsigned &Owner = Known.try_emplace(Each.Byte, Thread).first->second;
      if (Owner != Thread)
        Owner = Many;
    }
  }
  return addSegment(Segment);
}

llvm::Error InPlaceChecker::runThreads() {
  const Dim3 Block = Instance.Block.Threads, Grid = Instance.Block.Grid;
  KernelInterpreter Interpreter(Instance.Decl, Block, Grid, References, Context,
                                MaxSteps);
  llvm::SmallVector<Dim3, 2> Blocks = {{0, 0, 0}};
  if (Grid[0] && Grid[0] * Grid[1] * Grid[2] > 1)
    Blocks.push_back({Grid[0] / 2, Grid[1] / 2, Grid[2] / 2});
  std::vector<Execution> Executions;
  for (const Dim3 &BlockIndex : Blocks) {
    OwnersOf.clear();
    for (unsigned Thread = 0; Thread < Instance.Block.numThreads(); ++Thread) {
      Executions.clear();
      const Dim3 Index = {Thread % Block[0], Thread / Block[0] % Block[1],
                          Thread / Block[0] / Block[1]};
      if (!Interpreter.run(Index, BlockIndex, Executions))
        return makeError("its threads do too much to be run");
      if (llvm::Error Violated = addThread(Thread, Executions))
        return Violated;
    }
    if (!Interpreter.isComplete())
      return makeError("its threads cannot be run");
    if (llvm::Error Violated = checkPairs())
      return Violated;
  }
  return llvm::Error::success();
}

/// True if a way without a barrier leads from behind \p From to \p To.
bool InPlaceChecker::isReached(StepId From, StepId To) const {
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

/// Each byte that both steps of a pair access has one thread, and the steps
/// have one order.
llvm::Error InPlaceChecker::checkPairs() {
  for (auto [A, B] : Steps.Pairs) {
    const Owners &OfA = OwnersOf[{false, A}], &OfB = OwnersOf[{true, B}];
    bool Share = false;
    for (auto [Byte, Owner] : OfA) {
      auto Other = OfB.find(Byte);
      if (Other == OfB.end())
        continue;
      Share = true;
      if (Owner == Many || Other->second != Owner)
        return makeError("several threads access byte {0}", Byte);
    }
    if (!Share)
      continue;
    const bool IsBehind = isReached(A, B), IsBefore = isReached(B, A);
    if (A == B ? IsBehind : IsBehind && IsBefore)
      return makeError("steps {0} and {1} have no order", A, B);
    if (A == B || (!IsBehind && !IsBefore))
      continue; // See addSegment; or no thread comes to both.
    for (StepId S : {A, B})
      if (llvm::Error Violated =
              addDirection(S, IsBehind ? Direction::AFirst : Direction::BFirst))
        return Violated;
  }
  return llvm::Error::success();
}

llvm::Error InPlaceChecker::run() {
  if (llvm::Error Violated = findReferences())
    return Violated;
  return runThreads();
}

llvm::Error cudaopt::verifyInPlace(const Plan &P, const SharedProgram &Program,
                                   llvm::ArrayRef<StoredAt> Places,
                                   const UnorderedSteps &Steps,
                                   clang::ASTContext &Context) {
  return InPlaceChecker(P, Program, Places, Steps, Context).run();
}
