// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which variables are busy between which barriers.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/LiveRanges.h"

#include "../HandMadeProgram.h"
#include "gtest/gtest.h"

using namespace cudaopt;

enum : VariableId { A, B, C };

static std::string printed(const SharedProgram &P) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  computeLiveRanges(P).print(P, OS);
  return Text;
}

static bool interfere(const SharedProgram &P) {
  return computeLiveRanges(P).interfere(A, B);
}

// A is written, read behind a barrier, and dead behind the next.
TEST(LiveRanges, BarriersSeparate) {
  HandMadeProgram K({64, 64});
  K.work({K.write(A)}).barrier().work({K.read(A)}).barrier();
  K.work({K.write(B)}).barrier().work({K.read(B)});
  EXPECT_FALSE(interfere(K.finish()));
}

// The same without the barrier between: warps drift.
TEST(LiveRanges, WithoutBarrierTheyMeet) {
  HandMadeProgram K({64, 64});
  K.work({K.write(A)}).barrier().work({K.read(A)});
  K.work({K.write(B)}).barrier().work({K.read(B)});
  EXPECT_TRUE(interfere(K.finish()));
}

// A is not accessed while B is, but read afterwards.
TEST(LiveRanges, AliveAcross) {
  HandMadeProgram K({64, 64});
  K.work({K.write(A)}).barrier().work({K.write(B), K.readOwn(B)}).barrier();
  K.work({K.read(A)});
  EXPECT_TRUE(interfere(K.finish()));
}

/// A loop of A and B in intervals of their own; A comes first.
static SharedProgram makeLoop(const SharedUse &FirstOfA) {
  HandMadeProgram K({64, 64});
  K.beginLoop();
  K.work({FirstOfA}).barrier().work({K.read(A)}).barrier();
  K.work({K.write(B)}).barrier().work({K.read(B)}).barrier();
  return K.endLoop().finish();
}

// The block surely writes A anew in each iteration.
TEST(LiveRanges, SureWritesCutTheBackEdge) {
  const HandMadeProgram K({64, 64});
  EXPECT_FALSE(interfere(makeLoop(K.write(A))));
}

// A guarded write leaves what the iteration before wrote.
TEST(LiveRanges, GuardedWritesDoNot) {
  const HandMadeProgram K({64, 64});
  EXPECT_TRUE(interfere(makeLoop(K.mayWrite(A))));
}

// A loop with one barrier: what follows it meets what is in front of it.
TEST(LiveRanges, IntervalThatFollowsItself) {
  HandMadeProgram K({64, 64});
  K.beginLoop().work({K.write(A), K.readOwn(A)}).barrier();
  K.work({K.write(B), K.readOwn(B)}).endLoop();
  const SharedProgram P = K.finish();
  EXPECT_TRUE(interfere(P));
}

// Two arms with barriers exclude each other, though both follow one barrier.
TEST(LiveRanges, ArmsExcludeEachOther) {
  HandMadeProgram K({64, 64});
  K.beginIf().work({K.write(A)}).barrier().work({K.read(A)}).barrier();
  K.otherwise().work({K.write(B)}).barrier().work({K.read(B)}).barrier();
  EXPECT_FALSE(interfere(K.endIf().finish()));
}

// The tiles of a loop and what follows it exclude each other, too.
TEST(LiveRanges, EpilogueOfALoop) {
  HandMadeProgram K({64, 64});
  K.beginLoop().work({K.write(A)}).barrier().work({K.read(A)}).barrier();
  K.endLoop().work({K.write(B)}).barrier().work({K.read(B)});
  EXPECT_FALSE(interfere(K.finish()));
}

