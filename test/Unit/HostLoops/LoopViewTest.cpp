// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the IR says of a loop: its head, its variables, and what its calls do.
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/LoopView.h"
#include "cudaopt/IR/Build.h"

#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace clang::ast_matchers;
using namespace cudaopt;

namespace {

/// The first loop of the function f of \p Code.
class Parsed {
public:
  explicit Parsed(const std::string &Code)
      : Unit(clang::tooling::buildASTFromCodeWithArgs(Code,
                                                      {"-std=c++20", "-w"})) {
    clang::ASTContext &Context = Unit->getASTContext();
    const auto *D = selectFirst<clang::FunctionDecl>(
        "f",
        match(functionDecl(hasName("f"), isDefinition()).bind("f"), Context));
    const auto *Loop = selectFirst<clang::Stmt>(
        "l",
        match(functionDecl(hasName("f"), hasDescendant(forStmt().bind("l"))),
              Context));
    ir::BuildOptions Options;
    Options.KeepsText = true;
    Options.DropsUnreachable = false;
    Function = ir::build(D, Context, Options);
    EXPECT_TRUE(Function);
    EXPECT_EQ(Function->verify(), std::nullopt) << Code;
    View = LoopView::find(Function, Loop);
  }

  const clang::VarDecl *variable(llvm::StringRef Name) {
    return selectFirst<clang::VarDecl>(
        "v", match(varDecl(hasName(Name)).bind("v"), Unit->getASTContext()));
  }
  const clang::CallExpr *call(llvm::StringRef Name) {
    return selectFirst<clang::CallExpr>(
        "c", match(callExpr(callee(functionDecl(hasName(Name)))).bind("c"),
                   Unit->getASTContext()));
  }

  std::unique_ptr<clang::ASTUnit> Unit;
  std::shared_ptr<const ir::Function> Function;
  std::shared_ptr<LoopView> View;
};

/// "< +2", of a head whose counter is i; empty for others.
std::string headOf(const std::string &Head, const std::string &Body = ";") {
  Parsed P("void g(int &); void f(int n, unsigned u, int *a) { for (" + Head +
           ") {" + Body + "} }");
  if (!P.View || !P.View->isCounterOf(P.variable("i")) ||
      !P.View->isInvariant(P.View->head().Bound))
    return "";
  const LoopHead &Found = P.View->head();
  const auto Step =
      Found.Next ? P.View->distance(Found.Counter, Found.Next) : std::nullopt;
  return Step ? (clang::BinaryOperator::getOpcodeStr(Found.Compare) + " " +
                 llvm::toString(*Step, 10))
                    .str()
              : "";
}

} // namespace

TEST(LoopHead, IsReadOffTheCondition) {
  EXPECT_EQ(headOf("int i = 0; i < n; ++i"), "< 1");
  EXPECT_EQ(headOf("int i = 0; n > i; i += 2"), "< 2");
  EXPECT_EQ(headOf("int i = 0; i < n; i = i + 1"), "< 1");
  EXPECT_EQ(headOf("int i = 0; !(i >= n); i = 3 + i"), "< 3");
  EXPECT_EQ(headOf("int i = n; i > 0; i--"), "> -1");
  EXPECT_EQ(headOf("short i = 0; i != n; ++i"), "!= 1");
  EXPECT_EQ(headOf("long i = 0; i < n; i -= -4"), "< 4");
  EXPECT_EQ(headOf("int *i = a; i != a + n; ++i"), "!= 4");
  EXPECT_EQ(headOf("int i = 0; i < (n > 3 ? n : 3); ++i"), "< 1");
}

TEST(LoopHead, MayVary) {
  EXPECT_EQ(headOf("int i = 0; i < n; ++i", "n -= 1;"), "");
  EXPECT_EQ(headOf("int i = 0; i < n; ++i", "if (a[i]) i += 1;"), "");
  EXPECT_EQ(headOf("int i = 0; i < n; ++i", "g(i);"), "");
  EXPECT_EQ(headOf("int i = 0; i < n; i += n"), "");
  EXPECT_EQ(headOf("int i = 0; i < a[0]; ++i", "a[0] = 1;"), "");
  EXPECT_EQ(headOf("int i = 0; i < (a[i] ? n : 3); ++i"), "");
  EXPECT_EQ(headOf("int i = 0; i < n && a[i]; ++i"), "");
}

