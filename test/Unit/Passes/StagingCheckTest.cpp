// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Tests of the check of staged loops: walks that are not what they are said to
/// be must not pass.
//===----------------------------------------------------------------------===//

#include "../../../lib/Passes/Global/StagedRows.h"
#include "../ParsedKernel.h"

#include "cudaopt/Support/Nodes.h"

#include "gtest/gtest.h"

using namespace cudaopt;
using namespace clang;

namespace {

/// Returns what the check says of the first loop of \p Body, if all loads of
/// `a` in it are said to be walks, and \p NumStores stores to `y` to be
/// compared with them; "" if nothing.
std::string check(const std::string &Body, unsigned NumStores = 0,
                  const std::string &A = "const float *a") {
  const std::unique_ptr<ASTUnit> Unit = parseCuda(
      "__device__ float half(float v) { return v / 2; }\n"
      "__device__ float put(float *to, float v) { return *to = v; }\n"
      "__global__ void k(" +
      A + ", float *y, int n, int r) {\n  float s = 0;\n" + Body +
      "\n  y[r] = s;\n}\n"
      "void launch(float *a, float *y, int n) { k<<<1, 32>>>(a, y, n, 0); }");
  ASTContext &Context = Unit->getASTContext();
  RowWalk Walk;
  const Stmt *Kernel = nullptr;
  for (const Decl *D : Context.getTranslationUnitDecl()->decls())
    if (const auto *F = dyn_cast<FunctionDecl>(D);
        F && F->hasAttr<CUDAGlobalAttr>())
      Kernel = F->getBody();
  forEachNode(Kernel, [&](const DynTypedNode &N) {
    if (const auto *For = N.get<ForStmt>(); For && !Walk.Loop)
      Walk.Loop = For;
  });
  Walk.Counter =
      cast<VarDecl>(cast<DeclStmt>(Walk.Loop->getInit())->getSingleDecl());
  Walk.First = Walk.Counter->getInit();
  Walk.End = cast<BinaryOperator>(Walk.Loop->getCond())->getRHS();
  forEachNode(Walk.Loop->getBody(), [&](const DynTypedNode &N) {
    const auto *Element = N.get<ArraySubscriptExpr>();
    const auto *Base =
        Element ? dyn_cast<DeclRefExpr>(Element->getBase()->IgnoreImpCasts())
                : nullptr;
    if (!Base)
      return;
    if (Base->getDecl()->getName() == "a")
      Walk.Loads.push_back({Element});
    else if (Base->getDecl()->getName() == "y" &&
             Walk.Stores.size() < NumStores)
      Walk.Stores.push_back(Element);
  });
  return toString(checkWalk(Walk, Context));
}

} // namespace

TEST(StagingCheck, AcceptsSums) {
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) s += a[r * n + c];"), "");
  EXPECT_EQ(check("for (int c = 0; c < n; c = c + 1) {\n"
                  "  const float v = half(a[r * n + c]);\n"
                  "  if (v > 1) s += v;\n"
                  "}"),
            "");
  EXPECT_EQ(check("__shared__ float t[32];\n"
                  "for (int c = 0; c < n; c++) t[c] = a[r * n + c];"),
            "");
}

TEST(StagingCheck, StoresMustBeComparedOrRestricted) {
  const std::string Loop = "for (int c = 0; c < n; ++c) y[r] += a[r * n + c];";
  EXPECT_EQ(check(Loop), "a store may change a row");
  EXPECT_EQ(check(Loop, 1), "");
  EXPECT_EQ(check(Loop, 0, "const float *__restrict__ a"), "");
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) s += put(y, a[r * n + c]);"),
            "'put' writes to memory");
}

TEST(StagingCheck, EachIterationMustReadTheElement) {
  const char *Skips = "some iterations do not read the element";
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) if (c) s += a[r * n + c];"),
            Skips);
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) s += c ? a[r * n + c] : 0;"),
            Skips);
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) s += c && a[r * n + c] > 0;"),
            Skips);
  EXPECT_EQ(check("for (int c = 0; c < n; ++c)\n"
                  "  for (int k = 0; k < r; ++k) s += a[r * n + c];"),
            Skips);
  EXPECT_EQ(check("for (int c = 0; c < n; ++c)\n"
                  "  if (a[r * n + c] > 0) s += a[r * n + c];"),
            "");
  EXPECT_EQ(check("for (int c = 0; c < n; ++c)\n"
                  "  if (a[r * n + c] > 0) s += a[r * n + c + 1];"),
            Skips);
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) {\n"
                  "  if (c == 3) continue;\n  s += a[r * n + c];\n}"),
            "an iteration may end before the element");
}

TEST(StagingCheck, TheLoopMustCountByOneToItsEnd) {
  const char *Steps = "the loop does not count by one";
  EXPECT_EQ(check("for (int c = 0; c < n; c += 2) s += a[r * n + c];"), Steps);
  EXPECT_EQ(check("for (int c = 0; c < n; --c) s += a[r * n + c];"), Steps);
  EXPECT_EQ(check("for (int c = 0; c < n; ++r) s += a[r * n + c];"), Steps);
  EXPECT_EQ(check("for (int c = 0; r < n; ++c) s += a[r * n + c];"),
            "the condition of the loop tests another variable");
  const char *More = "the loop does more than compute";
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) {\n"
                  "  s += a[r * n + c];\n  if (s > 9) break;\n}"),
            More);
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) {\n"
                  "  s += a[r * n + c];\n  if (s > 9) return;\n}"),
            More);
}

TEST(StagingCheck, WhatTellsTheRowMustNotChange) {
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) s += a[r++ * n + c];"),
            "the loop changes 'r'");
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) { s += a[r * n + c]; --n; }"),
            "the loop changes 'n'");
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) { s += a[r * n + c]; c = 3; }"),
            "the loop changes 'c'");
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) {\n"
                  "  s += a[r * n + c];\n  int *p = &r;\n}"),
            "the address of 'r' is taken");
}

TEST(StagingCheck, NothingMayOrderMemory) {
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) {\n"
                  "  __syncthreads();\n  s += a[r * n + c];\n}"),
            "the loop calls '__syncthreads'");
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) {\n"
                  "  asm volatile(\"\");\n  s += a[r * n + c];\n}"),
            "the loop does more than compute");
  EXPECT_EQ(check("for (int c = 0; c < n; ++c) s += a[r * n + c];", 0,
                  "const volatile float *a"),
            "the loop accesses volatile memory");
  EXPECT_EQ(
      check("for (int c = 0; c < n; ++c) {\n"
            "  __shared__ int last;\n  last = c;\n  s += a[r * n + c];\n}"),
      "'last' outlives an iteration");
}
