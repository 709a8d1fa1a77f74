// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The shapes of blocks and grids that the launches of a file give.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_BLOCKSHAPE_H
#define CUDAOPT_LIB_MODEL_BLOCKSHAPE_H

#include "cudaopt/Model/Kernel.h"
#include "cudaopt/Model/KernelBuilder.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cudaopt {

/// Every launch of a translation unit: `k<<<grid, block>>>`,
/// `cudaLaunchKernel(k, grid, block, ...)`, and launches through pointers,
/// which count for every kernel of the pointer's type whose address is taken.
class LaunchTable {
public:
  explicit LaunchTable(clang::ASTContext &Context);

  /// Returns the shapes with which \p Kernel runs, distinct ones once, never
  /// none: one of unknown shape if nothing tells.
  std::vector<BlockShape> shapesOf(const clang::FunctionDecl *Kernel,
                                   const ModelOptions &Options) const;

private:
  friend class LaunchFinder;
  clang::QualType getPointerKey(clang::QualType Type) const;

  using Shapes = llvm::SmallVector<BlockShape, 2>;
  llvm::DenseMap<const clang::FunctionDecl *, Shapes> ByKernel;
  llvm::DenseMap<clang::QualType, Shapes> ByPointerType;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> AddressTaken;
  /// Kernels that some function may launch that is not seen here.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Escaped;
  const clang::ASTContext &Context;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_BLOCKSHAPE_H
