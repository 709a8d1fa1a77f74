// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Answers which passes the author keeps away from a variable, function, loop
/// or piece of text. A function with a mark of its own becomes a region of
/// text, too, like the lines between `cuda-opt off` and `cuda-opt on`.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/IR/OwnDeclarations.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace cudaopt {

//===----------------------------------------------------------------------===//
// Annotations
//===----------------------------------------------------------------------===//

/// Returns the annotation that wants \p D left alone; null without one.
static const AnnotateAttr *findOffMark(const Decl *D) {
  for (const auto *Mark : D->specific_attrs<AnnotateAttr>())
    if (std::optional<Annotation> Said = readAnnotation(Mark))
      if (Said->Name == "off" || (Said->Name == "keep" && isa<VarDecl>(D)))
        return Mark;
  return nullptr;
}

static StringRef getMacroName(const AnnotateAttr *Mark) {
  return readAnnotation(Mark)->Name == "keep" ? "CUDAOPT_KEEP" : "CUDAOPT_OFF";
}

/// Returns the range of \p Function with what stands in front of it: `template
/// <...>`.
static SourceRange getWholeRange(const FunctionDecl *Function) {
  if (const FunctionTemplateDecl *Template =
          Function->getDescribedFunctionTemplate())
    return Template->getSourceRange();
  return Function->getSourceRange();
}

Refusal SourceMarks::makeRefusal(StringRef What, SourceLocation Loc) const {
  Loc = SM.getExpansionLoc(Loc);
  return {
      Reason::MarkedOff,
      (What + " in line " + llvm::Twine(SM.getSpellingLineNumber(Loc))).str(),
      Loc};
}

/// Makes a region of the text of each function that is marked as a whole.
void SourceMarks::findAnnotatedFunctions(ASTContext &Context) {
  for (const FunctionDecl *Function : ownNodes<FunctionDecl>(Context)) {
    const AnnotateAttr *Mark = findOffMark(Function);
    if (!Mark)
      continue;
    const SourceRange Range = getWholeRange(Function);
    auto [File, Begin] = SM.getDecomposedExpansionLoc(Range.getBegin());
    auto [EndFile, End] =
        SM.getDecomposedLoc(SM.getExpansionRange(Range.getEnd()).getEnd());
    if (File == EndFile)
      Regions.push_back({File, Begin, End + 1,
                         makeRefusal(getMacroName(Mark), Mark->getLocation())});
  }
}

SourceMarks::SourceMarks(ASTContext &Context, ArrayRef<SourceRange> Comments,
                         ArrayRef<StringRef> Passes, const LineFilter *Only)
    : SM(Context.getSourceManager()), Only(Only) {
  for (SourceRange Comment : Comments)
    readComment(Comment, Passes);
  findAnnotatedFunctions(Context);
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

std::optional<Refusal> SourceMarks::ofText(SourceLocation Loc) const {
  auto [File, Offset] = SM.getDecomposedExpansionLoc(Loc);
  for (const Region &Each : Regions)
    if (Each.File == File && Each.Begin <= Offset && Offset < Each.End)
      return Each.Refused;
  return std::nullopt;
}

std::optional<Refusal> SourceMarks::ofBytes(StringRef File, unsigned Begin,
                                            unsigned End) const {
  for (const Region &Each : Regions) {
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Each.File);
    llvm::SmallString<128> Real;
    if (!Entry || llvm::sys::fs::real_path(Entry->getName(), Real))
      continue;
    // An insertion at a border of the region is outside of it.
    if (Real == File && Begin < Each.End && Each.Begin < End)
      return Each.Refused;
    if (Real == File && Begin == End && Each.Begin < Begin && Begin < Each.End)
      return Each.Refused;
  }
  return std::nullopt;
}