// Threads that return are where the others are, until these end: behind
// barriers they may still access what lies on their way out, and nothing else.
TEST(LiveRanges, ReturningThreads) {
  HandMadeProgram K({64, 64});
  K.mayReturn({K.write(A)}).barrier().work({K.write(B), K.readOwn(B)});
  EXPECT_TRUE(interfere(K.finish()));

  HandMadeProgram Later({64, 64});
  Later.work({Later.read(A)}).mayReturn().barrier().barrier();
  Later.work({Later.write(B), Later.readOwn(B)});
  EXPECT_TRUE(interfere(Later.finish()));

  HandMadeProgram Clean({64, 64});
  Clean.work({Clean.write(A), Clean.readOwn(A)}).barrier().mayReturn();
  Clean.barrier().work({Clean.write(B), Clean.readOwn(B)});
  EXPECT_FALSE(interfere(Clean.finish()));

  HandMadeProgram Left({64, 64});
  Left.beginIf().work({Left.write(A)}).doReturn().otherwise();
  Left.work({Left.write(B)}).barrier().endIf();
  EXPECT_TRUE(interfere(Left.finish()));
}

// What a thread wrote before it returned is read by the others.
TEST(LiveRanges, ReturningThreadsLeaveValues) {
  HandMadeProgram K({64, 64});
  K.beginIf().work({K.write(A)}).doReturn().otherwise().barrier();
  K.work({K.write(B), K.readOwn(B)}).barrier().work({K.read(A)}).endIf();
  EXPECT_TRUE(interfere(K.finish()));
}

// Threads that go round for ever are where the others are, too.
TEST(LiveRanges, EndlessThreads) {
  HandMadeProgram K({64, 64});
  K.beginIf().work({K.write(A)}).otherwise();
  K.work({K.write(B)}).barrier().endIf();
  SharedProgram P = K.finish();
  const auto Endless = llvm::find_if(P.Steps, [](const Step &S) {
    return !S.Uses.empty() && S.Uses.front().Variable == A;
  });
  Endless->Successors = {StepId(Endless - P.Steps.begin())};
  EXPECT_TRUE(interfere(P));
}

// A barrier on one way only leaves both sides of it together on the other.
TEST(LiveRanges, BarrierOnOneWay) {
  HandMadeProgram K({64, 64});
  K.work({K.write(A), K.readOwn(A)}).beginIf().barrier().endIf();
  K.work({K.write(B), K.readOwn(B)});
  EXPECT_TRUE(interfere(K.finish()));
}

// Written on one of two ways only, whichever: the old value may be read.
TEST(LiveRanges, SureOnAllWaysOnly) {
  for (const bool OnFirst : {false, true})
    for (const bool OnSecond : {false, true}) {
      HandMadeProgram K({64, 64});
      K.work({K.write(A)}).barrier().work({K.write(B), K.readOwn(B)}).barrier();
      K.beginIf().work({OnFirst ? K.write(A) : K.mayWrite(A)});
      K.otherwise().work({OnSecond ? K.write(A) : K.mayWrite(A)}).endIf();
      K.barrier().work({K.read(A)});
      EXPECT_EQ(interfere(K.finish()), !OnFirst || !OnSecond);
    }
}

// A read of what nobody has written does not make it alive.
TEST(LiveRanges, Uninitialised) {
  HandMadeProgram K({64, 64});
  K.work({K.write(A), K.readOwn(A)}).barrier().work({K.read(B, 0, 4)});
  const SharedProgram P = K.finish();
  const LiveRanges Ranges = computeLiveRanges(P);
  EXPECT_FALSE(Ranges.interfere(A, B));
  EXPECT_EQ(Ranges.Uninitialised[B].count(), 4u);
  EXPECT_TRUE(Ranges.Uninitialised[A].none());
}

/// B is used in a later interval than the copy to A.
static SharedProgram makeCopy(bool Waits, bool HasBarrier) {
  HandMadeProgram K({64, 64});
  K.work({HandMadeProgram::pending(K.write(A))}).barrier();
  if (Waits)
    K.wait();
  if (HasBarrier)
    K.barrier();
  return K.work({K.write(B), K.readOwn(B)}).finish();
}

