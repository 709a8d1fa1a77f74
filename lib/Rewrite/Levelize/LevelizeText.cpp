// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Renders expressions of host loops for the struct: reads of conflict arrays
/// become calls, members get their names in the struct, and products are kept
/// from being fused. Where C++ does not define an order of several reads, they
/// are hoisted into declarations, in the order of the text.
//===----------------------------------------------------------------------===//

#include "LevelizeText.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include <tuple>

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

void LevelizeText::fail(Reason Why, const Stmt *S, StringRef Detail) {
  if (!Failure)
    Failure = {Why, Detail.str(), S->getBeginLoc()};
}

std::optional<std::pair<unsigned, unsigned>>
LevelizeText::offsets(const Stmt *S) {
  const SourceManager &SM = Context.getSourceManager();
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(S->getSourceRange()), SM,
      Context.getLangOpts());
  if (Range.isInvalid() ||
      SM.getFileID(Range.getBegin()) != SM.getMainFileID()) {
    fail(Reason::LoopMacro, S, "a part of an expression");
    return std::nullopt;
  }
  return std::pair(SM.getFileOffset(Range.getBegin()),
                   SM.getFileOffset(Range.getEnd()));
}

std::optional<std::pair<unsigned, unsigned>>
LevelizeText::statementOffsets(const Stmt *S) {
  auto Range = offsets(S);
  if (!Range)
    return Range;
  const SourceManager &SM = Context.getSourceManager();
  StringRef Buffer = SM.getBufferData(SM.getMainFileID());
  size_t Next = Buffer.find_first_not_of(" \t\r\n", Range->second);
  if (!Buffer.slice(Range->first, Range->second).ends_with("}") &&
      !Buffer.slice(Range->first, Range->second).ends_with(";")) {
    if (Next == StringRef::npos || Buffer[Next] != ';') {
      fail(Reason::LoopMacro, S, "the end of a statement");
      return std::nullopt;
    }
    Range->second = Next + 1;
  }
  return Range;
}

std::string LevelizeText::apply(unsigned Begin, unsigned End,
                                std::vector<Splice> Splices) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef Buffer = SM.getBufferData(SM.getMainFileID());
  llvm::sort(Splices, [](const Splice &A, const Splice &B) {
    return std::tie(A.Begin, A.End) < std::tie(B.Begin, B.End);
  });
  std::string Result;
  for (const Splice &Each : Splices) {
    // A macro uses its argument twice: one text stands for two expressions.
    if (Each.Begin < Begin || Each.End > End) {
      fail(Reason::LoopMacro, L.Loop, "a part of an expression");
      return "";
    }
    Result += Buffer.slice(Begin, Each.Begin);
    Result += Each.Text;
    Begin = Each.End;
  }
  Result += Buffer.slice(Begin, End);
  return Result;
}

std::string LevelizeText::original(const Stmt *S) {
  auto Range = offsets(S);
  return Range ? apply(Range->first, Range->second, {}) : "";
}

std::string LevelizeText::render(const Stmt *S) {
  auto Range = offsets(S);
  if (!Range)
    return "";
  std::vector<Splice> Splices;
  collect(S, Splices);
  return apply(Range->first, Range->second, std::move(Splices));
}

/// Returns true if the source spells \p Name where it means \p Path.
static bool isSpelled(const HostPath &Path, StringRef Name) {
  return Path.Fields.size() == !Path.Root && Path.name() == Name;
}

/// Returns the name that \p E must have in the struct; empty if it keeps its
/// text.
static std::string findNewName(const HostLoop &L, const Expr *E) {
  if (auto Scalar = L.ScalarOf.find(E); Scalar != L.ScalarOf.end()) {
    const HostScalar &S = L.Scalars[Scalar->second];
    return !S.IsSize && isSpelled(S.Path, S.Name) ? "" : S.Name;
  }
  if (auto Array = L.ArrayOf.find(E); Array != L.ArrayOf.end()) {
    const HostArray &A = L.Arrays[Array->second];
    return isSpelled(A.Path, A.Name) ? "" : A.Name;
  }
  return "";
}

std::string LevelizeText::minMaxName(const CallExpr *Call) {
  return Call->getDirectCallee()->getName() == "min" ? "cudaopt::minimum{}"
                                                     : "cudaopt::maximum{}";
}

/// Returns true if the struct has a copy of the function that \p Callee names.
static bool isCopied(const HostLoop &L, const DeclRefExpr *Callee) {
  const auto *F = dyn_cast<FunctionDecl>(Callee->getDecl());
  const FunctionDecl *Definition = nullptr;
  return F && F->hasBody(Definition) &&
         llvm::is_contained(L.Copied, Definition);
}

