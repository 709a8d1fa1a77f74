// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Results as JSON, which children write and the parent reads, and the totals.
//===----------------------------------------------------------------------===//

#include "Results.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace cudaopt::fuzz {

static json::Value toJSON(const MutantResult &M) {
  return json::Array{unsigned(M.Kind), unsigned(M.What),
                     json::fixUTF8(M.Detail), M.Text};
}

static json::Value toJSON(const KernelResult &R) {
  json::Array Mutants;
  for (const MutantResult &M : R.Mutants)
    Mutants.push_back(toJSON(M));
  return json::Array{R.Number,           R.IsRewritten,
                     unsigned(R.What),   json::fixUTF8(R.Detail),
                     std::move(Mutants), R.Features.to_ullong(),
                     utohexstr(R.Sum),   json::fixUTF8(R.Refusal)};
}

std::string writeResults(ArrayRef<KernelResult> Results) {
  json::Array All;
  for (const KernelResult &R : Results)
    All.push_back(toJSON(R));
  return formatv("{0}", json::Value(std::move(All)));
}

/// Returns element \p I of \p A as a string. The input was written by this
/// file, so that it is not validated.
static std::string stringAt(const json::Array &A, size_t I) {
  return A[I].getAsString().value_or("").str();
}

static KernelResult readResult(const json::Array &A) {
  KernelResult R;
  R.Number = A[0].getAsUINT64().value_or(0);
  R.IsRewritten = A[1].getAsBoolean().value_or(false);
  R.What = Outcome(A[2].getAsInteger().value_or(0));
  R.Detail = stringAt(A, 3);
  for (const json::Value &V : *A[4].getAsArray()) {
    const json::Array &M = *V.getAsArray();
    R.Mutants.push_back({MutantKind(M[0].getAsInteger().value_or(0)),
                         Outcome(M[1].getAsInteger().value_or(0)),
                         stringAt(M, 2), stringAt(M, 3)});
  }
  R.Features = FeatureSet(A[5].getAsUINT64().value_or(0));
  // JSON has no unsigned integers of 64 bits.
  StringRef(stringAt(A, 6)).getAsInteger(16, R.Sum);
  R.Refusal = stringAt(A, 7);
  return R;
}

std::optional<std::vector<KernelResult>> readResults(StringRef Text) {
  Expected<json::Value> All = json::parse(Text);
  if (!All || !All->getAsArray()) {
    consumeError(All.takeError());
    return std::nullopt;
  }
  std::vector<KernelResult> Results;
  for (const json::Value &V : *All->getAsArray())
    Results.push_back(readResult(*V.getAsArray()));
  return Results;
}

void Tally::add(const KernelResult &Result) {
  ++Kernels;
  Rewritten += Result.IsRewritten;
  Pairs += Result.What != Outcome::Kept;
  ++Outcomes[unsigned(Result.What)];
  Discarded += Result.isDiscarded();
  Refused += !Result.Refusal.empty();
  Sum += Result.Sum;
  for (unsigned Of = 0; Of < NumFeatures; ++Of)
    if (Result.Features.test(Of)) {
      ++Features[Of].Kernels;
      Features[Of].Rewritten += Result.IsRewritten;
      Features[Of].Discarded += Result.isDiscarded();
      Features[Of].Failures += Result.isFailure();
    }
  for (const MutantResult &M : Result.Mutants) {
    MutantCount &Count = Mutants[unsigned(M.Kind)];
    if (M.survives())
      ++Count.Survived;
    else
      ++(M.What == Outcome::Different ? Count.Killed : Count.Equal);
  }
}

/// A mutant that survives is a failure of the judge; a broken original is one
/// of the generator, unless the kernel was discarded.
bool Tally::hasFailures() const {
  for (const MutantCount &M : Mutants)
    if (M.Survived)
      return true;
  for (Outcome Bad :
       {Outcome::Different, Outcome::DoesNotCompile, Outcome::Crashed})
    if (Outcomes[unsigned(Bad)])
      return true;
  return Outcomes[unsigned(Outcome::OriginalIsBroken)] > Discarded;
}

void Tally::printFeatures(raw_ostream &OS) const {
  if (!any_of(Features, [](const FeatureCount &F) { return F.Kernels > 0; }))
    return;
  OS << "discarded for defects of their own " << Discarded;
  for (unsigned Of = 0; Of < NumFeatures; ++Of) {
    const FeatureCount &F = Features[Of];
    OS << "; " << FeatureNames[Of] << ' ' << F.Kernels << " (rewritten "
       << F.Rewritten << ", discarded " << F.Discarded << ", failures "
       << F.Failures << ")";
  }
  OS << '\n';
}

void Tally::print(raw_ostream &OS, double Seconds) const {
  auto Count = [&](Outcome What) { return Outcomes[unsigned(What)]; };
  OS << "kernels " << Kernels << ", pairs " << Pairs << ", rewritten "
     << Rewritten << ", proved equal " << Count(Outcome::ProvedEqual)
     << ", equal on inputs " << Count(Outcome::EqualOn) << ", kept "
     << Kernels - Rewritten << ", different "
     << Count(Outcome::Different) + Count(Outcome::DoesNotCompile)
     << ", broken originals " << Count(Outcome::OriginalIsBroken) - Discarded
     << ", unsupported " << Count(Outcome::Unsupported) << ", crashes "
     << Count(Outcome::Crashed) << "; " << format("%.1f s, ", Seconds)
     << format("%.0f pairs a minute\n", Pairs / Seconds * 60);
  printFeatures(OS);
  printMutants(OS);
  if (Refused)
    OS << "refused by checks of the plan " << Refused << '\n';
  OS << "texts and results: sum " << format_hex_no_prefix(Sum, 16) << '\n';
}

void Tally::printMutants(raw_ostream &OS) const {
  MutantCount All;
  std::string Text;
  raw_string_ostream Kinds(Text);
  for (unsigned Kind = 0; Kind < NumMutantKinds; ++Kind) {
    const MutantCount &M = Mutants[Kind];
    uint64_t Number = M.Killed + M.Equal + M.Survived;
    if (!Number)
      continue;
    Kinds << "; " << nameOf(MutantKind(Kind)) << ' ' << Number << " (killed "
          << M.Killed << ", proved equal " << M.Equal << ", survived "
          << M.Survived << ")";
    All.Killed += M.Killed;
    All.Equal += M.Equal;
    All.Survived += M.Survived;
  }
  if (!Text.empty())
    OS << "mutants " << All.Killed + All.Equal + All.Survived << ", killed "
       << All.Killed << ", proved equal " << All.Equal << ", survived "
       << All.Survived << Text << '\n';
}

} // namespace cudaopt::fuzz
