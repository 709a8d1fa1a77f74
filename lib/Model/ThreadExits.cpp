// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadExits.h"
#include "CallTable.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudaopt {

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

/// True for the instructions of PTX, without their modifiers, behind which the
/// next one follows.
static bool fallsThrough(StringRef Opcode) {
  static constexpr llvm::StringLiteral Known[] = {
      "abs",        "activemask",   "add",
      "addc",       "and",          "applypriority",
      "atom",       "bar",          "barrier",
      "bfe",        "bfi",          "bfind",
      "bmsk",       "brev",         "clz",
      "cnot",       "copysign",     "cos",
      "cp",         "createpolicy", "cvt",
      "cvta",       "discard",      "div",
      "dp2a",       "dp4a",         "elect",
      "ex2",        "fence",        "fma",
      "fns",        "getctarank",   "griddepcontrol",
      "isspacep",   "istypep",      "ld",
      "ldmatrix",   "ldu",          "lg2",
      "lop3",       "mad",          "mad24",
      "madc",       "mapa",         "match",
      "max",        "mbarrier",     "membar",
      "min",        "mma",          "mov",
      "movmatrix",  "mul",          "mul24",
      "multimem",   "nanosleep",    "neg",
      "not",        "or",           "pmevent",
      "popc",       "prefetch",     "prefetchu",
      "prmt",       "rcp",          "red",
      "redux",      "rem",          "rsqrt",
      "sad",        "selp",         "set",
      "setmaxnreg", "setp",         "shf",
      "shfl",       "shl",          "shr",
      "sin",        "slct",         "sqrt",
      "st",         "stmatrix",     "sub",
      "subc",       "suld",         "suq",
      "sured",      "sust",         "szext",
      "tanh",       "tcgen05",      "tensormap",
      "testp",      "tex",          "tld4",
      "txq",        "vabsdiff",     "vabsdiff2",
      "vabsdiff4",  "vadd",         "vadd2",
      "vadd4",      "vavrg2",       "vavrg4",
      "vmad",       "vmax",         "vmax2",
      "vmax4",      "vmin",         "vmin2",
      "vmin4",      "vote",         "vset",
      "vset2",      "vset4",        "vshl",
      "vshr",       "vsub",         "vsub2",
      "vsub4",      "wgmma",        "wmma",
      "xor"};
  return llvm::is_contained(Known, Opcode);
}

static bool isNameCharacter(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '$' || C == '%' || C == '=';
}

/// True if \p All has a label \p Name.
static bool hasLabel(StringRef All, StringRef Name) {
  for (size_t At = All.find(Name); At != StringRef::npos;
       At = All.find(Name, At + 1))
    if ((At == 0 || !isNameCharacter(All[At - 1])) &&
        All.drop_front(At + Name.size()).ltrim().starts_with(":"))
      return true;
  return false;
}

/// True for the directives of declarations, which end in a semicolon.
static bool isDeclaration(StringRef Statement) {
  return llvm::any_of(
      llvm::ArrayRef<StringRef>{".reg", ".local", ".shared", ".const",
                                ".global", ".param", ".pragma"},
      [&](StringRef Each) { return Statement.starts_with(Each); });
}

static StringRef takeWord(StringRef &Text) {
  Text = Text.ltrim();
  StringRef Word = Text.take_while(isNameCharacter);
  Text = Text.drop_front(Word.size());
  return Word;
}

/// \p Statement stands between two semicolons; \p All is the whole text.
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

/// Without `//` and `/* */`.
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

