// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What single operations compute.
//===----------------------------------------------------------------------===//

#include "KernelRun.h"

#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/IR/InstrTypes.h"
#include <bit>
#include <cmath>

namespace cudaopt::simt {
namespace {

using llvm::RoundingMode;

constexpr auto Nearest = static_cast<uint8_t>(RoundingMode::NearestTiesToEven);
constexpr auto Up = static_cast<uint8_t>(RoundingMode::TowardPositive);
constexpr auto Down = static_cast<uint8_t>(RoundingMode::TowardNegative);
constexpr auto Zero = static_cast<uint8_t>(RoundingMode::TowardZero);

uint64_t bits(float F) { return std::bit_cast<uint32_t>(F); }
uint64_t bits(double D) { return std::bit_cast<uint64_t>(D); }

/// Runs "D = Op(A, B, C)" in one thread and returns D, or D + 1.
uint64_t compute(Operation Op, uint64_t A, uint64_t B = 0, uint64_t C = 0,
                 Register Result = 3) {
  Op.A = 0, Op.B = 1, Op.C = 2, Op.D = 3;
  Program P;
  P.NumRegisters = 6;
  P.Sites.resize(1);
  DeviceMemory Memory;
  DeviceMemory::Allocation &Out = Memory.allocate(StateSpace::Global, 8, "out");
  P.Constants = {{0, A}, {1, B}, {2, C}, {5, Out.Address}};
  Operation Store, Return;
  Store.Code = Opcode::Store;
  Store.Bits = 64;
  Store.Align = 8;
  Store.A = 5;
  Store.B = Result;
  Return.Code = Opcode::Return;
  P.Blocks.resize(1);
  P.Blocks[0].Operations = {Op, Store, Return};
  RunResult R = run(P, Launch(), Memory);
  EXPECT_EQ(R.Status, RunStatus::Finished) << R.Why;
  uint64_t Value;
  std::memcpy(&Value, Out.Data, 8);
  return Value;
}

Operation op(Opcode Code, unsigned Bits, uint8_t Variant = 0,
             unsigned SourceBits = 0, int64_t Immediate = 0) {
  Operation Op;
  Op.Code = Code;
  Op.Bits = static_cast<uint8_t>(Bits);
  Op.SourceBits = static_cast<uint8_t>(SourceBits);
  Op.Variant = Variant;
  Op.Immediate = Immediate;
  return Op;
}

TEST(ArithmeticTest, IntegersWrapAtTheirWidth) {
  EXPECT_EQ(compute(op(Opcode::Add, 32), 0xffffffff, 2), 1u);
  EXPECT_EQ(compute(op(Opcode::Sub, 8), 0, 1), 0xffu);
  EXPECT_EQ(compute(op(Opcode::Mul, 32), 0x10001, 0x10001), 0x20001u);
  EXPECT_EQ(compute(op(Opcode::Mul, 64), 1ull << 63, 3), 1ull << 63);
  EXPECT_EQ(compute(op(Opcode::MulHighS, 32), 0xffffffff, 2), 0xffffffffu);
  EXPECT_EQ(compute(op(Opcode::MulHighU, 64), ~0ull, ~0ull), ~0ull - 1);
}

TEST(ArithmeticTest, DivisionTruncatesAndMayOverflow) {
  EXPECT_EQ(compute(op(Opcode::DivS, 32), uint32_t(-7), 2), uint32_t(-3));
  EXPECT_EQ(compute(op(Opcode::RemS, 32), uint32_t(-7), 2), uint32_t(-1));
  EXPECT_EQ(compute(op(Opcode::DivS, 32), 0x80000000, uint32_t(-1)),
            0x80000000u);
  EXPECT_EQ(compute(op(Opcode::RemS, 64), 1ull << 63, ~0ull), 0u);
  EXPECT_EQ(compute(op(Opcode::DivU, 16), 7, 0), 0xffffu);
}

TEST(ArithmeticTest, ShiftsByTheWidthOrMoreGiveZeroOrTheSign) {
  EXPECT_EQ(compute(op(Opcode::Shl, 32), 1, 32), 0u);
  EXPECT_EQ(compute(op(Opcode::ShrU, 32), 0x80000000, 64), 0u);
  EXPECT_EQ(compute(op(Opcode::ShrS, 32), 0x80000000, 99), 0xffffffffu);
  EXPECT_EQ(compute(op(Opcode::FunnelL, 32), 0x12345678, 0x9abcdef0, 40),
            0x3456789au);
  EXPECT_EQ(compute(op(Opcode::FunnelR, 32), 0x12345678, 0x9abcdef0, 8),
            0x789abcdeu);
}

TEST(ArithmeticTest, BitFields) {
  EXPECT_EQ(compute(op(Opcode::LeadingZeros, 16), 1), 15u);
  EXPECT_EQ(compute(op(Opcode::TrailingZeros, 16), 0), 16u);
  EXPECT_EQ(compute(op(Opcode::BitReverse, 8), 1), 0x80u);
  EXPECT_EQ(compute(op(Opcode::ByteSwap, 32), 0x01020304), 0x04030201u);
  // Selectors 0, 7, and 5 with its sign.
  EXPECT_EQ(compute(op(Opcode::Permute, 32), 0x33221100, 0x7766f544, 0x0d70),
            0x00ff7700u);
  EXPECT_EQ(compute(op(Opcode::BitFieldU, 32), 0xabcd, 4, 8), 0xbcu);
  EXPECT_EQ(compute(op(Opcode::BitFieldS, 32), 0xabcd, 4, 8), 0xffffffbcu);
  EXPECT_EQ(compute(op(Opcode::BitFieldS, 32), 0x80000000, 28, 8), 0xfffffff8u);
}

TEST(ArithmeticTest, SaturationAndOverflow) {
  EXPECT_EQ(compute(op(Opcode::AddSatS, 8), 0x7f, 1), 0x7fu);
  EXPECT_EQ(compute(op(Opcode::SubSatU, 32), 1, 2), 0u);
  EXPECT_EQ(compute(op(Opcode::AddOverflowU, 32), 0xffffffff, 1), 0u);
  EXPECT_EQ(compute(op(Opcode::AddOverflowU, 32), 0xffffffff, 1, 0, 4), 1u);
  EXPECT_EQ(compute(op(Opcode::MulOverflowU, 64), ~0ull, ~0ull, 0, 4), 1u);
  EXPECT_EQ(compute(op(Opcode::MulOverflowS, 64), ~0ull, ~0ull, 0, 4), 0u);
  EXPECT_EQ(compute(op(Opcode::SubOverflowS, 32), 0x80000000, 1, 0, 4), 1u);
}

TEST(ArithmeticTest, SignedComparisonsLookAtTheWidth) {
  using llvm::CmpInst;
  EXPECT_EQ(compute(op(Opcode::Compare, 8, CmpInst::ICMP_SLT), 0xff, 0), 1u);
  EXPECT_EQ(compute(op(Opcode::Compare, 16, CmpInst::ICMP_SLT), 0xff, 0), 0u);
  EXPECT_EQ(compute(op(Opcode::Compare, 8, CmpInst::ICMP_UGT), 0xff, 0), 1u);
}

TEST(ArithmeticTest, NaNIsCanonicalBelowDouble) {
  EXPECT_EQ(compute(op(Opcode::FAdd, 32, Nearest), 0xffc12345, bits(1.0f)),
            0x7fffffffu);
  EXPECT_EQ(compute(op(Opcode::FDiv, 16, Nearest), 0, 0), 0x7fffu);
  EXPECT_TRUE(std::isnan(
      std::bit_cast<double>(compute(op(Opcode::FDiv, 64, Nearest), 0, 0))));
}

TEST(ArithmeticTest, MinimumOfNumbersAndOfNaN) {
  EXPECT_EQ(compute(op(Opcode::FMin, 32), bits(NAN), bits(2.0f)), bits(2.0f));
  EXPECT_EQ(compute(op(Opcode::FMinNaN, 32), bits(NAN), bits(2.0f)),
            0x7fffffffu);
  EXPECT_EQ(compute(op(Opcode::FMin, 32), bits(0.0f), bits(-0.0f)),
            bits(-0.0f));
  EXPECT_EQ(compute(op(Opcode::FMax, 64), bits(-0.0), bits(0.0)), bits(0.0));
}

TEST(ArithmeticTest, FmaRoundsOnceAndSumsTwice) {
  float A = 1 + 0x1p-12f, C = -(1 + 0x1p-11f);
  EXPECT_EQ(compute(op(Opcode::Fma, 32, Nearest), bits(A), bits(A), bits(C)),
            bits(0x1p-24f));
  EXPECT_EQ(compute(op(Opcode::FMul, 32, Nearest), bits(A), bits(A)), bits(-C));
}

TEST(ArithmeticTest, DirectedRounding) {
  uint64_t One = bits(1.0f), Tiny = bits(0x1p-60f);
  EXPECT_EQ(compute(op(Opcode::FAdd, 32, Nearest), One, Tiny), One);
  EXPECT_EQ(compute(op(Opcode::FAdd, 32, Up), One, Tiny), One + 1);
  EXPECT_EQ(compute(op(Opcode::FSub, 32, Down), One, Tiny), One - 1);
  EXPECT_EQ(compute(op(Opcode::FSub, 32, Zero), One, Tiny), One - 1);
  uint64_t Two = bits(2.0), Root = bits(std::sqrt(2.0));
  // The root of 2 lies below the nearest number.
  EXPECT_EQ(compute(op(Opcode::FSqrt, 64, Nearest), Two), Root);
  EXPECT_EQ(compute(op(Opcode::FSqrt, 64, Up), Two), Root);
  EXPECT_EQ(compute(op(Opcode::FSqrt, 64, Down), Two), Root - 1);
  EXPECT_EQ(compute(op(Opcode::FSqrt, 64, Up), bits(4.0)), bits(2.0));
}

TEST(ArithmeticTest, HalfOverflowsAndIsSubnormal) {
  constexpr uint64_t One = 0x3c00, Greatest = 0x7bff, Least = 1;
  EXPECT_EQ(compute(op(Opcode::FAdd, 16, Nearest), One, One), 0x4000u);
  EXPECT_EQ(compute(op(Opcode::FAdd, 16, Nearest), Greatest, Greatest),
            0x7c00u);
  EXPECT_EQ(compute(op(Opcode::FMul, 16, Nearest), Least, 0x3800), 0u);
  EXPECT_EQ(compute(op(Opcode::FTruncate, 16, Nearest, 32), bits(0x1p-24f)),
            Least);
  EXPECT_EQ(compute(op(Opcode::FTruncate, 16, Zero, 32), bits(1e9f)), Greatest);
  EXPECT_EQ(compute(op(Opcode::FTruncate, 16, Nearest, 64), bits(65519.9)),
            Greatest);
  EXPECT_EQ(compute(op(Opcode::FExtend, 32, 0, 16), 0x8001), bits(-0x1p-24f));
}

TEST(ArithmeticTest, ConversionsToIntegersSaturate) {
  EXPECT_EQ(compute(op(Opcode::FToS, 32, Zero, 32), bits(-1.9f)), uint32_t(-1));
  EXPECT_EQ(compute(op(Opcode::FToS, 32, Zero, 32), bits(3e9f)), 0x7fffffffu);
  EXPECT_EQ(compute(op(Opcode::FToU, 32, Zero, 32), bits(-5.0f)), 0u);
  EXPECT_EQ(compute(op(Opcode::FToU, 64, Zero, 64), bits(1e30)), ~0ull);
  EXPECT_EQ(compute(op(Opcode::FToS, 32, Nearest, 32), bits(2.5f)), 2u);
  EXPECT_EQ(compute(op(Opcode::FToS, 32, Up, 32), bits(2.1f)), 3u);
  EXPECT_EQ(compute(op(Opcode::FToS, 32, Zero, 32), bits(NAN)), 0u);
  EXPECT_EQ(compute(op(Opcode::FToS, 64, Zero, 64), 0x7ff8000000000000),
            1ull << 63);
}

TEST(ArithmeticTest, ConversionsFromIntegersRound) {
  EXPECT_EQ(compute(op(Opcode::SToF, 32, Nearest, 32), uint32_t(-3)),
            bits(-3.0f));
  EXPECT_EQ(compute(op(Opcode::UToF, 32, Nearest, 32), 0xffffffff),
            bits(0x1p32f));
  EXPECT_EQ(compute(op(Opcode::UToF, 32, Zero, 32), 0xffffffff),
            bits(0x1p32f) - 1);
  EXPECT_EQ(compute(op(Opcode::UToF, 64, Nearest, 64), ~0ull), bits(0x1p64));
}

TEST(ArithmeticTest, ClassesAndUnorderedComparisons) {
  using llvm::CmpInst;
  EXPECT_EQ(compute(op(Opcode::FClass, 32, 0, 0, llvm::fcNegZero), bits(-0.0f)),
            1u);
  EXPECT_EQ(compute(op(Opcode::FClass, 32, 0, 0, llvm::fcSNan), 0x7f800001),
            1u);
  EXPECT_EQ(compute(op(Opcode::FCompare, 32, CmpInst::FCMP_OLE), bits(NAN),
                    bits(1.0f)),
            0u);
  EXPECT_EQ(compute(op(Opcode::FCompare, 32, CmpInst::FCMP_UNE), bits(NAN),
                    bits(1.0f)),
            1u);
}

} // namespace
} // namespace cudaopt::simt