/// Returns the explicit template arguments behind a function's name, as
/// written.
static std::string explicitArguments(const DeclRefExpr *Callee,
                                     const ASTContext &Context) {
  if (!Callee->hasExplicitTemplateArgs())
    return "";
  return Lexer::getSourceText(
             CharSourceRange::getTokenRange(Callee->getLAngleLoc(),
                                            Callee->getRAngleLoc()),
             Context.getSourceManager(), Context.getLangOpts())
      .str();
}

StringRef LevelizeText::roundedName(const BinaryOperator *E) {
  return E->getOpcode() == BO_Mul || E->getOpcode() == BO_MulAssign
             ? "cudaopt::product("
             : "cudaopt::quotient(";
}

/// `a * b` -> `cudaopt::product(a, b)`; `t *= b` -> `t = ...(t, b)`
void LevelizeText::collectProduct(const BinaryOperator *E,
                                  std::vector<Splice> &Splices) {
  if (!E->getOperatorLoc().isFileID())
    fail(Reason::LoopMacro, E, "a product");
  auto Left = offsets(E->getLHS()), Right = offsets(E->getRHS());
  if (!Left || !Right)
    return;
  std::string Head = roundedName(E).str();
  if (E->isCompoundAssignmentOp())
    Splices.push_back({Left->second, Right->first,
                       " = " + Head + render(E->getLHS()) + ", "});
  else {
    Splices.push_back({Left->first, Left->first, std::move(Head)});
    Splices.push_back({Left->second, Right->first, ", "});
  }
  Splices.push_back({Right->second, Right->second, ")"});
}

/// Collects the replacements in \p S from the outside in: an access is replaced
/// as a whole, with the text of its subscripts rendered by itself.
void LevelizeText::collect(const Stmt *S, std::vector<Splice> &Splices) {
  auto replace = [&](const Stmt *Old, std::string New) {
    if (!Old->getBeginLoc().isFileID() || !Old->getEndLoc().isFileID())
      fail(Reason::LoopMacro, Old, "an access");
    if (auto Range = offsets(Old))
      Splices.push_back({Range->first, Range->second, std::move(New)});
  };
  if (const auto *E = dyn_cast<Expr>(S)) {
    if (const HostAccess *A = L.findConflict(E)) {
      auto Known = Hoisted.find(E);
      replace(E, Known != Hoisted.end() ? Known->second
                                        : Load + "(" + renderElement(*A) + ")");
      return;
    }
    if (const HostAccess *A = L.findAccess(E); A && A->IsAtIteration) {
      replace(E, renderPlain(*A));
      return;
    }
    if (L.Numbers.contains(E)) {
      replace(E, own("iteration"));
      return;
    }
    if (std::string Name = findNewName(L, E); !Name.empty()) {
      replace(E, std::move(Name));
      return;
    }
    if (const auto *Call = dyn_cast<CallExpr>(E);
        Call && L.MinMax.contains(Call)) {
      replace(Call->getCallee()->IgnoreParenImpCasts(), minMaxName(Call));
      for (const Expr *Each : Call->arguments())
        collect(Each, Splices);
      return;
    }
    if (const auto *Binary = dyn_cast<BinaryOperator>(E);
        Binary && D.Rounding.isRounded(Binary))
      collectProduct(Binary, Splices);
    if (const auto *Callee = dyn_cast<DeclRefExpr>(E);
        Callee && Callee->hasQualifier() && isCopied(L, Callee))
      replace(Callee, Callee->getDecl()->getNameAsString() +
                          explicitArguments(Callee, Context));
  }
  for (const Stmt *Child : S->children())
    if (Child)
      collect(Child, Splices);
}

//===----------------------------------------------------------------------===//
// The order of reads
//===----------------------------------------------------------------------===//

unsigned LevelizeText::countReads(const Stmt *S) const {
  unsigned Count = L.findConflict(S) != nullptr;
  for (const Stmt *Child : S->children())
    if (Child)
      Count += countReads(Child);
  return Count;
}

/// Returns true if C++ evaluates the operands of \p S in the order of the text.
static bool isSequenced(const Stmt *S) {
  if (isa<ConditionalOperator>(S))
    return true;
  const auto *Binary = dyn_cast<BinaryOperator>(S);
  return Binary && (Binary->isLogicalOp() || Binary->isCommaOp());
}

/// Searches E for an operator of which several operands read conflict arrays,
/// and whose operands C++ does not order: `x[i] + x[j]`. The inspector sees the
/// reads in the order of the slice, so the body must make them in the same
/// order.
bool LevelizeText::isUnordered(const Expr *E) const {
  unsigned NumReading = 0;
  std::vector<const Stmt *> Work = {E};
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    NumReading = 0;
    for (const Stmt *Child : S->children())
      if (Child && countReads(Child)) {
        ++NumReading;
        Work.push_back(Child);
      }
    if (NumReading > 1 && !isSequenced(S))
      return true;
  }
  return false;
}

