// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Copies of functions that serve several arrays or kernels: one for each
/// layout.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_FUNCTIONCOPYEDIT_H
#define CUDAOPT_LIB_REWRITE_FUNCTIONCOPYEDIT_H

#include "TextEdits.h"
#include "cudaopt/Rewrite/RewriteKernel.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace cudaopt {

/// Inserts the copies that \c All has edits of behind the originals, and makes
/// the calls name them.
class FunctionCopyEditor {
public:
  FunctionCopyEditor(clang::ASTContext &Context, TextEdits &All)
      : Context(Context), All(All) {}

  /// Renames the calls of one kernel's copies. \p OfKernel are its rewrites.
  llvm::Error add(llvm::ArrayRef<ArrayRewrite> OfKernel);

  /// Inserts the copies. Must be called when all other edits are known: those
  /// of an original hold for all calls, and so for its copies, too. Returns the
  /// kernels whose copies cannot be made.
  llvm::SmallVector<const Kernel *, 1> insert();

private:
  friend class KernelCopies;
  /// The copies of one function.
  struct Copied {
    /// With the name of the original, for comparison.
    std::vector<std::string> Texts;
    std::vector<std::string> Names;
    std::vector<Edits> Changes; ///< The edits that make them of the original.
    llvm::SetVector<const Kernel *> Users;
  };

  /// Returns the name of the copy of \p Written that differs from the original
  /// by \p Changes. One copy serves all uses that need the same text.
  llvm::Expected<std::string> nameCopy(const clang::FunctionDecl *Written,
                                       const Edits &Changes,
                                       llvm::StringRef Suffix,
                                       const Kernel &User);
  std::string findFreeName(std::string Wanted);
  llvm::Error insert(const clang::FunctionDecl *Written, const Copied &Copies);

  clang::ASTContext &Context;
  TextEdits &All;
  llvm::MapVector<const clang::FunctionDecl *, Copied> Functions;
  llvm::StringSet<> Taken; ///< The names of copies.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_FUNCTIONCOPYEDIT_H
