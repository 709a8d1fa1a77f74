// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs programs that end when this process is told to end.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_CHILDPROCESS_H
#define CUDAOPT_LIB_FRONTEND_CHILDPROCESS_H

#include "llvm/ADT/StringRef.h"
#include <csignal>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cudaopt {

/// How a program is run.
struct ChildSettings {
  /// Takes what the program prints, which then has no input; empty: it has the
  /// terminal, or whatever we have.
  std::string Log;
  /// Of CPU time, after which the system ends it; 0: it may take forever. Time
  /// on the wall would depend on what else the machine does.
  unsigned Seconds = 0;
  /// Where it runs; empty: where we do.
  std::string Folder;
};

/// While it exists, signals that ask this process to end are not delivered: a
/// program that runs gets them, too, and then received() tells its caller.
class ChildRunner {
public:
  ChildRunner();
  ~ChildRunner() { release(); }
  ChildRunner(const ChildRunner &) = delete;
  ChildRunner &operator=(const ChildRunner &) = delete;

  /// Runs the program that \p Words name, with its arguments. Returns what
  /// waitpid says of it, or nothing, with errno, if it cannot be run.
  std::optional<int> run(std::vector<std::string> Words,
                         const ChildSettings &Settings = {});

  /// The signal that asked us to end, or 0.
  int received();

  /// Signals are delivered again, as before a program takes our place.
  void release();

private:
  bool take(const timespec *Patience, pid_t Child);
  void tell(pid_t Process, bool IsOfUs);

  sigset_t Old, Ends, All; ///< All: Ends, and that of children.
  int Received = 0;
  bool IsReleased = false;
  std::set<pid_t> Told; ///< They have got the signal.
};

/// The words as execvp takes them.
std::vector<char *> toPointers(std::vector<std::string> &Words);

/// Ends this process by \p Signal; returns an exit code if it will not.
int dieBy(int Signal);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_CHILDPROCESS_H
