// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Terms: what is one term and what is not.
//===----------------------------------------------------------------------===//

#include "cudaopt/Simt/Terms.h"

#include "cudaopt/Simt/Executor.h"

#include "llvm/IR/InstrTypes.h"
#include "gtest/gtest.h"

#include <set>

using namespace cudaopt;
using namespace cudaopt::simt;

class TermsTest : public testing::Test {
protected:
  TermTable Terms;
  TermId X = Terms.symbol(0, 0, 32), Y = Terms.symbol(0, 4, 32),
         Z = Terms.symbol(1, 0, 32);

  TermId apply(Opcode Code, TermId A, TermId B = 0, TermId C = 0) {
    return Terms.apply(Code, 0, 32, 0, A, B, C);
  }
  /// The bytes of \p Id as a store leaves them.
  std::vector<uint64_t> tags(TermId Id, unsigned Size = 4) {
    std::vector<uint64_t> Tags;
    for (unsigned I = 0; I < Size; ++I)
      Tags.push_back(tagOf(Id, I));
    return Tags;
  }
};

TEST_F(TermsTest, TermZeroIsNoTerm) {
  EXPECT_NE(X, 0u);
  EXPECT_NE(Terms.constant(0, 32), 0u);
  EXPECT_NE(Terms.apply(Opcode::Add, 0, 0, 0, 0), 0u);
}

TEST_F(TermsTest, EqualTermsAreOne) {
  EXPECT_EQ(Terms.symbol(0, 0, 32), X);
  EXPECT_EQ(Terms.constant(5, 32), Terms.constant(5, 32));
  EXPECT_EQ(apply(Opcode::FSub, X, Y), apply(Opcode::FSub, X, Y));
  EXPECT_EQ(Terms.undefined(), Terms.undefined());
}

TEST_F(TermsTest, MasksAndShiftsThatMoveBytesAreBytes) {
  TermId Low = apply(Opcode::And, X, Terms.constant(0xffff, 32));
  EXPECT_EQ(Low, Terms.bytes(Terms.slice(X, 0, 2), Terms.constant(0, 16)));
  TermId High = apply(Opcode::Shl, Y, Terms.constant(16, 32));
  EXPECT_EQ(High, Terms.bytes(Terms.constant(0, 16), Terms.slice(Y, 0, 2)));
  EXPECT_EQ(apply(Opcode::ShrU, High, Terms.constant(16, 32)),
            apply(Opcode::And, Y, Terms.constant(0xffff, 32)));
  EXPECT_EQ(apply(Opcode::Or, Low, High),
            Terms.bytes(Terms.slice(X, 0, 2), Terms.slice(Y, 0, 2)));
  // What a mask leaves of nothing is known.
  TermId Nothing = Terms.undefined(32);
  EXPECT_EQ(apply(Opcode::And, Nothing, Terms.constant(0, 32)),
            Terms.constant(0, 32));
  EXPECT_TRUE(Terms.dependsOnUndefined(
      apply(Opcode::And, Nothing, Terms.constant(0xff, 32))));
}

TEST_F(TermsTest, MasksAndShiftsWithinBytesAreOperations) {
  for (auto [Code, Number] : {std::pair(Opcode::And, 0xf0u),
                              {Opcode::Or, 0x0fu},
                              {Opcode::Shl, 4u},
                              {Opcode::Shl, 32u},
                              {Opcode::ShrU, 1u},
                              {Opcode::ShrS, 8u}}) {
    TermId Result = apply(Code, X, Terms.constant(Number, 32));
    EXPECT_EQ(Terms[Result].Operator.What, TermOperator::Kind::Operation);
  }
  EXPECT_NE(apply(Opcode::Or, X, Y), X);
}

TEST_F(TermsTest, UndefinedHasItsWidth) {
  EXPECT_EQ(Terms.width(Terms.undefined(64)), 64u);
  EXPECT_EQ(Terms.width(Terms.undefined(1)), 1u);
  EXPECT_TRUE(Terms.dependsOnUndefined(Terms.undefined(1)));
}

