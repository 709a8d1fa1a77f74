// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The IR computes what C++ does: random functions without loops are one
/// literal in the IR, the one that clang's evaluator of constants finds. It
/// shares no code with the builder.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/Build.h"

#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <random>

using namespace clang::ast_matchers;
using namespace cudaopt;

namespace {

/// Writes functions of no arguments that return an integer.
class Generator {
public:
  explicit Generator(unsigned Seed) : Random(Seed) {}

  std::string makeFunction(const std::string &Name) {
    Text = "struct pair { short first; unsigned second; };\n"
           "constexpr int twice(int x) { return 2 * x; }\n"
           "constexpr void bump(short &x, int by = 3) { x += by; }\n"
           "constexpr long long " +
           Name + "() {\n";
    for (const char *Type : Types)
      Text += std::string("  ") + Type + " v" + std::to_string(Count++) +
              " = " + number() + ";\n";
    Text += "  pair p = {" + number(100) + ", 7};\n";
    for (unsigned I = 0; I < 8; ++I)
      addStatement(2);
    Text += "  return " + expression(3) + ";\n}\n";
    return Text;
  }

private:
  unsigned below(unsigned N) { return Random() % N; }
  std::string number(unsigned Most = 300) {
    return std::to_string(below(Most));
  }
  std::string name() { return "v" + std::to_string(below(Count)); }

  std::string expression(unsigned Depth) {
    if (Depth == 0)
      return below(3) ? name() : number();
    const std::string A = expression(Depth - 1), B = expression(Depth - 1);
    switch (below(14)) {
    case 0:
      return "(" + A + " - " + B + ")";
    case 1:
      return "(" + A + " * " + B + ")";
    case 2:
      return "(" + A + " / " + B + ")";
    case 3:
      return "(" + A + " % " + B + ")";
    case 4:
      return "(" + A + " << (" + B + " & 7))";
    case 5:
      return "(" + A + " >> (" + B + " & 15))";
    case 6:
      return "(" + A + " < " + B + ")";
    case 7:
      return "(" + A + " && " + B + ")";
    case 8:
      return "(" + A + " || " + B + ")";
    case 9:
      return "(" + A + " ? " + B + " : " + expression(Depth - 1) + ")";
    case 10:
      return "(~" + A + " ^ " + B + ")";
    case 11:
      return std::string("(") + Types[below(std::size(Types))] + ")(" + A + ")";
    case 12:
      return "(p.first + twice(" + A + " & 63))";
    default:
      return "(" + A + " + " + B + ")";
    }
  }

  void addStatement(unsigned Depth) {
    static constexpr const char *Assignments[] = {
        "=", "+=", "-=", "*=", "|=", "^=", "&="};
    switch (below(8)) {
    case 0:
      Text += "  if (" + expression(2) + ") {\n";
      addStatement(Depth ? Depth - 1 : 0);
      Text += "  }\n";
      break;
    case 1:
      // The last is a bool, which has no increment.
      Text += "  v" + std::to_string(below(Count - 1)) +
              (below(2) ? "++;\n" : "--;\n");
      break;
    case 2:
      Text += "  bump(p.first);\n";
      break;
    case 3:
      Text += "  { auto &r = " + name() + "; r = " + expression(1) + "; }\n";
      break;
    case 4:
      Text += "  [&] { " + name() + " += " + expression(1) + "; }();\n";
      break;
    case 5:
      Text += "  { int a[3] = {1, (int)(" + expression(1) + ")}; " + name() +
              " += a[1] + a[2]; }\n";
      break;
    case 6:
      Text += "  switch (" + expression(1) + " & 3) { case 1: " + name() +
              " = 5; break; case 2: " + name() +
              " = 6; default: p.second = 9; }\n";
      break;
    default:
      Text += "  " + name() + " " + Assignments[below(7)] + " " +
              expression(2) + ";\n";
    }
  }

  static constexpr const char *Types[] = {
      "int", "unsigned", "short", "char", "unsigned char", "long long", "bool"};
  std::mt19937 Random;
  std::string Text;
  unsigned Count = 0;
};

/// The literal that \p F returns; what it is instead if it is none.
std::string returned(const ir::Function &F) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const std::unique_ptr<ir::Block> &B : F.blocks())
    if (B->Terminator == ir::Block::Leave)
      F.print(OS, B->Condition);
  return Text;
}

} // namespace

TEST(Build, RandomFunctionsAreWhatClangEvaluates) {
  unsigned Compared = 0;
  for (unsigned Seed = 0; Seed < 300; ++Seed) {
    Generator G(Seed);
    const std::string Code =
        G.makeFunction("f") + "const long long expected = f();\n";
    const std::unique_ptr<clang::ASTUnit> Unit =
        clang::tooling::buildASTFromCodeWithArgs(
            Code, {"-std=c++20", "-w", "-Wno-c++11-narrowing"});
    ASSERT_TRUE(Unit);
    clang::ASTContext &Context = Unit->getASTContext();
    const auto *Expected = selectFirst<clang::VarDecl>(
        "v", match(varDecl(hasName("expected")).bind("v"), Context));
    const auto *F = selectFirst<clang::FunctionDecl>(
        "f", match(functionDecl(hasName("f")).bind("f"), Context));
    ASSERT_TRUE(Expected && F) << Code;
    const clang::APValue *Value = Expected->evaluateValue();
    if (!Value) // Undefined behaviour.
      continue;
    const std::unique_ptr<ir::Function> Built = ir::build(F, Context);
    ASSERT_TRUE(Built);
    EXPECT_EQ(Built->verify(), std::nullopt) << Code;
    EXPECT_EQ(returned(*Built), llvm::toString(Value->getInt(), 10)) << Code;
    ++Compared;
  }
  EXPECT_GE(Compared, 100u);
}
