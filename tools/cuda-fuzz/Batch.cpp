// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs batches: the kernels are one file for cuda-opt and one program for the
/// interpreter. If the rewritten file does not compile, each kernel is tried
/// alone.
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "KernelText.h"
#include "Rewriter.h"

#include "cudaopt/Equivalence/Equivalence.h"

#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace cudaopt::fuzz {

StringRef nameOf(Outcome What) {
  switch (What) {
  case Outcome::Kept:
    return "Kept";
  case Outcome::DoesNotCompile:
    return "DoesNotCompile";
  case Outcome::Crashed:
    return "Crashed";
  case Outcome::ProvedEqual:
    return cudaopt::nameOf(VerdictKind::ProvedEqual);
  case Outcome::EqualOn:
    return cudaopt::nameOf(VerdictKind::EqualOn);
  case Outcome::Different:
    return cudaopt::nameOf(VerdictKind::Different);
  case Outcome::OriginalIsBroken:
    return cudaopt::nameOf(VerdictKind::OriginalIsBroken);
  case Outcome::Unsupported:
    return cudaopt::nameOf(VerdictKind::Unsupported);
  }
  return "";
}

static Outcome outcomeOf(VerdictKind Kind) {
  switch (Kind) {
  case VerdictKind::ProvedEqual:
    return Outcome::ProvedEqual;
  case VerdictKind::EqualOn:
    return Outcome::EqualOn;
  case VerdictKind::Different:
    return Outcome::Different;
  case VerdictKind::OriginalIsBroken:
    return Outcome::OriginalIsBroken;
  case VerdictKind::Unsupported:
    return Outcome::Unsupported;
  }
  return Outcome::Unsupported;
}

namespace {

/// Takes the kernels of one batch through all steps.
class BatchRunner {
public:
  BatchRunner(ArrayRef<Kernel> Kernels, const BatchOptions &Options)
      : Kernels(Kernels), Options(Options) {}

  Error run();
  std::vector<KernelResult> takeResults() { return std::move(Results); }
  /// Makes the texts of all kernels, and the edits of cuda-opt in each.
  Error rewriteAll(const Rewriter &R);
  std::string rewrittenText(size_t I) const {
    return applyEdits(Texts[I].Text, Changes[I]);
  }
  const KernelText &originalText(size_t I) const { return Texts[I]; }

private:
  bool isCompared(size_t I) const {
    return Options.ComparesAll || Results[I].IsRewritten ||
           Kernels[I].Number % KeptPeriod == 0;
  }
  std::optional<FileEdits> mutantOf(size_t I, MutantKind Kind) const;
  void compareAll(const Rewriter &R, LoadedProgram &Original);
  void runMutants(const Rewriter &R, MutantKind Kind, LoadedProgram &Original);
  Verdict compare(size_t I, LoadedProgram &Original, LoadedProgram &Changed);
  void compareOne(const Rewriter &R, size_t I, LoadedProgram &Original);
  void addMutant(size_t I, MutantKind Kind, Verdict V, const std::string &Text);

  ArrayRef<Kernel> Kernels;
  const BatchOptions &Options;
  std::vector<KernelText> Texts;
  std::vector<FileEdits> Changes; ///< The edits in each kernel's own text.
  std::vector<KernelResult> Results;
};

} // namespace

/// Returns the edits of \p All in [Begin, End), with offsets relative to Begin.
static FileEdits sliceEdits(const FileEdits &All, unsigned Begin,
                            unsigned End) {
  FileEdits Result;
  for (auto I = All.lower_bound(Begin); I != All.end() && I->first < End; ++I)
    Result[I->first - Begin] = {I->first - Begin, I->second.Length,
                                I->second.Text};
  return Result;
}

std::optional<FileEdits> BatchRunner::mutantOf(size_t I,
                                               MutantKind Kind) const {
  Random Choice(Options.Seed + 1 + unsigned(Kind), Kernels[I].Number);
  return mutate(Kind, Texts[I], Changes[I], Choice);
}

/// One file contains all kernels; the edits are cut apart by the offsets of the
/// kernels' texts.
Error BatchRunner::rewriteAll(const Rewriter &R) {
  std::string Source = getKernelPrelude().str();
  for (const Kernel &K : Kernels) {
    Texts.push_back(printKernel(K));
    Source += Texts.back().Text;
  }
  Expected<Rewriting> All = R.rewrite(Source);
  if (!All)
    return All.takeError();
  unsigned Begin = unsigned(getKernelPrelude().size());
  for (size_t I = 0; I < Kernels.size(); ++I) {
    unsigned End = Begin + unsigned(Texts[I].Text.size());
    Changes.push_back(sliceEdits(All->Edits, Begin, End));
    Begin = End;
    if (Options.Planted && !Changes[I].empty())
      if (auto Wrong = mutantOf(I, *Options.Planted))
        Changes[I] = std::move(*Wrong);
    KernelResult Result;
    Result.Number = Kernels[I].Number;
    Result.Features = Kernels[I].Features;
    Result.IsRewritten = !Changes[I].empty();
    const std::string Name = Kernels[I].name();
    for (const RefusedKernel &Refused : All->Refusals)
      if (Result.Refusal.empty() && StringRef(Refused.Kernel).contains(Name))
        Result.Refusal = Refused.Why;
    Results.push_back(std::move(Result));
  }
  return Error::success();
}

