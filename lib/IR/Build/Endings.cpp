// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds what may end a thread, other than a return from its kernel: the
/// instruction `exit`, a trap, a function that does not return, or code that is
/// not seen. Passes that move barriers or count threads need to know, since a
/// barrier waits for no thread that has ended.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/DeviceCalls.h"
#include "cudaopt/Ptx/Effects.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudaopt::ir {

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

static bool isNameCharacter(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '$' || C == '%' || C == '=';
}

/// Returns true if the PTX text \p All defines the label \p Name.
static bool hasLabel(StringRef All, StringRef Name) {
  for (size_t At = All.find(Name); At != StringRef::npos;
       At = All.find(Name, At + 1))
    if ((At == 0 || !isNameCharacter(All[At - 1])) &&
        All.drop_front(At + Name.size()).ltrim().starts_with(":"))
      return true;
  return false;
}

/// Returns true for directives that declare something, which do not act.
static bool isDeclaration(StringRef Statement) {
  return llvm::any_of(
      llvm::ArrayRef<StringRef>{".reg", ".local", ".shared", ".const",
                                ".global", ".param", ".pragma"},
      [&](StringRef Each) { return Statement.starts_with(Each); });
}

/// Removes the first word from \p Text and returns it.
static StringRef takeWord(StringRef &Text) {
  Text = Text.ltrim();
  StringRef Word = Text.take_while(isNameCharacter);
  Text = Text.drop_front(Word.size());
  return Word;
}

/// Returns true if the thread may leave the text \p All in \p Statement, the
/// part of it between two semicolons: predicates and labels are skipped, and a
/// branch stays inside if its target is a label of the text.
static bool mayStatementLeave(StringRef Statement, StringRef All) {
  while (true) {
    Statement = Statement.ltrim(" \t\r\n{}");
    if (Statement.empty() || isDeclaration(Statement))
      return false;
    if (Statement.starts_with("@")) { // A predicate.
      Statement = Statement.drop_front();
      Statement.consume_front("!");
      Statement = Statement.ltrim("%");
      takeWord(Statement);
      continue;
    }
    StringRef Word = takeWord(Statement);
    if (Statement.ltrim().starts_with(":")) { // A label.
      Statement = Statement.ltrim().drop_front();
      continue;
    }
    if (Word != "bra")
      return !fallsThrough(Word);
    StringRef Target = Statement;
    Target.consume_front(".uni");
    Target = Target.trim();
    return Target.empty() || !hasLabel(All, Target);
  }
}

/// Returns \p Text without comments (`//` and `/* */`).
static std::string removeComments(StringRef Text) {
  std::string Result;
  while (!Text.empty()) {
    if (Text.starts_with("//")) {
      Text = Text.drop_until([](char C) { return C == '\n'; });
    } else if (Text.starts_with("/*")) {
      size_t End = Text.find("*/", 2);
      Text = End == StringRef::npos ? "" : Text.drop_front(End + 2);
      Result += ' ';
    } else {
      Result += Text.front();
      Text = Text.drop_front();
    }
  }
  return Result;
}

/// Returns true unless each instruction of the PTX \p Text is known to hand
/// control to the next one, or to a label of the same text.
static bool mayAsmLeave(StringRef Text) {
  std::string Code = removeComments(Text);
  llvm::SmallVector<StringRef, 8> Statements;
  StringRef(Code).split(Statements, ';');
  return llvm::any_of(Statements, [&](StringRef Statement) {
    return mayStatementLeave(Statement, Code);
  });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static StringRef nameOf(const FunctionDecl *Function) {
  return Function->getIdentifier() ? Function->getName() : "";
}

/// Returns true for functions that are known to end the whole grid with an
/// error.
static bool endsGrid(const FunctionDecl *Callee) {
  return llvm::StringSwitch<bool>(nameOf(Callee))
      .Cases({"__trap", "__brkpt", "__builtin_trap", "__builtin_debugtrap",
              "__builtin_verbose_trap", "__assert_fail", "__assertfail",
              "__assert_rtn", "abort"},
             true)
      .Default(false);
}

/// Returns true for other functions that are known to end the thread.
static bool endsThread(const FunctionDecl *Callee) {
  StringRef Name = nameOf(Callee);
  // To get there is undefined behaviour, so that no thread ends there.
  if (Name == "__builtin_unreachable" || Name == "unreachable")
    return false;
  return Callee->isNoReturn() ||
         llvm::StringSwitch<bool>(Name)
             .Cases({"__nvvm_exit", "exit", "_exit", "_Exit"}, true)
             .Default(false);
}

/// Returns true for functions of the user whose definition is not known, or may
/// be replaced by another one.
static bool isUnseen(const FunctionDecl *Callee, const ASTContext &Context) {
  return !isLibraryFunction(Context, Callee) &&
         (Callee->isWeak() || (!Callee->isDefined() && !Callee->isDefaulted()));
}

static Ending findEndingOfCall(const CallExpr *Call,
                               const ASTContext &Context) {
  // In the pattern of a generic lambda nothing is known; its instances are
  // looked at instead.
  if (Call->isTypeDependent() || Call->getCallee()->isTypeDependent())
    return Ending::None;
  const Expr *Named = Call->getCallee()->IgnoreParenImpCasts();
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return isa<CXXPseudoDestructorExpr>(Named) ? Ending::None : Ending::Thread;
  if (endsGrid(Callee))
    return Ending::Grid;
  const auto *Member = dyn_cast<MemberExpr>(Named);
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  const bool IsVirtual =
      Method && Method->isVirtual() && Member &&
      Member->performsVirtualDispatch(Context.getLangOpts()) &&
      !Method->hasAttr<FinalAttr>();
  return isUnseen(Callee, Context) || endsThread(Callee) || IsVirtual
             ? Ending::Thread
             : Ending::None;
}

Ending findEnding(const Stmt *S, const ASTContext &Context) {
  if (const auto *Asm = dyn_cast<GCCAsmStmt>(S))
    return Asm->isAsmGoto() || mayAsmLeave(Asm->getAsmString()) ? Ending::Thread
                                                                : Ending::None;
  if (const auto *Call = dyn_cast<CallExpr>(S))
    return findEndingOfCall(Call, Context);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(S))
    return isUnseen(Construct->getConstructor(), Context) ? Ending::Thread
                                                          : Ending::None;
  return isa<AsmStmt, CXXThrowExpr>(S) ? Ending::Thread : Ending::None;
}

} // namespace cudaopt::ir
