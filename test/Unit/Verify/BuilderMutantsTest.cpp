// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Kernels whose model is wrong, as a mistake of its builder would make it: the
/// passes plan with what they are told, and the check of the code must find
/// each plan that rests on a mistake, without a look at the model.
//===----------------------------------------------------------------------===//

#include "VerifyTest.h"

#include "cudaopt/Passes/KernelAnalyses.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Plan/PlanRules.h"

using namespace cudaopt;

namespace {

class BuilderMutants : public VerifyTest {
protected:
  using Mutation = llvm::function_ref<void(Kernel &)>;

  Kernel build() {
    ModelOptions Options;
    Options.Block = Threads;
    return std::move(
        buildKernels(AST->getASTContext(), Isl, Options, {}).front());
  }
  /// The plan for the kernel with \p Mutate, and what the check of the code
  /// says of it. Nothing if it changes nothing.
  std::optional<std::pair<Plan, std::string>> plan(Mutation Mutate) {
    Kernel Of = build();
    Mutate(Of);
    Plan P;
    const Target T = *findTarget("sm_90");
    KernelAnalyses Analyses(Of);
    const PassOptions Options;
    const PlanRules Rules;
    const PassInput In = {Of, T, Options, Rules, Analyses};
    for (const PassInfo &Pass : allPasses())
      if (KernelPass *const *Run = std::get_if<KernelPass *>(&Pass.Run);
          Run && Pass.OnByDefault)
        P = (*Run)(In, P);
    if (!P.isRewritten())
      return std::nullopt;
    return std::pair(P, check(Of, P, T));
  }
  /// Expects that the right plan passes, and that it changes something.
  Plan expectRight() {
    auto Right = plan([](Kernel &) {});
    EXPECT_TRUE(Right) << "nothing is rewritten";
    EXPECT_EQ(Right ? Right->second : "", "");
    return Right ? Right->first : Plan();
  }
  /// Expects that \p Mutate changes nothing, not even a promise, or is found.
  /// Returns true if it was found.
  bool expectFound(const Plan &Right, Mutation Mutate, llvm::StringRef What) {
    const auto Wrong = plan(Mutate);
    if (!Wrong || !Wrong->second.empty())
      return Wrong.has_value();
    EXPECT_TRUE(areEqual(Wrong->first, Right)) << What.str() << " is missed";
    return false;
  }
  /// The numbers of the accesses of the first instance.
  unsigned numAccesses() { return build().Instances.front()->Accesses.size(); }

  Int3 Threads = {};

private:
  std::string check(const Kernel &Of, const Plan &P, const Target &T) {
    const auto Instances = makeClaims(Of, P, *Points, AST->getASTContext());
    for (const check::KernelClaims &Claims : Instances) {
      if (auto Found = Code->compare(Claims))
        return Found->Text;
      if (auto Found = check::compareElements(*Code, Claims))
        return Found->Text;
      if (auto Found = check::compareParts(*Code, Claims))
        return Found->Text;
    }
    const auto Found = check::compareWavefronts(
        *Code, Instances, makeWavefrontClaims(Of, P), T.Shared);
    return Found ? Found->Text : "";
  }
  static bool areEqual(const Plan &A, const Plan &B) {
    return llvm::equal(A.Layouts, B.Layouts, [](const auto &X, const auto &Y) {
      return X.first == Y.first && X.second.New == Y.second.New &&
             X.second.SourceCost.Before == Y.second.SourceCost.Before &&
             X.second.SourceCost.After == Y.second.SourceCost.After;
    });
  }
};

/// Changes access number \p I in all instances.
template <class Function> auto changeAccess(unsigned I, Function Change) {
  return [I, Change](Kernel &K) {
    for (const auto &Instance : K.Instances)
      Change(Instance->Accesses[I]);
  };
}

} // namespace

static const char *const Transpose =
    "#include \"cuda.h\"\n"
    "static __global__ void k(float *out, const float *in) {\n"
    "  __shared__ float tile[32][32];\n"
    "  int x = threadIdx.x, y = threadIdx.y;\n"
    "  for (int i = 0; i < 32; i += 8)\n"
    "    tile[y + i][x] = in[(y + i) * 32 + x];\n"
    "  __syncthreads();\n"
    "  for (int i = 0; i < 32; i += 8) {\n"
    "    tile[x][y + i] *= 2;\n"
    "    out[(y + i) * 32 + x] = tile[x][y + i] + tile[x][y + i];\n"
    "  }\n"
    "}\n"
    "void launch(float *out, const float *in) {\n"
    "  k<<<1, dim3(32, 8)>>>(out, in);\n"
    "}\n";

TEST_F(BuilderMutants, DroppedAccesses) {
  Threads = {32, 8, 1};
  parse(Transpose, Threads);
  const Plan Right = expectRight();
  unsigned NumFound = 0;
  for (unsigned I = 0; I != numAccesses(); ++I)
    NumFound += expectFound(
        Right,
        [&](Kernel &K) {
          for (const auto &Instance : K.Instances)
            Instance->Accesses.erase(Instance->Accesses.begin() + I);
        },
        "dropped access " + std::to_string(I));
  EXPECT_GE(NumFound, 4u);
}

