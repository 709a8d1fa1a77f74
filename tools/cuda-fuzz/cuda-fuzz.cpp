// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The fuzzer: generates random kernels, has cuda-opt rewrite them, and lets
/// the interpreter judge the results.
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Decorator.h"
#include "FuzzCommandLine.h"
#include "KernelGenerator.h"
#include "KernelText.h"
#include "Minimizer.h"
#include "Results.h"
#include "ShimProgram.h"
#include "Workers.h"

#include "cudaopt/Driver/Delivery/Output.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

using namespace cudaopt;
using namespace cudaopt::fuzz;
using namespace llvm;

namespace {

constexpr unsigned SecondsABatch = 300, SecondsAKernel = 60;
/// After MaxFailures failures no new batch is started, and only the first
/// MaxMinimised are minimized: more of them add nothing new.
constexpr unsigned MaxFailures = 20, MaxMinimised = 3;

/// One run of the fuzzer.
class Fuzzer {
public:
  explicit Fuzzer(const FuzzCommandLine &Line) : Line(Line) {}

  /// Runs the fuzzer and returns the exit code.
  int run();

private:
  int writeShim(ShimTarget Target, StringRef Path);
  IdiomSet allowedIdioms() const;
  Kernel makeKernel(uint64_t Number) const;
  std::vector<Kernel> kernelsOf(uint64_t Batch) const;
  BatchOptions optionsOf(bool ComparesAll) const;
  std::string runBatchHere(ArrayRef<Kernel> Kernels, bool ComparesAll) const;
  KernelResult runAlone(const Kernel &K, bool ComparesAll) const;
  bool takeReply(uint64_t Batch, Reply R);
  void take(KernelResult Result);
  void showProgress() const;
  void reportFailure(const KernelResult &Result, bool Minimises) const;
  void reportSurvivors(const KernelResult &Result) const;
  void keep(const Twine &Name, StringRef Text) const;

  const FuzzCommandLine &Line;
  Tally Counts;
  uint64_t NumDone = 0, NumFailures = 0;
  std::map<uint64_t, KernelResult> Failures; ///< By number of the kernel.
  std::map<uint64_t, std::string> Refusals;  ///< By number of the kernel.
};

} // namespace

static int fail(const Twine &Message) {
  errs() << "cuda-fuzz: error: " << Message << '\n';
  return 2;
}

/// Returns the idioms that the requested target can run; the shim, for example,
/// lacks asynchronous copies.
IdiomSet Fuzzer::allowedIdioms() const {
  IdiomSet Result = Line.Idioms;
  auto drop = [&](IdiomJudge Judge) {
    for (unsigned Kind = 0; Kind < NumIdioms; ++Kind)
      if (IdiomJudges[Kind] == Judge ||
          IdiomJudges[Kind] == IdiomJudge::Interpreter)
        Result.reset(Kind);
  };
  if (!Line.Shim.empty())
    drop(IdiomJudge::Device);
  else if (!Line.Device.empty())
    drop(IdiomJudge::Clang);
  return Result;
}

/// Returns kernel \p Number, which depends only on the seed and the options.
Kernel Fuzzer::makeKernel(uint64_t Number) const {
  Kernel K = Line.Idioms.any()
                 ? generateIdioms(Line.Seed, Number, allowedIdioms())
             : Line.HasPhases ? generatePhases(Line.Seed, Number)
                              : generateKernel(Line.Seed, Number);
  if (Line.Idioms.any())
    return K;
  // Mutants damage arrays that keep their dimensions, which requested layouts
  // often do not.
  if (Line.Mutants || Line.Planted)
    for (Array &A : K.Arrays)
      A.Wanted = WantedLayout::Auto;
  else
    addFeatures(K, Line.Seed, Line.Features);
  return K;
}

std::vector<Kernel> Fuzzer::kernelsOf(uint64_t Batch) const {
  std::vector<Kernel> Kernels;
  uint64_t Begin = Batch * Line.Batch;
  uint64_t End = std::min<uint64_t>(Begin + Line.Batch, Line.Count);
  for (uint64_t I = Begin; I < End; ++I)
    Kernels.push_back(makeKernel(Line.First + I));
  return Kernels;
}