bool mayAsmLeave(StringRef Text) {
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

/// True for functions that are known to end the whole grid, with an error.
static bool endsGrid(const FunctionDecl *Callee) {
  return llvm::StringSwitch<bool>(nameOf(Callee))
      .Cases({"__trap", "__brkpt", "__builtin_trap", "__builtin_debugtrap",
              "__builtin_verbose_trap", "__assert_fail", "__assertfail",
              "__assert_rtn", "abort"},
             true)
      .Default(false);
}

/// True for other functions that are known to end the thread.
static bool endsThread(const FunctionDecl *Callee) {
  StringRef Name = nameOf(Callee);
  // What gets there is undefined, so that nothing does.
  if (Name == "__builtin_unreachable" || Name == "unreachable")
    return false;
  return Callee->isNoReturn() ||
         llvm::StringSwitch<bool>(Name)
             .Cases({"__nvvm_exit", "exit", "_exit", "_Exit"}, true)
             .Default(false);
}

class ThreadExitFinder : public DynamicRecursiveASTVisitor {
public:
  ThreadExitFinder(const ASTContext &Context, ThreadExits::Text &Found)
      : Context(Context), Found(Found) {
    ShouldVisitImplicitCode = true;
  }

  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool VisitAsmStmt(AsmStmt *Asm) override {
    const auto *Statement = dyn_cast<GCCAsmStmt>(Asm);
    note(!Statement || Statement->isAsmGoto() ||
         mayAsmLeave(Statement->getAsmString()));
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    // The text of a generic lambda: its instances are looked at.
    if (Call->isTypeDependent() || Call->getCallee()->isTypeDependent())
      return true;
    const auto *Member =
        dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParenImpCasts());
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    const bool IsUnseen =
        Callee ? !isLibraryFunction(Context, Callee) &&
                     (Callee->isWeak() ||
                      (!Callee->isDefined() && !Callee->isDefaulted()))
               : !isa<CXXPseudoDestructorExpr>(
                     Call->getCallee()->IgnoreParenImpCasts());
    if (Callee && endsGrid(Callee))
      Found.MayEnd = true;
    else
      note(IsUnseen || (Callee && endsThread(Callee)) ||
           (Method && Method->isVirtual() && Member &&
            Member->performsVirtualDispatch(Context.getLangOpts()) &&
            !Method->hasAttr<FinalAttr>()));
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    if (const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl()))
      add(Function);
    return true;
  }
  bool VisitMemberExpr(MemberExpr *Member) override {
    if (const auto *Function = dyn_cast<FunctionDecl>(Member->getMemberDecl()))
      add(Function);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) override {
    add(Construct->getConstructor());
    return true;
  }
  bool VisitVarDecl(VarDecl *Var) override {
    addRecord(Var->getType());
    if (const auto *Cleanup = Var->getAttr<CleanupAttr>())
      add(Cleanup->getFunctionDecl());
    return true;
  }
  // A library may call the operators of an object that it gets.
  bool VisitExpr(Expr *E) override {
    if (E->isPRValue())
      addRecord(E->getType());
    return true;
  }

private:
  /// Some threads may leave, the others go on.
  void note(bool MayLeave) {
    Found.MayEnd |= MayLeave;
    Found.MayLeave |= MayLeave;
  }
  void add(const FunctionDecl *Function) {
    const FunctionDecl *Definition = nullptr;
    if (!isLibraryFunction(Context, Function) && Function->hasBody(Definition))
      Found.Named.insert(Definition);
  }
  void addRecord(QualType Type) {
    const auto *Record =
        Type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl();
    if (!Record || !Record->hasDefinition() || !Records.insert(Record).second ||
        Context.getSourceManager().isInSystemHeader(Record->getLocation()))
      return;
    for (const Decl *Member : Record->decls()) {
      if (const auto *Method = dyn_cast<CXXMethodDecl>(Member))
        add(Method);
      else if (const auto *Template = dyn_cast<FunctionTemplateDecl>(Member))
        for (const FunctionDecl *Each : Template->specializations())
          add(Each);
      else if (const auto *Field = dyn_cast<FieldDecl>(Member))
        addRecord(Field->getType());
    }
    for (const CXXBaseSpecifier &Base : Record->bases())
      addRecord(Base.getType());
  }

  const ASTContext &Context;
  ThreadExits::Text &Found;
  llvm::DenseSet<const CXXRecordDecl *> Records;
};

const ThreadExits::Text &
ThreadExits::textOf(const FunctionDecl *Function) const {
  std::unique_ptr<Text> &Known = Texts[Function];
  if (Known)
    return *Known;
  Known = std::make_unique<Text>();
  Text &Result = *Known;
  ThreadExitFinder Finder(Context, Result);
  Finder.TraverseStmt(Function->getBody());
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
    for (const CXXCtorInitializer *Init : Constructor->inits())
      Finder.TraverseStmt(Init->getInit());
  return Result;
}

bool ThreadExits::find(const Stmt *S, bool Text::*What) const {
  if (!S)
    return false;
  Text Own;
  ThreadExitFinder(Context, Own).TraverseStmt(const_cast<Stmt *>(S));
  Functions Reached = std::move(Own.Named);
  bool Result = Own.*What;
  for (size_t I = 0; !Result && I != Reached.size(); ++I) {
    const Text &Next = textOf(Reached[I]);
    Result = Next.*What;
    Reached.insert_range(Next.Named);
  }
  return Result;
}

} // namespace cudaopt
