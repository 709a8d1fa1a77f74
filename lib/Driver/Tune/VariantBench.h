// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the variants of a program and runs them in turns.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_TUNE_VARIANTBENCH_H
#define CUDAOPT_LIB_DRIVER_TUNE_VARIANTBENCH_H

#include "TuneFolder.h"
#include "TunedProgram.h"
#include "cudaopt/Driver/Command/Options.h"

#include <chrono>

namespace cudaopt {

/// Prints a line about the progress on standard error.
void sayProgress(const llvm::Twine &Text);

/// The variants of one program.
class VariantBench {
public:
  /// \p Said are the options of this folder; \p Self tells one cuda-opt from
  /// another. The other arguments must outlive the bench.
  VariantBench(const TuneCommand &Command, const Options &Said,
               std::string Self, TuneFolder &Folder, TunedProgram &Program,
               ChildRunner &Runner)
      : Command(Command), Said(Said), Self(std::move(Self)), Folder(Folder),
        Program(Program), Runner(Runner) {}

  /// Builds all variants, and leaves out those that decide as an earlier one,
  /// or do not compile. What an interrupted run has built stays.
  llvm::Error buildAll();
  /// Runs \p Which in turns, each other round in the reverse order. A first run
  /// warms up the GPU and does not count.
  llvm::Error measure(llvm::MutableArrayRef<ProgramVariant *> Which);
  /// Measures all variants.
  llvm::Error measureAll();

  /// The variants; the first is that of the default.
  llvm::MutableArrayRef<ProgramVariant> variants() { return Variants; }
  bool hasDefault() const { return !Variants.empty(); }
  /// Returns the kernels that ran, in the default's runs.
  std::vector<std::string> listMeasured() const;

private:
  llvm::Error add(ProgramVariant New, const llvm::Twine &Progress);
  llvm::Error measure(ProgramVariant &Variant, const llvm::Twine &Round);
  llvm::Error checkClocks(llvm::ArrayRef<ProgramVariant *> Of);
  llvm::Error refuseRuns(const llvm::Twine &Why);
  bool isOver() const {
    return Command.Budget && std::chrono::steady_clock::now() - Begin >
                                 std::chrono::seconds(*Command.Budget);
  }
  /// Returns an error if a signal asked the process to end.
  llvm::Error checkSignal() {
    return Runner.received() ? llvm::createStringError("interrupted")
                             : llvm::Error::success();
  }

  const TuneCommand &Command;
  const Options &Said;
  const std::string Self;
  TuneFolder &Folder;
  TunedProgram &Program;
  ChildRunner &Runner;
  std::vector<ProgramVariant> Variants;
  std::string Gpu; ///< That of the first run.
  const std::chrono::steady_clock::time_point Begin =
      std::chrono::steady_clock::now();
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_TUNE_VARIANTBENCH_H
