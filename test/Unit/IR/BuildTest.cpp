// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The IR computes what C++ does: random functions of the IR, interpreted,
/// yield what clang's evaluator of constants finds. It shares no code with the
/// builder.
//===----------------------------------------------------------------------===//

#include "FunctionGenerator.h"
#include "Interpreter.h"

#include "cudaopt/IR/Build.h"

#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace clang::ast_matchers;
using namespace cudaopt;

TEST(Build, RandomFunctionsAreWhatClangEvaluates) {
  const char *Wanted = std::getenv("CUDAOPT_RANDOM_FUNCTIONS");
  const unsigned Number = Wanted ? std::atoi(Wanted) : 300;
  unsigned Evaluated = 0, Compared = 0;
  for (unsigned Seed = 0; Seed < Number; ++Seed) {
    const std::string Code = FunctionGenerator(Seed).makeFunction() +
                             "const long long expected = f();\n";
    const std::unique_ptr<clang::ASTUnit> Unit =
        clang::tooling::buildASTFromCodeWithArgs(
            Code, {"-std=c++20", "-w", "-Wno-c++11-narrowing",
                   "-Wno-invalid-constexpr"});
    ASSERT_TRUE(Unit);
    clang::ASTContext &Context = Unit->getASTContext();
    const auto *Expected = selectFirst<clang::VarDecl>(
        "v", match(varDecl(hasName("expected")).bind("v"), Context));
    const auto *F = selectFirst<clang::FunctionDecl>(
        "f", match(functionDecl(hasName("f")).bind("f"), Context));
    ASSERT_TRUE(Expected && F && !Expected->isInvalidDecl()) << Code;
    const clang::APValue *Value = Expected->evaluateValue();
    if (!Value || !Value->isInt()) // Undefined behaviour.
      continue;
    ++Evaluated;
    const std::unique_ptr<ir::Function> Built = ir::build(F, Context);
    ASSERT_TRUE(Built);
    EXPECT_EQ(Built->verify(), std::nullopt) << Code;
    // None where C++ leaves the order of arguments open.
    const std::optional<llvm::APInt> Found = Interpreter(*Built).run();
    if (!Found)
      continue;
    ++Compared;
    EXPECT_EQ(Found->getSExtValue(), Value->getInt().getExtValue())
        << Seed << Code;
  }
  EXPECT_GE(Evaluated, Number / 3);
  EXPECT_GE(Compared, Evaluated * 3 / 4);
}
