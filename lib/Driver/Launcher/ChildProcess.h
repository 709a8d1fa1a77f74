// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs child programs, and passes signals on to them that ask this process to
/// end.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_LAUNCHER_CHILDPROCESS_H
#define CUDAOPT_LIB_DRIVER_LAUNCHER_CHILDPROCESS_H

#include "llvm/ADT/StringRef.h"
#include <csignal>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cudaopt {

/// How a program is run.
struct ChildSettings {
  /// A file that receives both output streams of the program, which then reads
  /// no input. If empty, the program inherits ours.
  std::string Log;
  /// A limit of CPU time in seconds, after which the system ends the program; 0
  /// means no limit. Wall-clock time would depend on the machine's load.
  unsigned Seconds = 0;
  /// The working directory of the program; ours if empty.
  std::string Folder;
};

/// Runs programs one after the other. While it exists, signals that ask this
/// process to end are blocked: the running program receives them, and the
/// caller of run() learns from received() that one came. So the caller can
/// remove its files before this process ends.
class ChildRunner {
public:
  ChildRunner();
  ~ChildRunner() { release(); }
  ChildRunner(const ChildRunner &) = delete;
  ChildRunner &operator=(const ChildRunner &) = delete;

  /// Runs the program that \p Words name, with its arguments. Returns its
  /// status as of waitpid(2); std::nullopt, with errno set, if it cannot be
  /// run.
  std::optional<int> run(std::vector<std::string> Words,
                         const ChildSettings &Settings = {});

  /// Returns the signal that asked this process to end; 0 if none came.
  int received();

  /// Delivers signals again; to be called before another program replaces this
  /// process.
  void release();

private:
  bool take(const timespec *Patience, pid_t Child);
  void tell(pid_t Process, bool IsOfUs);

  /// Ends are the signals that ask to end; All has SIGCHLD, too.
  sigset_t Old, Ends, All;
  int Received = 0;
  bool IsReleased = false;
  std::set<pid_t> Told; ///< The processes that have received the signal.
};

/// Returns \p Words in the form that execvp(3) takes; null-terminated.
std::vector<char *> toPointers(std::vector<std::string> &Words);

/// Ends this process by \p Signal. Returns the shell's exit code for it (128 +
/// \p Signal) if the signal does not end the process.
int dieBy(int Signal);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_LAUNCHER_CHILDPROCESS_H