BatchOptions Fuzzer::optionsOf(bool ComparesAll) const {
  BatchOptions Options;
  Options.Executable = Line.Executable;
  Options.Pipeline = Line.Pipeline;
  Options.Seed = Line.Seed;
  Options.MakesMutants = Line.Mutants;
  Options.ComparesAll = ComparesAll;
  Options.Planted = Line.Planted;
  return Options;
}

/// Runs a batch in this process, which is a child.
std::string Fuzzer::runBatchHere(ArrayRef<Kernel> Kernels,
                                 bool ComparesAll) const {
  Expected<std::vector<KernelResult>> Results =
      runBatch(Kernels, optionsOf(ComparesAll));
  if (!Results)
    return toString(Results.takeError());
  return writeResults(*Results);
}

/// Runs one kernel in a child of its own. A crash, and a text that clang
/// rejects, are results.
KernelResult Fuzzer::runAlone(const Kernel &K, bool ComparesAll) const {
  Reply R =
      runInChild(SecondsAKernel, [&] { return runBatchHere(K, ComparesAll); });
  if (R.Death.empty())
    if (auto Results = readResults(R.Text))
      return std::move(Results->front());
  KernelResult Result;
  Result.Number = K.Number;
  Result.Features = K.Features;
  Result.What = R.Death.empty() ? Outcome::OriginalIsBroken : Outcome::Crashed;
  Result.Detail = R.Death.empty() ? R.Text : R.Death;
  return Result;
}

/// Adds a result to the totals, and keeps it if it must be reported.
void Fuzzer::take(KernelResult Result) {
  Counts.add(Result);
  ++NumDone;
  if (!Result.Refusal.empty())
    Refusals.emplace(Result.Number, Result.Refusal);
  bool IsBad = Result.isFailure() || Result.isDiscarded() ||
               Result.What == Outcome::Unsupported;
  for (const MutantResult &M : Result.Mutants)
    IsBad |= M.survives();
  uint64_t Number = Result.Number;
  NumFailures +=
      IsBad && Result.What != Outcome::Unsupported && !Result.isDiscarded();
  if (IsBad)
    Failures.emplace(Number, std::move(Result));
}

void Fuzzer::showProgress() const {
  if (!Line.IsQuiet && sys::Process::StandardErrIsDisplayed())
    errs() << '\r' << NumDone << " of " << Line.Count << " kernels";
}

/// Handles the reply of a batch; returns false if no further batch shall start.
bool Fuzzer::takeReply(uint64_t Batch, Reply R) {
  auto Results = R.Death.empty() ? readResults(R.Text) : std::nullopt;
  if (Results) {
    for (KernelResult &Result : *Results)
      take(std::move(Result));
  } else {
    // Some kernel of the batch is to blame: each one is tried alone.
    for (const Kernel &K : kernelsOf(Batch))
      take(runAlone(K, false));
  }
  showProgress();
  return NumFailures < MaxFailures;
}

void Fuzzer::keep(const Twine &Name, StringRef Text) const {
  if (Line.Keep.empty())
    return;
  SmallString<128> Path(Line.Keep);
  sys::path::append(Path, Twine(Line.Seed) + "-" + Name + ".cu");
  if (Error E = writeFile(Path, (getKernelPrelude() + Text).str()))
    fail(toString(std::move(E)));
}

/// Prints a failure and, if \p Minimises, the smallest kernel that fails in the
/// same way, before and after cuda-opt.
void Fuzzer::reportFailure(const KernelResult &Result, bool Minimises) const {
  Kernel K = makeKernel(Result.Number);
  outs() << nameOf(Result.What) << ": kernel " << Result.Number << " of seed "
         << Line.Seed << ": " << Result.Detail << '\n';
  if (!Result.isFailure())
    return;
  keep(Twine(Result.Number), printKernel(K).Text);
  if (!Minimises)
    return;
  Kernel Small = minimize(K, [&](const Kernel &Smaller) {
    return runAlone(Smaller, true).What == Result.What;
  });
  KernelResult Last = runAlone(Small, true);
  outs() << "minimised: " << Last.Detail << '\n' << printKernel(Small).Text;
  keep(Twine(Result.Number) + "-small", printKernel(Small).Text);
  Reply Rewritten = runInChild(SecondsAKernel, [&] {
    Expected<std::string> Text = rewriteText(Small, optionsOf(true));
    return Text ? *Text : toString(Text.takeError());
  });
  if (!Rewritten.Death.empty())
    return;
  outs() << "rewritten:\n" << Rewritten.Text;
  keep(Twine(Result.Number) + "-small-rewritten", Rewritten.Text);
}