std::string LevelizeText::own(StringRef Name) const {
  std::string Free = Name.str();
  while (isTaken(Free))
    Free.insert(0, "the_");
  return Free;
}

/// Returns a name for a hoisted read that the user's text does not use: x_1,
/// x_2, ... for elements of x.
std::string LevelizeText::freshName(const HostAccess &A) {
  const std::string &Base = L.Arrays[A.Array].Name;
  std::string Name;
  do
    Name = Base + "_" + std::to_string(++NumNames[Base]);
  while (Taken.contains(Name));
  return Name;
}

/// Declares a constant for each read of a conflict array in \p S, operands
/// first. A read that is only executed under a condition must not be hoisted.
void LevelizeText::hoistInside(const Stmt *S, bool IsConditional,
                               std::string &Front) {
  const auto *E = dyn_cast<Expr>(S);
  if (E && Hoisted.contains(E))
    return;
  if (const auto *Choice = dyn_cast<ConditionalOperator>(S)) {
    hoistInside(Choice->getCond(), IsConditional, Front);
    hoistInside(Choice->getTrueExpr(), true, Front);
    hoistInside(Choice->getFalseExpr(), true, Front);
    return;
  }
  if (const auto *Logical = dyn_cast<BinaryOperator>(S);
      Logical && Logical->isLogicalOp()) {
    hoistInside(Logical->getLHS(), IsConditional, Front);
    hoistInside(Logical->getRHS(), true, Front);
    return;
  }
  for (const Stmt *Child : S->children())
    if (Child)
      hoistInside(Child, IsConditional, Front);
  const HostAccess *A = L.findConflict(S);
  if (!A)
    return;
  if (IsConditional)
    fail(Reason::LoopOrder, S);
  std::string Value = Load + "(" + renderElement(*A) + ")";
  std::string Name = freshName(*A);
  Front += "const " + typeName(L.Arrays[A->Array].Element) + " " + Name +
           " = " + Value + "; ";
  Hoisted[E] = std::move(Name);
}

void LevelizeText::hoist(const Expr *E, std::string &Front) {
  hoistInside(E, false, Front);
}

std::string LevelizeText::renderWhole(const Expr *E, std::string &Front) {
  if (isUnordered(E))
    hoist(E, Front);
  return render(E);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

std::string LevelizeText::typeName(QualType Type) const {
  return Template.spell(Type).getUnqualifiedType().getAsString(
      Context.getPrintingPolicy());
}

std::string LevelizeText::declare(QualType Type, StringRef Name) const {
  std::string Text = Name.str();
  Type.getAsStringInternal(Text, Context.getPrintingPolicy());
  return Text;
}

std::string LevelizeText::convert(QualType To, const std::string &Text) const {
  const std::string Name = typeName(To);
  return Name.find(' ') == std::string::npos
             ? Name + "(" + Text + ")"
             : "static_cast<" + Name + ">(" + Text + ")";
}

/// Returns \p Text in parentheses unless it is a name or number.
static std::string asOperand(const std::string &Text) {
  const bool IsName =
      llvm::all_of(Text, [](char C) { return llvm::isAlnum(C) || C == '_'; });
  return IsName ? Text : "(" + Text + ")";
}

/// Returns the number of an element; rows are multiplied out.
std::string LevelizeText::renderPlace(const HostAccess &A) {
  const HostArray &Array = L.Arrays[A.Array];
  std::string Sum;
  for (size_t Number = 0; Number != A.Subscripts.size(); ++Number) {
    const Expr *Subscript = A.Subscripts[Number];
    const bool HasIteration = A.IsAtIteration && Number == 0;
    std::string Term = Subscript ? render(Subscript) : "";
    if (HasIteration)
      Term = own("iteration") + (Subscript ? " + " + asOperand(Term) : "");
    if (Term.empty())
      continue;
    const uint64_t Size = Array.partSize(Number + 1);
    if (Size != 1)
      Term =
          (HasIteration ? asOperand(Term) : "cudaopt::index_t(" + Term + ")") +
          " * " + std::to_string(Size);
    else if (!Sum.empty())
      Term = asOperand(Term);
    Sum += (Sum.empty() ? "" : " + ") + Term;
  }
  return Sum.empty() ? "0" : Sum;
}

/// Returns an element of an array that is no conflict array, to which the
/// variable of a loop over the array leads.
std::string LevelizeText::renderPlain(const HostAccess &A) {
  std::string Text = L.Arrays[A.Array].Name + "[" + own("iteration");
  if (A.Subscripts[0])
    Text += " + " + asOperand(render(A.Subscripts[0]));
  Text += "]";
  for (const Expr *Each : llvm::ArrayRef(A.Subscripts).drop_front())
    Text += "[" + (Each ? render(Each) : "0") + "]";
  return Text;
}

std::string LevelizeText::renderElement(const HostAccess &A) {
  return L.Arrays[A.Array].Name + ", " + renderPlace(A);
}

unsigned LevelizeText::countPlaceReads(const HostAccess &A) const {
  unsigned Count = 0;
  for (const Expr *Each : A.Subscripts)
    Count += Each ? countReads(Each) : 0;
  return Count;
}

bool LevelizeText::isPlaceUnordered(const HostAccess &A) const {
  unsigned NumReading = 0;
  for (const Expr *Each : A.Subscripts) {
    if (Each && isUnordered(Each))
      return true;
    NumReading += Each && countReads(Each);
  }
  return NumReading > 1;
}

void LevelizeText::hoistPlace(const HostAccess &A, std::string &Front) {
  for (const Expr *Each : A.Subscripts)
    if (Each)
      hoist(Each, Front);
}

bool LevelizeText::readsToo(const HostAccess &A) const {
  return A.Kind == HostAccessKind::Write && !A.isStored();
}

/// Returns the operator of `x += v` or `++x`.
static BinaryOperatorKind getOperator(const Expr *Assignment) {
  Assignment = Assignment->IgnoreParens();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Assignment))
    return Unary->isIncrementOp() ? BO_Add : BO_Sub;
  return BinaryOperator::getOpForCompoundAssignment(
      cast<BinaryOperator>(Assignment)->getOpcode());
}

