// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Support/Program.h"

#include <gtest/gtest.h>

using namespace cudaopt;

namespace {

ProgramRun runShell(llvm::StringRef Script, unsigned Seconds = 0) {
  return runProgram({"/bin/sh", "-c", Script}, Seconds);
}

/// Both streams come back, apart, also more than a pipe holds.
TEST(Program, Streams) {
  ProgramRun Run = runShell("echo out; echo err >&2; yes | head -c 200000");
  EXPECT_TRUE(Run.isDone());
  EXPECT_EQ(Run.Output.size(), 200004u);
  EXPECT_EQ(Run.Output.substr(0, 4), "out\n");
  EXPECT_EQ(Run.Messages, "err\n");
}

/// The input is empty: nothing waits for a terminal.
TEST(Program, Input) { EXPECT_EQ(runShell("cat").Output, ""); }

/// A failure is told by the program's first words, or by its code.
TEST(Program, Failures) {
  ProgramRun Run = runShell("echo out; echo why >&2; echo more >&2; exit 7");
  EXPECT_EQ(Run.Status, 7);
  EXPECT_EQ(Run.explain(), "why");
  EXPECT_EQ(runShell("echo out; exit 1").explain(), "out");
  EXPECT_EQ(runShell("exit 3").explain(), "it ended with code 3");
}

/// What does not run, is killed or takes too long has a negative status.
TEST(Program, Ends) {
  ProgramRun None = runProgram({"/no/such/program"});
  EXPECT_LT(None.Status, 0);
  EXPECT_NE(None.explain().find("/no/such/program"), std::string::npos);
  EXPECT_LT(runShell("kill -9 $$").Status, 0);
  ProgramRun Late = runShell("sleep 20", /*Seconds=*/1);
  EXPECT_LT(Late.Status, 0);
  EXPECT_FALSE(Late.Problem.empty());
}

} // namespace
