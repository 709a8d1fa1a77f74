// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What `cuda-opt calibrate` reads of the probe and writes.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Tune/Calibrate.h"
#include "cudaopt/Driver/Tune/PinnedChoices.h"

#include "gtest/gtest.h"

using namespace cudaopt;

static constexpr char Record[] =
    "gpu\tNVIDIA H200\tsm_90\t132\n"
    "rate\tmhz\t1972.78\nrate\tfloat\t3.885\nrate\tinteger\t1.975\n"
    "rate\tdouble\t1.996\nrate\tspecial\t0.4998\nrate\tmemory\t17.05\n"
    "rate\tcache\t30.43\n"
    "request\t4\t1\t1.02\nrequest\t4\t32\t32.1\nrequest\t16\t4\t4.03\n"
    "request\t4\t2\t1.5\n";

TEST(CalibrateTest, TheRecordIsAGpuAndRequests) {
  const GpuRecord Read = llvm::cantFail(GpuRecord::parse(Record));
  EXPECT_EQ(Read.Speed.Name, "NVIDIA H200");
  EXPECT_EQ(Read.Speed.Multiprocessors, 132u);
  EXPECT_DOUBLE_EQ(Read.Speed.MemoryBytes, 17.05);
  EXPECT_TRUE(Read.Speed.IsMeasured);
  ASSERT_EQ(Read.Requests.size(), 4u);
  EXPECT_EQ(Read.Requests[1].predicted(), 32u);
  EXPECT_EQ(Read.Requests[2].predicted(), 4u);
  EXPECT_TRUE(Read.Requests[0].isAsPredicted());
  EXPECT_TRUE(Read.Requests[1].isAsPredicted());
  EXPECT_TRUE(Read.Requests[2].isAsPredicted());
  EXPECT_EQ(Read.Requests[3].predicted(), 2u);
  EXPECT_FALSE(Read.Requests[3].isAsPredicted());
}

TEST(CalibrateTest, MalformedRecordsAreErrors) {
  for (llvm::StringRef Text :
       {"", "error\tno device", "gpu\tH200\tsm_90\t132\nrate\tmhz\t1972\n",
        "gpu\tH200", "request\t3\t1\t1.0", "rate\tmhz"}) {
    llvm::Expected<GpuRecord> Read = GpuRecord::parse(Text);
    EXPECT_FALSE(Read) << Text.str();
    consumeError(Read.takeError());
  }
}

TEST(CalibrateTest, TheGpuReplacesAnEarlierOne) {
  const Gpu Measured = llvm::cantFail(GpuRecord::parse(Record)).Speed;
  const std::string Line =
      "Gpu: [NVIDIA H200, sm_90, sms=132, mhz=1973, float=3.885, "
      "integer=1.975, double=1.996, special=0.4998, memory=17.05, "
      "cache=30.43, measured]\n";
  EXPECT_EQ(llvm::cantFail(pinGpu("", Measured)), Line);
  EXPECT_EQ(llvm::cantFail(
                pinGpu("# Ours\nGpu: H100 # bought\nQuiet: true\n", Measured)),
            "# Ours\n" + Line.substr(0, Line.size() - 1) +
                " # bought\nQuiet: true\n");
  llvm::Expected<std::string> Lines = pinGpu("Gpu:\n  - H100\n", Measured);
  EXPECT_FALSE(Lines);
  consumeError(Lines.takeError());
}
