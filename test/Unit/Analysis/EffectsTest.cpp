// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the statements of a kernel do, and which pairs keep their order.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/Dependences.h"

#include "../ParsedKernel.h"
#include "gtest/gtest.h"

using namespace clang;
using namespace cudaopt;

namespace {

/// The effects of the statements of the first kernel of \p Code.
struct ParsedStatements {
  explicit ParsedStatements(llvm::StringRef Code) : Parsed(Code) {
    const FunctionDecl *Kernel = Parsed.K.Decl;
    const StatementEffects All(Kernel);
    for (const Stmt *S : Kernel->getBody()->children())
      Each.push_back(All.of(S));
  }
  /// Returns why the statements \p A and \p B keep their order.
  Conflict between(unsigned A, unsigned B) const {
    return findConflict(Each[A], Each[B]);
  }

  ParsedKernel Parsed;
  std::vector<Effects> Each;
};

/// "s:rw t:r"
std::string print(const Effects::Uses &Uses) {
  std::string Text;
  for (const auto &[Var, Use] : Uses)
    Text += (Text.empty() ? "" : " ") + Var->getNameAsString() + ":" +
            (Use.Reads ? "r" : "") + (Use.Writes ? "w" : "");
  return Text;
}

} // namespace

TEST(Effects, OfAnAssignment) {
  const ParsedStatements K(R"(
    __global__ void f(float *out, const float *in) {
      __shared__ float s[64];
      int t = threadIdx.x;
      s[t] = in[t] + 1;
    })");
  EXPECT_EQ(print(K.Each[2].Shared), "s:w");
  EXPECT_EQ(print(K.Each[2].Pointees), "in:r");
  EXPECT_TRUE(K.Each[2].accessesMemory());
  EXPECT_FALSE(K.Each[2].IsOrdered);
  EXPECT_FALSE(K.Each[1].accessesMemory());
}

// The pointer still leads to what the parameter pointed to.
TEST(Effects, FollowPointerVariables) {
  const ParsedStatements K(R"(
    __global__ void f(float *out, const float *in) {
      const float *p = in + 64;
      out[0] = p[threadIdx.x];
    })");
  EXPECT_EQ(print(K.Each[1].Pointees), "in:r out:w");
  EXPECT_EQ(K.between(0, 1), Conflict::Thread); // p.
}

// What a callee does happens where it is called.
TEST(Effects, OfCallees) {
  const ParsedStatements K(R"(
    __device__ void put(float *to, int &n) { to[n++] = 1; __syncthreads(); }
    __global__ void f(float *out) {
      __shared__ float s[64];
      int n = 0;
      put(s, n);
      out[n] = 2;
    })");
  EXPECT_EQ(print(K.Each[2].Shared), "s:w");
  EXPECT_TRUE(K.Each[2].HasBarrier);
  EXPECT_EQ(K.between(2, 3), Conflict::Thread); // n.
}

// Declarators of one statement belong to it.
TEST(Effects, OfSeveralDeclarators) {
  const ParsedStatements K(R"(
    __global__ void f(float *out) {
      int a = 1, b = a;
      out[0] = b;
    })");
  EXPECT_FALSE(K.Each[0].IsOrdered);
  EXPECT_EQ(K.between(0, 1), Conflict::Thread);
}

// A return of a lambda does not leave the kernel.
TEST(Effects, ReturnsOfLambdas) {
  const ParsedStatements K(R"(
    __global__ void f(float *out, int n) {
      auto one = [] { return 1.f; };
      out[0] = one();
      if (n)
        return;
      out[1] = 1;
    })");
  EXPECT_FALSE(K.Each[0].Leaves);
  EXPECT_TRUE(K.Each[2].Leaves);
}

// Atomics, volatile accesses and inline assembly stay where they are, and all
// statements of a kernel with a destructor at its end.
TEST(Effects, OrderedStatements) {
  const ParsedStatements K(R"(
    __global__ void f(int *out, volatile int *in) {
      atomicAdd(out, 1);
      out[1] = *in;
      asm volatile("");
      out[2] = 1;
    })");
  EXPECT_TRUE(K.Each[0].IsOrdered);
  EXPECT_TRUE(K.Each[1].IsOrdered);
  EXPECT_TRUE(K.Each[2].IsOrdered);
  EXPECT_FALSE(K.Each[3].IsOrdered);
  const ParsedStatements Destroyed(R"(
    struct Final { int *p; __device__ ~Final() { *p = 1; } };
    __global__ void f(int *out) {
      Final last{out};
      out[1] = 1;
    })");
  EXPECT_TRUE(Destroyed.Each[1].IsOrdered);
}

// Two parameters may point to the same memory unless both say that they do not.
TEST(Effects, Aliases) {
  const char *Body = R"( {
      a[0] = 1;
      int x = b[1];
    })";
  EXPECT_EQ(
      ParsedStatements(std::string("__global__ void f(int *a, int *b)") + Body)
          .between(0, 1),
      Conflict::MayAlias);
  EXPECT_EQ(
      ParsedStatements(
          std::string(
              "__global__ void f(int *__restrict__ a, int *__restrict__ b)") +
          Body)
          .between(0, 1),
      Conflict::None);
}
