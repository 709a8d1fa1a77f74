// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass reorder: looks for an order of a kernel's statements, with loops
/// split or not, in which fewer bytes of `__shared__` variables are live at a
/// time, so that overlay can then let more of them share bytes:
///
/// \verbatim
///   a = ...; b = ...; use(a); use(b);  ->  a = ...; use(a); b = ...; use(b);
/// \endverbatim
///
/// Statements that conflict keep their order. Two statements that conflict
/// through memory which other threads access have a barrier between them in the
/// new order if they have one in the source. The statements of the kernel's
/// outermost block are the units that move, as a whole or as parts of loops.
//===----------------------------------------------------------------------===//

#include "LoopFission.h"
#include "StatementOrder.h"

#include "cudaopt/Analysis/StoredProducts.h"
#include "cudaopt/Model/Kernel.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Plan/PlanRules.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using namespace clang;

/// Smaller variables do not share bytes (see ReuseProblem.cpp).
static constexpr uint64_t LeastBytes = 16;

namespace {

/// A unit that is moved as a whole: a statement of the body other than a
/// barrier, or a part of a loop that is split.
struct Unit {
  OrderedItem Item;
  size_t Place = 0; ///< The index of the statement in the body.
  Effects All;
  bool WantsBarrierInFront = false; ///< As LoopPart::WantsBarrierInFront.

  bool isPart() const { return !Item.Parts.empty(); }
};

/// Units, and the best order for them.
struct Candidate {
  std::vector<Unit> Units;
  OrderProblem Problem;
  StatementOrder Order;
};

/// Plans the order of the statements of one instance.
class OrderPlanner {
public:
  OrderPlanner(const FunctionDecl *Kernel, const ASTContext &Context);
  /// Returns the best order, or why the source's is kept. The rules are not
  /// asked yet.
  OrderDecision run();

private:
  std::vector<Unit> makeUnits(bool Splits, Leniency Allowed) const;
  void addUnits(const Stmt *S, size_t Place, bool Splits, Leniency Allowed,
                std::vector<Unit> &Units) const;
  bool areOrdered(const Unit &A, const Unit &B, Leniency Allowed) const;
  OrderProblem makeProblem(const std::vector<Unit> &Units,
                           Leniency Allowed) const;
  Candidate search(bool Splits, Leniency Allowed) const;
  uint64_t findLeast(Leniency Allowed) const;
  Refusal explain() const;

  unsigned countBarriers(size_t From, size_t To) const;
  bool needsBarrier(const Candidate &C, unsigned From, unsigned To) const;
  bool isNewBirth(const Candidate &C, unsigned From, unsigned To) const;
  std::vector<OrderedItem> place(const Candidate &C) const;

