// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What was found out about files holds as long as a parse would find the same.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Cache/FileFacts.h"

#include "gtest/gtest.h"
#include <filesystem>
#include <fstream>

using namespace cudaopt;

namespace {

class FileFactsTest : public testing::Test {
protected:
  void SetUp() override { std::filesystem::create_directories(Folder); }
  void TearDown() override { std::filesystem::remove_all(Folder); }
  std::string path(const std::string &Name) const {
    return (Folder / Name).string();
  }
  void write(const std::string &Name, const std::string &Text) const {
    std::ofstream(path(Name)) << Text;
  }
  FileFacts seeText(const std::string &Name, const std::string &Text) const {
    FileFacts Seen;
    Seen.addText(path(Name), Text);
    return Seen;
  }

  const std::filesystem::path Folder =
      std::filesystem::canonical(std::filesystem::path(testing::TempDir())) /
      "file-facts-test";
};

} // namespace

TEST_F(FileFactsTest, ContentsCountAndTimesDoNot) {
  write("a.h", "one");
  const FileFacts Seen = seeText("a.h", "one");
  const auto Time = std::filesystem::last_write_time(path("a.h"));
  EXPECT_TRUE(Seen.hold());
  write("a.h", "two");
  std::filesystem::last_write_time(path("a.h"), Time);
  EXPECT_FALSE(Seen.hold());
  write("b.h", "one");
  std::filesystem::rename(path("b.h"), path("a.h"));
  EXPECT_TRUE(Seen.hold());
  std::filesystem::remove(path("a.h"));
  EXPECT_FALSE(Seen.hold());
}

TEST_F(FileFactsTest, WhatWasAbsentMustStayAbsent) {
  FileFacts Seen;
  Seen.addAbsent(path("none/a.h"));
  EXPECT_TRUE(Seen.hold());
  std::filesystem::create_directory(path("none"));
  EXPECT_TRUE(Seen.hold());
  write("none/a.h", "");
  EXPECT_FALSE(Seen.hold());
}

TEST_F(FileFactsTest, OneFileWithTwoNamesStaysOne) {
  write("a.h", "text");
  std::filesystem::create_hard_link(path("a.h"), path("b.h"));
  FileFacts Seen = seeText("a.h", "text");
  Seen.add(seeText("b.h", "text"));
  EXPECT_TRUE(Seen.hold());
  std::filesystem::remove(path("b.h"));
  write("b.h", "text");
  EXPECT_FALSE(Seen.hold());
}

TEST_F(FileFactsTest, TwoTextsOfOneFileContradict) {
  write("a.h", "one");
  FileFacts Seen = seeText("a.h", "one");
  Seen.add(seeText("a.h", "two"));
  EXPECT_FALSE(Seen.isLasting());
  EXPECT_FALSE(Seen.hold());
}

TEST_F(FileFactsTest, BytesAreReadAsTheyWereWritten) {
  write("a.h", "one");
  FileFacts Seen = seeText("a.h", "one");
  Seen.addAbsent(path("b.h"));
  Seen.addRealPath(path("a.h"), path("a.h"));
  Seen.addListing(path(""), hashListing(path("")));
  Seen.addFolder(path(""), {Folder.string(), *FileStamp::read(path("")), true});
  const std::string Bytes = Seen.pack();
  std::optional<FileFacts> Read = FileFacts::unpack(Bytes);
  ASSERT_TRUE(Read);
  EXPECT_EQ(Read->pack(), Bytes);
  EXPECT_TRUE(Read->hold());
  write("b.h", "");
  EXPECT_FALSE(Read->hold());
  for (size_t Length = 0; Length < Bytes.size(); ++Length)
    EXPECT_FALSE(FileFacts::unpack(Bytes.substr(0, Length))) << Length;
}
