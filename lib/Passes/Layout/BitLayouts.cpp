// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The search among layouts linear over two elements. Sums of few terms come
/// first, since a term costs two to four instructions: a beam search over sums
/// of one, two and three terms. If these miss the lower bound, the matrix of f
/// is searched as a whole, column by column with branch and bound, and by
/// descent from several starting points.
//===----------------------------------------------------------------------===//

#include "BitLayouts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <random>
#include <utility>

using namespace cudaopt;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The number of sums that the beam search extends by another term.
static constexpr size_t BeamWidth = 16;
static constexpr unsigned MaxTerms = 3;
/// The number of partial assignments that branch and bound visits at most.
static constexpr unsigned MaxNodes = 40000;
static constexpr unsigned NumDescents = 6;
/// Costs that differ by no more than this factor are equal: they are sums of
/// doubles.
static constexpr double Tolerance = 1e-9;

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

namespace {

/// A term and its matrix.
struct TermColumns {
  BitTerm Term;
  BitColumns Columns;
};

} // namespace

/// Returns the matrix of \p Term. A term is linear, so that its columns are its
/// values at the unit vectors.
static BitColumns columnsOf(const BitProblem &Problem, const BitTerm &Term) {
  BitColumns Columns;
  for (BitInput Input : Problem.inputs())
    Columns.push_back(
        Input.From == Term.From ? Term.apply(uint64_t(1) << Input.Bit) : 0);
  return Columns;
}

/// Returns true if \p Term reads inputs only. Other bits are always 0, or are
/// bits that f changes itself, which it must not read.
static bool readsInputs(const BitProblem &Problem, const BitTerm &Term) {
  for (unsigned Bit = Term.Shift; Bit < Term.Shift + unsigned(Term.Bits); ++Bit)
    if (llvm::none_of(Problem.inputs(), [&](BitInput Input) {
          return Input.From == Term.From && Input.Bit == Bit;
        }))
      return false;
  return true;
}

/// Lists all terms, in the order of preference: runs of bits, long ones first;
/// reversed runs; then single bits that are copied to several places.
static std::vector<TermColumns> listTerms(const BitProblem &Problem) {
  std::vector<TermColumns> Result;
  auto Add = [&](const BitTerm &Term) {
    if (readsInputs(Problem, Term))
      Result.push_back({Term, columnsOf(Problem, Term)});
  };
  const unsigned Low = Problem.low(), Width = Problem.high() - Low;
  for (bool IsReversed : {false, true})
    for (unsigned Bits = Width; Bits > IsReversed; --Bits)
      for (unsigned Unit = Low; Unit + Bits <= Problem.high(); ++Unit)
        for (BitInput First : Problem.inputs())
          Add({First.From, First.Bit, uint8_t(Bits), IsReversed, 1u << Unit});
  for (uint32_t Mask = 1; Mask < 1u << Width; ++Mask)
    if (!llvm::isPowerOf2_32(Mask))
      for (BitInput Input : Problem.inputs())
        Add({Input.From, Input.Bit, 1, false, Mask << Low});
  return Result;
}

/// Returns true if every bit that is set in \p Part is set in \p Whole.
static bool isWithin(ArrayRef<uint32_t> Part, ArrayRef<uint32_t> Whole) {
  return llvm::all_of(llvm::zip_equal(Part, Whole), [](auto Pair) {
    return (std::get<0>(Pair) & ~std::get<1>(Pair)) == 0;
  });
}

static unsigned countBits(ArrayRef<uint32_t> Columns) {
  unsigned Sum = 0;
  for (uint32_t Column : Columns)
    Sum += llvm::popcount(Column);
  return Sum;
}

