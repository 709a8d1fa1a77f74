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

#include "cudaopt/Launches/LaunchTable.h"
#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
}

namespace cudaopt {

struct ModelOptions : LaunchOptions {
  bool AssumeInBounds = false;        ///< --assume-inbounds
  bool WantsRelations = false;        ///< Whether Access::Relation is of use.
  const SourceMarks *Marks = nullptr; ///< In the source; may be null.
};

/// Returns the kernels that user files define, in source order. \p Errors are
/// the places of clang's errors: a kernel that contains one has no instances,
/// and each of its arrays has the refusal ErrorInKernel. The result refers to
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