// A copy is busy until it has been waited for and a barrier has been crossed.
TEST(LiveRanges, Pending) {
  EXPECT_TRUE(interfere(makeCopy(false, true)));
  EXPECT_TRUE(interfere(makeCopy(true, false)));
  EXPECT_FALSE(interfere(makeCopy(true, true)));
}

// A thread returns and leaves a copy behind that nobody waits for.
TEST(LiveRanges, PendingForever) {
  HandMadeProgram K({64, 64});
  K.work({HandMadeProgram::pending(K.write(A))}).barrier().mayReturn().wait();
  K.barrier().barrier().work({K.write(B), K.readOwn(B)});
  EXPECT_TRUE(interfere(K.finish()));
}

// Pinned variables and refused programs share nothing, used or not.
TEST(LiveRanges, PinnedAndRefused) {
  HandMadeProgram K({64, 64});
  SharedProgram P = K.work({}).finish();
  EXPECT_FALSE(interfere(P));
  P.Variables[B].Pinned = Refusal{Reason::AddressEscapes, "", {}};
  EXPECT_TRUE(interfere(P));
  P.Variables[B].Pinned.reset();
  P.Refused = Refusal{Reason::AddressEscapes, "", {}};
  EXPECT_TRUE(interfere(P));
}

// Steps that nothing leads to, or that lead nowhere, mean nothing.
TEST(LiveRanges, UnreachableSteps) {
  HandMadeProgram K({64, 64});
  K.work({K.write(A)}).doReturn().barrier().work({K.read(A), K.write(B)});
  EXPECT_FALSE(interfere(K.finish()));
  EXPECT_EQ(computeLiveRanges(SharedProgram()).Intervals.size(), 0u);
}

// A barrier reads its operand before it is crossed.
TEST(LiveRanges, OperandOfABarrier) {
  HandMadeProgram K({64, 64});
  K.work({K.write(B)}).barrier({K.read(A)}).work({K.read(B)});
  const LiveRanges Ranges = computeLiveRanges(K.finish());
  EXPECT_TRUE(Ranges.Intervals[0].Busy[A].any());
  EXPECT_FALSE(Ranges.Intervals[1].Busy[A].any());
}

// Sets are exact, and hulls are bytes with what lies behind the last element.
TEST(LiveRanges, HullsInBytes) {
  HandMadeProgram K({66, 64});
  const SharedProgram P = K.finish();
  ElementSet Set(16);
  EXPECT_EQ(findHull(Set, P.Variables[A]), std::nullopt);
  Set.set(2);
  Set.set(5);
  EXPECT_EQ(findHull(Set, P.Variables[A]),
            (std::pair<uint64_t, uint64_t>(8, 24)));
  Set.set(15);
  EXPECT_EQ(findHull(Set, P.Variables[A]),
            (std::pair<uint64_t, uint64_t>(8, 66)));
}

// The table says for each interval what is accessed, alive, or only in part.
TEST(LiveRanges, Table) {
  HandMadeProgram K({64, 64, 4});
  K.work({K.write(A), K.write(C)}).barrier().work({K.read(A)}).barrier();
  K.work({K.mayWrite(B, 4, 8)}).barrier().work({K.read(B, 0, 8), K.read(C)});
  SharedProgram P = K.finish();
  EXPECT_EQ(printed(P), "  steps  A 64  B 64      C 4\n"
                        "  #2     w     .         w\n"
                        "  #4     r     .         |\n"
                        "  #6     .     w[16,32)  |\n"
                        "  #8     .     r[0,32)   r\n"
                        "  may share: A B\n"
                        "  read without having been written: B[0,16)\n");
  P.Variables[A].Pinned = Refusal{Reason::AddressEscapes, "", {}};
  EXPECT_NE(printed(P).find("A 64!"), std::string::npos);
  EXPECT_NE(printed(P).find("no two may share bytes"), std::string::npos);
}
