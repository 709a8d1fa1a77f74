// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which statements may end a thread, by what they and the functions that they
/// name contain. IR/DeviceCalls.h says what does so.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_THREADEXITS_H
#define CUDAOPT_LIB_MODEL_THREADEXITS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <memory>

namespace cudaopt {

class ThreadExits {
public:
  explicit ThreadExits(const clang::ASTContext &Context) : Context(Context) {}

  /// True if a thread that runs \p S, with all that it calls, may end there.
  /// Functions that \p S only names count as called.
  bool mayEnd(const clang::Stmt *S) const;

private:
  friend class ThreadExitFinder;
  using Functions = llvm::SetVector<const clang::FunctionDecl *>;
  /// What the text of a function says.
  struct Text {
    bool MayEnd = false;
    Functions Named; ///< Definitions of the user.
  };
  const Text &textOf(const clang::FunctionDecl *Function) const;

  const clang::ASTContext &Context;
  mutable llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<Text>>
      Texts;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_THREADEXITS_H
