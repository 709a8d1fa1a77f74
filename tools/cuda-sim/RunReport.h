// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The combined observations of all launches of a program.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_RUNREPORT_H
#define CUDASIM_RUNREPORT_H

#include "SimCommandLine.h"

#include "cudaopt/Simt/Executor.h"
#include "cudaopt/Simt/Observations.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace cudaopt::cudasim {

/// Collects findings and costs, each once for all launches.
class RunReport {
public:
  /// Findings are printed to \p OS as soon as they occur for the first time.
  explicit RunReport(llvm::raw_ostream &OS) : OS(OS) {}

  /// Adds the observations of a launch of \p P.
  void addLaunch(const simt::Program &P, const simt::Launch &L,
                 const simt::Observations &Seen);
  /// Records a wrong call of the runtime: "cudaMemcpy: the destination is
  /// null".
  void addApiError(const std::string &Text);

  uint64_t numLaunches() const { return Launches; }
  bool hasErrors() const;
  /// Records that the program asked how long something took.
  void noteTime() { HasAskedForTime = true; }

  /// Returns "3 launches, 1.2 M warp instructions, 2 findings".
  std::string summary() const;
  /// Returns, one sentence each, what a reader of the summary might wrongly
  /// take for granted.
  std::vector<std::string> caveats(const SimOptions &Opts) const;
  /// Prints a table for each kernel that has \p Costs.
  void printCosts(simt::AccessCosts simt::Observations::*Costs,
                  const simt::CostNames &Names) const;
  llvm::json::Value toJson(int ExitCode, const SimOptions &Opts) const;

private:
  struct KernelTotals {
    uint64_t Launches = 0;
    /// Summed over all launches; the findings are kept apart.
    simt::Observations Seen;
  };
  /// A finding, once for all launches and all instances of a template.
  struct SeenFinding {
    simt::Finding What;
    const simt::Program *Kernel;
    uint64_t Launch; ///< The first launch that shows it, counted from 1.
  };
  using FindingKey = std::tuple<simt::FindingKind, std::string, std::string>;

  void addFinding(const simt::Program &P, const simt::Launch &L,
                  const simt::Finding &F);
  llvm::json::Array kernelsToJson() const;
  llvm::json::Array findingsToJson() const;

  llvm::raw_ostream &OS;
  uint64_t Launches = 0, WarpInstructions = 0;
  bool HasAskedForTime = false;
  /// The kernels in the order of their first launches.
  std::vector<const simt::Program *> Order;
  std::map<const simt::Program *, KernelTotals> Kernels;
  std::vector<SeenFinding> Findings;
  std::map<FindingKey, size_t> Index;        ///< Indices into Findings.
  std::map<std::string, uint64_t> ApiErrors; ///< How often each error occurred.
};

} // namespace cudaopt::cudasim

#endif // CUDASIM_RUNREPORT_H
