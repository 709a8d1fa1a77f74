// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The search among layouts linear over two elements: few terms first, then any
/// vectors, by branch and bound and by descent.
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

/// Sums of terms that are continued by one term more.
static constexpr size_t BeamWidth = 16;
static constexpr unsigned MaxTerms = 3;
/// Partial vectors that branch and bound looks at.
static constexpr unsigned MaxNodes = 40000;
static constexpr unsigned NumDescents = 6;
static constexpr double Tolerance = 1e-9;

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

namespace {

/// A term and the vectors that it adds.
struct TermColumns {
  BitTerm Term;
  BitColumns Columns;
};

} // namespace

static BitColumns columnsOf(const BitProblem &Problem, const BitTerm &Term) {
  BitColumns Columns;
  for (BitInput Input : Problem.inputs())
    Columns.push_back(
        Input.From == Term.From ? Term.apply(uint64_t(1) << Input.Bit) : 0);
  return Columns;
}

/// True if \p Term reads inputs only: others would be read in vain, or are
/// changed themselves.
static bool readsInputs(const BitProblem &Problem, const BitTerm &Term) {
  for (unsigned Bit = Term.Shift; Bit < Term.Shift + unsigned(Term.Bits); ++Bit)
    if (llvm::none_of(Problem.inputs(), [&](BitInput Input) {
          return Input.From == Term.From && Input.Bit == Bit;
        }))
      return false;
  return true;
}

/// Lists the terms, in the order of their length in the text.
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

/// True if all that \p Part sets is set in \p Whole.
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

/// A sum of terms, as far as it has got.
struct Sum {
  SmallVector<BitTerm, 2> Terms;
  BitColumns Columns;
  double Cost;
};

} // namespace

/// Returns the best sums of one of \p From and a term more; at equal cost those
/// found first.
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
      // Nothing after the first sum at the bound is preferred to it.
      if (Cost <= Problem.bound() * (1 + Tolerance))
        return Best;
    }
  return Best;
}

//===----------------------------------------------------------------------===//
// Any vectors
//===----------------------------------------------------------------------===//

namespace {

/// Finds the vectors of least cost, one after the other: as soon as all vectors
/// that concern a phase are chosen, its cost is known.
class BranchAndBound {
public:
  BranchAndBound(const BitProblem &Problem, double Limit);
  /// Returns the best columns cheaper than the limit, if any are found.
  std::optional<BitColumns> run();
  bool isComplete() const { return NumNodes < MaxNodes; }

private:
  void orderInputs();
  void visit(unsigned Depth, double Cost);

  const BitProblem &Problem;
  double Limit;
  unsigned NumNodes = 0;
  SmallVector<unsigned, 16> Order;
  std::vector<SmallVector<const BitPhase *, 4>> PhasesAt; ///< By depth.
  SmallVector<uint32_t, 32> Values; ///< With few bits first.
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

static uint32_t findInvolved(const BitPhase &P) {
  uint32_t Involved = 0;
  for (const BitPhase::Lane &Lane : P.Lanes)
    Involved |= Lane.Inputs;
  return Involved;
}

/// Puts first the inputs that complete a phase soonest.
void BranchAndBound::orderInputs() {
  std::vector<const BitPhase *> Rest;
  for (const BitPhase &P : Problem.phases())
    Rest.push_back(&P);
  uint32_t Chosen = 0;
  PhasesAt.emplace_back(); // Those without any input.
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

/// \p Cost is that of the phases known so far, plus the bound of the others.
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
    // The bound is reached: nothing is left to find.
    if (Limit <= Problem.bound())
      break;
  }
  Columns[Order[Depth]] = 0;
}

/// Improves one column at a time until none can be improved.
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

/// Clears the bits without which \p Columns cost no more.
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

/// Adds to \p Result the best vectors of any kind that are found.
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
