// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Edits never touch a byte that they do not name, nor text that is no file's.
//===----------------------------------------------------------------------===//

#include "cudaopt/Source/Edits.h"

#include "../ParsedKernel.h"
#include "gtest/gtest.h"

#include <random>

using namespace cudaopt;
using clang::CharSourceRange;
using clang::SourceLocation;
using llvm::StringRef;

namespace {

/// A file, and edits of it by offset.
struct EditsTest : testing::Test {
  void parse(StringRef Code) {
    Unit = parseCuda(Code);
    E.emplace(sources(), Unit->getLangOpts());
  }
  const clang::SourceManager &sources() { return Unit->getSourceManager(); }
  SourceLocation at(unsigned Offset) {
    return sources()
        .getLocForStartOfFile(sources().getMainFileID())
        .getLocWithOffset(Offset);
  }
  /// True if the bytes [Begin, End) could be replaced.
  bool replace(unsigned Begin, unsigned End, StringRef Text) {
    return succeeds(
        E->replace(CharSourceRange::getCharRange(at(Begin), at(End)), Text));
  }
  static bool succeeds(llvm::Error Result) {
    bool Success = !Result;
    llvm::consumeError(std::move(Result));
    return Success;
  }
  std::string apply(StringRef Before) {
    if (E->empty())
      return Before.str();
    return applyEdits(Before, E->byFile().begin()->second);
  }

  std::unique_ptr<clang::ASTUnit> Unit;
  std::optional<Edits> E;
};

} // namespace

// Random disjoint edits: the text between them is the old text.
TEST_F(EditsTest, OtherBytesAreKept) {
  std::mt19937 Random(1);
  for (int Round = 0; Round != 200; ++Round) {
    std::string Before, After;
    std::vector<std::array<unsigned, 2>> Ranges;
    std::vector<std::string> Texts;
    for (int I = 0; I != 8; ++I) {
      std::string Kept(1 + Random() % 5, char(Random() % 256));
      unsigned Length = Random() % 4;
      Texts.push_back(std::string(Random() % 3, 'n'));
      After += Kept + Texts.back();
      Before += Kept;
      Ranges.push_back({unsigned(Before.size()), Length});
      Before += std::string(Length, 'o');
    }
    FileEdits Edits;
    for (size_t I = 0; I != Ranges.size(); ++I)
      Edits[Ranges[I][0]] = {Ranges[I][0], Ranges[I][1], Texts[I]};
    EXPECT_EQ(applyEdits(Before, Edits), After);
  }
}

TEST_F(EditsTest, AddingTwiceIsAddingOnce) {
  parse("int width;");
  EXPECT_TRUE(succeeds(E->insert(at(9), "[2]")));
  EXPECT_TRUE(succeeds(E->insert(at(9), "[2]")));
  EXPECT_TRUE(replace(4, 9, "height"));
  EXPECT_TRUE(replace(4, 9, "height"));
  EXPECT_EQ(apply("int width;"), "int height[2];");
}

TEST_F(EditsTest, CollisionsAreRefused) {
  parse("int width;");
  EXPECT_TRUE(replace(4, 9, "height"));
  EXPECT_FALSE(replace(4, 9, "depth"));
  EXPECT_FALSE(replace(5, 6, ""));
  EXPECT_FALSE(replace(3, 5, ""));
  EXPECT_FALSE(replace(0, 10, ""));
  EXPECT_TRUE(succeeds(E->insert(at(9), "[2]")));
  EXPECT_FALSE(succeeds(E->insert(at(9), "[3]")));
  EXPECT_EQ(apply("int width;"), "int height[2];");
}

TEST_F(EditsTest, AddingManyIsAllOrNothing) {
  parse("int width;");
  EXPECT_TRUE(replace(4, 9, "height"));
  Edits More(sources(), Unit->getLangOpts());
  EXPECT_TRUE(succeeds(More.insert(at(0), "const ")));
  EXPECT_TRUE(succeeds(More.insert(at(6), "x")));
  EXPECT_FALSE(succeeds(E->add(More)));
  EXPECT_EQ(apply("int width;"), "int height;");
}

// A failed edit does not count as an edited file.
TEST_F(EditsTest, MacroBodiesAreRefused) {
  parse("#define EXTENT 32\nint width[EXTENT];");
  clang::VarDecl *Width = nullptr;
  for (clang::Decl *D : Unit->getASTContext().getTranslationUnitDecl()->decls())
    if (auto *Var = llvm::dyn_cast<clang::VarDecl>(D))
      Width = Var;
  auto Size = Width->getTypeSourceInfo()
                  ->getTypeLoc()
                  .castAs<clang::ArrayTypeLoc>()
                  .getSizeExpr()
                  ->getSourceRange();
  ASSERT_TRUE(Size.getBegin().isMacroID());
  EXPECT_FALSE(
      succeeds(E->replace(CharSourceRange::getTokenRange(Size), "33")));
  EXPECT_FALSE(succeeds(E->insert(Size.getBegin(), "1 + ")));
  EXPECT_TRUE(E->empty());
}

TEST_F(EditsTest, SystemHeadersAreRefused) {
  parse("# 1 \"system.h\" 3\nint width;");
  EXPECT_FALSE(replace(22, 27, "height"));
  EXPECT_TRUE(E->empty());
}

TEST_F(EditsTest, PrintsByPlace) {
  parse("int a;\nint b;\n");
  EXPECT_TRUE(replace(11, 12, "\"c\""));
  EXPECT_TRUE(succeeds(E->insert(at(5), "[2]")));
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  E->print(OS);
  EXPECT_EQ(Text, "edits of /kernel.cu\n"
                  "1:6 replace \"\" by \"[2]\"\n"
                  "2:5 replace \"b\" by \"\\\"c\\\"\"\n");
}
