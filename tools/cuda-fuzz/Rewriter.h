// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs cuda-opt and clang on text in memory.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_REWRITER_H
#define CUDAOPT_FUZZ_REWRITER_H

#include "cudaopt/Driver/Pipeline/IRCompiler.h"
#include "cudaopt/Driver/Pipeline/Pipeline.h"
#include "cudaopt/Simt/Lower.h"
#include "cudaopt/Source/Edits.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace cudaopt::fuzz {

/// A program that is ready to run, with its memory.
struct LoadedProgram {
  llvm::LLVMContext Context;
  DeviceMemory Memory;
  std::unique_ptr<simt::DeviceImage> Image;

  /// Returns the mangled name of the kernel that contains \p Name; an empty
  /// string if there is none.
  std::string findKernel(llvm::StringRef Name) const;
};

/// A plan for a kernel that the checks of cuda-opt refused.
struct RefusedKernel {
  std::string Kernel, Why;
};

/// The result of cuda-opt for a text.
struct Rewriting {
  FileEdits Edits;
  std::vector<RefusedKernel> Refusals;
};

/// Rewrites and compiles texts with the same options.
class Rewriter {
public:
  static llvm::Expected<Rewriter> create(const char *Executable, Options Opts);

  llvm::Expected<Rewriting> rewrite(llvm::StringRef Text) const;

  llvm::Expected<std::unique_ptr<LoadedProgram>>
  load(llvm::StringRef Text) const;

private:
  Rewriter() = default;
  llvm::Expected<PipelineResult> run(llvm::StringRef Text,
                                     const Reordering &Orders) const;

  Input In;
  const char *Executable = nullptr;
  Options Opts;
  std::string ResourceDir;
};

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_REWRITER_H
