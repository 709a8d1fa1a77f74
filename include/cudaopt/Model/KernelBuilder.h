// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the model of every kernel of a translation unit:
///
///     ModelOptions Options;
///     Options.Block = {256, 1, 1};             // unless a launch tells
///     std::vector<Kernel> Kernels = buildKernels(Context, Isl, Options, {});
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_KERNELBUILDER_H
#define CUDAOPT_MODEL_KERNELBUILDER_H

#include "cudaopt/Model/Kernel.h"
#include "cudaopt/Model/ProgramLaunches.h"

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// What becomes of included files when the result is written. This decides
/// whose launches run the kernels in them.
enum class HeaderUse {
  /// Included files are not rewritten.
  NotWritten,
  Shared, ///< They are rewritten for all files that include them.
  /// The file gets copies of its own. The linker merges definitions that are
  /// inline or templates with those of other files.
  Own,
  /// The same, but instances of templates are not merged.
  OwnTemplates,
};

/// What the user says about the kernels.
struct ModelOptions {
  std::optional<std::array<uint32_t, 3>> Block; ///< --block
  bool AssumeInBounds = false;                  ///< --assume-inbounds
  bool AssumeClosedWorld = false;               ///< --assume-closed-world
  /// The host may be compiled to other launches, or other numbers in them, than
  /// the parse saw. Whatever the other options say, the known launches are then
  /// not all.
  bool HostMayDiffer = false;
  /// The launches of all files of the program; null if they were not scanned.
  const ProgramLaunches *Program = nullptr;
  /// Whether to compute Access::Relation.
  bool WantsRelations = false;
  /// The author's marks in the source; may be null.
  const SourceMarks *Marks = nullptr;
  HeaderUse Headers = HeaderUse::NotWritten;
};

/// Returns the kernels that user files define, in source order. \p Errors are
/// the places of clang's errors: a kernel that contains one has no instances,
/// and each of its arrays has the blocker ErrorInKernel. The result refers to
/// \p Context and to the marks of \p Options.
std::vector<Kernel> buildKernels(clang::ASTContext &Context,
                                 const IslContext &Isl,
                                 const ModelOptions &Options,
                                 llvm::ArrayRef<clang::SourceLocation> Errors);

/// Computes Access::Relation of \p A in \p Instance, whether or not the model
/// was built with relations; std::nullopt if isl cannot tell.
std::optional<isl::map> computeRelation(const KernelInstance &Instance,
                                        const Access &A, const IslContext &Isl);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_KERNELBUILDER_H
