// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which storage the verifier lets pass, and which mistakes in it it finds.
//===----------------------------------------------------------------------===//

#include "cudaopt/Verify/Verify.h"

#include "../HandMadeProgram.h"
#include "../Passes/PhaseExecutor.h"
#include "gtest/gtest.h"

using namespace cudaopt;

enum : VariableId { A, B };

/// The rule that is violated with B at byte \p Offset of A; empty if none is.
static std::string verify(const SharedProgram &P, uint64_t Offset = 0) {
  const std::vector<StoredAt> Places = {{0, P.Variables[A].Size},
                                        {Offset, P.Variables[B].Size}};
  const std::string Text = llvm::toString(verifyStorage(P, Places));
  // What it lets pass does no harm, whatever the order of the threads.
  EXPECT_FALSE(Text.empty() && findsDifference(P, Places, 200));
  return Text;
}

/// The same for mistakes that runs find, too.
static std::string verifyHarm(const SharedProgram &P, uint64_t Offset = 0) {
  EXPECT_TRUE(findsDifference(
      P, {{0, P.Variables[A].Size}, {Offset, P.Variables[B].Size}}, 200));
  return verify(P, Offset);
}

static void expectSays(llvm::StringRef Text, llvm::StringRef Part) {
  EXPECT_TRUE(Text.contains(Part)) << Text.str();
}

// A is dead when B is written.
TEST(VerifyReuse, Phases) {
  HandMadeProgram K({16, 16});
  K.work({K.write(A)}).barrier().work({K.read(A)}).barrier();
  K.work({K.write(B)}).barrier().work({K.read(B)});
  EXPECT_EQ(verify(K.finish()), "");
}

// Without the barrier in front of B, a slow warp still reads A.
TEST(VerifyReuse, MissingBarrier) {
  HandMadeProgram K({16, 16});
  K.work({K.write(A)}).barrier().work({K.read(A)});
  K.work({K.write(B)}).barrier().work({K.read(B)});
  expectSays(verifyHarm(K.finish()), "no barrier separates");
}

// Both in one step.
TEST(VerifyReuse, OneStep) {
  HandMadeProgram K({16, 16});
  K.work({K.write(A)}).barrier().work({K.read(A), K.write(B)});
  expectSays(verifyHarm(K.finish()), "no barrier separates");
}

// A is read after B has been written over it.
TEST(VerifyReuse, LostValue) {
  HandMadeProgram K({16, 16});
  K.work({K.write(A)}).barrier().work({K.write(B)}).barrier();
  K.work({K.read(A)});
  expectSays(verifyHarm(K.finish()), "may read what the other has overwritten");
}

// A is written anew, but another thread may read it before.
TEST(VerifyReuse, LostValueWrittenAnew) {
  for (const bool HasBarrier : {false, true}) {
    HandMadeProgram K({16, 16});
    K.work({K.write(A)}).barrier().work({K.write(B)}).barrier();
    K.work({K.write(A)});
    if (HasBarrier)
      K.barrier();
    const SharedProgram P = K.work({K.read(A)}).finish();
    if (HasBarrier)
      EXPECT_EQ(verify(P), "");
    else
      expectSays(verifyHarm(P), "overwritten");
  }
}

// Only the bytes that both use count.
TEST(VerifyReuse, OverlapsByBytes) {
  HandMadeProgram K({16, 16});
  K.work({K.write(A)}).barrier().work({K.write(B, 2, 4)}).barrier();
  K.work({K.read(A, 0, 3), K.read(B, 2, 4)});
  const SharedProgram P = K.finish();
  expectSays(verifyHarm(P, 0), "no barrier separates");
  EXPECT_EQ(verify(P, 4), "");
  EXPECT_EQ(verify(P, 8), "");
}

// In another layout, elements may have any of the bytes.
TEST(VerifyReuse, PermutedElements) {
  HandMadeProgram K({16, 16});
  const SharedProgram P = K.work({K.write(A, 0, 2), K.write(B, 2, 4)}).finish();
  EXPECT_EQ(verify(P), "");
  for (const bool IsFirst : {false, true})
    expectSays(llvm::toString(verifyStorage(
                   P, {{0, 16, /*IsPermuted=*/IsFirst}, {0, 16, !IsFirst}})),
               "no barrier separates");
}

/// A loop of A and B in intervals of their own; A comes first.
static SharedProgram makeLoop(const SharedUse &FirstOfA) {
  HandMadeProgram K({16, 16});
  K.beginLoop();
  K.work({FirstOfA}).barrier().work({K.read(A)}).barrier();
  K.work({K.write(B)}).barrier().work({K.read(B)}).barrier();
  return K.endLoop().finish();
}

// The next iteration reads A, which the block has written anew, or only some of
// its threads have.
TEST(VerifyReuse, BackEdge) {
  const HandMadeProgram K({16, 16});
  EXPECT_EQ(verify(makeLoop(K.write(A))), "");
  expectSays(verifyHarm(makeLoop(K.mayWrite(A))), "overwritten");
}

