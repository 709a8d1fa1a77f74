// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pipeline, from a parsed translation unit to edits and a report:
///
///   AST -> model of each kernel -> plans -> checks -> edits -> report
///
/// The tool and the plugin share it; each decides itself how sources are found
/// and where results go.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_PIPELINE_PIPELINE_H
#define CUDAOPT_DRIVER_PIPELINE_PIPELINE_H

#include "cudaopt/Driver/Command/Options.h"
#include "cudaopt/Driver/Pipeline/MachineCheck.h"
#include "cudaopt/Driver/Pipeline/ResourceMeter.h"
#include "cudaopt/Driver/Scan/InclusionGraph.h"
#include "cudaopt/Launches/BlockShape.h"
#include "cudaopt/Launches/ProgramLaunches.h"
#include "cudaopt/Machine/KernelWork.h"
#include "cudaopt/Report/Report.h"
#include "cudaopt/Source/Edits.h"

#include "clang/AST/ASTConsumer.h"
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace cudaopt {

/// Whether a result for a translation unit depends on which kernels the other
/// files of the program launch.
enum class ProgramNeed {
  None,
  Asks,  ///< Launches decide about kernels that stay unchanged.
  Rests, ///< Kernels that other files could launch were rewritten.
};

/// The result for one translation unit.
struct PipelineResult {
  /// The edits, by real path of the file. The main file may have none.
  std::map<std::string, FileEdits> Edits;
  /// The text of the edited files, to which the edits apply.
  std::map<std::string, std::string> Sources;
  std::shared_ptr<const InclusionGraph> Inclusions;
  FileReport Report;
  /// Set if the file is not valid CUDA C++ (a syntax error, a missing header);
  /// then nothing is edited.
  bool HasParseErrors = false;
  /// Rewrites that the interpreter refuted and that were therefore not made:
  /// "kernel 'k': what is wrong".
  std::vector<std::string> WrongRewrites;
  /// With --reorder: the edits that give a kernel, identified by its index in
  /// the report, a new order of statements, which is to be tried.
  std::map<size_t, std::map<std::string, FileEdits>> Orders;
  /// The launches in this file. With RewriteJudges::OnlyScans, nothing else is
  /// set.
  ProgramLaunches Launches;
  ProgramNeed Need = ProgramNeed::None;
  /// Why the build may have other launches than those; empty if it cannot.
  std::string LaunchesDoubt;
  /// With RewriteJudges::Counted, the work of each of these; nothing else is
  /// set.
  std::vector<std::optional<KernelWork>> Works;
  /// Why resources were not compared although --verify-resources was given.
  std::string NotMeasured;
};

/// Properties of the compile command that a parse cannot reproduce.
struct CompileCommand {
  bool HasArch = true; ///< The parse is for the build's GPU, or one of them.
  /// A host compiler option that changes the program; empty if there is none.
  std::string HostOption;
  bool HasDirectives = false; ///< The host compiler enables OpenMP or OpenACC.
  /// Another source that may include this one, and would see its edits.
  std::string IncludedBy;
};

/// A launch of a kernel whose work is to be counted.
struct CountedLaunch {
  std::string Symbol; ///< The mangled name of the kernel.
  BlockShape Block;
};

/// Counts the work of blocks in other texts of the files, by real path;
/// std::nullopt for launches whose work is not known.
using WorkJudge = std::function<std::vector<std::optional<KernelWork>>(
    const std::map<std::string, std::string> &Texts,
    const std::vector<CountedLaunch> &Launches)>;

/// The judges of rewrites beside the static checks, and what is known about the
/// rest of the program. Functions may be null.
struct RewriteJudges {
  RewriteChecker Machine;  ///< --verify=machine
  ResourceMeter Resources; ///< --verify-resources
  /// The launches of all files of the program (--whole-program); null if
  /// unknown.
  std::shared_ptr<const ProgramLaunches> Program = nullptr;
  /// If true, nothing is analysed or rewritten: only the launches are
  /// collected.
  bool OnlyScans = false;
  CompileCommand Command = {};
  WorkJudge Work = nullptr;
  /// If there are any, nothing is analysed or rewritten: only the work of these
  /// launches is counted.
  std::vector<CountedLaunch> Counted = {};
};

/// The kernels whose statements have another order in the parsed text than the
/// user wrote. Kernels are identified by their index in the report.
struct Reordering {
  /// Declined orders were tried and did not pay.
  std::set<size_t> Applied, Declined;
  /// The files that differ, by real path: the user's text, and the parsed one.
  std::map<std::string, std::string> Originals, Texts;
};

/// Returns the consumer that runs the pipeline on a translation unit of \p CI
/// and passes the result to \p Done. It must be called before the preprocessor
/// starts, because it records macros, comments and inclusions. Remarks are
/// reported through the compiler's diagnostics engine.
std::unique_ptr<clang::ASTConsumer>
createPipeline(clang::CompilerInstance &CI, Options Opts,
               std::function<void(PipelineResult)> Done,
               RewriteJudges Judges = {}, Reordering Orders = {});

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_PIPELINE_PIPELINE_H
