// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes a static_assert into a template that lists the arguments of all
/// instances in this file. The condition is short if it can be: a product of
/// alternatives if all combinations occur, else a list of them.
//===----------------------------------------------------------------------===//

#include "InstanceAssertion.h"

#include "SubscriptEdit.h"
#include "cudaopt/Rewrite/RewriteKernel.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::Error;
using llvm::StringRef;

namespace cudaopt {

/// Returns the templates, as written, on whose arguments the facts about \p K
/// rest: the one that declares its arrays, and the kernels that call it.
static std::vector<const FunctionDecl *> findTemplates(const Kernel &K) {
  std::vector<const FunctionDecl *> Templates;
  if (K.Decl->isDependentContext())
    Templates.push_back(K.Decl);
  for (const auto &Instance : K.Instances)
    if (const FunctionDecl *Pattern =
            Instance->Decl->getTemplateInstantiationPattern();
        Pattern && !llvm::is_contained(Templates, Pattern))
      Templates.push_back(Pattern);
  return Templates;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {

/// Spells arguments of one template as its body can name them.
class ArgumentWriter {
public:
  ArgumentWriter(const FunctionDecl &Pattern, const ASTContext &Context)
      : Pattern(Pattern), Context(Context), Policy(Context.getLangOpts()) {}

  /// Returns "N == 16", "IsLast" or "__is_same(T, float)"; std::nullopt if
  /// there is no such text.
  std::optional<std::string> write(const NamedDecl &Parameter,
                                   const TemplateArgument &Argument) const;

private:
  bool isNameable(QualType Type) const;
  bool isNameable(const TagDecl &Tag) const;
  bool isNameable(const TemplateArgument &Argument) const;

  const FunctionDecl &Pattern;
  const ASTContext &Context;
  const PrintingPolicy Policy;
};

} // namespace

/// Returns true if text in front of the template's body can name \p Tag,
/// qualified by its namespaces.
bool ArgumentWriter::isNameable(const TagDecl &Tag) const {
  if (!Tag.getIdentifier() && !Tag.getTypedefNameForAnonDecl())
    return false;
  if (Tag.getAccess() == AS_private || Tag.getAccess() == AS_protected)
    return false;
  const auto *First = cast<TagDecl>(Tag.getCanonicalDecl());
  if (!Context.getSourceManager().isBeforeInTranslationUnit(
          First->getLocation(), Pattern.getBeginLoc()))
    return false;
  if (const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(&Tag))
    if (!llvm::all_of(Instance->getTemplateArgs().asArray(),
                      [&](const TemplateArgument &Argument) {
                        return isNameable(Argument);
                      }))
      return false;
  const DeclContext *Around = Tag.getDeclContext()->getRedeclContext();
  if (const auto *Outer = dyn_cast<TagDecl>(Around))
    return isNameable(*Outer);
  return Around->isFileContext();
}

bool ArgumentWriter::isNameable(const TemplateArgument &Argument) const {
  if (Argument.getKind() == TemplateArgument::Type)
    return isNameable(Argument.getAsType());
  return Argument.getKind() == TemplateArgument::Integral &&
         !Argument.getIntegralType()->isEnumeralType();
}

bool ArgumentWriter::isNameable(QualType Type) const {
  Type = Type.getCanonicalType();
  if (Type->isPointerType() || Type->isReferenceType())
    return isNameable(Type->getPointeeType());
  if (const auto *Array = Context.getAsConstantArrayType(Type))
    return isNameable(Array->getElementType());
  if (const TagDecl *Tag = Type->getAsTagDecl())
    return isNameable(*Tag);
  return Type->isBuiltinType();
}

std::optional<std::string>
ArgumentWriter::write(const NamedDecl &Parameter,
                      const TemplateArgument &Argument) const {
  const std::string Name = Parameter.getNameAsString();
  if (Argument.getKind() == TemplateArgument::Type) {
    if (!isNameable(Argument.getAsType()))
      return std::nullopt;
    return "__is_same(" + Name + ", " +
           TypeName::getFullyQualifiedName(Argument.getAsType(), Context,
                                           Policy) +
           ")";
  }
  if (Argument.getKind() != TemplateArgument::Integral)
    return std::nullopt;
  const QualType Type = Argument.getIntegralType();
  const llvm::APSInt &Value = Argument.getAsIntegral();
  if (Type->isBooleanType())
    return Value == 0 ? "!" + Name : Name;
  // The least 64-bit number has no literal.
  if (!Value.isRepresentableByInt64() ||
      Value.getExtValue() == std::numeric_limits<int64_t>::min())
    return std::nullopt;
  return (Type->isEnumeralType() ? "static_cast<long long>(" + Name + ")"
                                 : Name) +
         " == " + llvm::itostr(Value.getExtValue());
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The conditions that hold in one instance: one for each parameter with a
/// name.
using Conditions = std::vector<std::string>;

/// Returns the conditions of all instances of \p Pattern in the file;
/// std::nullopt if an argument cannot be spelled. A parameter without a name
/// does not matter to the body.
static std::optional<std::vector<Conditions>>
findInstances(const FunctionDecl &Pattern, const ASTContext &Context) {
  FunctionTemplateDecl *Template = Pattern.getDescribedFunctionTemplate();
  if (!Template || Template->isAbbreviated() ||
      Template->getDeclContext()->isDependentContext())
    return std::nullopt;
  const ArgumentWriter Writer(Pattern, Context);
  std::vector<Conditions> Instances;
  for (const FunctionDecl *Instance : Template->specializations()) {
    if (!Instance->hasBody() ||
        Instance->getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
      continue;
    Conditions Here;
    for (auto [Parameter, Argument] : llvm::zip_equal(
             *Template->getTemplateParameters(),
             Instance->getTemplateSpecializationArgs()->asArray())) {
      if (!Parameter->getIdentifier())
        continue;
      std::optional<std::string> Condition = Writer.write(*Parameter, Argument);
      if (!Condition)
        return std::nullopt;
      Here.push_back(std::move(*Condition));
    }
    if (!llvm::is_contained(Instances, Here))
      Instances.push_back(std::move(Here));
  }
  return Instances;
}

/// Joins \p Parts with \p Operator, in parentheses if there are several and the
/// result is itself an operand.
static std::string join(ArrayRef<std::string> Parts, StringRef Operator,
                        bool IsOperand) {
  std::string Joined = llvm::join(Parts, Operator);
  return IsOperand && Parts.size() > 1 ? "(" + Joined + ")" : Joined;
}

/// Returns `T is float && (N == 16 || N == 32)` if each value of a parameter
/// occurs with each of the others; else `T is float && ((N == 16 && M == 8) ||
/// ...)`.
static std::string writeAlternatives(ArrayRef<Conditions> Instances) {
  const size_t NumParameters = Instances.front().size();
  std::vector<Conditions> Values(NumParameters);
  for (const Conditions &Instance : Instances)
    for (auto [OfParameter, Condition] : llvm::zip_equal(Values, Instance))
      if (!llvm::is_contained(OfParameter, Condition))
        OfParameter.push_back(Condition);
  size_t NumCombinations = 1;
  for (const auto &OfParameter : Values)
    NumCombinations *= OfParameter.size();
  const bool IsProduct = NumCombinations == Instances.size();
  Conditions Terms, Rows(Instances.size());
  for (const auto &OfParameter : Values)
    if (IsProduct || OfParameter.size() == 1)
      Terms.push_back(join(OfParameter, " || ", NumParameters > 1));
  if (!IsProduct) {
    for (auto [Row, Instance] : llvm::zip_equal(Rows, Instances)) {
      Conditions Differing;
      for (size_t I = 0; I != NumParameters; ++I)
        if (Values[I].size() > 1)
          Differing.push_back(Instance[I]);
      Row = join(Differing, " && ", true);
    }
    Terms.push_back(join(Rows, " || ", !Terms.empty()));
  }
  return join(Terms, " && ", false);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static constexpr size_t MaxColumns = 80;
static constexpr llvm::StringLiteral Begin = "static_assert(";
static constexpr llvm::StringLiteral End =
    "\"cuda-opt: other instances need a run on the original source\");";

/// Breaks `static_assert(Condition, message);` into lines. \p Newline is the
/// end of a line and the indentation of the next.
static std::string writeAssertion(StringRef Condition, StringRef Newline) {
  std::string Code = Begin.str();
  size_t Column = Newline.ltrim("\r\n").size() + Begin.size();
  const std::string Indent = Newline.str() + std::string(Begin.size(), ' ');
  auto Add = [&](StringRef Part) {
    if (Column + Part.size() > MaxColumns && Code.size() > Begin.size()) {
      while (Code.back() == ' ')
        Code.pop_back();
      Code += Indent;
      Column = StringRef(Indent).ltrim("\r\n").size();
    }
    Code += Part;
    Column += Part.size();
  };
  while (!Condition.empty()) {
    size_t Operator = std::min(Condition.find(" || "), Condition.find(" && "));
    size_t Size = Operator == StringRef::npos ? Condition.size() : Operator + 4;
    Add((Condition.take_front(Size) + (Size == Condition.size() ? ", " : ""))
            .str());
    Condition = Condition.drop_front(Size);
  }
  Add(End);
  return Code;
}

/// Returns the last end of a line in \p Before, and the white space behind it.
static std::string getNewline(StringRef Before) {
  const size_t End = Before.rfind('\n');
  if (End == StringRef::npos)
    return "\n  ";
  StringRef Line = Before.drop_front(End + 1);
  StringRef Indent = Line.take_front(Line.find_first_not_of(" \t"));
  return (Before.take_front(End).ends_with("\r") ? "\r\n" : "\n") +
         Indent.str();
}

/// Returns true if the rest of a line is empty or a comment, so that a
/// statement may follow on the next line.
static bool isComment(StringRef RestOfLine) {
  RestOfLine = RestOfLine.trim(" \t\r");
  return RestOfLine.empty() ||
         (RestOfLine.starts_with("//") && !RestOfLine.ends_with("\\"));
}

/// Inserts the assertion as the first statement of \p Body, unless it is there.
static Error insertAssertion(StringRef Condition, const CompoundStmt &Body,
                             const SourceManager &SM, Edits &E) {
  const auto [File, Brace] = SM.getDecomposedLoc(Body.getLBracLoc());
  const StringRef Text = SM.getBufferData(File);
  const auto [FirstFile, First] =
      SM.getDecomposedExpansionLoc(Body.body_front()->getBeginLoc());
  const StringRef Rest = Text.drop_front(Brace + 1);
  const StringRef RestOfLine = Rest.take_front(Rest.find('\n')).rtrim('\r');
  const bool EndsLine = FirstFile == File && isComment(RestOfLine);
  const std::string Newline =
      EndsLine ? getNewline(Text.take_front(First)) : " ";
  const std::string Code = EndsLine ? writeAssertion(Condition, Newline)
                                    : (Begin + Condition + ", " + End).str();
  const size_t Skipped = EndsLine ? RestOfLine.size() : 0;
  // An earlier run has written it.
  if (Rest.drop_front(Skipped).ltrim().starts_with(Code))
    return Error::success();
  return E.insert(Body.getLBracLoc().getLocWithOffset(1 + Skipped),
                  Newline + Code);
}

static const CompoundStmt *getBody(const FunctionDecl &Pattern) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Pattern.getBody());
  return Body && !Body->body_empty() && Body->getLBracLoc().isFileID()
             ? Body
             : nullptr;
}

std::optional<Refusal> findInstanceRefusal(const Kernel &K,
                                           const ASTContext &Context,
                                           bool OwnsHeaders) {
  const SourceManager &SM = Context.getSourceManager();
  for (const FunctionDecl *Pattern : findTemplates(K)) {
    const SourceLocation Loc = SM.getExpansionLoc(Pattern->getLocation());
    // An assertion there would break the files that have other instances.
    if (!OwnsHeaders && !SM.isInMainFile(Loc))
      return Refusal{Reason::TemplateInHeader, "", Loc};
    if (!getBody(*Pattern))
      return Refusal{Reason::NotEditable, "a macro begins the template's body",
                     Loc};
    if (!findInstances(*Pattern, Context))
      return Refusal{Reason::UnnamedArgument, "", Loc};
  }
  return std::nullopt;
}

Error assertInstances(const Kernel &K, StringRef Name,
                      const ASTContext &Context, Edits &E) {
  for (const FunctionDecl *Pattern : findTemplates(K)) {
    const CompoundStmt *Body = getBody(*Pattern);
    std::optional<std::vector<Conditions>> Instances =
        findInstances(*Pattern, Context);
    if (!Body || !Instances)
      return refuse(Name, "its instances cannot be told apart",
                    Pattern->getLocation(), Context);
    if (Instances->empty() || Instances->front().empty())
      continue;
    if (Error Failed = insertAssertion(writeAlternatives(*Instances), *Body,
                                       Context.getSourceManager(), E))
      return Failed;
  }
  return Error::success();
}

} // namespace cudaopt
