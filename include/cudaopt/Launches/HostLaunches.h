// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What launches ask for, as far as the code of the host tells.
///
///   int main() {
///     dim3 block(16);
///     block.y = block.x / 2;
///     k<<<1, block>>>(p);       // Grid 1x1x1, block 16x8x1, no dynamic
///     memory.
///   }
///
/// The function around a launch is built as IR. Where the numbers of the launch
/// are literals there, each run of it asks for them; otherwise they are not
/// known. Variables that nothing in the file changes keep their first value,
/// also in lambdas that capture them.
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

/// One launch. What is absent has several values, or none that is known.
struct LaunchArguments {
  using Extents = std::array<uint32_t, 3>;
  std::optional<Extents> Grid;
  std::optional<Extents> Block;
  std::optional<uint64_t> DynamicBytes;
  bool IsDead = false; ///< No run gets there.

  bool operator==(const LaunchArguments &) const = default;
};

class HostLaunches {
public:
  /// \p Own are the declarations that may change variables of the file.
  HostLaunches(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> Own);

  /// What \p Launch, one of ir::findLaunches(), asks for. \p Around is the
  /// function that it stands in; null if it is in none.
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
