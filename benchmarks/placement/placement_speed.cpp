// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares the rules of thumb, those of other compilers and the exact search:
/// heights over the lower bound, proofs and seconds. Fails if any rule is
/// better than the search, or the search wrong.
///
/// placement_speed [FOLDER [STEPS]] prints the tables; with a --benchmark_
/// option it then measures single calls.
//===----------------------------------------------------------------------===//

#include "Instances.h"
#include "Peers.h"
#include "cudaopt/Placement/Solver.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace cudaopt;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point Begin) {
  return std::chrono::duration<double>(Clock::now() - Begin).count();
}

namespace {

struct Rule {
  const char *Name;
  Placement (*Place)(const PlacementProblem &);
};

/// What a set of problems showed.
struct Tally {
  unsigned Problems = 0, Proved = 0, Errors = 0, Beaten = 0, Gaps = 0;
  std::array<double, 6> Ratios = {}; ///< Summed, by rule.
  double Ratio = 0, Seconds = 0, MostSeconds = 0;
  bool isBad() const { return Errors || Beaten || Gaps; }
};

} // namespace

static constexpr std::array<Rule, 6> Rules = {{
    {"colour", placeByColouring},
    {"size", placeBySize},
    {"scan", placeByLinearScan},
    {"Triton", placeLikeTriton},
    {"IREE", placeLikeIree},
    {"TVM", placeLikeTvm},
}};

static void complain(const char *Who, const std::string &What) {
  std::fprintf(stderr, "error: %s: %s\n", Who, What.c_str());
}

static SolvedPlacement compare(const PlacementProblem &Problem,
                               const SolverLimits &Limits, Tally &T,
                               std::array<double, Rules.size()> &Ratios) {
  const auto Begin = Clock::now();
  const SolvedPlacement S = placeExactly(Problem, Limits);
  const double Seconds = secondsSince(Begin);
  T.Seconds += Seconds;
  T.MostSeconds = std::max(T.MostSeconds, Seconds);
  ++T.Problems;
  T.Proved += S.IsOptimal;
  const double Bound = std::max<uint64_t>(S.LowerBound, 1);
  T.Ratio += S.Best.Height / Bound;
  if (std::string Error = findPlacementError(Problem, S.Best); !Error.empty()) {
    ++T.Errors;
    complain("exact", Error);
  }
  for (size_t R = 0; R < Rules.size(); ++R) {
    const Placement P = Rules[R].Place(Problem);
    Ratios[R] = P.Height / Bound;
    T.Ratios[R] += Ratios[R];
    if (std::string Error = findPlacementError(Problem, P); !Error.empty()) {
      ++T.Errors;
      complain(Rules[R].Name, Error);
    }
    if (P.Height < S.Best.Height) {
      ++T.Beaten;
      complain(Rules[R].Name, "better than the search");
    }
  }
  return S;
}

static void printHead(const char *First) {
  std::printf("| %s | n | bound |", First);
  for (const Rule &R : Rules)
    std::printf(" %s |", R.Name);
  std::printf(" exact | proved | s |\n|---|--:|--:|");
  for (size_t R = 0; R < Rules.size(); ++R)
    std::printf("--:|");
  std::printf("--:|---|--:|\n");
}

static Tally compareFiles(const std::vector<Instance> &Instances,
                          const SolverLimits &Limits) {
  Tally T;
  printHead("file");
  for (const Instance &I : Instances) {
    std::array<double, Rules.size()> Ratios;
    const double Before = T.Seconds;
    const SolvedPlacement S = compare(I.Problem, Limits, T, Ratios);
    std::printf("| %s | %zu | %llu |", I.Name.c_str(), I.Problem.Items.size(),
                (unsigned long long)S.LowerBound);
    for (double Ratio : Ratios)
      std::printf(" %.3f |", Ratio);
    std::printf(" %.3f | %s | %.3f |\n",
                double(S.Best.Height) / std::max<uint64_t>(S.LowerBound, 1),
                S.IsOptimal ? "yes" : "no", T.Seconds - Before);
  }
  return T;
}

