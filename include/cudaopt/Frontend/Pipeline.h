// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// From a parsed translation unit to edits and a report; what the tool and the
/// plugin share.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_PIPELINE_H
#define CUDAOPT_FRONTEND_PIPELINE_H

#include "cudaopt/Frontend/InclusionGraph.h"
#include "cudaopt/Frontend/MachineCheck.h"
#include "cudaopt/Frontend/Options.h"
#include "cudaopt/Frontend/ResourceMeter.h"
#include "cudaopt/Model/ProgramLaunches.h"
#include "cudaopt/Report/Report.h"
#include "cudaopt/Rewrite/Edits.h"

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

/// Whether it matters which other files of the program launch the kernels of a
/// translation unit.
enum class ProgramNeed {
  None,
  Asks,  ///< It decides about kernels that stay as they are.
  Rests, ///< Kernels that other files could launch were rewritten.
};

/// What became of one translation unit.
struct PipelineResult {
  /// Edits by real path of the file; the main file may have none.
  std::map<std::string, FileEdits> Edits;
  /// The text of the edited files as clang read them.
  std::map<std::string, std::string> Sources;
  std::shared_ptr<const InclusionGraph> Inclusions;
  FileReport Report;
  /// Set if the file is no CUDA C++ (a syntax error, a missing include): then
  /// nothing is edited.
  bool HasParseErrors = false;
  /// Rewrites that the interpreter found to be wrong, and that were not made:
  /// "kernel 'k': what is wrong".
  std::vector<std::string> WrongRewrites;
  /// With --reorder: the edits that give kernels (by their place in the report)
  /// another order of statements, to be tried.
  std::map<size_t, std::map<std::string, FileEdits>> Orders;
  /// If RewriteJudges::OnlyScans: all that is in the result.
  ProgramLaunches Launches;
  ProgramNeed Need = ProgramNeed::None;
  /// Why these may be others in the build; empty if they are not.
  std::string LaunchesDoubt;
  /// Why resources were not compared although that was asked for.
  std::string NotMeasured;
};

/// What a command says that the parse cannot do as the build does.
struct CompileCommand {
  bool HasArch = true;        ///< The parse is for the GPU, or one of them.
  std::string HostOption;     ///< Of the host compiler; empty if there is none.
  bool HasDirectives = false; ///< The host compiler knows OpenMP or OpenACC.
  std::string IncludedBy; ///< Another source, for which the text changes, too.
};

/// Who is asked about rewrites, if the options say so; either may be null.
struct RewriteJudges {
  RewriteChecker Machine;  ///< --verify=machine
  ResourceMeter Resources; ///< --verify-resources
  /// What all files of the program launch (--whole-program); may be null.
  std::shared_ptr<const ProgramLaunches> Program = nullptr;
  /// If true, nothing is asked or rewritten: only launches are looked for.
  bool OnlyScans = false;
  CompileCommand Command = {};
};

/// Which kernels have another order of statements than the user gave them, in
/// the text that is parsed. Kernels are known by their place in the report.
struct Reordering {
  std::set<size_t> Applied, Declined; ///< Declined: tried, and not worth it.
  /// The files that differ, by real path: the user's text, and what is parsed.
  std::map<std::string, std::string> Originals, Texts;
};

/// Returns the consumer that runs the pipeline on a translation unit of \p CI
/// and passes the result on. Call it before the preprocessor starts. Remarks go
/// to the compiler's diagnostics engine.
std::unique_ptr<clang::ASTConsumer>
createPipeline(clang::CompilerInstance &CI, Options Opts,
               std::function<void(PipelineResult)> Done,
               RewriteJudges Judges = {}, Reordering Orders = {});

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_PIPELINE_H
