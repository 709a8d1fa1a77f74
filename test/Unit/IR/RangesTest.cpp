// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A range misses no number that a run sees: random functions are run on random
/// arguments, and every value is looked up.
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "cudaopt/IR/Build.h"
#include "cudaopt/IR/Ranges.h"

#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>
#include <random>

using namespace clang::ast_matchers;
using namespace cudaopt;
using llvm::APInt;
using llvm::ConstantRange;

namespace {

/// `f` of some code, and its IR.
struct Built {
  explicit Built(const std::string &Code)
      : Unit(clang::tooling::buildASTFromCodeWithArgs(Code,
                                                      {"-std=c++20", "-w"})),
        Decl(selectFirst<clang::FunctionDecl>(
            "f", match(functionDecl(hasName("f")).bind("f"),
                       Unit->getASTContext()))),
        F(ir::build(Decl, Unit->getASTContext())) {}

  ir::ValueId returned() const {
    for (const std::unique_ptr<ir::Block> &B : F->blocks())
      if (B->Terminator == ir::Block::Leave)
        return B->Condition;
    return 0;
  }

  std::unique_ptr<clang::ASTUnit> Unit;
  const clang::FunctionDecl *Decl;
  std::unique_ptr<ir::Function> F;
};

/// Writes functions of three small integers, without signed overflow.
class Generator {
public:
  explicit Generator(unsigned Seed) : Random(Seed) {}

  std::string makeFunction() {
    Text = "int f(unsigned char a, signed char b, unsigned c) {\n"
           "  int x = a, y = b; unsigned u = c; long long w = 3;\n";
    for (unsigned I = 0; I < 5; ++I)
      addStatement(2);
    return Text + "  return (int)(" + expression(2) + " & 0xfffff);\n}\n";
  }

  unsigned below(unsigned N) { return Random() % N; }

private:
  std::string number() { return std::to_string(below(70)); }
  std::string name() {
    static constexpr const char *Names[] = {"a", "b", "c", "x", "y", "u", "w"};
    return Names[below(std::size(Names))];
  }
  /// Small enough that sums and products of a few do not overflow.
  std::string small() {
    return "(" + name() + (below(2) ? " & 127)" : " % 100)");
  }
  std::string expression(unsigned Depth) {
    if (Depth == 0)
      return below(3) ? small() : number();
    const std::string A = expression(Depth - 1), B = expression(Depth - 1);
    static constexpr const char *Operators[] = {"+", "-", "*",  "&", "|",
                                                "^", "<", ">=", "=="};
    switch (below(13)) {
    case 0:
      return "(" + A + " >> (" + small() + " & 7))";
    case 1:
      return "((" + A + " & 1023) << (" + small() + " & 7))";
    case 2:
      return "(" + A + " / (" + number() + " + 1))";
    case 3:
      return "(" + A + " % (" + number() + " + 1))";
    case 4:
      return "(" + A + " < " + B + " ? " + A + " : " + B + ")";
    case 5:
      return "(unsigned char)(" + A + ")";
    case 6:
      return "(signed char)(" + A + ")";
    case 7:
      return "(~" + A + ")";
    default:
      return "(" + A + " " + Operators[below(9)] + " " + B + ")";
    }
  }
  void addStatement(unsigned Depth) {
    static constexpr const char *Variables[] = {"x", "y", "u", "w"};
    const std::string V = Variables[below(4)];
    const std::string I = "i" + std::to_string(Count++);
    switch (Depth ? below(5) : 0) {
    case 1:
      Text += "  if (" + expression(1) + ") {\n";
      addStatement(Depth - 1);
      Text += "  } else {\n";
      addStatement(Depth - 1);
      Text += "  }\n";
      break;
    case 2:
      Text += "  for (int " + I + " = " + small() + "; " + I + " < " +
              number() + "; " + I + " += " + std::to_string(1 + below(3)) +
              ") {\n    " + V + " = " + I + " * 2;\n";
      addStatement(Depth - 1);
      Text += "  }\n";
      break;
    case 3:
      Text += "  for (unsigned " + I + " = 64; " + I + " > 0; " + I +
              " >>= 1) {\n    " + V + " = " + V + " % 1000 + " + I + ";\n";
      addStatement(Depth - 1);
      Text += "  }\n";
      break;
    case 4:
      Text += "  for (int " + I + " = " + small() + "; " + I + " >= 0; --" + I +
              ") {\n    if (" + expression(1) + ") break;\n    " + V + " = " +
              I + ";\n  }\n";
      break;
    default:
      Text += "  " + V + " = " + expression(2) + ";\n";
    }
  }

  std::mt19937 Random;
  std::string Text;
  unsigned Count = 0;
};

} // namespace

namespace {

/// Looks up what values are while functions run.
class Comparison {
public:
  Comparison(const Built &B, const std::string &Code)
      : B(B), Code(Code), Ranges(*B.F) {}

