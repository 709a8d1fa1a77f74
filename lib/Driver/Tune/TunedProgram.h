// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds and runs the program that is tuned. Each variant's products are kept,
/// and put back in their place before it runs, so that variants can take turns.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_TUNE_TUNEDPROGRAM_H
#define CUDAOPT_LIB_DRIVER_TUNE_TUNEDPROGRAM_H

#include "Launcher/ChildProcess.h"
#include "ProgramVariant.h"
#include "cudaopt/Driver/Tune/TuneCommand.h"

namespace cudaopt {

/// The program that a command builds and another one runs.
class TunedProgram {
public:
  /// What commands print goes to \p Log. \p Self is cuda-opt's own path,
  /// \p Timer the library that the driver loads; it may be empty. All arguments
  /// must outlive the program.
  TunedProgram(const TuneCommand &Command, std::string Log,
               llvm::StringRef Self, llvm::StringRef Timer,
               ChildRunner &Runner);

  /// Builds \p Variant and keeps its products in its folder. Reads the
  /// decisions. Fails if the build does, if it compiles nothing through
  /// cuda-opt, or does not write the products.
  llvm::Error build(ProgramVariant &Variant);
  /// The same, unless an earlier call has left a complete folder.
  llvm::Error load(ProgramVariant &Variant);
  /// Builds the program as the user's command does without us.
  llvm::Error rebuild();
  /// Runs the program as \p Variant made it; \p Record is the file for the
  /// times, which are read if they are there. Fails if the program does.
  llvm::Expected<ProgramRun> run(const ProgramVariant &Variant,
                                 const std::string &Record);
  /// Puts the products of \p Variant in their place.
  llvm::Error use(const ProgramVariant &Variant);
  /// Returns a hash of the products of \p Variant, without what compilers write
  /// into each product anew.
  llvm::Expected<std::string> hash(const ProgramVariant &Variant) const;

private:
  llvm::Error runCommand(const std::vector<std::string> &Words,
                         llvm::StringRef What);
  llvm::Error keepProducts(const ProgramVariant &Variant,
                           llvm::ArrayRef<std::string> Before);
  std::string identify(const std::string &Product) const;

  const TuneCommand &Command;
  const std::string Timer, Log;
  std::vector<std::string> BuildWords, Products;
  ChildRunner &Runner;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_TUNE_TUNEDPROGRAM_H
