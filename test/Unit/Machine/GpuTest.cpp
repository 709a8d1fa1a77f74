// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The table of GPUs, and how one is described.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Gpu.h"
#include "cudaopt/Machine/KernelTime.h"
#include "cudaopt/Machine/Target.h"

#include "gtest/gtest.h"

using namespace cudaopt;

static Gpu read(std::string_view Text) {
  const auto Result = parseGpu(Text);
  EXPECT_TRUE(std::holds_alternative<Gpu>(Result)) << Text;
  return std::holds_alternative<Gpu>(Result) ? std::get<Gpu>(Result) : Gpu();
}

static std::string problemOf(std::string_view Text) {
  const auto Result = parseGpu(Text);
  const auto *Problem = std::get_if<std::string>(&Result);
  return Problem ? *Problem : "";
}

TEST(GpuTest, EveryArchitectureHasOne) {
  for (const char *Name :
       {"sm_35", "sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90",
        "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"}) {
    EXPECT_EQ(gpuOf(Name).Arch, Name);
    EXPECT_EQ(findTarget(Name)->Speed, &gpuOf(Name));
  }
  EXPECT_EQ(gpuOf("sm_90").Name, "H200");
  EXPECT_EQ(findTarget("sm_90a")->Speed->Name, "H200");
}

TEST(GpuTest, NamesAreReadInAnyCase) {
  EXPECT_EQ(read("rtx 4090").Arch, "sm_89");
  EXPECT_EQ(read("H100").Multiprocessors, 132u);
  EXPECT_FALSE(read("H100").IsMeasured);
  EXPECT_TRUE(read("H200").IsMeasured);
  for (const std::string &Name : listGpus())
    EXPECT_EQ(read(Name).Name, Name);
}

TEST(GpuTest, DescriptionsAreReadAsTheyAreWritten) {
  for (const std::string &Name : listGpus()) {
    const std::string Text = read(Name).text();
    EXPECT_EQ(read(Text).text(), Text);
  }
  const Gpu Mine =
      read("My GPU, sm_89, sms=10, mhz=2000, float=4, integer=2, double=0.5, "
           "special=0.25, memory=3.5, cache=21, measured");
  EXPECT_EQ(Mine.Name, "My GPU");
  EXPECT_EQ(Mine.Multiprocessors, 10u);
  EXPECT_DOUBLE_EQ(Mine.MemoryBytes, 3.5);
  EXPECT_DOUBLE_EQ(Mine.CacheBytes, 21);
  EXPECT_TRUE(Mine.IsMeasured);
  EXPECT_DOUBLE_EQ(Mine.seconds(2e9), 1);
}

TEST(GpuTest, MalformedDescriptionsAreErrors) {
  EXPECT_TRUE(problemOf("H300").starts_with("unknown GPU 'H300' (known: H200"));
  EXPECT_EQ(problemOf("x,sm_89,sms=1"), "'mhz=' is missing");
  EXPECT_EQ(problemOf("x,sm_89,float=fast"),
            "'float=fast' is no number of a GPU");
  EXPECT_EQ(problemOf("x,sm_89,float=0"), "'float=0' is no number of a GPU");
  EXPECT_EQ(problemOf("x,sm_89,float=nan"),
            "'float=nan' is no number of a GPU");
  EXPECT_EQ(problemOf("x,sm_89,sms=1.5"), "'sms=1.5' is no number of a GPU");
  EXPECT_EQ(problemOf("x,sm_89,tensor=1"), "'tensor=1' is no number of a GPU");
  const std::string Rest = ",sms=1,mhz=1,float=1,integer=1,double=1,special=1,"
                           "memory=1,cache=1";
  EXPECT_EQ(problemOf("x,hopper" + Rest),
            "a name and a known architecture, such as sm_90, must come first");
}

// A GPU with few units for doubles is limited by them where an H200 is not.
TEST(GpuTest, TheGpuDecidesWhatLimits) {
  KernelWork Work;
  Work.Instructions = {.Issued = 4000, .Double = 400};
  const Occupancy Full = {8, 8};
  EXPECT_EQ(predictTime(Work, Full, gpuOf("sm_90")).limiter(), Resource::Issue);
  EXPECT_EQ(predictTime(Work, Full, gpuOf("sm_89")).limiter(), Resource::Math);
}