TEST_F(TermsTest, LeavesDiffer) {
  std::set<TermId> Ids = {
      X,
      Y,
      Z,
      Terms.symbol(0, 0, 64),
      Terms.constant(0, 32),
      Terms.constant(0, 64),
      Terms.constant(1, 32),
      Terms.constant(uint64_t(1) << 32, 64),
      Terms.undefined(),
  };
  EXPECT_EQ(Ids.size(), 9u);
}

TEST_F(TermsTest, ConstantsHaveNoBitsAboveTheirWidth) {
  EXPECT_EQ(Terms.constant(0x1ff, 8), Terms.constant(0xff, 8));
  EXPECT_EQ(Terms.constant(~uint64_t(0), 64), Terms.constant(~uint64_t(0), 64));
}

TEST_F(TermsTest, CommutativeOperandsAreSorted) {
  for (Opcode Code :
       {Opcode::Add, Opcode::Mul, Opcode::And, Opcode::Or, Opcode::Xor,
        Opcode::MinS, Opcode::MaxS, Opcode::MinU, Opcode::MaxU, Opcode::FAdd,
        Opcode::FMul, Opcode::FMin, Opcode::FMax})
    EXPECT_EQ(apply(Code, X, Y), apply(Code, Y, X)) << nameOf(Code).str();
  EXPECT_EQ(apply(Opcode::Fma, X, Y, Z), apply(Opcode::Fma, Y, X, Z));
}

TEST_F(TermsTest, OtherOperandsAreNotSorted) {
  for (Opcode Code : {Opcode::Sub, Opcode::FSub, Opcode::FDiv, Opcode::Shl,
                      Opcode::DivS, Opcode::FCopySign, Opcode::Compare})
    EXPECT_NE(apply(Code, X, Y), apply(Code, Y, X)) << nameOf(Code).str();
  EXPECT_NE(apply(Opcode::Fma, X, Y, Z), apply(Opcode::Fma, X, Z, Y));
  EXPECT_NE(apply(Opcode::Select, X, Y, Z), apply(Opcode::Select, Y, X, Z));
}

TEST_F(TermsTest, FloatingPointIsNotAssociative) {
  EXPECT_NE(apply(Opcode::FAdd, apply(Opcode::FAdd, X, Y), Z),
            apply(Opcode::FAdd, X, apply(Opcode::FAdd, Y, Z)));
}

TEST_F(TermsTest, OperationsThatKeepTheBits) {
  EXPECT_EQ(Terms.apply(Opcode::Move, 0, 32, 32, X), X);
  for (Opcode Code :
       {Opcode::Truncate, Opcode::ZeroExtend, Opcode::SignExtend}) {
    EXPECT_EQ(Terms.apply(Code, 0, 32, 32, X), X);
    EXPECT_NE(Terms.apply(Code, 0, 64, 32, X), X);
  }
}

TEST_F(TermsTest, OperatorsNeverCollide) {
  std::set<TermId> Ids;
  size_t Count = 0;
  for (unsigned Code = 0; Code <= unsigned(Opcode::FTruncate); ++Code)
    for (unsigned Variant : {0, 1, 32})
      for (unsigned Bits : {1, 32, 64})
        for (unsigned SourceBits : {0, 16}) {
          Ids.insert(
              Terms.apply(Opcode(Code), Variant, Bits, SourceBits, X, Y));
          ++Count;
        }
  EXPECT_EQ(Ids.size(), Count);
}

TEST_F(TermsTest, OperandsNeverCollide) {
  std::set<TermId> Ids = {
      apply(Opcode::FSub, X),       apply(Opcode::FSub, X, Y),
      apply(Opcode::FSub, X, 0, Y), apply(Opcode::FSub, 0, X, Y),
      apply(Opcode::FSub, X, Y, Z), apply(Opcode::FSub, X, Y, X),
  };
  EXPECT_EQ(Ids.size(), 6u);
}

TEST_F(TermsTest, TheTableGrows) {
  constexpr unsigned Count = 200000; // Several times as many as slots at first.
  std::vector<TermId> Chain = {X};
  for (unsigned I = 0; I < Count; ++I)
    Chain.push_back(apply(Opcode::FSub, Chain.back(), Y));
  size_t Size = Terms.size();
  TermId Again = X;
  for (unsigned I = 0; I < Count; ++I) {
    Again = apply(Opcode::FSub, Again, Y);
    ASSERT_EQ(Again, Chain[I + 1]);
  }
  EXPECT_EQ(Terms.size(), Size);
  EXPECT_EQ(std::set<TermId>(Chain.begin(), Chain.end()).size(), Count + 1u);
}

