// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The folder `cuda-opt.tune` for the files of a run of `cuda-opt tune`. It
/// stays if the run is interrupted, so that the next one goes on.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_TUNE_TUNEFOLDER_H
#define CUDAOPT_LIB_DRIVER_TUNE_TUNEFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudaopt {

/// The folder, which one process at a time may use.
class TuneFolder {
public:
  TuneFolder() = default;
  ~TuneFolder() { unlock(); }
  TuneFolder(const TuneFolder &) = delete;
  TuneFolder &operator=(const TuneFolder &) = delete;

  /// Makes the folder, or takes the one that an interrupted run has left. Fails
  /// if there is something else of this name, or another process uses it.
  llvm::Error open();

  /// Returns the path of the file or folder \p Name in it.
  static std::string path(const llvm::Twine &Name);
  /// Returns the file for the times of a run.
  static std::string recordOf(llvm::StringRef Variant, const llvm::Twine &Run);

  /// Returns true if an interrupted run had the same \p Key. If not, all that
  /// it has left but the folder \p Kept is removed.
  llvm::Expected<bool> resume(llvm::StringRef Key, llvm::StringRef Kept);
  /// Removes the records of all runs, or of those of \p Variant.
  void forgetRuns();
  void forgetRuns(llvm::StringRef Variant);
  /// Returns true if a run can go on with what is there: a second variant, or
  /// times.
  bool hasWork() const;
  void remove();

private:
  void unlock();

  int Lock = -1; ///< A file descriptor.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_TUNE_TUNEFOLDER_H
