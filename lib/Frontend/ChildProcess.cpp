// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A terminal sends its signals to all processes in front; kill sends one to
/// us alone, and nvcc runs others that do the work. So a signal that somebody
/// has sent goes on to all our descendants, as the terminal's would.
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cudaopt;
using namespace llvm;

std::vector<char *> cudaopt::toPointers(std::vector<std::string> &Words) {
  std::vector<char *> Result;
  for (std::string &Word : Words)
    Result.push_back(Word.data());
  Result.push_back(nullptr);
  return Result;
}

int cudaopt::dieBy(int Signal) {
  std::signal(Signal, SIG_DFL);
  sigset_t Only;
  sigemptyset(&Only);
  sigaddset(&Only, Signal);
  sigprocmask(SIG_UNBLOCK, &Only, nullptr);
  raise(Signal);
  return 128 + Signal;
}

/// Who runs us may have made us deaf to a signal, as nohup does.
static bool isIgnored(int Signal) {
  struct sigaction Action;
  return !sigaction(Signal, nullptr, &Action) && Action.sa_handler == SIG_IGN;
}

ChildRunner::ChildRunner() {
  sigemptyset(&Ends);
  for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    if (!isIgnored(Signal))
      sigaddset(&Ends, Signal);
  All = Ends;
  sigaddset(&All, SIGCHLD);
  std::signal(SIGCHLD, SIG_DFL); // Where it is ignored, nobody can wait.
  sigprocmask(SIG_BLOCK, &All, &Old);
  // What a compiler leaves behind when it ends early becomes our child.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void ChildRunner::release() {
  if (!IsReleased)
    sigprocmask(SIG_SETMASK, &Old, nullptr);
  IsReleased = true;
}

int ChildRunner::received() {
  const timespec Now = {0, 0};
  int Signal = 0;
  while (!IsReleased && !Received &&
         (Signal = sigtimedwait(&Ends, nullptr, &Now)) > 0)
    Received = Signal;
  return Received;
}

/// In the child.
[[noreturn]] static void become(char **Words, const ChildSettings &Settings,
                                const sigset_t &Mask, int Report) {
  sigprocmask(SIG_SETMASK, &Mask, nullptr);
  bool IsReady = true;
  if (!Settings.Log.empty()) {
    const int In = open("/dev/null", O_RDONLY);
    const int Out = open(Settings.Log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                         S_IRUSR | S_IWUSR);
    IsReady = In >= 0 && Out >= 0 && dup2(In, STDIN_FILENO) >= 0 &&
              dup2(Out, STDOUT_FILENO) >= 0 && dup2(Out, STDERR_FILENO) >= 0;
  }
  rlimit Limit;
  if (Settings.Seconds && !getrlimit(RLIMIT_CPU, &Limit)) {
    Limit.rlim_cur = std::min<rlim_t>(Settings.Seconds, Limit.rlim_max);
    setrlimit(RLIMIT_CPU, &Limit);
  }
  if (IsReady && !Settings.Folder.empty())
    IsReady = !chdir(Settings.Folder.c_str());
  if (IsReady)
    execvp(Words[0], Words);
  const int Why = errno;
  [[maybe_unused]] const ssize_t Written = write(Report, &Why, sizeof(Why));
  _exit(127);
}

/// The children of \p Process, as /proc tells.
static std::vector<pid_t> listChildren(pid_t Process) {
  std::vector<pid_t> Children;
  const std::string Tasks = "/proc/" + std::to_string(Process) + "/task";
  std::error_code EC;
  for (sys::fs::directory_iterator I(Tasks, EC), End; !EC && I != End;
       I.increment(EC)) {
    auto Text = MemoryBuffer::getFileAsStream(I->path() + "/children");
    if (!Text)
      continue;
    for (StringRef Word : split((*Text)->getBuffer(), ' '))
      if (pid_t Child = 0; !Word.trim().getAsInteger(10, Child))
        Children.push_back(Child);
  }
  return Children;
}

/// Sends the signal to \p Process, unless it has it, and to its descendants. A
/// process that has left our group has work of its own.
void ChildRunner::tell(pid_t Process, bool IsOfUs) {
  const std::vector<pid_t> Children = listChildren(Process);
  if (IsOfUs && getpgid(Process) == getpgrp() && Told.insert(Process).second)
    kill(Process, Received);
  for (pid_t Child : Children)
    tell(Child, /*IsOfUs=*/true);
}

/// Waits for a signal; returns false after \p Patience, if there is one.
bool ChildRunner::take(const timespec *Patience, pid_t Child) {
  siginfo_t Info;
  const int Signal =
      Patience ? sigtimedwait(&All, &Info, Patience) : sigwaitinfo(&All, &Info);
  if (Signal < 0)
    return errno != EAGAIN;
  if (Signal == SIGCHLD)
    return true;
  Received = Signal;
  if (Info.si_code <= 0) { // Somebody has sent it, to us at least.
    Told.clear();
    tell(Child, /*IsOfUs=*/true);
  }
  return true;
}

std::optional<int> ChildRunner::run(std::vector<std::string> Words,
                                    const ChildSettings &Settings) {
  if (received()) {
    errno = EINTR;
    return std::nullopt;
  }
  std::vector<char *> Pointers = toPointers(Words);
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC))
    return std::nullopt;
  const pid_t Child = fork();
  if (Child == 0)
    become(Pointers.data(), Settings, Old, Pipe[1]);
  const int WhyNotForked = errno;
  close(Pipe[1]);
  int WhyNotRun = Child < 0 ? WhyNotForked : 0, Status = 0;
  // The pipe closes when the program begins.
  while (Child > 0 && ::read(Pipe[0], &WhyNotRun, sizeof(WhyNotRun)) < 0 &&
         errno == EINTR)
    ;
  close(Pipe[0]);
  // Processes that come while others go get the signal, too.
  static constexpr timespec Tenth = {0, 100'000'000};
  pid_t Ended = 0;
  while (Child > 0 && (Ended = waitpid(Child, &Status, WNOHANG)) == 0)
    if (!take(Received && !Told.empty() ? &Tenth : nullptr, Child))
      tell(Child, /*IsOfUs=*/true);
  if (received())
    tell(getpid(), /*IsOfUs=*/false);
  if (WhyNotRun || Ended < 0) {
    errno = WhyNotRun ? WhyNotRun : ECHILD;
    return std::nullopt;
  }
  return Status;
}
