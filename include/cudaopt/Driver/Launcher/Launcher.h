// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The compiler launcher: `cuda-opt nvcc -c a.cu -o a.o`, as set by
/// CMAKE_CUDA_COMPILER_LAUNCHER. It rewrites the source in processes of its
/// own, then runs the compiler on the result:
///
///   cuda-opt nvcc -c a.cu -o a.o        reads the command; one CUDA source?
///     cuda-opt -o a.o.cuda-opt/a.cu a.cu -- ...   a process for each GPU
///       all give the same text, and not the old one?
///     nvcc -c a.o.cuda-opt/a.cu -o a.o -Xcompiler=-iquote,.
///
/// If anything fails before the last line, the compiler gets the original
/// command, so that a build never breaks because of the rewrite.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_LAUNCHER_LAUNCHER_H
#define CUDAOPT_DRIVER_LAUNCHER_LAUNCHER_H

#include "cudaopt/Driver/Command/CommandLine.h"

namespace cudaopt {

/// Returns true if \p Word names a compiler, or a launcher of one (ccache).
bool isCompilerName(llvm::StringRef Word);

/// Runs Line.Compiler and ends this process as the compiler ends: with its exit
/// code or by its signal. Returns an exit code only if the compiler cannot be
/// run, or if --fallback=error makes a failed rewrite an error.
int launchCompiler(const CommandLine &Line);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_LAUNCHER_LAUNCHER_H