/// Compares a kernel in all of its launch shapes.
Verdict BatchRunner::compare(size_t I, LoadedProgram &Original,
                             LoadedProgram &Changed) {
  const Kernel &K = Kernels[I];
  LaunchShape Shape;
  Shape.Grid = {K.Grid, 1, 1};
  Shape.Block = K.launchedBlock();
  Shape.DynamicShared = K.dynamicBytes();
  std::vector<LaunchShape> Shapes = {Shape};
  if (K.OtherBlock) {
    Shape.Block = *K.OtherBlock;
    Shapes.push_back(Shape);
  }
  return compareKernels(*Original.Image, Original.Memory, *Changed.Image,
                        Changed.Memory, Original.findKernel(K.name()), Shapes);
}

/// Compares a kernel alone, when the batch does not compile as a whole.
void BatchRunner::compareOne(const Rewriter &R, size_t I,
                             LoadedProgram &Original) {
  Expected<std::unique_ptr<LoadedProgram>> Changed =
      R.load(getKernelPrelude().str() + rewrittenText(I));
  if (!Changed) {
    Results[I].What = Outcome::DoesNotCompile;
    Results[I].Detail = toString(Changed.takeError());
    return;
  }
  Verdict V = compare(I, Original, **Changed);
  Results[I].What = outcomeOf(V.Kind);
  Results[I].Detail = std::move(V.Detail);
}

/// Compiles all rewritten kernels as one program.
void BatchRunner::compareAll(const Rewriter &R, LoadedProgram &Original) {
  std::string Source = getKernelPrelude().str();
  for (size_t I = 0; I < Kernels.size(); ++I)
    if (isCompared(I))
      Source += rewrittenText(I);
  Expected<std::unique_ptr<LoadedProgram>> Changed = R.load(Source);
  for (size_t I = 0; I < Kernels.size(); ++I) {
    if (!isCompared(I))
      continue;
    if (!Changed) {
      compareOne(R, I, Original);
      continue;
    }
    Verdict V = compare(I, Original, **Changed);
    Results[I].What = outcomeOf(V.Kind);
    Results[I].Detail = std::move(V.Detail);
  }
  consumeError(Changed.takeError());
}

void BatchRunner::addMutant(size_t I, MutantKind Kind, Verdict V,
                            const std::string &Text) {
  MutantResult Result{Kind, outcomeOf(V.Kind), std::move(V.Detail), ""};
  if (Result.survives())
    Result.Text = Text;
  Results[I].Mutants.push_back(std::move(Result));
}

/// Compares a mutant of each kernel that was proved equal; about the others a
/// surviving mutant would say nothing.
void BatchRunner::runMutants(const Rewriter &R, MutantKind Kind,
                             LoadedProgram &Original) {
  std::vector<std::string> Mutants(Kernels.size());
  std::string Source = getKernelPrelude().str();
  for (size_t I = 0; I < Kernels.size(); ++I) {
    if (!Results[I].IsRewritten || Results[I].What != Outcome::ProvedEqual)
      continue;
    std::optional<FileEdits> Edits = mutantOf(I, Kind);
    if (!Edits)
      continue;
    Mutants[I] = applyEdits(Texts[I].Text, *Edits);
    Source += Mutants[I];
  }
  Expected<std::unique_ptr<LoadedProgram>> Changed = R.load(Source);
  std::string Failure = toString(Changed.takeError());
  for (size_t I = 0; I < Kernels.size(); ++I) {
    if (Mutants[I].empty())
      continue;
    Verdict V;
    V.Detail = Failure;
    if (Failure.empty())
      V = compare(I, Original, **Changed);
    addMutant(I, Kind, std::move(V), Mutants[I]);
  }
}

/// Rewrites all kernels, compares them with the originals and, if asked for,
/// compares mutants as well.
Error BatchRunner::run() {
  Expected<Rewriter> R = Rewriter::create(Options.Executable, Options.Pipeline);
  if (!R)
    return R.takeError();
  if (Error E = rewriteAll(*R))
    return E;
  std::string Source = getKernelPrelude().str();
  for (size_t I = 0; I < Kernels.size(); ++I)
    if (isCompared(I))
      Source += Texts[I].Text;
  Expected<std::unique_ptr<LoadedProgram>> Original = R->load(Source);
  if (!Original)
    return Original.takeError();
  compareAll(*R, **Original);
  for (size_t I = 0; I < Kernels.size(); ++I)
    Results[I].Sum = xxh3_64bits(Texts[I].Text + rewrittenText(I) +
                                 nameOf(Results[I].What).str());
  if (Options.MakesMutants)
    for (unsigned Kind = 0; Kind < NumMutantKinds; ++Kind)
      runMutants(*R, MutantKind(Kind), **Original);
  return Error::success();
}

Expected<std::vector<KernelResult>> runBatch(ArrayRef<Kernel> Kernels,
                                             const BatchOptions &Options) {
  BatchRunner Runner(Kernels, Options);
  if (Error E = Runner.run())
    return std::move(E);
  return Runner.takeResults();
}

Expected<std::vector<KernelPair>> makePairs(ArrayRef<Kernel> Kernels,
                                            const BatchOptions &Options) {
  Expected<Rewriter> R = Rewriter::create(Options.Executable, Options.Pipeline);
  if (!R)
    return R.takeError();
  BatchRunner Runner(Kernels, Options);
  if (Error E = Runner.rewriteAll(*R))
    return std::move(E);
  std::vector<KernelPair> Pairs;
  for (size_t I = 0; I < Kernels.size(); ++I)
    Pairs.push_back({Runner.originalText(I), Runner.rewrittenText(I)});
  return Pairs;
}

Expected<std::string> rewriteText(const Kernel &K,
                                  const BatchOptions &Options) {
  Expected<Rewriter> R = Rewriter::create(Options.Executable, Options.Pipeline);
  if (!R)
    return R.takeError();
  BatchRunner Runner(K, Options);
  if (Error E = Runner.rewriteAll(*R))
    return std::move(E);
  return Runner.rewrittenText(0);
}

} // namespace cudaopt::fuzz
