// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Edits launches whose kernel now needs dynamic shared memory.
//===----------------------------------------------------------------------===//

#include "LaunchEdit.h"

#include "cudaopt/Source/Line.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::Error;

namespace cudaopt {

static Error edit(const DynamicLaunch &Launch, const ASTContext &Context,
                  Edits &E) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = Launch.Call->getBeginLoc();
  const std::string Bytes = std::to_string(Launch.Bytes);
  const std::optional<LineStyle> Line = findLineStart(Begin, SM);
  if (Error Failed = E.insert(
          Begin, "cudaFuncSetAttribute(" + Launch.Kernel +
                     ", cudaFuncAttributeMaxDynamicSharedMemorySize, " + Bytes +
                     ");" + (Line ? Line->next() : " ")))
    return Failed;
  const CallExpr *Config = Launch.Call->getConfig();
  if (Config->getNumArgs() > 2 && !isa<CXXDefaultArgExpr>(Config->getArg(2)))
    return E.replace(
        CharSourceRange::getTokenRange(Config->getArg(2)->getSourceRange()),
        Bytes);
  return E.insert(Lexer::getLocForEndOfToken(Config->getArg(1)->getEndLoc(), 0,
                                             SM, Context.getLangOpts()),
                  ", " + Bytes);
}

Error editLaunches(llvm::ArrayRef<DynamicLaunch> Launches,
                   const ASTContext &Context, Edits &E) {
  for (const DynamicLaunch &Each : Launches)
    if (Error Failed = edit(Each, Context, E))
      return Failed;
  return Error::success();
}

} // namespace cudaopt
