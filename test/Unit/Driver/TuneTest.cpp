// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What `cuda-opt tune` reads of a run and writes into a configuration file.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Tune/PinnedChoices.h"
#include "cudaopt/Driver/Tune/ProgramRun.h"

#include "gtest/gtest.h"

using namespace cudaopt;
using llvm::StringRef;

namespace {

TEST(ProgramRun, SymbolsGetTheNamesOfTheSource) {
  EXPECT_EQ(nameInSource("_Z9transposePfPKf"), "transpose");
  EXPECT_EQ(nameInSource("cname"), "cname");
  EXPECT_EQ(nameInSource("_ZN2ns5plainEPfi"), "ns::plain");
  EXPECT_EQ(nameInSource("_Z2fnIZ4mainEUlPfE_EvT_S0_"), "fn");
  // As nvcc names a kernel of an unnamed namespace.
  EXPECT_EQ(nameInSource("_ZN2ns36_GLOBAL__N__75968ffe_4_n_cu_1280700e4anonILi3"
                         "EEEvPf"),
            "ns::anon");
}

TEST(ProgramRun, MarksOfSingleFilesAreNoPartOfANameInTheSource) {
  EXPECT_EQ(nameInSource("__nv_static_26__0a1b2c3d_4_n_cu_main__Z4statPf"),
            "stat");
  EXPECT_EQ(nameInSource("_Z4statPf__static__0a1b2c"), "stat");
  EXPECT_EQ(nameInSource("_ZN1aL4statEPf__intern__0a1b2c"), "a::stat");
  // Names of C that would be types.
  EXPECT_EQ(nameInSource("f"), "f");
  EXPECT_EQ(nameInSource("i"), "i");
}

TEST(ProgramRun, InlineNamespacesAreLeftOutAsInReports) {
  ProgramRun Run = llvm::cantFail(ProgramRun::parse(
      "kernel\t1\t1\t_ZN1a2v13inlEPf\nkernel\t2\t1\t_ZN1b3inlEPf\n"));
  Run.matchNames({{"a::inl", ""}, {"other", ""}});
  EXPECT_EQ(Run.Kernels.count("a::inl"), 1u);
  EXPECT_EQ(Run.Kernels.count("b::inl"), 1u);
  EXPECT_EQ(Run.Kernels.size(), 2u);
}

TEST(ProgramRun, LinesOfAllProcessesAreAddedUp) {
  const StringRef Text = "gpu\tGPU-1\tNVIDIA H200\nclock\t1980\t9\n"
                         "energy\t1500\t900000000\nkernel\t2000\t4\t_Z1kPf\n"
                         "gpu\tGPU-2\tother\nenergy\t500\t600000000\n"
                         "kernel\t1000\t1\t_Z1kPd\nkernel\t5\t1\tc\n";
  const ProgramRun Run = llvm::cantFail(ProgramRun::parse(Text));
  EXPECT_EQ(Run.Gpu, "NVIDIA H200");
  EXPECT_EQ(Run.ClockMHz, 1980u);
  EXPECT_DOUBLE_EQ(*Run.Joules, 2);
  ASSERT_EQ(Run.Kernels.size(), 2u); // Overloads are one.
  EXPECT_EQ(Run.Kernels.at("k").Launches, 5u);
  EXPECT_DOUBLE_EQ(Run.Kernels.at("k").Seconds, 3e-6);
  EXPECT_DOUBLE_EQ(Run.seconds(), 3.005e-6);
  EXPECT_FALSE(Run.IsPartitioned);
  EXPECT_EQ(Run.LostRecords, 0u);
}

TEST(ProgramRun, AShortRunHasNoEnergy) {
  const ProgramRun Run =
      llvm::cantFail(ProgramRun::parse("energy\t1500\t400000000\n"));
  EXPECT_EQ(Run.Joules, std::nullopt);
}

TEST(ProgramRun, MalformedLinesAreErrors) {
  for (StringRef Line :
       {"kernel\t1\t_Z1kPf", "kernel\t-1\t1\tk", "kernel\t1.5\t1\tk", "clock",
        "mig\t1", "lost\tmany", "energy\t1", "time\t1\t2", "gpu"}) {
    llvm::Expected<ProgramRun> Run = ProgramRun::parse(Line);
    EXPECT_FALSE(Run) << Line.str();
    consumeError(Run.takeError());
  }
}

const PinnedKernel Xor = {"lu", "xor", "", "H200: lu takes 0.9 of the time"};
const PinnedKernel Keep = {"ns::k", "keep", "off", "H200: ns::k is slower"};

std::string pin(StringRef Text, llvm::ArrayRef<PinnedKernel> Pins,
                llvm::ArrayRef<std::string> Tuned) {
  return llvm::cantFail(pinChoices(Text, Pins, Tuned));
}

TEST(PinnedChoices, AreAddedToAnEmptyFile) {
  EXPECT_EQ(pin("", {Xor, Keep}, {"lu", "ns::k"}),
            "# cuda-opt tune, H200: lu takes 0.9 of the time\n"
            "# cuda-opt tune, H200: ns::k is slower\n"
            "Layout: [auto, lu=xor, 'ns::k=keep']\n"
            "Reuse: [auto, 'ns::k=off']\n");
}

TEST(PinnedChoices, ReplaceThoseOfTheSameKernelsOnly) {
  const std::string Before = pin("Arch: sm_90\n", {Xor, Keep}, {"lu", "ns::k"});
  const PinnedKernel Pad = {"lu", "pad", "", "H200: lu takes 0.8 of the time"};
  EXPECT_EQ(pin(Before, {Pad}, {"lu"}),
            "Arch: sm_90\n"
            "# cuda-opt tune, H200: ns::k is slower\n"
            "# cuda-opt tune, H200: lu takes 0.8 of the time\n"
            "Layout: [auto, 'ns::k=keep', lu=pad]\n"
            "Reuse: [auto, 'ns::k=off']\n");
  EXPECT_EQ(pin(Before, {}, {"lu", "ns::k"}), "Arch: sm_90\n");
}

TEST(PinnedChoices, LeaveWhatTheUserSaysOfArraysAndOfAll) {
  EXPECT_EQ(pin("Layout: [pad, lu.tile=keep, lu=T]\n", {Xor}, {"lu"}),
            "# cuda-opt tune, H200: lu takes 0.9 of the time\n"
            "Layout: [pad, lu.tile=keep, lu=xor]\n");
  EXPECT_EQ(pin("Layout: pad # all\n", {}, {"lu"}), "Layout: pad # all\n");
}

TEST(PinnedChoices, CommentsAndLineEndsStay) {
  EXPECT_EQ(pin("Layout: auto  # reviewed\r\n", {Xor}, {"lu"}),
            "# cuda-opt tune, H200: lu takes 0.9 of the time\r\n"
            "Layout: [auto, lu=xor]  # reviewed\r\n");
  EXPECT_EQ(pin("Layout: [auto, lu=xor] # reviewed\n", {}, {"lu"}),
            "# reviewed\n");
}

// What another file says in general still holds for all other kernels.
TEST(PinnedChoices, ALineSaysForOthersWhatHolds) {
  const std::string Inherits = "InheritParentConfig: true\n";
  const EffectiveChoices Now = {"keep,old=pad", "bytes"};
  const std::string Pinned =
      llvm::cantFail(pinChoices(Inherits, {Xor}, {"lu"}, Now));
  EXPECT_EQ(Pinned, Inherits +
                        "# cuda-opt tune, H200: lu takes 0.9 of the time\n"
                        "Layout: [keep, old=pad, lu=xor]\n");
  EXPECT_EQ(pin(Inherits + "Layout: [auto, lu=xor]\n", {}, {"lu"}),
            Inherits + "Layout: [auto]\n");
}

TEST(PinnedChoices, AValueOfSeveralLinesIsAnError) {
  for (StringRef Text : {"Layout:\n  - auto\n", "Layout: [auto,\n lu=pad]\n"}) {
    llvm::Expected<std::string> Result = pinChoices(Text, {Xor}, {"lu"});
    EXPECT_FALSE(Result) << Text.str();
    consumeError(Result.takeError());
  }
}

} // namespace
