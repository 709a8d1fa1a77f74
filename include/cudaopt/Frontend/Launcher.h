// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs a compiler on rewritten sources: `cuda-opt nvcc -c a.cu -o a.o`, as a
/// build's compiler launcher does.
///
///   cuda-opt nvcc -c a.cu -o a.o        reads the command; one CUDA source?
///     cuda-opt -o a.o.cuda-opt/a.cu a.cu -- ...   a process for each GPU
///       all give the same text, and not the old one?
///     nvcc -c a.o.cuda-opt/a.cu -o a.o -Xcompiler=-iquote,.
///
/// Whatever goes wrong before the last line, the compiler gets the command as
/// it was.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_LAUNCHER_H
#define CUDAOPT_FRONTEND_LAUNCHER_H

#include "cudaopt/Frontend/CommandLine.h"

namespace cudaopt {

/// Returns true if \p Word names a compiler, or a launcher of one.
bool isCompilerName(llvm::StringRef Word);

/// Runs Line.Compiler and ends as it does: with its exit code, or by its
/// signal. Returns only if it cannot be run, or if --fallback=error forbids
/// what happened.
int launchCompiler(const CommandLine &Line);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_LAUNCHER_H
