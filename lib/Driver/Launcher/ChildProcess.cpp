// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Passes signals on to children. A terminal sends its signals to all processes
/// of the foreground group, but kill(1) sends them to one process, and nvcc
/// runs other programs that do the work. So a signal that a process has sent is
/// passed on to all our descendants, as the terminal would have done; otherwise
/// cicc or ptxas would go on after a build was aborted.
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

/// A parent process may have made us ignore a signal, as nohup(1) does with
/// SIGHUP; such a signal must stay ignored.
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
  std::signal(SIGCHLD, SIG_DFL); // Under SIG_IGN, waitpid would fail.
  sigprocmask(SIG_BLOCK, &All, &Old);
  // Descendants whose parent ends early become our children, so that they can
  // still be found and told to end.
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

/// Turns the forked child into the program. If that fails, writes errno to the
/// pipe \p Report.
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

/// Returns the children of \p Process according to /proc.
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

/// Sends the received signal to \p Process, unless it has it already, and to
/// all of its descendants. Processes that have left our process group are
/// spared: they were started on purpose as daemons (the server of ccache or
/// sccache).
void ChildRunner::tell(pid_t Process, bool IsOfUs) {
  const std::vector<pid_t> Children = listChildren(Process);
  if (IsOfUs && getpgid(Process) == getpgrp() && Told.insert(Process).second)
    kill(Process, Received);
  for (pid_t Child : Children)
    tell(Child, /*IsOfUs=*/true);
}

/// Waits for a signal and handles it. Returns false if none came within
/// \p Patience; null means no limit.
bool ChildRunner::take(const timespec *Patience, pid_t Child) {
  siginfo_t Info;
  const int Signal =
      Patience ? sigtimedwait(&All, &Info, Patience) : sigwaitinfo(&All, &Info);
  if (Signal < 0)
    return errno != EAGAIN;
  if (Signal == SIGCHLD)
    return true;
  Received = Signal;
  // A code that is not positive means that a process has sent the signal, maybe
  // to us alone; the kernel sends Ctrl-C to the whole group.
  if (Info.si_code <= 0) {
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
  // The pipe is closed on exec, so that read() returns 0 once the program has
  // started, and an error number if it cannot be started.
  while (Child > 0 && ::read(Pipe[0], &WhyNotRun, sizeof(WhyNotRun)) < 0 &&
         errno == EINTR)
    ;
  close(Pipe[0]);
  // Once a signal was passed on, descendants are listed again every tenth of a
  // second: some may have been forked while others ended.
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
