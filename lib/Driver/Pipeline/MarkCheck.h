// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Handles the marks by which users control the passes, such as the comment
/// `cuda-opt: ignore(levelize)` or the macro CUDAOPT_OFF: reads them, warns of
/// those that have no effect, and finds edits that would touch marked text.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_MARKCHECK_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_MARKCHECK_H

#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/Passes/Levelize/Levelize.h"
#include "cudaopt/Source/Edits.h"

#include <memory>
#include <optional>

namespace cudaopt {

/// Reads the marks in the user's files. \p Filter, the lines to which work is
/// restricted, may be null; otherwise it must outlive the result.
std::unique_ptr<SourceMarks>
readMarks(clang::ASTContext &Context,
          llvm::ArrayRef<clang::SourceRange> Comments,
          const LineFilter *Filter);

/// Warns of marks that are misspelt, contradict each other, or apply to
/// nothing.
void checkMarks(clang::ASTContext &Context, const SourceMarks &Marks,
                llvm::ArrayRef<Kernel> Kernels);

/// Returns the mark that keeps the pass levelize from the loop of \p D;
/// std::nullopt if there is none.
std::optional<Refusal> findLoopMark(const LevelizeDecision &D,
                                    const SourceMarks &Marks);

/// Returns the first mark that forbids an edit of \p All; std::nullopt if none
/// does.
std::optional<Refusal> findMarkedEdit(const Edits &All,
                                      const SourceMarks &Marks);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_MARKCHECK_H
