// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Edits of a text and, separately, of the copies that are made of its
/// functions.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_TEXTEDITS_H
#define CUDAOPT_LIB_REWRITE_TEXTEDITS_H

#include "cudaopt/Model/Kernel.h"
#include "cudaopt/Source/Edits.h"

#include "clang/AST/ASTContext.h"

namespace cudaopt {

/// The edits of one translation unit.
struct TextEdits {
  /// A use of a function for which that is copied.
  using CopyId = std::pair<const Kernel *, FunctionUseId>;

  explicit TextEdits(const clang::ASTContext &Context)
      : InPlace(Context.getSourceManager(), Context.getLangOpts()),
        Context(Context) {}

  /// Returns the edits of the text itself, or of the copy for \p Copy.
  Edits &of(const Kernel &K, std::optional<FunctionUseId> Copy) {
    return Copy ? InCopies
                      .try_emplace({&K, *Copy}, Context.getSourceManager(),
                                   Context.getLangOpts())
                      .first->second
                : InPlace;
  }

  /// Adds all edits of \p Other; in case of a conflict, none.
  llvm::Error add(const TextEdits &Other) {
    TextEdits Before(*this);
    for (const auto &[Copy, Added] : Other.InCopies)
      if (llvm::Error Conflict = of(*Copy.first, Copy.second).add(Added)) {
        InCopies.swap(Before.InCopies);
        return Conflict;
      }
    if (llvm::Error Conflict = InPlace.add(Other.InPlace)) {
      InCopies.swap(Before.InCopies);
      return Conflict;
    }
    return llvm::Error::success();
  }

  Edits InPlace;
  /// The edits of each copy, with the offsets of the original.
  std::map<CopyId, Edits> InCopies;

private:
  const clang::ASTContext &Context;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_TEXTEDITS_H
