// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A program as one choice of options makes it, and what was measured of it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_TUNE_PROGRAMVARIANT_H
#define CUDAOPT_LIB_DRIVER_TUNE_PROGRAMVARIANT_H

#include "cudaopt/Driver/Tune/ProgramRun.h"

#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cudaopt {

/// The decisions about a program.
struct ProgramDecisions {
  /// For each kernel, by its name, a text that tells its layouts and its
  /// storage. Kernels of one name are one.
  std::map<std::string, std::string> Kernels;
  /// The device functions that have shared arrays.
  std::set<std::string> Functions;
};

/// One variant of the program.
struct ProgramVariant {
  std::string Name; ///< "original", "default", "layout=pad".
  /// What a kernel is pinned to if this variant is its best: the words for
  /// --layout and --reuse, empty for their defaults.
  std::string Layout, Reuse;
  /// The values of --layout and --reuse with which it is built; empty for what
  /// .cuda-opt says.
  std::string LayoutFlag, ReuseFlag;
  std::string Folder; ///< Has the products: "0", "1", ... in their order.
  ProgramDecisions Decisions;
  /// The sources that were compiled as they are, since the rewritten text did
  /// not compile, or for another reason that the launcher tells.
  unsigned Fallbacks = 0;
  std::vector<ProgramRun> Runs;

  /// Returns the decisions about \p Kernel; an empty text if it is not known.
  llvm::StringRef decisionOn(llvm::StringRef Kernel) const;
};

/// Reads the decisions from the JSON reports in \p Folder.
llvm::Expected<ProgramDecisions> readDecisions(llvm::StringRef Folder);

/// A median, and half of the distance between the quartiles as a part of it.
struct Sample {
  double Median = 0, Spread = 0;

  static Sample of(std::vector<double> Values);
};

/// Returns the times of \p Kernel, of one launch, in the runs of all \p
/// Variants that decide about it as \p Like does; a median of 0 if it was not
/// launched.
Sample timesOf(llvm::ArrayRef<ProgramVariant> Variants,
               const ProgramVariant &Like, llvm::StringRef Kernel);
/// Returns the times of all kernels together, and the energies of the runs;
/// a median of 0 if energies are not known.
Sample timesOf(const ProgramVariant &Variant);
Sample energiesOf(const ProgramVariant &Variant);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_TUNE_PROGRAMVARIANT_H
