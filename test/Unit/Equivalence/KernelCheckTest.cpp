// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Defects of a kernel by itself.
//===----------------------------------------------------------------------===//

#include "KernelPair.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using namespace llvm;

namespace {

KernelCheck check(const std::string &Text,
                  LaunchShape Shape = {{1, 1, 1}, {64, 1, 1}, 0, false}) {
  Loaded L(Text);
  EquivalenceOptions Options;
  Options.CheckGlobalRaces = true;
  return checkKernel(*L.Image, L.Memory, "k", Shape, Options);
}

TEST(KernelCheckTest, AKernelWithoutDefectsHasNoneForAllData) {
  KernelCheck C = check(Reverse{});
  EXPECT_EQ(C.Kind, VerdictKind::ProvedEqual) << C.Detail;
  EXPECT_EQ(C.Detail, "<<<(1,1,1),(64,1,1)>>>");
  EXPECT_TRUE(C.Seen.Findings.empty());
  C = check(positive("1.0"));
  EXPECT_EQ(C.Kind, VerdictKind::EqualOn) << C.Detail;
}

TEST(KernelCheckTest, AllDefectsAreTold) {
  KernelCheck C = check(Reverse{63, 0, 63, ""});
  EXPECT_EQ(C.Kind, VerdictKind::OriginalIsBroken) << C.Detail;
  auto Shows = [&](simt::FindingKind Kind) {
    return any_of(C.Seen.Findings, [&](auto &F) { return F.Kind == Kind; });
  };
  EXPECT_TRUE(Shows(simt::FindingKind::SharedOutOfBounds));
  EXPECT_TRUE(Shows(simt::FindingKind::Race));
}

TEST(KernelCheckTest, BlocksThatRaceAreBroken) {
  std::string Text =
      kernel("", "%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                 "store i32 %b, ptr %p\n");
  EXPECT_EQ(check(Text, {{2, 1, 1}, {64, 1, 1}}).Kind,
            VerdictKind::OriginalIsBroken);
  EXPECT_EQ(check(Text).Kind, VerdictKind::ProvedEqual);
}

TEST(KernelCheckTest, ANullPointerIsADefectUnlessItIsOneOfTheData) {
  KernelCheck C =
      check(kernel("", "store i32 1, ptr inttoptr (i64 16 to ptr)\n"));
  EXPECT_EQ(C.Kind, VerdictKind::OriginalIsBroken) << C.Detail;
  C = check(kernel(", ptr %in", "%q = load ptr, ptr %in\n"
                                "store i32 1, ptr %q\n"));
  EXPECT_EQ(C.Kind, VerdictKind::Unsupported);
  EXPECT_TRUE(tells(C.Detail, "no arguments were found"));
}

TEST(KernelCheckTest, IntegersThatNobodyMayPassAreADoubt) {
  KernelCheck C = check(
      kernel(", i32 %n", "%q = getelementptr float, ptr %p, i32 %n\n"
                         "%v = load float, ptr %q\nstore float %v, ptr %p\n"));
  EXPECT_EQ(C.Kind, VerdictKind::ProvedEqual) << C.Detail;
  EXPECT_TRUE(tells(C.Doubt, "[race] at <<<(1,1,1),(64,1,1)>>> with n = "));
}

} // namespace
