// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What all launches of a program show together.
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

class RunReport {
public:
  /// Findings are printed to \p OS when they are new.
  explicit RunReport(llvm::raw_ostream &OS) : OS(OS) {}

  /// Takes in what a launch of \p P showed.
  void addLaunch(const simt::Program &P, const simt::Launch &L,
                 const simt::Observations &Seen);
  /// A call of the runtime was wrong: "cudaMemcpy: the destination is null".
  void addApiError(const std::string &Text);

  uint64_t numLaunches() const { return Launches; }
  bool hasErrors() const;
  /// The program asked how long something took.
  void noteTime() { HasAskedForTime = true; }

  /// "3 launches, 1.2 M warp instructions, 2 findings".
  std::string summary() const;
  /// What a reader of the summary may take for granted that is not so: one
  /// sentence each.
  std::vector<std::string> caveats(const SimOptions &Opts) const;
  /// A table for each kernel with accesses to shared memory.
  void printBanks() const;
  llvm::json::Value toJson(int ExitCode, const SimOptions &Opts) const;

private:
  struct KernelTotals {
    uint64_t Launches = 0;
    simt::Observations Seen; ///< Of all launches; the findings are elsewhere.
  };
  /// A finding, once for all launches and all instances of a template.
  struct SeenFinding {
    simt::Finding What;
    const simt::Program *Kernel;
    uint64_t Launch; ///< The first one that shows it, counted from 1.
  };
  using FindingKey = std::tuple<simt::FindingKind, std::string, std::string>;

  void addFinding(const simt::Program &P, const simt::Launch &L,
                  const simt::Finding &F);
  llvm::json::Array kernelsToJson() const;
  llvm::json::Array findingsToJson() const;

  llvm::raw_ostream &OS;
  uint64_t Launches = 0, WarpInstructions = 0;
  bool HasAskedForTime = false;
  std::vector<const simt::Program *> Order; ///< Kernels as first launched.
  std::map<const simt::Program *, KernelTotals> Kernels;
  std::vector<SeenFinding> Findings;
  std::map<FindingKey, size_t> Index;        ///< Into Findings.
  std::map<std::string, uint64_t> ApiErrors; ///< How often each.
};

} // namespace cudaopt::cudasim

#endif // CUDASIM_RUNREPORT_H
