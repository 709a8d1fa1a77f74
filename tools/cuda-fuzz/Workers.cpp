// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Forks children, collects their output with poll(2), and limits their CPU
/// time.
//===----------------------------------------------------------------------===//

#include "Workers.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace cudaopt::fuzz {

namespace {

struct Child {
  uint64_t Number = 0;
  pid_t Process = 0;
  int Pipe = -1;
  std::string Text;
};

} // namespace

static void writeAll(int File, llvm::StringRef Text) {
  while (!Text.empty()) {
    ssize_t Count = write(File, Text.data(), Text.size());
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      _exit(1);
    Text = Text.drop_front(size_t(Count));
  }
}

/// Forks a child that runs the task and writes its result to a pipe.
static Child startChild(uint64_t Number, unsigned Seconds,
                        llvm::function_ref<std::string(uint64_t)> Task) {
  // Buffered output would be printed by both processes.
  llvm::outs().flush();
  int Ends[2];
  if (pipe(Ends) != 0)
    llvm::report_fatal_error("no pipe to a child process");
  pid_t Process = fork();
  if (Process < 0)
    llvm::report_fatal_error("no child process");
  if (Process == 0) {
    close(Ends[0]);
    // The parent reports a crash: no handler prints a stack trace here.
    for (int Signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGXCPU})
      signal(Signal, SIG_DFL);
    // A limit of CPU time, since a machine that is busy with other work is no
    // defect.
    const rlimit Limit{Seconds, Seconds + 1};
    setrlimit(RLIMIT_CPU, &Limit);
    writeAll(Ends[1], Task(Number));
    _exit(0);
  }
  close(Ends[1]);
  return {Number, Process, Ends[0], ""};
}

/// Reads what is available; returns true at the end.
static bool readSome(Child &C) {
  char Buffer[1 << 14];
  ssize_t Count = read(C.Pipe, Buffer, sizeof(Buffer));
  if (Count > 0)
    C.Text.append(Buffer, size_t(Count));
  return Count == 0 || (Count < 0 && errno != EINTR);
}

static Reply finish(Child &C) {
  close(C.Pipe);
  int Status = 0;
  while (waitpid(C.Process, &Status, 0) < 0 && errno == EINTR) {
  }
  Reply Result{std::move(C.Text), ""};
  if (WIFSIGNALED(Status))
    Result.Death = WTERMSIG(Status) == SIGXCPU
                       ? "it takes too long"
                       : "signal " + std::to_string(WTERMSIG(Status));
  else if (WEXITSTATUS(Status))
    Result.Death = "exit code " + std::to_string(WEXITSTATUS(Status));
  return Result;
}

/// Keeps up to \p Jobs children running and reads all pipes at once: a child
/// whose pipe is full would wait for ever.
void runInChildren(uint64_t Count, unsigned Jobs, unsigned Seconds,
                   llvm::function_ref<std::string(uint64_t)> Task,
                   llvm::function_ref<bool(uint64_t, Reply)> Done) {
  std::vector<Child> Running;
  uint64_t Next = 0;
  bool GoesOn = true;
  while (!Running.empty() || (GoesOn && Next < Count)) {
    while (GoesOn && Running.size() < Jobs && Next < Count)
      Running.push_back(startChild(Next++, Seconds, Task));
    std::vector<pollfd> Files;
    for (const Child &C : Running)
      Files.push_back({C.Pipe, POLLIN, 0});
    if (poll(Files.data(), Files.size(), -1) < 0)
      continue;
    for (size_t I = Files.size(); I-- > 0;) {
      if (!Files[I].revents || !readSome(Running[I]))
        continue;
      Child Ended = std::move(Running[I]);
      Running.erase(Running.begin() + I);
      GoesOn &= Done(Ended.Number, finish(Ended));
    }
  }
}

Reply runInChild(unsigned Seconds, llvm::function_ref<std::string()> Task) {
  Reply Result;
  runInChildren(
      1, 1, Seconds, [&](uint64_t) { return Task(); },
      [&](uint64_t, Reply R) {
        Result = std::move(R);
        return true;
      });
  return Result;
}

} // namespace cudaopt::fuzz
