// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What may end a thread, other than a return from its kernel: the instruction
/// `exit`, a trap, a function that does not return, code that is not seen.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_THREADEXITS_H
#define CUDAOPT_LIB_MODEL_THREADEXITS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace cudaopt {

/// True unless each instruction of the PTX \p Text is known to hand control to
/// the next one. A branch may lead to a label of the same text.
bool mayAsmLeave(llvm::StringRef Text);

class ThreadExits {
public:
  explicit ThreadExits(const clang::ASTContext &Context) : Context(Context) {}

  /// True if a thread that runs \p S, with all that it calls, may end there.
  /// Functions that \p S only names count as called.
  bool mayEnd(const clang::Stmt *S) const { return find(S, &Text::MayEnd); }
  /// The same, and other threads may go on: not by a trap.
  bool mayLeave(const clang::Stmt *S) const { return find(S, &Text::MayLeave); }

private:
  friend class ThreadExitFinder;
  using Functions = llvm::SetVector<const clang::FunctionDecl *>;
  /// What the text of a function says.
  struct Text {
    bool MayEnd = false, MayLeave = false;
    Functions Named; ///< Definitions of the user.
  };
  const Text &textOf(const clang::FunctionDecl *Function) const;
  bool find(const clang::Stmt *S, bool Text::*What) const;

  const clang::ASTContext &Context;
  mutable llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<Text>>
      Texts;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_THREADEXITS_H
