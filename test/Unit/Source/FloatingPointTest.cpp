// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which flags let a host compiler contract, and which let it do more.
//===----------------------------------------------------------------------===//

#include "cudaopt/Source/FloatingPoint.h"

#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"

using namespace cudaopt;

namespace {

/// The tests are about hosts without fused operations.
bool isX86() {
  return llvm::Triple(llvm::sys::getDefaultTargetTriple()).isX86();
}

std::string contracts(std::vector<std::string> Words,
                      llvm::StringRef Compiler = "") {
  return readHostFlags(Words, Compiler).HostContracts;
}

std::string reassociates(std::vector<std::string> Words,
                         llvm::StringRef Compiler = "") {
  return readHostFlags(Words, Compiler).HostReassociates;
}

TEST(FloatingPoint, PlainX86DoesNothing) {
  if (!isX86())
    GTEST_SKIP();
  EXPECT_EQ(readHostFlags({}), FloatingPoint());
  EXPECT_EQ(contracts({"-O3", "-msse4.2", "-mavx2", "-mtune=native"}), "");
  for (const char *Processor : {"x86-64", "x86-64-v2", "core2", "nehalem",
                                "sandybridge", "ivybridge", "btver2"})
    EXPECT_EQ(contracts({std::string("-march=") + Processor}), "") << Processor;
}

TEST(FloatingPoint, ProcessorsWithFusedOperations) {
  if (!isX86())
    GTEST_SKIP();
  for (const char *Processor :
       {"native", "x86-64-v3", "x86-64-v4", "haswell", "skylake-avx512",
        "sapphirerapids", "znver1", "znver4", "bdver1", "bdver2", "unheard-of"})
    EXPECT_EQ(contracts({std::string("-march=") + Processor}),
              std::string("-march=") + Processor);
  EXPECT_EQ(contracts({"-march=haswell", "-march=core2"}), "");
}

TEST(FloatingPoint, Features) {
  if (!isX86())
    GTEST_SKIP();
  EXPECT_EQ(contracts({"-mfma"}), "-mfma");
  EXPECT_EQ(contracts({"-mfma4"}), "-mfma4");
  EXPECT_EQ(contracts({"-mavx512f"}), "-mavx512f");
  EXPECT_EQ(contracts({"-mfma", "-mno-fma"}), "");
  EXPECT_EQ(contracts({"-mno-fma", "-march=haswell"}), "");
  EXPECT_EQ(contracts({"-mno-fma", "-mavx512vl"}), "-mavx512vl");
}

TEST(FloatingPoint, ContractionIsOff) {
  const FloatingPoint Off =
      readHostFlags({"-march=native", "-ffp-contract=off"});
  EXPECT_EQ(Off.HostContracts, "");
  EXPECT_TRUE(Off.HostNeverContracts);
  const FloatingPoint On = readHostFlags(
      {"-ffp-contract=off", "-march=native", "-ffp-contract=fast"});
  EXPECT_EQ(On.HostContracts, "-march=native");
  EXPECT_FALSE(On.HostNeverContracts);
  EXPECT_TRUE(readHostFlags({"-ffp-model=strict"}).HostNeverContracts);
}

TEST(FloatingPoint, OtherTargets) {
  EXPECT_EQ(contracts({}, "/usr/bin/aarch64-linux-gnu-g++"),
            "the compiler aarch64-linux-gnu-g++");
  EXPECT_EQ(contracts({"--target=aarch64-linux-gnu"}),
            "--target=aarch64-linux-gnu");
  EXPECT_EQ(contracts({"-target", "powerpc64le-linux-gnu"}),
            "-target powerpc64le-linux-gnu");
  EXPECT_EQ(contracts({"--target=aarch64-linux-gnu", "-ffp-contract=off"}), "");
  EXPECT_EQ(contracts({}, "x86_64-linux-gnu-g++-12"), "");
}

TEST(FloatingPoint, ValuesChange) {
  for (const char *Flag :
       {"-ffast-math", "-Ofast", "-funsafe-math-optimizations",
        "-fassociative-math", "-freciprocal-math", "-fno-signed-zeros",
        "-ffinite-math-only", "-mfpmath=387", "-m32", "-frounding-math",
        "-ffp-model=fast", "-fexcess-precision=fast", "-mdaz-ftz"})
    EXPECT_EQ(reassociates({"-O2", Flag}), Flag);
  EXPECT_EQ(reassociates({"-O3", "-fno-math-errno", "-fno-trapping-math"}), "");
  EXPECT_EQ(reassociates({"-Ofast", "-O2"}), "");
  EXPECT_EQ(reassociates({"-O2", "-Ofast"}), "-Ofast");
  // What an earlier flag asked for is still asked for.
  EXPECT_EQ(reassociates({"-ffast-math", "-Ofast", "-O2"}), "-ffast-math");
  EXPECT_EQ(reassociates({"-ffast-math", "-fno-fast-math"}), "");
  EXPECT_EQ(reassociates({"-ffast-math", "-O2"}), "-ffast-math");
  EXPECT_EQ(reassociates({"-mfpmath=387", "-fno-fast-math"}), "-mfpmath=387");
  EXPECT_EQ(reassociates({}, "nvc++"), "the compiler nvc++");
  EXPECT_EQ(reassociates({}, "/opt/intel/bin/icpx"), "the compiler icpx");
  EXPECT_EQ(reassociates({}, "clang++"), "");
}

TEST(FloatingPoint, ParseFlags) {
  EXPECT_TRUE(makeParseFlags(FloatingPoint()).empty());
  FloatingPoint All;
  All.HostContracts = "-march=native";
  All.HostReassociates = "-Ofast";
  All.DeviceApproximates = "-ftz=true";
  All.HostNeverContracts = true;
  EXPECT_EQ(makeParseFlags(All).size(), 4u);
}

TEST(FloatingPoint, Pragmas) {
  for (const char *Text :
       {"GCC optimize(\"fast-math\")", "GCC optimize (\"O3\")",
        "GCC target(\"fma\")", "GCC pop_options", "STDC FP_CONTRACT ON",
        "STDC FENV_ACCESS ON", "clang fp contract(fast)",
        "float_control(precise, off)", "fp_contract(on)"})
    EXPECT_TRUE(isFloatingPointPragma(Text)) << Text;
  for (const char *Text : {"unroll 4", "GCC ivdep", "GCC diagnostic push",
                           "clang loop unroll(full)", "once", ""})
    EXPECT_FALSE(isFloatingPointPragma(Text)) << Text;
}

} // namespace