std::string LevelizeText::operation(const HostAccess &A) const {
  switch (A.Update->Operation) {
  case HostOperation::Plus:
  case HostOperation::Minus: // Adds the negation.
    return "cudaopt::plus{}";
  case HostOperation::Multiplies:
    return "cudaopt::multiplies{}";
  case HostOperation::And:
    return "cudaopt::bit_and{}";
  case HostOperation::Or:
    return "cudaopt::bit_or{}";
  case HostOperation::Xor:
    return "cudaopt::bit_xor{}";
  case HostOperation::Minimum:
    return "cudaopt::minimum{}";
  case HostOperation::Maximum:
    return "cudaopt::maximum{}";
  }
  llvm_unreachable("unknown operation");
}

std::string LevelizeText::renderStore(const HostAccess &A, std::string &Front) {
  const QualType Element = L.Arrays[A.Array].Element;
  const Expr *Value = A.getValue();
  const unsigned InValue = Value ? countReads(Value) : 0;
  const unsigned InPlace = countPlaceReads(A);
  // C++ does not order the arguments of a call. The source evaluates the value
  // first, so its reads are hoisted before those of the subscripts.
  const bool IsMixed =
      (InValue && InPlace) || (readsToo(A) && (InValue || InPlace));
  if (Value && (IsMixed || isUnordered(Value)))
    hoist(Value, Front);
  if (IsMixed || isPlaceUnordered(A))
    hoistPlace(A, Front);
  const std::string Place = renderElement(A);
  const std::string Text = Value ? render(Value) : "1";
  if (A.Kind == HostAccessKind::Update) {
    std::string New = convert(Element, Text);
    // A NaN has a sign bit, which a plain negation may or may not change.
    if (A.Update->Operation == HostOperation::Minus)
      New = Value && (Template.isTemplate() || Element->isRealFloatingType())
                ? "cudaopt::negated(" + New + ")"
                : convert(Element, "-" + New);
    return own("memory") + ".update(" + Place + ", " + operation(A) + ", " +
           New + ")";
  }
  if (!readsToo(A)) {
    // A value of the element's type needs no conversion. In a template that may
    // differ between instantiations.
    const Expr *Plain = Value->IgnoreParenImpCasts();
    const bool IsSame =
        !Template.isTemplate() &&
        Context.hasSameUnqualifiedType(Value->getType(), Element) &&
        Context.hasSameUnqualifiedType(Plain->getType(), Element);
    return own("memory") + ".store(" + Place + ", " +
           (IsSame ? Text : convert(Element, Text)) + ")";
  }
  if (const auto *Compound =
          dyn_cast<BinaryOperator>(A.Assignment->IgnoreParens());
      Compound && D.Rounding.isRounded(Compound))
    return own("memory") + ".store(" + Place + ", " +
           convert(Element, roundedName(Compound).str() + Load + "(" + Place +
                                "), " + Text + ")") +
           ")";
  const StringRef Operator =
      BinaryOperator::getOpcodeStr(getOperator(A.Assignment));
  return own("memory") + ".store(" + Place + ", " +
         convert(Element, Load + "(" + Place + ") " + Operator.str() + " (" +
                              Text + ")") +
         ")";
}

} // namespace cudaopt