SmallVector<BitTerm, 2> cudaopt::findTerms(const BitProblem &Problem,
                                           ArrayRef<uint32_t> Columns) {
  const std::vector<TermColumns> Terms = listTerms(Problem);
  SmallVector<BitTerm, 2> Result;
  BitColumns Rest(Columns.begin(), Columns.end());
  while (countBits(Rest)) {
    const TermColumns *Best = nullptr;
    for (const TermColumns &Term : Terms)
      if (isWithin(Term.Columns, Rest) &&
          (!Best || countBits(Term.Columns) > countBits(Best->Columns)))
        Best = &Term;
    Result.push_back(Best->Term);
    for (auto [Column, Covered] : llvm::zip_equal(Rest, Best->Columns))
      Column ^= Covered;
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Sums of few terms
//===----------------------------------------------------------------------===//

namespace {

/// A sum of terms.
struct Sum {
  SmallVector<BitTerm, 2> Terms;
  BitColumns Columns;
  double Cost;
};

} // namespace

/// Returns the BeamWidth best sums that consist of a sum in \p From and another
/// term, sorted by cost; among equal ones those found first.
static std::vector<Sum> extend(const BitProblem &Problem, ArrayRef<Sum> From,
                               ArrayRef<TermColumns> Terms) {
  std::vector<Sum> Best;
  for (const Sum &Start : From)
    for (const TermColumns &Term : Terms) {
      if (Problem.isSpent())
        return Best;
      const double Limit = Best.size() < BeamWidth
                               ? std::numeric_limits<double>::infinity()
                               : Best.back().Cost * (1 - Tolerance);
      BitColumns Columns = Start.Columns;
      for (auto [Column, Added] : llvm::zip_equal(Columns, Term.Columns))
        Column ^= Added;
      const double Cost = Problem.count(Columns, Limit);
      if (Cost >= Limit)
        continue;
      Sum New{Start.Terms, std::move(Columns), Cost};
      New.Terms.push_back(Term.Term);
      auto Place = llvm::upper_bound(Best, New, [](const Sum &A, const Sum &B) {
        return A.Cost < B.Cost * (1 - Tolerance);
      });
      Best.insert(Place, std::move(New));
      if (Best.size() > BeamWidth)
        Best.pop_back();
      // The first sum that reaches the bound is preferred to all later ones.
      if (Cost <= Problem.bound() * (1 + Tolerance))
        return Best;
    }
  return Best;
}

//===----------------------------------------------------------------------===//
// Any vectors
//===----------------------------------------------------------------------===//

namespace {

/// Searches the matrix of least cost by choosing one column after the other.
/// The cost of a phase is known as soon as all columns are chosen whose inputs
/// are set in it; the other phases count with their bound. A branch is cut when
/// that sum reaches the best cost so far.
class BranchAndBound {
public:
  BranchAndBound(const BitProblem &Problem, double Limit);
  /// Returns the best matrix that costs less than the limit; std::nullopt if
  /// none was found.
  std::optional<BitColumns> run();
  bool isComplete() const { return NumNodes < MaxNodes; }

private:
  void orderInputs();
  void visit(unsigned Depth, double Cost);

  const BitProblem &Problem;
  double Limit;
  unsigned NumNodes = 0;
  SmallVector<unsigned, 16> Order; ///< The inputs, in the order of the choice.
  /// By depth: the phases whose cost is known when so many columns are chosen.
  std::vector<SmallVector<const BitPhase *, 4>> PhasesAt;
  /// The values of a column; those with few bits, which cost few terms, first.
  SmallVector<uint32_t, 32> Values;
  BitColumns Columns;
  std::optional<BitColumns> Best;
};

} // namespace

BranchAndBound::BranchAndBound(const BitProblem &Problem, double Limit)
    : Problem(Problem), Limit(Limit), Columns(Problem.inputs().size(), 0) {
  const unsigned Width = Problem.high() - Problem.low();
  for (uint32_t Value = 0; Value < 1u << Width; ++Value)
    Values.push_back(Value << Problem.low());
  llvm::sort(Values, [](uint32_t A, uint32_t B) {
    return std::pair(llvm::popcount(A), A) < std::pair(llvm::popcount(B), B);
  });
  orderInputs();
}

/// Returns the inputs, as a bit set, that are set in some lane of \p P.
static uint32_t findInvolved(const BitPhase &P) {
  uint32_t Involved = 0;
  for (const BitPhase::Lane &Lane : P.Lanes)
    Involved |= Lane.Inputs;
  return Involved;
}

/// Orders the inputs greedily, such that phases become complete as early as
/// possible: that cuts branches near the root.
void BranchAndBound::orderInputs() {
  std::vector<const BitPhase *> Rest;
  for (const BitPhase &P : Problem.phases())
    Rest.push_back(&P);
  uint32_t Chosen = 0;
  PhasesAt.emplace_back(); // Phases without inputs are known at depth 0.
  while (!Rest.empty()) {
    auto Missing = [&](const BitPhase *P) {
      return llvm::popcount(findInvolved(*P) & ~Chosen);
    };
    const BitPhase *Next =
        *std::min_element(Rest.begin(), Rest.end(), [&](auto *A, auto *B) {
          return Missing(A) < Missing(B);
        });
    for (uint32_t New = findInvolved(*Next) & ~Chosen; New; New &= New - 1) {
      Order.push_back(llvm::countr_zero(New));
      PhasesAt.emplace_back();
    }
    Chosen |= findInvolved(*Next);
    llvm::erase_if(Rest, [&](const BitPhase *P) {
      if (findInvolved(*P) & ~Chosen)
        return false;
      PhasesAt.back().push_back(P);
      return true;
    });
  }
}

std::optional<BitColumns> BranchAndBound::run() {
  visit(0, Problem.bound());
  return Best;
}

/// Chooses the columns from \p Depth on. \p Cost is the cost of the phases that
/// are known at a smaller depth, plus the bound of the others.
void BranchAndBound::visit(unsigned Depth, double Cost) {
  for (const BitPhase *P : PhasesAt[Depth]) {
    Cost += P->Weight * (Problem.countPhase(*P, Columns) - double(P->Bound));
    if (Cost >= Limit)
      return;
  }
  if (Depth == Order.size()) {
    Best = Columns;
    Limit = Cost * (1 - Tolerance);
    return;
  }
  for (uint32_t Value : Values) {
    if (++NumNodes >= MaxNodes || Problem.isSpent())
      break;
    Columns[Order[Depth]] = Value;
    visit(Depth + 1, Cost);
    // The best solution reaches the bound: nothing is left to find.
    if (Limit <= Problem.bound())
      break;
  }
  Columns[Order[Depth]] = 0;
}

/// Improves \p Columns by changing one column at a time until that finds
/// nothing better (a local minimum). Returns the cost.
static double descend(const BitProblem &Problem, BitColumns &Columns) {
  const unsigned Width = Problem.high() - Problem.low();
  double Cost = Problem.count(Columns, std::numeric_limits<double>::infinity());
  for (bool IsImproved = true; IsImproved;) {
    IsImproved = false;
    for (uint32_t &Column : Columns)
      for (uint32_t Value = 0; Value < 1u << Width; ++Value) {
        if (Problem.isSpent())
          return Cost;
        const uint32_t Old = std::exchange(Column, Value << Problem.low());
        const double New = Problem.count(Columns, Cost * (1 - Tolerance));
        if (New < Cost * (1 - Tolerance)) {
          Cost = New;
          IsImproved = true;
        } else {
          Column = Old;
        }
      }
  }
  return Cost;
}

/// Clears the bits of \p Columns that can be cleared at no cost, so that fewer
/// terms are needed.
static void simplify(const BitProblem &Problem, BitColumns &Columns,
                     double Cost) {
  for (uint32_t &Column : Columns)
    for (uint32_t Rest = Column; Rest; Rest &= Rest - 1) {
      const uint32_t Bit = Rest & -Rest;
      Column ^= Bit;
      if (Problem.count(Columns, Cost * (1 + 2 * Tolerance)) >
          Cost * (1 + Tolerance))
        Column ^= Bit;
    }
}

/// Searches the best matrix without regard to terms, and adds it to \p Result
/// if it is better than the sums there. A first search asks only whether a
/// matrix reaches the bound, which cuts most branches. If it finds none,
/// descents give a good solution, and a second search tries to improve on it,
/// or proves that this is not possible.
static void addAnyVectors(const BitProblem &Problem, BitColumns Columns,
                          BitSolutions &Result) {
  double Cost = Problem.count(Columns, std::numeric_limits<double>::infinity());
  auto Take = [&](BitColumns New, double NewCost) {
    if (NewCost >= Cost * (1 - Tolerance))
      return;
    Columns = std::move(New);
    Cost = NewCost;
  };
  const auto Infinity = std::numeric_limits<double>::infinity();
  BranchAndBound Perfect(Problem, Problem.bound() * (1 + Tolerance));
  if (std::optional<BitColumns> Found = Perfect.run()) {
    Take(*Found, Problem.count(*Found, Infinity));
    Result.IsProved = true;
  } else {
    std::mt19937 Random(1);
    const uint32_t Mask = (1u << Problem.high()) - (1u << Problem.low());
    for (unsigned I = 0; I < NumDescents; ++I) {
      BitColumns Start = Columns;
      if (I > 0)
        for (uint32_t &Column : Start)
          Column = Random() & Mask;
      const double New = descend(Problem, Start);
      Take(std::move(Start), New);
    }
    BranchAndBound Better(Problem, Cost * (1 - Tolerance));
    if (std::optional<BitColumns> Found = Better.run())
      Take(*Found, Problem.count(*Found, Infinity));
    Result.IsProved = Better.isComplete();
  }
  simplify(Problem, Columns, Cost);
  if (Result.Best.empty() || Cost < Result.Best.back().Cost * (1 - Tolerance))
    Result.Best.push_back({findTerms(Problem, Columns), Cost});
}

BitSolutions cudaopt::solve(const BitProblem &Problem) {
  BitSolutions Result;
  const BitColumns None(Problem.inputs().size(), 0);
  double Least = Problem.count(None, std::numeric_limits<double>::infinity());
  const std::vector<TermColumns> Terms = listTerms(Problem);
  std::vector<Sum> Beam = {{{}, None, Least}};
  BitColumns Best = None;
  for (unsigned I = 0; I < MaxTerms; ++I) {
    if (Least <= Problem.bound() * (1 + Tolerance))
      break;
    Beam = extend(Problem, Beam, Terms);
    if (Beam.empty() || Beam.front().Cost >= Least * (1 - Tolerance))
      continue;
    Least = Beam.front().Cost;
    Best = Beam.front().Columns;
    Result.Best.push_back({Beam.front().Terms, Least});
  }
  Result.IsProved = true;
  if (Least > Problem.bound() * (1 + Tolerance) && !Problem.isSpent())
    addAnyVectors(Problem, Best, Result);
  Result.IsProved &= Problem.isComplete();
  return Result;
}