// The tile of a loop and what follows the loop exclude each other.
TEST(VerifyReuse, EpilogueOfALoop) {
  HandMadeProgram K({16, 16});
  K.beginLoop().work({K.write(A)}).barrier().work({K.read(A)}).barrier();
  K.endLoop().work({K.write(B)}).barrier().work({K.read(B)});
  EXPECT_EQ(verify(K.finish()), "");
}

// One barrier in a loop: the end of an iteration meets the begin of the next.
TEST(VerifyReuse, IntervalThatFollowsItself) {
  HandMadeProgram K({16, 16});
  K.beginLoop().work({K.write(A), K.readOwn(A)}).barrier();
  K.work({K.write(B), K.readOwn(B)}).endLoop();
  expectSays(verifyHarm(K.finish()), "no barrier separates");
}

// A thread that returns writes to B while the others keep a value in A.
TEST(VerifyReuse, ReturningThreads) {
  HandMadeProgram K({16, 16});
  K.work({K.write(A)}).barrier();
  K.beginIf().work({K.write(B)}).doReturn().otherwise().barrier();
  K.work({K.read(A)}).endIf();
  expectSays(verifyHarm(K.finish()), "overwritten");
}

// Hardware writes to A until a thread has waited, and others know it behind the
// next barrier.
TEST(VerifyReuse, Pending) {
  for (const bool Waits : {false, true})
    for (const bool HasBarrier : {false, true}) {
      HandMadeProgram K({16, 16});
      K.work({HandMadeProgram::pending(K.write(A))}).barrier();
      if (Waits)
        K.wait();
      if (HasBarrier)
        K.barrier();
      K.work({K.write(B)}).barrier().work({K.read(B)});
      const SharedProgram P = K.finish();
      if (Waits && HasBarrier)
        EXPECT_EQ(verify(P), "");
      else
        expectSays(verifyHarm(P), "may be pending");
    }
}

// A thread returns before its copy has come.
TEST(VerifyReuse, PendingForever) {
  HandMadeProgram K({16, 16});
  K.work({HandMadeProgram::pending(K.write(A))}).barrier().mayReturn().wait();
  K.barrier().barrier().work({K.write(B)}).barrier().work({K.read(B)});
  expectSays(verifyHarm(K.finish()), "may be pending");
}

// A thread that leaves may read A behind barriers that the others come to.
TEST(VerifyReuse, LeavingThreads) {
  for (const bool ReadsBefore : {false, true}) {
    HandMadeProgram K({16, 16});
    K.work({K.write(A)}).barrier().work({K.read(A)});
    if (!ReadsBefore)
      K.barrier();
    K.mayReturn().barrier().barrier();
    K.work({K.write(B)}).barrier().work({K.read(B)});
    if (ReadsBefore)
      expectSays(verify(K.finish()), "no barrier separates");
    else
      EXPECT_EQ(verify(K.finish()), "");
  }
}

// Rules that need no steps.
TEST(VerifyReuse, Places) {
  HandMadeProgram K({16, 16});
  K.work({K.write(A)}).barrier().work({K.write(B, 0, 2)});
  SharedProgram P = K.finish();
  expectSays(llvm::toString(verifyStorage(P, {{0, 16}})), "a place");
  expectSays(llvm::toString(verifyStorage(P, {{0, 16}, {2, 16}})), "multiple");
  expectSays(llvm::toString(verifyStorage(P, {{0, 12}, {0, 16}})), "needs 16");
  EXPECT_EQ(llvm::toString(verifyStorage(P, {{0, 16}, {8, 8}})), "");
  P.Refused = Refusal{Reason::AddressEscapes, "A", {}};
  EXPECT_NE(verify(P), "");
  EXPECT_EQ(verify(P, 16), "");
  P.Refused.reset();
  P.Variables[B].Pinned = Refusal{Reason::AddressEscapes, "B", {}};
  EXPECT_NE(verify(P), "");
  EXPECT_EQ(verify(P, 16), "");
}

/// Why threads with one element of A may not have one each.
static std::string verifyApart(const SharedProgram &P) {
  return llvm::toString(verifyPhases(P, A));
}

TEST(VerifyReuse, ReadsAndWritesApart) {
  HandMadeProgram K({16, 16});
  K.work({K.write(A)}).barrier().beginLoop();
  K.beginIf().work({K.read(A)}).otherwise().work({K.write(A)}).endIf();
  K.barrier().endLoop();
  EXPECT_EQ(verifyApart(K.finish()), "");
}

TEST(VerifyReuse, ReadBehindWrite) {
  HandMadeProgram K({16, 16});
  K.work({K.write(A)}).work({K.read(A)});
  expectSays(verifyApart(K.finish()), "both read and written");
}

// In the next iteration.
TEST(VerifyReuse, WriteBehindRead) {
  HandMadeProgram K({16, 16});
  K.work({K.write(A)}).barrier().beginLoop();
  K.work({K.write(A)}).barrier().work({K.read(A)}).endLoop();
  expectSays(verifyApart(K.finish()), "both read and written");
}

TEST(VerifyReuse, ReadAndWriteInOneStep) {
  HandMadeProgram K({16, 16});
  K.work({K.write(A)}).barrier().work({K.read(A), K.write(A)});
  expectSays(verifyApart(K.finish()), "both read and written");
}
