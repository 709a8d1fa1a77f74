// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the shapes of kernel launches (grid, block, dynamic shared memory) by
/// constant propagation through the host code of a file.
///
///   int main() {
///     dim3 block(16);
///     block.y = block.x / 2;
///     k<<<1, block>>>(p);   // grid 1x1x1, block 16x8x1, 0 bytes
///   }
///
/// The IR of the function around a launch is built. Where a number of the
/// launch is a literal in it, every execution of the launch asks for that
/// number; otherwise it is not known. Variables that nothing in the file
/// changes keep their initial value, also in lambdas that capture them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LAUNCHES_HOSTLAUNCHES_H
#define CUDAOPT_LAUNCHES_HOSTLAUNCHES_H

#include "cudaopt/Launches/HostChanges.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <cstdint>
#include <optional>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace cudaopt {

/// The shape of one launch. A member is std::nullopt if it is not known or has
/// several values.
struct LaunchArguments {
  using Extents = std::array<uint32_t, 3>;
  std::optional<Extents> Grid;
  std::optional<Extents> Block;
  std::optional<uint64_t> DynamicBytes;
  bool IsDead = false; ///< The launch is unreachable.

  bool operator==(const LaunchArguments &) const = default;
};

/// The launches of one file. Functions are evaluated when the first of their
/// launches is asked for.
class HostLaunches {
public:
  /// \p Own are the declarations whose code may change variables of the file.
  HostLaunches(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> Own);

  /// Returns the shape of \p Launch, one of ir::findLaunches(). \p Around is
  /// the function that it stands in; null if there is none, and then nothing is
  /// known.
  LaunchArguments find(const clang::Expr *Launch,
                       const clang::FunctionDecl *Around);

private:
  void evaluate(const clang::FunctionDecl *F);
  bool isUnchanged(const clang::VarDecl *D) const;

  clang::ASTContext &Context;
  HostChanges Changes;
  llvm::DenseSet<const clang::FunctionDecl *> Evaluated;
  llvm::DenseMap<const clang::Stmt *, LaunchArguments> Known;
};

} // namespace cudaopt

#endif // CUDAOPT_LAUNCHES_HOSTLAUNCHES_H
