// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LevelizeNames.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

Blocker findNameBlocker(const HostLoop &L, const LevelizeTemplate &Template,
                        const ASTContext &Context) {
  static constexpr llvm::StringLiteral Taken[] = {"arrays",
                                                  "slice",
                                                  "body",
                                                  "touch",
                                                  "memory",
                                                  "Touch",
                                                  "Memory",
                                                  "iteration",
                                                  "first_value",
                                                  "each_pointer",
                                                  "cudaopt",
                                                  "Visit",
                                                  "visit",
                                                  "is_independent",
                                                  "is_self_indexing",
                                                  "has_products_in_sums"};
  // These are members of others: only a macro changes what they are.
  static constexpr llvm::StringLiteral Others[] = {
      "index_t",    "extents",  "extents_of",   "array",       "run_loop",
      "is_small",   "row_loop", "loop_options", "strategy",    "read",
      "write",      "update",   "load",         "store",       "data",
      "in",         "out",      "index",        "fixed",       "plus",
      "multiplies", "bit_and",  "bit_or",       "bit_xor",     "minimum",
      "maximum",    "product",  "quotient",     "negated",     "reused",
      "forced",     "resident", "reassociated", "approximate", "plan",
      "size_t"};
  auto isMacro = [&](StringRef Name) {
    auto Known = Context.Idents.find(Name);
    return Known != Context.Idents.end() &&
           Known->getValue()->hadMacroDefinition();
  };
  for (llvm::ArrayRef<llvm::StringLiteral> List :
       {llvm::ArrayRef(Taken), llvm::ArrayRef(Others)})
    for (StringRef Name : List)
      if (isMacro(Name))
        return {Reason::LoopName, Name.str(), L.Loop->getBeginLoc()};
  for (StringRef Name : Template.names())
    if (llvm::is_contained(Taken, Name))
      return {Reason::LoopName, Name.str(), L.Loop->getBeginLoc()};
  for (const FunctionDecl *F : L.Copied)
    if (llvm::is_contained(Taken, F->getName()))
      return {Reason::LoopName, F->getName().str(), L.Loop->getBeginLoc()};
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = L.Body->getBeginLoc();
  Lexer Raw(SM.getLocForStartOfFile(SM.getMainFileID()), Context.getLangOpts(),
            SM.getBufferData(SM.getMainFileID()).data(),
            SM.getCharacterData(Begin),
            SM.getBufferData(SM.getMainFileID()).end());
  const unsigned End = SM.getFileOffset(L.Body->getEndLoc());
  Token Next;
  while (!Raw.LexFromRawLexer(Next) &&
         SM.getFileOffset(Next.getLocation()) < End)
    if (Next.is(tok::raw_identifier) &&
        llvm::is_contained(Taken, Next.getRawIdentifier()))
      return {Reason::LoopName, Next.getRawIdentifier().str(),
              Next.getLocation()};
  return {};
}

} // namespace cudaopt
