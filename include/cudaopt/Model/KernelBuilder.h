// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the model of every kernel of a translation unit.
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

/// What becomes of the included files, and so, whose launches run their
/// kernels.
enum class HeaderUse {
  NotWritten,
  Shared, ///< They change for all files that include them.
  Own,    ///< A file's own copies change; the linker merges what is inline
          ///< or a template.
  OwnTemplates, ///< So, but templates are not merged.
};

/// What the user says about the kernels.
struct ModelOptions {
  std::optional<std::array<uint32_t, 3>> Block; ///< --block
  bool AssumeInBounds = false;                  ///< --assume-inbounds
  bool AssumeClosedWorld = false;               ///< --assume-closed-world
  /// The host may have other launches, or other numbers in them, than the
  /// parse: whatever the other options say, these are not all.
  bool HostMayDiffer = false;
  /// The launches of all files of the program; null if these are not known.
  const ProgramLaunches *Program = nullptr;
  bool WantsRelations = false;        ///< Whether Access::Relation is of use.
  const SourceMarks *Marks = nullptr; ///< In the source; may be null.
  HeaderUse Headers = HeaderUse::NotWritten;
};

/// Returns the kernels that user files define, in source order. \p Errors are
/// the places of clang's errors: a kernel that contains one has no instances
/// and the blocker ErrorInKernel on each array.
std::vector<Kernel> buildKernels(clang::ASTContext &Context,
                                 const IslContext &Isl,
                                 const ModelOptions &Options,
                                 llvm::ArrayRef<clang::SourceLocation> Errors);

/// Access::Relation of \p A in \p Instance, whether or not somebody wanted it
/// when the model was built; nothing if isl cannot tell.
std::optional<isl::map> computeRelation(const KernelInstance &Instance,
                                        const Access &A, const IslContext &Isl);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_KERNELBUILDER_H
