// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Copies of functions that serve several arrays: one for each layout.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_FUNCTIONCOPYEDIT_H
#define CUDAOPT_LIB_REWRITE_FUNCTIONCOPYEDIT_H

#include "TextEdits.h"
#include "cudaopt/Rewrite/RewriteKernel.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace cudaopt {

/// Inserts the copies that \c All has edits of, behind the originals, and makes
/// the calls name them.
class FunctionCopyEditor {
public:
  FunctionCopyEditor(clang::ASTContext &Context, TextEdits &All)
      : Context(Context), All(All) {}

  /// Edits the calls of one kernel's copies. \p OfKernel are its rewrites.
  llvm::Error add(llvm::ArrayRef<ArrayRewrite> OfKernel);

  /// Inserts the copies, once all other edits are known: those of an original
  /// hold for all calls, and so for its copies. Returns the kernels whose
  /// copies cannot be made.
  llvm::SmallVector<const Kernel *, 1> insert();

private:
  friend class KernelCopies;
  /// The copies of one function.
  struct Copied {
    std::vector<std::string> Texts; ///< With the name of the original.
    std::vector<std::string> Names;
    std::vector<Edits> Changes; ///< What makes them of the original.
    llvm::SetVector<const Kernel *> Users;
  };

  /// Returns the name of a copy of \p Written that differs from the original by
  /// \p Changes; one copy serves all that need the same.
  llvm::Expected<std::string> nameCopy(const clang::FunctionDecl *Written,
                                       const Edits &Changes,
                                       llvm::StringRef Suffix,
                                       const Kernel &User);
  std::string findFreeName(std::string Wanted);
  llvm::Error insert(const clang::FunctionDecl *Written, const Copied &Copies);

  clang::ASTContext &Context;
  TextEdits &All;
  llvm::MapVector<const clang::FunctionDecl *, Copied> Functions;
  llvm::StringSet<> Taken; ///< Names of copies.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_FUNCTIONCOPYEDIT_H