TEST_F(BuilderMutants, WrongWidths) {
  Threads = {32, 8, 1};
  parse(Transpose, Threads);
  const Plan Right = expectRight();
  unsigned NumFound = 0;
  for (unsigned I = 0; I != numAccesses(); ++I)
    for (unsigned Width : {2u, 8u})
      NumFound += expectFound(
          Right, changeAccess(I, [&](Access &A) { A.Width = Width; }),
          "width of access " + std::to_string(I));
  EXPECT_GE(NumFound, 4u);
}

TEST_F(BuilderMutants, WrongKinds) {
  Threads = {32, 8, 1};
  parse(Transpose, Threads);
  const Plan Right = expectRight();
  unsigned NumFound = 0;
  for (unsigned I = 0; I != numAccesses(); ++I)
    NumFound += expectFound(Right,
                            changeAccess(I,
                                         [](Access &A) {
                                           A.Kind = A.Kind == AccessKind::Read
                                                        ? AccessKind::Write
                                                        : AccessKind::Read;
                                         }),
                            "kind of access " + std::to_string(I));
  EXPECT_GE(NumFound, 4u);
}

// Rows are taken for columns.
TEST_F(BuilderMutants, WrongSubscripts) {
  Threads = {32, 8, 1};
  parse(Transpose, Threads);
  const Plan Right = expectRight();
  unsigned NumFound = 0;
  for (unsigned I = 0; I != numAccesses(); ++I)
    NumFound += expectFound(
        Right,
        changeAccess(I, [](Access &A) { std::swap(A.Index[0], A.Index[1]); }),
        "subscripts of access " + std::to_string(I));
  EXPECT_GE(NumFound, 3u);
}

// Loops and conditions that are not there.
TEST_F(BuilderMutants, WrongDomains) {
  Threads = {32, 8, 1};
  parse(Transpose, Threads);
  const Plan Right = expectRight();
  unsigned NumFound = 0;
  for (unsigned I = 0; I != numAccesses(); ++I)
    NumFound += expectFound(
        Right,
        [&](Kernel &K) {
          KernelInstance &Instance = *K.Instances.front();
          Access &A = Instance.Accesses[I];
          ValueGraph &Values = Instance.Values;
          A.Guards.push_back(Values.operation(
              ValueKind::Less, {}, {Values.threadIdx(0), Values.constant(7)}));
        },
        "guard of access " + std::to_string(I));
  EXPECT_GE(NumFound, 3u);
}

TEST_F(BuilderMutants, MissedEscapes) {
  Threads = {32, 8, 1};
  unsigned NumFound = 0;
  for (const char *Escape :
       {"other(&tile[0][0]);", "*(float **)out = tile[0];",
        "*(unsigned long long *)out = (unsigned long long)&tile[0][0];",
        "asm volatile(\"// %0\" :: \"l\"(&tile[0][0]));",
        "static __shared__ float *kept; kept = tile[1];",
        "if ((unsigned long long)tile[0] > 77) out[0] = 1;"}) {
    std::string Text = Transpose;
    Text.insert(Text.find("  __syncthreads"),
                "  " + std::string(Escape) + "\n");
    Text.insert(Text.find("static"), "__device__ void other(float *);\n");
    parse(Text, Threads);
    const auto Wrong = plan([](Kernel &K) { K.Arrays[0].Refusals.clear(); });
    ASSERT_TRUE(Wrong) << Escape;
    EXPECT_NE(Wrong->second, "") << Escape;
    NumFound += !Wrong->second.empty();
  }
  EXPECT_EQ(NumFound, 6u);
}

//===----------------------------------------------------------------------===//
// Elements of threads
//===----------------------------------------------------------------------===//

/// Each thread has an element of `own`.
static const char *const Private =
    "#include \"cuda.h\"\n"
    "static __global__ void k(int *out, const int *in) {\n"
    "  __shared__ int own[64];\n"
    "  int t = threadIdx.x;\n"
    "  own[t] = in[t];\n"
    "  if (in[t] > 3) own[t] = 4;\n"
    "  out[t] = own[t];\n"
    "}\n"
    "void launch(int *out, const int *in) { k<<<1, 64>>>(out, in); }\n";

TEST_F(BuilderMutants, ElementsOfOtherThreads) {
  Threads = {64, 1, 1};
  parse(Private, Threads);
  expectRight();
  unsigned NumFound = 0;
  // The text reads another thread's; the model does not say so.
  for (const char *Other : {"own[63 - t]", "own[t ^ 1]", "own[t / 2 + 1]",
                            "own[t > 40 ? 0 : t]", "*(own + 1)"}) {
    std::string Text = Private;
    Text.replace(Text.find("own[t];\n}"), 6, Other);
    parse(Text, Threads);
    const auto Wrong = plan([](Kernel &K) {
      K.Arrays[0].Refusals.clear();
      KernelInstance &Instance = *K.Instances.front();
      for (Access &A : Instance.Accesses) {
        A.Index = Instance.Accesses.front().Index;
        A.WhyOpaque.reset();
      }
    });
    if (!Wrong)
      continue;
    EXPECT_NE(Wrong->second, "") << Other;
    ++NumFound;
  }
  EXPECT_GE(NumFound, 4u);
}