TEST(LoopView, HasNoLoopThatNeverComesBack) {
  EXPECT_FALSE(
      Parsed("void f(int n) { for (int i = 0; i < n; ++i) return; }").View);
  EXPECT_FALSE(
      Parsed("void f(int n) { return; for (int i = 0; i < n; ++i); }").View);
}

TEST(LoopVariables, AreReadFirstWhereSomeWayReadsThem) {
  const auto IsReadFirst = [](const std::string &Body) {
    Parsed P(
        "void f(int n, int *a) { int t = 0; for (int i = 0; i < n; ++i) {" +
        Body + "} }");
    return P.View->isReadFirst(P.View->placeOf(P.variable("t")));
  };
  EXPECT_FALSE(IsReadFirst("t = i; a[t] = t;"));
  EXPECT_FALSE(IsReadFirst("if (a[i]) t = 1; else t = 2; a[i] = t;"));
  EXPECT_TRUE(IsReadFirst("if (a[i]) t = 1; a[i] = t;"));
  EXPECT_TRUE(IsReadFirst("a[i] = t; t = i;"));
  EXPECT_TRUE(IsReadFirst("for (int k = 0; k < i; ++k) t = k; a[i] = t;"));
  EXPECT_FALSE(IsReadFirst("if (a[i]) continue; t = i; a[i] = t;"));
}

TEST(LoopVariables, AreLiveOutWhereSomeWayBehindReadsThem) {
  const auto IsLiveOut = [](const std::string &Behind,
                            const std::string &Before = "") {
    Parsed P("void g(int); void h(int &); int f(int n, int *a) { int t; " +
             Before + "for (int i = 0; i < n; ++i) { t = i; a[t] = t; }" +
             Behind + "}");
    return P.View->isLiveOut(P.variable("t"));
  };
  EXPECT_FALSE(IsLiveOut("return 0;"));
  EXPECT_FALSE(IsLiveOut("t = 3; return t;"));
  EXPECT_TRUE(IsLiveOut("return t;"));
  EXPECT_TRUE(IsLiveOut("if (n > 3) t = 2; return t;"));
  EXPECT_TRUE(IsLiveOut("return 0;", "h(t);"));
  EXPECT_TRUE(IsLiveOut("try { g(n); } catch (...) { return t; } return 0;"));
  EXPECT_FALSE(IsLiveOut("try { t = 1; g(n); } catch (...) { return t; }"
                         "return 0;"));
}

TEST(LoopCalls, HaveNoEffectIfTheyCompute) {
  const auto HasEffect = [](const std::string &Callee) {
    Parsed P("int global; const int same = 3; void g(); " + Callee +
             "void f(int n, int *a) {"
             "  for (int i = 0; i < n; ++i) a[i] = c(a[i + 1]); }");
    return P.View->findEffect(P.call("c")) != nullptr;
  };
  EXPECT_FALSE(HasEffect("int c(int x) { return x > same ? x : -x; }"));
  EXPECT_FALSE(HasEffect("int c(const int &x) { return 2 * x; }"));
  EXPECT_FALSE(HasEffect("int c(int x) { int t[2] = {x, 1}; t[x & 1] = 2;"
                         "return t[0]; }"));
  EXPECT_TRUE(HasEffect("int c(int x) { return x + global; }"));
  EXPECT_TRUE(HasEffect("int c(int x) { global = x; return x; }"));
  EXPECT_TRUE(HasEffect("int c(int &x) { return ++x; }"));
  EXPECT_TRUE(HasEffect("int c(int x) { static int s; return s += x; }"));
  EXPECT_TRUE(HasEffect("int c(int x) { g(); return x; }"));
  EXPECT_TRUE(HasEffect("int c(int x);"));
  EXPECT_TRUE(HasEffect("int c(int x) { volatile int v = x; return v; }"));
}

/// An access that no expression of the text was claimed for.
TEST(LoopView, TellsWhatIsHidden) {
  Parsed P("void f(int n, int *a, int g) {"
           "  for (int i = 0; i < n; ++i, a[1] = 2) a[i] = 1; }");
  EXPECT_TRUE(P.View->findUnclaimed());
  P.View->claimReads(P.Function->decl()->getBody());
  EXPECT_TRUE(P.View->findUnclaimed());
  P.View->claim(P.Function->decl()->getBody());
  EXPECT_FALSE(P.View->findUnclaimed());
}
