// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Files are replaced whole and keep what is not theirs to change; diffs are
/// what `patch` applies.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Delivery/Output.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"

#include <random>

using namespace cudaopt;
using llvm::SmallString;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// A folder of its own for each test.
struct OutputTest : testing::Test {
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("cuda-opt-output", Folder));
  }
  void TearDown() override { fs::remove_directories(Folder); }

  std::string path(StringRef Name) { return (Folder + "/" + Name).str(); }
  static std::string read(StringRef Path) {
    auto Buffer = llvm::MemoryBuffer::getFile(Path, false, false);
    return Buffer ? (*Buffer)->getBuffer().str() : "(none)";
  }
  static bool write(StringRef Path, StringRef Text) {
    llvm::Error Result = writeFile(Path, Text);
    bool Success = !Result;
    llvm::consumeError(std::move(Result));
    return Success;
  }
  /// Applies the diff of \p Edits to a file that holds \p Before.
  std::string patch(StringRef Before, const FileEdits &Edits) {
    EXPECT_TRUE(write(path("kernel.cu"), Before));
    std::string Diff;
    llvm::raw_string_ostream OS(Diff);
    printDiff("kernel.cu", Before, Edits, OS);
    EXPECT_TRUE(write(path("kernel.diff"), Diff));
    auto Program = llvm::sys::findProgramByName("patch");
    EXPECT_TRUE(bool(Program));
    std::string Input = path("kernel.diff"), Log = path("log");
    int Status = llvm::sys::ExecuteAndWait(
        *Program, {*Program, "-p1", "--binary", "-s", "-F0", "-d", Folder},
        std::nullopt, {StringRef(Input), StringRef(Log), StringRef(Log)});
    EXPECT_EQ(Status, 0) << read(Log) << Diff;
    return read(path("kernel.cu"));
  }
  unsigned countFiles() {
    unsigned Count = 0;
    std::error_code Failed;
    for (fs::directory_iterator I(Folder, Failed), End; I != End && !Failed;
         I.increment(Failed))
      ++Count;
    return Count;
  }

  SmallString<128> Folder;
};

} // namespace

TEST_F(OutputTest, BytesAreKept) {
  // A byte order mark, carriage returns, no end of the last line.
  std::string Text = "\xEF\xBB\xBFint a;\r\nint b;\r\nint c;";
  EXPECT_TRUE(write(path("a.cu"), Text));
  EXPECT_EQ(read(path("a.cu")), Text);
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(OutputTest, ModeIsKept) {
  EXPECT_TRUE(write(path("a.cu"), "old"));
  auto Mode = fs::perms(0750);
  ASSERT_FALSE(fs::setPermissions(path("a.cu"), Mode));
  EXPECT_TRUE(write(path("a.cu"), "new"));
  EXPECT_EQ(read(path("a.cu")), "new");
  EXPECT_EQ(*fs::getPermissions(path("a.cu")), Mode);
}

TEST_F(OutputTest, LinksAreFollowed) {
  EXPECT_TRUE(write(path("a.cu"), "old"));
  ASSERT_FALSE(fs::create_link(path("a.cu"), path("link.cu")));
  EXPECT_TRUE(write(path("link.cu"), "new"));
  EXPECT_EQ(read(path("a.cu")), "new");
  EXPECT_TRUE(fs::is_symlink_file(path("link.cu")));
}

TEST_F(OutputTest, EqualTextIsNotWritten) {
  EXPECT_TRUE(write(path("a.cu"), "same"));
  fs::UniqueID Before, After;
  ASSERT_FALSE(fs::getUniqueID(path("a.cu"), Before));
  EXPECT_TRUE(write(path("a.cu"), "same"));
  ASSERT_FALSE(fs::getUniqueID(path("a.cu"), After));
  EXPECT_EQ(Before, After);
  EXPECT_TRUE(write(path("a.cu"), "other"));
  ASSERT_FALSE(fs::getUniqueID(path("a.cu"), After));
  EXPECT_NE(Before, After);
}

TEST_F(OutputTest, FailureLeavesNothingBehind) {
  EXPECT_FALSE(write(path("missing/a.cu"), "text"));
  EXPECT_FALSE(write(Folder, "text"));
  EXPECT_EQ(countFiles(), 0u);
}

TEST_F(OutputTest, ReadOnlyFilesStay) {
  EXPECT_TRUE(write(path("a.cu"), "old"));
  ASSERT_FALSE(fs::setPermissions(path("a.cu"), fs::perms(0444)));
  if (!fs::access(path("a.cu"), fs::AccessMode::Write))
    GTEST_SKIP() << "this user may write every file";
  llvm::Error Denied = writeFile(path("a.cu"), "new");
  EXPECT_NE(llvm::toString(std::move(Denied)).find("ermission denied"),
            std::string::npos);
  EXPECT_EQ(read(path("a.cu")), "old");
}

TEST_F(OutputTest, DevicesAreNotReplaced) {
  EXPECT_TRUE(write("/dev/null", "text"));
  fs::file_status Status;
  ASSERT_FALSE(fs::status("/dev/null", Status));
  EXPECT_EQ(Status.type(), fs::file_type::character_file);
}

TEST_F(OutputTest, DiffHasThreeLinesOfContext) {
  std::string Diff;
  llvm::raw_string_ostream OS(Diff);
  printDiff("/src/a.cu", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", {{8, {8, 1, "five"}}},
            OS);
  EXPECT_EQ(Diff, "--- a/src/a.cu\n+++ b/src/a.cu\n@@ -2,7 +2,7 @@\n"
                  " 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_F(OutputTest, NoChangeIsNoDiff) {
  std::string Diff;
  llvm::raw_string_ostream OS(Diff);
  printDiff("a.cu", "1\n2\n", {{2, {2, 1, "2"}}}, OS);
  printDiff("a.cu", "1\n2\n", {}, OS);
  EXPECT_EQ(Diff, "");
}

TEST_F(OutputTest, DiffKeepsMissingNewline) {
  EXPECT_EQ(patch("int a;\nint b;", {{12, {12, 0, "[2]"}}}),
            "int a;\nint b[2];");
  EXPECT_EQ(patch("int a;\nint b;", {{13, {13, 0, "\n"}}}), "int a;\nint b;\n");
  EXPECT_EQ(patch("int a;\nint b;\n", {{13, {13, 1, ""}}}), "int a;\nint b;");
}

TEST_F(OutputTest, DiffKeepsCarriageReturns) {
  EXPECT_EQ(patch("int a;\r\nint b;\r\n", {{5, {5, 0, "[2]"}}}),
            "int a[2];\r\nint b;\r\n");
}

// Random edits, some of which add or remove lines: patch makes what applyEdits
// makes.
TEST_F(OutputTest, PatchAppliesTheDiff) {
  std::mt19937 Random(2);
  for (int Round = 0; Round != 60; ++Round) {
    std::string Before;
    for (int Line = Random() % 60; Line >= 0; --Line)
      Before += std::string(Random() % 4, char('a' + Random() % 26)) + "\n";
    if (Random() % 2)
      Before += "end";
    FileEdits Edits;
    const char *Texts[] = {"", "x", "x\n", "\n", "x\ny", "\n\n"};
    for (unsigned Offset = Random() % 30; Offset < Before.size();) {
      unsigned Length =
          std::min<unsigned>(Random() % 6, Before.size() - Offset);
      Edits[Offset] = {Offset, Length, Texts[Random() % 6]};
      Offset += Length + 1 + Random() % 40;
    }
    EXPECT_EQ(patch(Before, Edits), applyEdits(Before, Edits)) << Before;
  }
}
