// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The shapes of blocks and grids that the launches of a translation unit give.
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

/// Returns the mangled name of \p Function in object files. A kernel has the
/// name of what is launched, in host and device objects alike.
std::string nameInObjects(const clang::FunctionDecl *Function);

/// Returns the real path of the file that contains \p Loc, and the line.
std::pair<std::string, unsigned> findLine(clang::SourceLocation Loc,
                                          const clang::SourceManager &Sources);

/// Every launch of a translation unit: `k<<<grid, block>>>`,
/// `cudaLaunchKernel(k, grid, block, ...)`, and launches through pointers,
/// which count for every kernel of the pointer's type whose address is taken.
class LaunchTable {
public:
  explicit LaunchTable(clang::ASTContext &Context);

  /// Returns the distinct shapes with which \p Kernel runs, at least one: that
  /// of an unknown launch if nothing tells. The last one stands for launches
  /// that are not known, if there may be any. \p HasDynamic tells whether the
  /// amount of dynamic memory of a launch matters.
  std::vector<BlockShape> shapesOf(const clang::FunctionDecl *Kernel,
                                   const ModelOptions &Options,
                                   bool HasDynamic) const;

  /// Adds the launches of \p Kernel in this file to \p Use, and whether it is
  /// used otherwise.
  void addTo(KernelUse &Use, const clang::FunctionDecl *Kernel) const;

  /// Adds to \p K what other files may do with \p Instance, one of its
  /// functions, and what they are known to do.
  void addOthers(Kernel &K, const clang::FunctionDecl *Instance,
                 const ModelOptions &Options) const;

  /// Returns why launches that are not known may run \p Kernel; None if all are
  /// known.
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
    /// The function that contains it; may be null.
    const clang::FunctionDecl *Around = nullptr;
    clang::SourceLocation Loc; ///< The place of the kernel's name.
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
  /// Kernels that a function outside of this file's view may launch.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Escaped;
  /// Where the address of a kernel is stored: a pointer that only this file
  /// can name, or null for any other place.
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<const clang::VarDecl *, 2>>
      Holders;
  /// Pointers of Holders whose value goes elsewhere.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Leaking;
  const clang::ASTContext &Context;
  /// Evaluates the arguments of a launch on demand.
  mutable HostLaunches Launches;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_BLOCKSHAPE_H
