// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Choices for kernels and their arrays, as options write them.
//===----------------------------------------------------------------------===//

#include "cudaopt/Passes/KernelChoices.h"

#include "gtest/gtest.h"

using namespace cudaopt;
using llvm::StringRef;

namespace {

KernelChoices read(StringRef Text) {
  return llvm::cantFail(KernelChoices::parse(Text));
}

std::string problemOf(StringRef Text) {
  llvm::Expected<KernelChoices> Result = KernelChoices::parse(Text);
  return Result ? "" : toString(Result.takeError());
}

TEST(KernelChoices, AnArrayIsStrongerThanItsKernelAndThatThanAll) {
  const KernelChoices Choices = read("pad,lu.tile=keep,lu=xor,fft.tile=T");
  EXPECT_EQ(Choices.of("other", "tile", "auto"), "pad");
  EXPECT_EQ(Choices.of("lu", "row", "auto"), "xor");
  EXPECT_EQ(Choices.of("lu", "tile", "auto"), "keep");
  EXPECT_EQ(Choices.of("fft", "tile", "auto"), "T");
  EXPECT_EQ(Choices.of("fft", "row", "auto"), "pad");
}

TEST(KernelChoices, WithoutAGeneralChoiceTheDefaultHolds) {
  const KernelChoices Choices = read("lu=xor");
  EXPECT_EQ(Choices.of("other", "tile", "auto"), "auto");
  EXPECT_EQ(Choices.of("lu", "tile", "auto"), "xor");
}

TEST(KernelChoices, NamespacesCountUnlessTheyAreUnnamed) {
  const KernelChoices Choices = read("auto,ns::lu=xor");
  EXPECT_EQ(Choices.of("ns::lu", "", "auto"), "xor");
  EXPECT_EQ(Choices.of("ns::(anonymous namespace)::lu", "", "auto"), "xor");
  EXPECT_EQ(Choices.of("lu", "", "auto"), "auto");
  EXPECT_EQ(Choices.of("other::lu", "", "auto"), "auto");
}

TEST(KernelChoices, AreWrittenAsTheyAreRead) {
  for (StringRef Text : {"auto", "auto,lu=pad", "ns::lu.tile=keep"})
    EXPECT_EQ(read(Text).text(), Text);
  EXPECT_EQ(read(" auto , lu = pad ").text(), "auto,lu=pad");
}

TEST(KernelChoices, MalformedWordsAreErrors) {
  EXPECT_EQ(problemOf(""), "a word is empty");
  EXPECT_EQ(problemOf("auto,,pad"), "a word is empty");
  EXPECT_EQ(problemOf("auto,pad"), "'auto' and 'pad' exclude each other");
  EXPECT_EQ(problemOf("=pad"),
            "'=pad' is not KERNEL=choice or KERNEL.ARRAY=choice");
  EXPECT_EQ(problemOf("lu="),
            "'lu=' is not KERNEL=choice or KERNEL.ARRAY=choice");
  EXPECT_EQ(problemOf("lu.=pad"),
            "'lu.=pad' is not KERNEL=choice or KERNEL.ARRAY=choice");
  EXPECT_EQ(problemOf("lu=pad,auto,lu=xor"), "'lu' stands twice");
}

} // namespace
