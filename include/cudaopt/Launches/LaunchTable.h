// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The shapes of blocks and grids that the launches of a translation unit give.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LAUNCHES_LAUNCHTABLE_H
#define CUDAOPT_LAUNCHES_LAUNCHTABLE_H

#include "cudaopt/Launches/HostLaunches.h"
#include "cudaopt/Launches/ProgramLaunches.h"
#include "cudaopt/Support/Reason.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

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

/// What the user, and the other files, say about launches.
struct LaunchOptions {
  std::optional<std::array<uint32_t, 3>> Block; ///< --block
  bool AssumeClosedWorld = false;               ///< --assume-closed-world
  /// The host may have other launches, or other numbers in them, than the
  /// parse: whatever the other options say, these are not all.
  bool HostMayDiffer = false;
  /// The launches of all files of the program; null if these are not known.
  const ProgramLaunches *Program = nullptr;
  HeaderUse Headers = HeaderUse::NotWritten;
};

/// Returns the mangled name of \p Function in object files. A kernel has the
/// name of what is launched, in host and device objects alike.
std::string nameInObjects(const clang::FunctionDecl *Function);

/// Returns the real path of the file that contains \p Loc, and the line.
std::pair<std::string, unsigned> findLine(clang::SourceLocation Loc,
                                          const clang::SourceManager &Sources);

/// True if the language allows another file to launch \p Kernel, which this
/// one defines. An implicit instantiation is only for the file that makes it:
/// others need the template's definition.
bool mayBeLaunchedElsewhere(const clang::FunctionDecl *Kernel);

/// What all files of the program do with \p Kernel; null if that is nothing, or
/// not known.
const KernelUse *findInProgram(const clang::FunctionDecl *Kernel,
                               const LaunchOptions &Options);

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
                                   const LaunchOptions &Options,
                                   bool HasDynamic) const;

  /// Adds the launches of \p Kernel in this file to \p Use, and whether it is
  /// used otherwise.
  void addTo(KernelUse &Use, const clang::FunctionDecl *Kernel) const;

  /// Returns why launches that are not known may run \p Kernel; std::nullopt if
  /// all are known.
  std::optional<Reason> whyOpen(const clang::FunctionDecl *Kernel,
                                const LaunchOptions &Options) const;

private:
  bool isOpenByAddress(const clang::FunctionDecl *Kernel) const;
  bool isLeaking(const clang::FunctionDecl *Kernel) const;
  std::vector<BlockShape> knownShapesOf(const clang::FunctionDecl *Kernel,
                                        const LaunchOptions &Options) const;
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

#endif // CUDAOPT_LAUNCHES_LAUNCHTABLE_H