  const ASTContext &Context;
  StatementEffects AllEffects;
  std::vector<const Stmt *> Body;
  std::vector<Effects> Each; ///< By statement of Body.
  /// The first statement that may move: the declarations of shared memory at
  /// the beginning stay.
  size_t FirstUnit = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

static bool declaresOnlyShared(const Stmt *S) {
  const auto *Declaration = dyn_cast<DeclStmt>(S);
  return Declaration && llvm::all_of(Declaration->decls(), [](const Decl *D) {
           return isa<VarDecl>(D) && D->hasAttr<CUDASharedAttr>();
         });
}

OrderPlanner::OrderPlanner(const FunctionDecl *Kernel,
                           const ASTContext &Context)
    : Context(Context), AllEffects(Kernel) {
  for (const Stmt *S : Kernel->getBody()->children()) {
    Body.push_back(S);
    Each.push_back(AllEffects.of(S));
  }
  while (FirstUnit != Body.size() && declaresOnlyShared(Body[FirstUnit]))
    ++FirstUnit;
}

/// Adds the unit of statement \p S at index \p Place of the body, or, if
/// \p Splits and S is a loop that can be split, a unit for each part.
void OrderPlanner::addUnits(const Stmt *S, size_t Place, bool Splits,
                            Leniency Allowed, std::vector<Unit> &Units) const {
  Unit New = {{S, {}}, Place, Each[Place]};
  std::vector<LoopPart> Parts;
  if (Splits && Each[Place].HasBarrier)
    Parts = splitLoop(S, AllEffects, Allowed);
  if (Parts.empty())
    return Units.push_back(std::move(New));
  for (LoopPart &Part : Parts) {
    New.Item.Parts = std::move(Part.Items);
    New.All = std::move(Part.All);
    New.WantsBarrierInFront = Part.WantsBarrierInFront;
    Units.push_back(New);
  }
}

std::vector<Unit> OrderPlanner::makeUnits(bool Splits, Leniency Allowed) const {
  std::vector<Unit> Units;
  for (size_t Place = FirstUnit; Place != Body.size(); ++Place)
    if (!isPlainBarrier(Body[Place]))
      addUnits(Body[Place], Place, Splits, Allowed, Units);
  return Units;
}

/// Returns true if the units must keep their order. Parts of one loop need not:
/// they share the counter only, of which each has its own.
bool OrderPlanner::areOrdered(const Unit &A, const Unit &B,
                              Leniency Allowed) const {
  if (A.Place == B.Place)
    return false;
  return mustKeepOrder(A.All, B.All, Allowed);
}

/// Returns the units as a problem of StatementOrder.h: which of them must come
/// before which, and which of them use which shared variable.
OrderProblem OrderPlanner::makeProblem(const std::vector<Unit> &Units,
                                       Leniency Allowed) const {
  OrderProblem P;
  llvm::MapVector<const VarDecl *, uint32_t> Users;
  for (unsigned I = 0; I != Units.size(); ++I) {
    uint32_t &Before = P.Before.emplace_back(0);
    for (unsigned J = 0; J != I; ++J)
      if (areOrdered(Units[J], Units[I], Allowed))
        Before |= 1u << J;
    for (const auto &[Var, U] : Units[I].All.Shared)
      Users[Var] |= 1u << I;
  }
  for (const auto &[Var, Mask] : Users)
    P.Variables.push_back(
        {uint64_t(Context.getTypeSizeInChars(Var->getType()).getQuantity()),
         Mask});
  return P;
}

/// Returns the best order of the units, with loops split if \p Splits; a
/// candidate without units if there are too many for the exact search.
Candidate OrderPlanner::search(bool Splits, Leniency Allowed) const {
  Candidate C;
  C.Units = makeUnits(Splits, Allowed);
  if (C.Units.size() > OrderProblem::MaxStatements)
    return {};
  C.Problem = makeProblem(C.Units, Allowed);
  C.Order = findBestOrder(C.Problem);
  return C;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// Returns the number of barriers among the statements [From, To) of the body.
unsigned OrderPlanner::countBarriers(size_t From, size_t To) const {
  unsigned Count = 0;
  for (; From < To; ++From)
    Count += isPlainBarrier(Body[From]);
  return Count;
}

/// Returns true if a barrier must stand between the units at \p From and \p To
/// of the order: they conflict through memory that other threads access, and
/// the source has a barrier between them.
bool OrderPlanner::needsBarrier(const Candidate &C, unsigned From,
                                unsigned To) const {
  const std::vector<unsigned> &Order = C.Order.Statements;
  const Unit &A = C.Units[Order[From]], &B = C.Units[Order[To]];
  const Conflict Why = findConflict(A.All, B.All);
  if (Why == Conflict::None || Why == Conflict::Thread || A.Place >= B.Place)
    return false;
  if (B.WantsBarrierInFront || countBarriers(A.Place + 1, B.Place))
    return true;
  // In the source, the barrier may be inside of a statement between the two. It
  // is enough if that statement, as a whole, is between them in the new order.
  for (size_t Place = A.Place + 1; Place != B.Place; ++Place) {
    if (!Each[Place].HasBarrier)
      continue;
    auto Between = llvm::find_if(
        llvm::make_range(Order.begin() + From + 1, Order.begin() + To),
        [&](unsigned I) {
          return C.Units[I].Place == Place && !C.Units[I].isPart();
        });
    if (Between == Order.begin() + To)
      return true;
  }
  return false;
}

/// Returns true if the unit at \p From is the last use of a variable, that at
/// \p To the first use of another one, and the new order is to let these two
/// share bytes: in the source their live ranges overlap, or a barrier separates
/// them. Without a barrier between, other threads could still read the one
/// while the other is written.
bool OrderPlanner::isNewBirth(const Candidate &C, unsigned From,
                              unsigned To) const {
  const std::vector<unsigned> &Order = C.Order.Statements;
  uint32_t Behind = 0, Ahead = 0;
  for (unsigned I = From + 1; I != Order.size(); ++I)
    Behind |= 1u << Order[I];
  for (unsigned I = 0; I != To; ++I)
    Ahead |= 1u << Order[I];
  auto placeOf = [&](uint32_t Users, bool IsLast) {
    std::vector<size_t> Places;
    for (unsigned I = 0; I != C.Units.size(); ++I)
      if (Users >> I & 1)
        Places.push_back(C.Units[I].Place);
    return IsLast ? *llvm::max_element(Places) : *llvm::min_element(Places);
  };
  for (const OrderProblem::Variable &Dead : C.Problem.Variables)
    for (const OrderProblem::Variable &Born : C.Problem.Variables) {
      if (!(Dead.Users >> Order[From] & 1) || (Dead.Users & Behind) ||
          !(Born.Users >> Order[To] & 1) || (Born.Users & Ahead) ||
          std::min(Dead.Bytes, Born.Bytes) < LeastBytes)
        continue;
      const size_t End = placeOf(Dead.Users, true),
                   Begin = placeOf(Born.Users, false);
      if (Begin <= End || countBarriers(End, Begin))
        return true;
    }
  return false;
}

/// Returns the body in the order of \p C, with the fewest barriers: a greedy
/// interval cover, in which each barrier is placed as late as the first unit
/// that needs it allows. It then moves up across units that access no memory,
/// so that these overlap with what follows the barrier.
std::vector<OrderedItem> OrderPlanner::place(const Candidate &C) const {
  const std::vector<unsigned> &Order = C.Order.Statements;
  std::vector<unsigned> InFrontOf;
  for (unsigned To = 0; To != Order.size(); ++To) {
    std::optional<unsigned> Latest;
    for (unsigned From = InFrontOf.empty() ? 0 : InFrontOf.back(); From != To;
         ++From)
      if (needsBarrier(C, From, To) || isNewBirth(C, From, To))
        Latest = From;
    if (!Latest)
      continue;
    unsigned At = To;
    while (At - 1 > *Latest && !C.Units[Order[At - 1]].All.accessesMemory() &&
           !C.Units[Order[At - 1]].All.IsOrdered)
      --At;
    InFrontOf.push_back(At);
  }
  std::vector<OrderedItem> Items;
  for (size_t Place = 0; Place != FirstUnit; ++Place)
    Items.push_back({Body[Place], {}});
  for (unsigned I = 0; I != Order.size(); ++I) {
    const Unit &U = C.Units[Order[I]];
    if (llvm::is_contained(InFrontOf, I)) {
      // Prefer the barrier in front of the statement in the source: if it has a
      // comment, that is about the statement.
      const Stmt *Old = U.Place ? Body[U.Place - 1] : nullptr;
      const bool IsTaken = llvm::any_of(Items, [&](const OrderedItem &Item) {
        return Item.Statement == Old;
      });
      Items.push_back(
          {Old && isPlainBarrier(Old) && !IsTaken ? Old : nullptr, {}});
    }
    Items.push_back(U.Item);
  }
  return Items;
}

//===----------------------------------------------------------------------===//
// The decision
//===----------------------------------------------------------------------===//

/// Returns the fewest bytes that are live at a time in any order.
uint64_t OrderPlanner::findLeast(Leniency Allowed) const {
  Candidate C = search(/*Splits=*/true, Allowed);
  if (C.Units.empty())
    C = search(/*Splits=*/false, Allowed);
  return C.Order.Bytes;
}

/// Returns why no order is better than the source's: the kind of conflict
/// without which there would be a better one.
Refusal OrderPlanner::explain() const {
  const uint64_t Least = findLeast({});
  const SourceLocation Loc = Body.front()->getBeginLoc();
  if (findLeast({.Aliases = true}) < Least)
    for (size_t I = 0; I != Body.size(); ++I)
      for (size_t J = 0; J <= I; ++J)
        if (auto [A, B] = findAliases(Each[J], Each[I]); A)
          return {Reason::MayAlias,
                  ("'" + A->getName() + "' and '" + B->getName() + "'").str(),
                  Body[J]->getBeginLoc()};
  if (findLeast({.Ordered = true}) < Least)
    for (size_t I = 0; I != Body.size(); ++I)
      if (Each[I].IsOrdered)
        return {Reason::OrderedEffects, "", Body[I]->getBeginLoc()};
  for (size_t I = 0; I != Body.size(); ++I)
    if (!isPlainBarrier(Body[I]) && Each[I].HasBarrier &&
        Each[I].Shared.size() > 1 && splitLoop(Body[I], AllEffects, {}).empty())
      return {Reason::DependenceCycle, "", Body[I]->getBeginLoc()};
  return {Reason::NoBetterOrder, "", Loc};
}

OrderDecision OrderPlanner::run() {
  OrderDecision Decision;
  Effects All;
  for (const Effects &E : Each)
    All |= E;
  if (All.Shared.size() < 2)
    return Decision; // Nothing can share bytes; that is not worth a remark.
  if (All.Leaves) {
    for (size_t I = 0; I != Body.size(); ++I)
      if (Each[I].Leaves)
        Decision.Refused = {Reason::LeavesEarly, "", Body[I]->getBeginLoc()};
    return Decision;
  }
  Candidate Best = search(/*Splits=*/false, {});
  if (Best.Units.empty()) {
    Decision.Refused = {Reason::TooManyStatements,
                        std::to_string(Body.size() - FirstUnit),
                        Body.front()->getBeginLoc()};
    return Decision;
  }
  const uint64_t Source = measureSourceOrder(Best.Problem).Bytes;
  if (Candidate Split = search(/*Splits=*/true, {});
      !Split.Units.empty() && Split.Order.Bytes < Best.Order.Bytes)
    Best = std::move(Split);
  if (Best.Order.Bytes < Source)
    Decision.Items = place(Best);
  else
    Decision.Refused = explain();
  return Decision;
}

/// Returns true if \p A and \p B, of two instances of one text, are the same in
/// that text.
static bool areSame(const OrderedItem &A, const OrderedItem &B) {
  auto locate = [](const Stmt *S) {
    return S ? S->getBeginLoc() : SourceLocation();
  };
  return locate(A.Statement) == locate(B.Statement) &&
         A.Parts.size() == B.Parts.size() &&
         llvm::all_of(llvm::zip(A.Parts, B.Parts), [](const auto &Each) {
           return areSame(std::get<0>(Each), std::get<1>(Each));
         });
}

/// Returns the order that all instances of \p K agree on, or why the source's
/// is kept.
static OrderDecision findOrder(const Kernel &K) {
  std::optional<OrderDecision> Common;
  const ASTContext &Context = K.Decl->getASTContext();
  for (const auto &Instance : K.Instances) {
    if (!isa_and_nonnull<CompoundStmt>(Instance->Decl->getBody()))
      return {};
    OrderDecision Own = OrderPlanner(Instance->Decl, Context).run();
    if (Common && !areSame({nullptr, Common->Items}, {nullptr, Own.Items}))
      return {{},
              /*IsApplied=*/false,
              Refusal{Reason::NoBetterOrder, "", K.Decl->getLocation()}};
    if (!Common)
      Common = std::move(Own);
  }
  return Common ? std::move(*Common) : OrderDecision();
}

/// Returns why the statements of \p K must not get the order \p New.
static std::optional<Refusal> findObjection(const Kernel &K,
                                            const PlanRules &Rules,
                                            bool Approximates,
                                            const OrderDecision &New) {
  for (ArrayId Array = 0; Array != K.Arrays.size(); ++Array)
    if (std::optional<Refusal> R =
            findForwardedProduct(K, Array, Approximates, /*IsMoved=*/true))
      return R;
  return Rules.ofOrder(New);
}

// A new order is not combined with other changes: the reordered text is parsed
// and planned anew, with rules that know it as reordered.
Plan cudaopt::planReorder(const PassInput &In, const Plan &Earlier) {
  if (!In.K.Decl->hasAttr<CUDAGlobalAttr>())
    return Earlier;
  Plan P = Earlier;
  if (In.Rules.isReordered()) {
    P.Order = OrderDecision{{}, /*IsApplied=*/true, {}};
    return P;
  }
  P.Order = findOrder(In.K);
  if (P.Order->Items.empty())
    return P;
  if (std::optional<Refusal> R = findObjection(
          In.K, In.Rules, !In.Options.Floats.DeviceApproximates.empty(),
          *P.Order))
    P.Order = OrderDecision{{}, /*IsApplied=*/false, std::move(R)};
  return P;
}