void Fuzzer::reportSurvivors(const KernelResult &Result) const {
  for (const MutantResult &M : Result.Mutants) {
    if (!M.survives())
      continue;
    outs() << "survivor: mutant " << nameOf(M.Kind) << " of kernel "
           << Result.Number << " of seed " << Line.Seed << ": "
           << nameOf(M.What) << ": " << M.Detail << '\n'
           << M.Text;
    keep(Twine(Result.Number) + "-" + nameOf(M.Kind), M.Text);
  }
}

/// Writes the kernels, before and after, for another compiler.
int Fuzzer::writeShim(ShimTarget Target, StringRef Path) {
  std::vector<Kernel> Kernels;
  for (uint64_t I = 0; I < Line.Count; ++I)
    Kernels.push_back(makeKernel(Line.First + I));
  std::vector<KernelPair> Pairs;
  for (size_t I = 0; I < Kernels.size(); I += Line.Batch) {
    Expected<std::vector<KernelPair>> Some = makePairs(
        ArrayRef(Kernels).slice(I).take_front(Line.Batch), optionsOf(false));
    if (!Some)
      return fail(toString(Some.takeError()));
    append_range(Pairs, *Some);
  }
  if (Error E = writeFile(Path, makeShimProgram(Target, Kernels, Pairs)))
    return fail(toString(std::move(E)));
  return 0;
}

/// Runs batches in child processes, then reports failures and minimizes the
/// first ones.
int Fuzzer::run() {
  if (Line.PrintsKernels) {
    outs() << getKernelPrelude();
    for (uint64_t I = 0; I < Line.Count; ++I)
      outs() << printKernel(makeKernel(Line.First + I)).Text;
    return 0;
  }
  if (Line.Idioms.any() && allowedIdioms().none())
    return fail("none of these idioms can be written so");
  if (!Line.Shim.empty())
    return writeShim(ShimTarget::Host, Line.Shim);
  if (!Line.Device.empty())
    return writeShim(ShimTarget::Device, Line.Device);
  if (!Line.Keep.empty())
    if (std::error_code EC = sys::fs::create_directories(Line.Keep))
      return fail(Line.Keep + ": " + EC.message());
  unsigned Jobs = Line.Jobs ? Line.Jobs : std::thread::hardware_concurrency();
  auto Start = std::chrono::steady_clock::now();
  runInChildren(
      (Line.Count + Line.Batch - 1) / Line.Batch, std::max(Jobs, 1u),
      SecondsABatch,
      [&](uint64_t Batch) { return runBatchHere(kernelsOf(Batch), false); },
      [&](uint64_t Batch, Reply R) { return takeReply(Batch, std::move(R)); });
  std::chrono::duration<double> Seconds =
      std::chrono::steady_clock::now() - Start;
  unsigned NumMinimised = 0;
  for (const auto &[_, Result] : Failures) {
    if (Result.What != Outcome::ProvedEqual &&
        !(Result.isDiscarded() && Line.IsQuiet))
      reportFailure(Result, NumMinimised < MaxMinimised);
    NumMinimised += Result.isFailure();
    reportSurvivors(Result);
  }
  for (const auto &[Number, Why] : Refusals)
    outs() << "Refused: kernel " << Number << " of seed " << Line.Seed << ": "
           << Why << '\n';
  Counts.print(outs(), Seconds.count());
  return Counts.hasFailures();
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  Expected<FuzzCommandLine> Line = parseFuzzCommandLine(ArrayRef(argv, argc));
  if (!Line)
    return fail(toString(Line.takeError()));
  if (Line->IsHelp) {
    printFuzzHelp(outs());
    return 0;
  }
  return Fuzzer(*Line).run();
}