TEST_F(TermsTest, WidthsOfValues) {
  EXPECT_EQ(Terms.width(X), 32u);
  EXPECT_EQ(Terms.width(Terms.apply(Opcode::FExtend, 0, 64, 32, X)), 64u);
  EXPECT_EQ(Terms.width(Terms.apply(Opcode::FCompare, 1, 32, 0, X, Y)), 1u);
  EXPECT_EQ(Terms.width(Terms.byte(X, 1)), 8u);
  EXPECT_EQ(Terms.width(Terms.bytes(X, Y)), 64u);
}

TEST_F(TermsTest, BytesOfAConstantAreConstants) {
  TermId C = Terms.constant(0x8877665544332211, 64);
  EXPECT_EQ(Terms.byte(C, 0), Terms.constant(0x11, 8));
  EXPECT_EQ(Terms.byte(C, 3), Terms.constant(0x44, 8));
  EXPECT_EQ(Terms.byte(C, 4), Terms.constant(0x55, 8));
  EXPECT_EQ(Terms.byte(C, 7), Terms.constant(0x88, 8));
  EXPECT_EQ(Terms.bytes(Terms.constant(1, 8), Terms.constant(2, 8)),
            Terms.constant(0x201, 16));
}

TEST_F(TermsTest, AllBytesOfATermAreTheTerm) {
  TermId Joined = Terms.byte(X, 0);
  for (unsigned I = 1; I < 4; ++I)
    Joined = Terms.bytes(Joined, Terms.byte(X, I));
  EXPECT_EQ(Joined, X);
}

TEST_F(TermsTest, SomeBytesOfATermAreNotTheTerm) {
  EXPECT_NE(Terms.slice(X, 0, 3), X);
  TermId Swapped = Terms.bytes(Terms.slice(X, 2, 2), Terms.slice(X, 0, 2));
  EXPECT_NE(Swapped, X);
  TermId Mixed = Terms.bytes(Terms.slice(X, 0, 2), Terms.slice(Y, 2, 2));
  EXPECT_NE(Mixed, X);
  EXPECT_NE(Mixed, Y);
}

TEST_F(TermsTest, BytesAreTheSameWhateverTheSteps) {
  TermId Left = Terms.bytes(Terms.bytes(X, Y), Z);
  EXPECT_EQ(Terms.bytes(X, Terms.bytes(Y, Z)), Left);
  EXPECT_EQ(Terms.slice(Left, 4, 4), Y);
  EXPECT_EQ(Terms.byte(Left, 9), Terms.byte(Z, 1));
  EXPECT_EQ(Terms.byte(Terms.byte(Left, 5), 0), Terms.byte(Y, 1));
  EXPECT_NE(Terms.bytes(Y, X), Terms.bytes(X, Y));
}

TEST_F(TermsTest, ATermOfOneBitFillsAByteWithZeros) {
  TermId Bit =
      Terms.apply(Opcode::FCompare, llvm::CmpInst::FCMP_OEQ, 32, 0, X, Y);
  TermId Extended = Terms.apply(Opcode::ZeroExtend, 0, 8, 1, Bit);
  EXPECT_EQ(Terms.byte(Bit, 0), Extended);
  uint64_t Tag = tagOf(Bit, 0);
  Byte None = 0;
  EXPECT_EQ(Terms.fromTags(&Tag, &None, 1), Extended);
}

TEST_F(TermsTest, FromTagsOfOneStore) {
  Byte Values[4] = {};
  EXPECT_EQ(Terms.fromTags(tags(X).data(), Values, 4), X);
}

TEST_F(TermsTest, FromTagsOfPartOfAStore) {
  Byte Values[4] = {};
  EXPECT_EQ(Terms.fromTags(&tags(X)[2], Values, 2), Terms.slice(X, 2, 2));
  EXPECT_EQ(Terms.fromTags(&tags(X)[3], Values, 1), Terms.byte(X, 3));
}