  bool run(Generator &G) {
    Interpreter I(*B.F);
    const unsigned Bits[] = {8, 8, 32};
    for (auto [Index, P] : llvm::enumerate(B.Decl->parameters()))
      I.Arguments[P] = APInt(Bits[Index], G.below(256));
    I.OnValue = [&](ir::ValueId V, const ir::Block &At, const APInt &N) {
      if (IsRight && B.F->value(V).Ty.isIntegral())
        compare(V, At, N);
    };
    (void)I.run();
    return IsRight;
  }

  unsigned Compared = 0, Bounded = 0;

private:
  struct Answer {
    ConstantRange Everywhere, There;
    llvm::KnownBits Bits;
  };

  void compare(ir::ValueId V, const ir::Block &At, const APInt &N) {
    auto Known = Answers.find({V, At.Id});
    if (Known == Answers.end())
      Known = Answers
                  .insert({{V, At.Id},
                           {Ranges.rangeOf(V), Ranges.rangeAt(V, At),
                            Ranges.bitsOf(V)}})
                  .first;
    const Answer &A = Known->second;
    ++Compared;
    Bounded += !A.Everywhere.isFullSet();
    IsRight = A.Everywhere.contains(N) && A.There.contains(N) &&
              !N.intersects(A.Bits.Zero) && A.Bits.One.isSubsetOf(N);
    if (IsRight)
      return;
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    B.F->print(OS, V);
    OS << " in " << A.Everywhere << ", in block " << At.Id << ' ' << A.There
       << ", misses " << N << '\n';
    B.F->print(OS);
    ADD_FAILURE() << Text << Code;
  }

  const Built &B;
  const std::string &Code;
  const ir::ValueRanges Ranges;
  std::map<std::pair<ir::ValueId, ir::BlockId>, Answer> Answers;
  bool IsRight = true;
};

} // namespace

TEST(Ranges, MissNoNumberThatARunSees) {
  unsigned Compared = 0, Bounded = 0;
  const char *Wanted = std::getenv("CUDAOPT_RANDOM_FUNCTIONS");
  const unsigned Number = Wanted ? std::atoi(Wanted) : 40;
  for (unsigned Seed = 0; Seed < Number; ++Seed) {
    Generator G(Seed);
    const std::string Code = G.makeFunction();
    const Built B(Code);
    ASSERT_TRUE(B.F) << Code;
    Comparison C(B, Code);
    for (unsigned Run = 0; Run < 8; ++Run)
      if (!C.run(G))
        break;
    Compared += C.Compared;
    Bounded += C.Bounded;
  }
  EXPECT_GE(Compared, 10000u);
  EXPECT_GE(Bounded, Compared / 2);
}

TEST(Ranges, ALoopBoundsItsInductionVariable) {
  const Built B("int f(const int *p) { int s = 0;\n"
                "  for (int i = 0; i < 64; i += 4) s += p[i];\n"
                "  return s; }");
  const ir::ValueRanges Ranges(*B.F);
  const ir::Loop &L = B.F->loops().front();
  bool IsFound = false;
  for (ir::ValueId Phi : L.Header->Phis) {
    const ConstantRange Range = Ranges.rangeOf(Phi);
    if (Range.isFullSet())
      continue; // The sum.
    IsFound = true;
    EXPECT_EQ(Range, ConstantRange(APInt(32, 0), APInt(32, 68)));
    EXPECT_EQ(Ranges.rangeAt(Phi, *L.Header->Successors[0]),
              ConstantRange(APInt(32, 0), APInt(32, 64)));
    EXPECT_EQ(Ranges.bitsOf(Phi).countMinTrailingZeros(), 2u);
  }
  EXPECT_TRUE(IsFound);
}

TEST(Ranges, ADominatingConditionHoldsBehindIt) {
  const Built B("int f(unsigned n) { int r = -1; if (n < 10) r = n * 2; "
                "return r; }");
  const ir::ValueRanges Ranges(*B.F);
  EXPECT_EQ(Ranges.rangeOf(B.returned()).getSignedMax(), APInt(32, 18));
  EXPECT_EQ(Ranges.rangeOf(B.returned()).getSignedMin(), APInt::getAllOnes(32));
}

TEST(Ranges, ArgumentsMayBeBound) {
  const Built B("int f(int n) { return n % 8 + 1; }");
  EXPECT_EQ(ir::ValueRanges(*B.F).rangeOf(B.returned()),
            ConstantRange(APInt(32, -6, true), APInt(32, 9)));
  ir::LaunchShape Shape;
  Shape.Arguments.insert(
      {B.Decl->getParamDecl(0), ConstantRange(APInt(32, 0), APInt(32, 100))});
  EXPECT_EQ(ir::ValueRanges(*B.F, Shape).rangeOf(B.returned()),
            ConstantRange(APInt(32, 1), APInt(32, 9)));
}
