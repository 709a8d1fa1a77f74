// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which parts of a kernel's text cannot be edited, and why.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_TEXTREFUSALS_H
#define CUDAOPT_MODEL_TEXTREFUSALS_H

#include "cudaopt/Model/Kernel.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// The places at which a kernel's text names an array, in all instances and in
/// branches that they discard.
struct Mentions {
  llvm::SmallVector<MemberUse, 8> Members;
  llvm::SmallVector<clang::SourceLocation, 8> All;
  /// The first mention that is not in Members, and the place of a declaration
  /// that declares several variables.
  std::optional<clang::SourceLocation> WholeElement, SharedDeclaration;
};

/// Collects the mentions of \p A.
Mentions findMentions(const Kernel &K, const SharedArray &A);

/// Fills in DeclarationRefusal, SubscriptRefusal and FieldsRefusal of every
/// array of \p K where the walk of the kernel left none, and adds a refusal to
/// each array that one of the ranges \p Skipped by `#if` mentions inside the
/// kernel.
void findTextRefusals(Kernel &K, const clang::ASTContext &Context,
                      llvm::ArrayRef<clang::SourceRange> Skipped);

/// Returns true if one of the ranges \p Skipped by `#if` is in \p Function, or
/// names it in a file of the user.
bool hasInactiveText(const clang::FunctionDecl *Function,
                     const clang::ASTContext &Context,
                     llvm::ArrayRef<clang::SourceRange> Skipped);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_TEXTREFUSALS_H