TEST_F(TermsTest, FromTagsOfTwoStores) {
  Byte Values[8] = {};
  std::vector<uint64_t> Tags = tags(X), More = tags(Y);
  Tags.insert(Tags.end(), More.begin(), More.end());
  TermId Both = Terms.fromTags(Tags.data(), Values, 8);
  EXPECT_EQ(Both, Terms.bytes(X, Y));
  // Stored as one and loaded as two.
  EXPECT_EQ(Terms.fromTags(&tags(Both, 8)[4], Values, 4), Y);
}

TEST_F(TermsTest, FromTagsWithConcreteBytes) {
  Byte Values[4] = {1, 2, 3, 4};
  std::vector<uint64_t> Tags = {0, 0, tagOf(X, 2), 0};
  TermId Expected =
      Terms.bytes(Terms.constant(0x201, 16),
                  Terms.bytes(Terms.byte(X, 2), Terms.constant(4, 8)));
  EXPECT_EQ(Terms.fromTags(Tags.data(), Values, 4), Expected);
  Values[2] = 99; // Hidden by the tag.
  EXPECT_EQ(Terms.fromTags(Tags.data(), Values, 4), Expected);
  Values[3] = 5;
  EXPECT_NE(Terms.fromTags(Tags.data(), Values, 4), Expected);
}

TEST_F(TermsTest, FromTagsOfConcreteBytesIsAConstant) {
  uint64_t Tags[8] = {};
  Byte Values[8] = {1, 0, 0, 0, 0, 0, 0, 0x80};
  EXPECT_EQ(Terms.fromTags(Tags, Values, 8),
            Terms.constant(0x8000000000000001, 64));
}

TEST_F(TermsTest, UndefinedSpreads) {
  TermId U = Terms.undefined();
  TermId Mixed = Terms.bytes(U, Terms.slice(X, 1, 3));
  EXPECT_TRUE(Terms.dependsOnUndefined(U));
  EXPECT_TRUE(Terms.dependsOnUndefined(Mixed));
  EXPECT_TRUE(Terms.dependsOnUndefined(apply(Opcode::Fma, X, Y, Mixed)));
  EXPECT_FALSE(Terms.dependsOnUndefined(apply(Opcode::Fma, X, Y, Z)));
  EXPECT_FALSE(Terms.dependsOnUndefined(Terms.slice(Mixed, 1, 3)));
}

TEST_F(TermsTest, SymbolsWithTheNumberOfAnUndefinedTermAreDefined) {
  TermId U = Terms.undefined();
  EXPECT_FALSE(Terms.dependsOnUndefined(Terms.symbol(U, U, 32)));
  EXPECT_FALSE(Terms.dependsOnUndefined(Terms.constant(U, 32)));
}

TEST_F(TermsTest, Texts) {
  TermId One = Terms.constant(0x3f800000, 32);
  EXPECT_EQ(Terms.text(apply(Opcode::FAdd, Y, One)), "fadd(in0[4], 1.0)");
  EXPECT_EQ(Terms.text(apply(Opcode::Add, Y, One)), "add(in0[4], 0x3f800000)");
  EXPECT_EQ(Terms.text(apply(Opcode::Add, X, Terms.constant(7, 32))),
            "add(in0[0], 7)");
  EXPECT_EQ(
      Terms.text(Terms.apply(Opcode::FCompare, llvm::CmpInst::FCMP_OLT, 64, 0,
                             X, Terms.constant(0xbfe0000000000000, 64))),
      "fcmp.olt(in0[0], -0.5)");
  EXPECT_EQ(Terms.text(Terms.apply(Opcode::ZeroExtend, 0, 64, 32, X)),
            "zext.64(in0[0])");
  EXPECT_EQ(Terms.text(Terms.bytes(Terms.byte(X, 3), Terms.undefined())),
            "bytes(byte3(in0[0]), undefined)");
}

TEST_F(TermsTest, TextsAreCut) {
  TermId Deep = X;
  for (unsigned I = 0; I < 1000000; ++I)
    Deep = apply(Opcode::FSub, Deep, Y);
  std::string Text = Terms.text(Deep);
  EXPECT_EQ(Text.size(), 303u);
  EXPECT_TRUE(llvm::StringRef(Text).ends_with("..."));
}