/// How long until all items are within the capacity that the file's name tells.
static void fitFiles(const std::vector<Instance> &Instances,
                     const SolverLimits &Limits) {
  std::printf("\n| file | capacity | within it | s |\n|---|--:|---|--:|\n");
  for (const Instance &I : Instances) {
    const size_t Dot = I.Name.rfind('.');
    const uint64_t Capacity =
        std::strtoull(I.Name.c_str() + Dot + 1, nullptr, 10);
    const auto Begin = Clock::now();
    const std::optional<Placement> P = placeWithin(I.Problem, Capacity, Limits);
    std::printf("| %s | %llu | %s | %.3f |\n", I.Name.c_str(),
                (unsigned long long)Capacity,
                P && P->Height <= Capacity ? "yes" : "no", secondsSince(Begin));
  }
}

static void printTally(const char *Name, const Tally &T) {
  std::printf("%s: %u problems;", Name, T.Problems);
  for (size_t R = 0; R < Rules.size(); ++R)
    std::printf(" %s %.4f,", Rules[R].Name, T.Ratios[R] / T.Problems);
  std::printf(" exact %.4f of the bound; %u proved, gaps to brute force %u, "
              "wrong %u, better than the search %u; %.3f ms on average, "
              "%.3f ms at most\n",
              T.Ratio / T.Problems, T.Proved, T.Gaps, T.Errors, T.Beaten,
              1000 * T.Seconds / T.Problems, 1000 * T.MostSeconds);
}

static Tally compareGraphs(const SolverLimits &Limits) {
  Tally T;
  std::mt19937 Random(5);
  for (unsigned Draw = 0; Draw < 10000; ++Draw) {
    const PlacementProblem Problem = drawGraph(Random, 2 + Draw % 7);
    std::array<double, Rules.size()> Ratios;
    const SolvedPlacement S = compare(Problem, Limits, T, Ratios);
    T.Gaps += S.Best.Height != findLeastHeight(Problem, S.Best.Height);
  }
  printTally("graphs of 2 to 8 items", T);
  return T;
}

static Tally compareKernels() {
  Tally T;
  SolverLimits Limits;
  Limits.Steps = 2'000'000;
  std::mt19937 Random(7);
  for (unsigned Draw = 0; Draw < 1000; ++Draw) {
    std::array<double, Rules.size()> Ratios;
    compare(drawKernel(Random, 2 + Draw % 31), Limits, T, Ratios);
  }
  printTally("kernels of 2 to 32 items", T);
  return T;
}

static void registerBenchmarks(const std::vector<Instance> &Instances) {
  for (const Instance &I : Instances)
    for (const Rule &R : Rules)
      benchmark::RegisterBenchmark((std::string(R.Name) + "/" + I.Name).c_str(),
                                   [&I, &R](benchmark::State &State) {
                                     for (auto _ : State)
                                       benchmark::DoNotOptimize(
                                           R.Place(I.Problem));
                                   });
  benchmark::RegisterBenchmark("exact/kernel32", [](benchmark::State &State) {
    std::mt19937 Random(9);
    const PlacementProblem Problem = drawKernel(Random, 32);
    for (auto _ : State)
      benchmark::DoNotOptimize(placeExactly(Problem));
  });
}

int main(int Count, char **Arguments) {
  const bool Measures =
      std::any_of(Arguments + 1, Arguments + Count, [](char *A) {
        return std::string_view(A).starts_with("--benchmark_");
      });
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  benchmark::Initialize(&Count, Arguments);
  SolverLimits Limits;
  Limits.Steps =
      Count > 2 ? std::strtoull(Arguments[2], nullptr, 10) : 500'000'000;
  const std::vector<Instance> Instances =
      readInstances(Count > 1 ? Arguments[1] : CUDAOPT_PLACEMENT_DATA);
  if (Instances.empty()) {
    std::fprintf(stderr, "error: no .csv there\n");
    return 2;
  }
  const Tally Graphs = compareGraphs(Limits), Kernels = compareKernels();
  const Tally Files = compareFiles(Instances, Limits);
  fitFiles(Instances, Limits);
  if (Measures) {
    registerBenchmarks(Instances);
    benchmark::RunSpecifiedBenchmarks();
  }
  return Graphs.isBad() || Kernels.isBad() || Files.isBad();
}
