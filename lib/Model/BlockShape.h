// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The shapes of blocks and grids that the launches of a file give.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_BLOCKSHAPE_H
#define CUDAOPT_LIB_MODEL_BLOCKSHAPE_H

#include "cudaopt/Launches/HostLaunches.h"
#include "cudaopt/Model/Kernel.h"
#include "cudaopt/Model/KernelBuilder.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cudaopt {

/// The name of \p Function in object files: of a kernel, on both sides, that of
/// what is launched.
std::string nameInObjects(const clang::FunctionDecl *Function);

/// The real path of the file that \p Loc is in, and the line.
std::pair<std::string, unsigned> findLine(clang::SourceLocation Loc,
                                          const clang::SourceManager &Sources);

/// Every launch of a translation unit: `k<<<grid, block>>>`,
/// `cudaLaunchKernel(k, grid, block, ...)`, and launches through pointers,
/// which count for every kernel of the pointer's type whose address is taken.
class LaunchTable {
public:
  explicit LaunchTable(clang::ASTContext &Context);

  /// Returns the shapes with which \p Kernel runs, distinct ones once, never
  /// none: one of unknown shape if nothing tells. The last one is for launches
  /// that are not known, if there may be any. \p HasDynamic tells whether how
  /// much dynamic memory a launch asks for matters.
  std::vector<BlockShape> shapesOf(const clang::FunctionDecl *Kernel,
                                   const ModelOptions &Options,
                                   bool HasDynamic) const;

  /// Adds what this file does with \p Kernel.
  void addTo(KernelUse &Use, const clang::FunctionDecl *Kernel) const;

  /// Adds to \p K what other files may do with \p Instance, one of its
  /// functions, and what they do.
  void addOthers(Kernel &K, const clang::FunctionDecl *Instance,
                 const ModelOptions &Options) const;

  /// Why launches that are not known may run \p Kernel; None if all are known.
  Reason whyOpen(const clang::FunctionDecl *Kernel,
                 const ModelOptions &Options) const;

private:
  bool isOpenByAddress(const clang::FunctionDecl *Kernel) const;
  bool isLeaking(const clang::FunctionDecl *Kernel) const;
  std::vector<BlockShape> knownShapesOf(const clang::FunctionDecl *Kernel,
                                        const ModelOptions &Options) const;
  friend class LaunchFinder;
  clang::QualType getPointerKey(clang::QualType Type) const;

  LaunchTable(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> Own);

  struct LaunchSite {
    const clang::Expr *Launch = nullptr;
    const clang::FunctionDecl *Around = nullptr; ///< May be null.
    clang::SourceLocation Loc;                   ///< Of the kernel's name.
  };
  using LaunchSites = llvm::SmallVector<LaunchSite, 2>;
  using Shapes = llvm::SmallVector<BlockShape, 2>;
  std::optional<BlockShape> shapeOf(const LaunchSite &Site) const;
  Shapes shapesAt(llvm::ArrayRef<LaunchSite> Of) const;

  llvm::DenseMap<const clang::FunctionDecl *, LaunchSites> ByKernel;
  /// Where a kernel is first named other than to launch it.
  llvm::DenseMap<const clang::FunctionDecl *, clang::SourceLocation> Named;
  llvm::DenseMap<clang::QualType, LaunchSites> ByPointerType;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> AddressTaken;
  /// Kernels that some function may launch that is not seen here.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Escaped;
  /// Where the address of a kernel is stored: a pointer that only this file
  /// can name, or null for any other place.
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<const clang::VarDecl *, 2>>
      Holders;
  /// Such pointers whose value goes elsewhere.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Leaking;
  const clang::ASTContext &Context;
  /// Evaluates a launch when somebody asks for it.
  mutable HostLaunches Launches;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_BLOCKSHAPE_H