/// Returns the mark of an `ignore` comment on one of the lines of \p Head, the
/// first lines of a declaration or loop.
std::optional<Refusal> SourceMarks::ofLines(SourceRange Head,
                                            StringRef Pass) const {
  const SourceLocation Begin = SM.getExpansionLoc(Head.getBegin()),
                       End = SM.getExpansionLoc(Head.getEnd());
  const unsigned First = SM.getSpellingLineNumber(Begin),
                 Last = SM.getSpellingLineNumber(End);
  for (const IgnoredLine &Each : Ignored)
    if (Each.File == SM.getFileID(Begin) && First <= Each.Line &&
        Each.Line <= Last &&
        (Each.Passes.empty() || llvm::is_contained(Each.Passes, Pass)))
      return Each.Refused;
  return std::nullopt;
}

/// Returns true if \p Name is the end of \p Path, beginning at a separator.
static bool isNameOf(StringRef Name, StringRef Path) {
  return Path.consume_back(Name) &&
         (Path.empty() || Path.ends_with("/") || Name.starts_with("/"));
}

/// Returns std::nullopt if some line of \p Text is one to work on.
std::optional<Refusal> SourceMarks::ofFilter(SourceRange Text) const {
  if (!Only)
    return std::nullopt;
  const SourceLocation Begin = SM.getExpansionLoc(Text.getBegin()),
                       End = SM.getExpansionLoc(Text.getEnd());
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(SM.getFileID(Begin));
  llvm::SmallString<128> Real;
  if (!Entry || llvm::sys::fs::real_path(Entry->getName(), Real))
    return std::nullopt;
  const unsigned First = SM.getSpellingLineNumber(Begin),
                 Last = SM.getSpellingLineNumber(End);
  for (const LineFilter::File &Each : Only->Files)
    if (isNameOf(Each.Name, Real) &&
        (Each.Lines.empty() || llvm::any_of(Each.Lines, [&](auto Lines) {
           return Lines.first <= Last && First <= Lines.second;
         })))
      return std::nullopt;
  return Refusal{Reason::LinesUnchanged, "", Begin};
}

std::optional<Refusal> SourceMarks::ofFunction(const FunctionDecl *Function,
                                               StringRef Pass) const {
  if (const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern())
    Function = Pattern;
  const SourceRange Range = getWholeRange(Function);
  if (std::optional<Refusal> R = ofText(Function->getLocation()))
    return R;
  if (std::optional<Refusal> R =
          ofLines({Range.getBegin(), Function->getLocation()}, Pass))
    return R;
  return ofFilter(Range);
}

std::optional<Refusal> SourceMarks::ofVariable(const VarDecl *Var,
                                               StringRef Pass) const {
  if (const AnnotateAttr *Mark = findOffMark(Var))
    return makeRefusal(getMacroName(Mark), Mark->getLocation());
  if (std::optional<Refusal> R = ofText(Var->getLocation()))
    return R;
  if (std::optional<Refusal> R =
          ofLines({Var->getBeginLoc(), Var->getLocation()}, Pass))
    return R;
  const auto *Owner =
      dyn_cast_or_null<FunctionDecl>(Var->getParentFunctionOrMethod());
  return Owner ? ofFunction(Owner, Pass) : ofFilter(Var->getSourceRange());
}

std::optional<Refusal> SourceMarks::ofLoop(const FunctionDecl *Function,
                                           SourceRange Head, SourceRange Loop,
                                           StringRef Pass) const {
  if (std::optional<Refusal> R = ofText(Loop.getBegin()))
    return R;
  if (std::optional<Refusal> R = ofLines(Head, Pass))
    return R;
  if (std::optional<Refusal> R = ofFilter(Loop))
    return R;
  const SourceRange Range = getWholeRange(Function);
  return ofLines({Range.getBegin(), Function->getLocation()}, Pass);
}

std::optional<Refusal> findMark(const Kernel &K, ArrayId Array,
                                StringRef Pass) {
  if (!K.Marks)
    return std::nullopt;
  const SharedArray &A = K.Arrays[Array];
  std::optional<Refusal> Mark = K.Marks->ofVariable(A.Decl, Pass);
  if (!Mark && A.Whole)
    Mark = K.Marks->ofVariable(K.Arrays[*A.Whole].Decl, Pass);
  // An array of file scope has no function of its own; the kernel that uses it
  // counts.
  if (!Mark)
    Mark = K.Marks->ofFunction(K.Decl, Pass);
  return Mark;
}

} // namespace cudaopt
