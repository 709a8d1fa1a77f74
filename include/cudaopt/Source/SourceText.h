// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// From pieces of the AST to the text that they were parsed from, as far as
/// that can be edited. TextRefusals (which decides) and the rewriter (which
/// edits) share these rules, so that whatever is not blocked can be rewritten.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SOURCE_SOURCETEXT_H
#define CUDAOPT_SOURCE_SOURCETEXT_H

#include "cudaopt/Support/Reason.h"

#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class ArraySubscriptExpr;
class Expr;
class FunctionDecl;
class MemberExpr;
class VarDecl;
} // namespace clang

namespace cudaopt {

/// Returns where the file contains \p Anchor, a bracket: its own place, or its
/// place in the argument of a macro; std::nullopt if the bracket comes from a
/// macro's body, or from an argument that the macro also turns into a string.
std::optional<clang::SourceLocation>
getFileAnchor(clang::SourceLocation Anchor, const clang::ASTContext &Context);

/// Returns the bytes of a user's file that \p Range was parsed from, if an edit
/// of them changes that one place only; std::nullopt otherwise. A range that is
/// wholly the expansion of a macro yields the macro's name and arguments. The
/// text must be on the same level of macro arguments as \p Anchor, a bracket
/// around it: with `#define AT(r, w) ((r) * (w) % (w))`, an edit of `32` in
/// `s[AT(y, 32)]` would change two places.
std::optional<clang::CharSourceRange>
getEditableRange(clang::SourceRange Range, clang::SourceLocation Anchor,
                 const clang::ASTContext &Context);

/// Returns the range of \p E if its text is all that stands between `[` and
/// \p RBracket, comments aside; std::nullopt otherwise.
std::optional<clang::CharSourceRange>
getBracketedRange(const clang::Expr *E, clang::SourceLocation RBracket,
                  const clang::ASTContext &Context);

/// Returns the text of \p E as its file has it; of a macro's expansion, the
/// macro.
std::string getWrittenText(const clang::Expr *E,
                           const clang::ASTContext &Context);

/// Returns the text of \p E on one line, to be repeated elsewhere inside the
/// brackets of \p Anchor; std::nullopt if it cannot be joined to one line.
std::optional<std::string> getTextToRepeat(const clang::Expr *E,
                                           clang::SourceLocation Anchor,
                                           const clang::ASTContext &Context);

/// Returns why evaluating \p E twice, the second time from a copy of its text,
/// may differ from evaluating it once: SideEffect, DataDependent (it reads
/// memory that other threads may write, or a `__shared__` array, whose
/// subscripts may get edits of their own), or std::nullopt.
std::optional<Reason> whyNotRepeatable(const clang::Expr *E,
                                       const clang::ASTContext &Context);

/// Returns the dimensions that the declarator of \p D spells, outermost first;
/// those of a typedef are missing.
llvm::SmallVector<clang::ArrayTypeLoc, 4>
getWrittenDimensions(const clang::VarDecl &D);

/// Returns the dimensions that parameter \p Index of \p Function spells,
/// outermost first; for `T (*p)[N]` without the first one. Empty for a
/// parameter of a pack.
llvm::SmallVector<clang::ArrayTypeLoc, 4>
getParameterDimensions(const clang::FunctionDecl *Function, unsigned Index);

/// Returns true if an edit of that parameter can lengthen the rows of an array
/// of \p NumDimensions, in every place that spells its type.
bool canLengthenRows(const clang::FunctionDecl *Function, unsigned Index,
                     size_t NumDimensions, const clang::ASTContext &Context);

/// Returns the definition whose text all specialisations of \p Function share.
const clang::FunctionDecl *
getWrittenDefinition(const clang::FunctionDecl *Function);

/// Returns the whole text of the definition \p Written, from `template` or the
/// first specifier on; std::nullopt if it cannot be copied to another place of
/// the file.
std::optional<clang::CharSourceRange>
getCopiedRange(const clang::FunctionDecl *Written,
               const clang::ASTContext &Context);

/// Returns the brackets that close the subscripts of \p Ref, outermost
/// subscript first. Subscripts that are not spelled `base[index]` are missing.
llvm::SmallVector<clang::SourceLocation, 4>
getSubscriptBrackets(const clang::Expr *Ref);

/// Returns the text of the type of \p D's elements, without qualifiers.
std::optional<clang::CharSourceRange>
getElementTypeRange(const clang::VarDecl &D, const clang::ASTContext &Context);

/// A member of a struct, with a spelling of its type that is valid where
/// another variable is declared.
struct WrittenField {
  std::string Type, Name;
};

/// Returns the members of the struct type of \p D's elements; std::nullopt
/// unless all are numbers whose types have names that are valid everywhere.
std::optional<llvm::SmallVector<WrittenField, 4>>
getWrittenFields(const clang::VarDecl &D, const clang::ASTContext &Context);

/// A use `s[i].f` or `s[i][j].f` of a member of an element.
struct MemberUse {
  const clang::MemberExpr *Member;
  const clang::ArraySubscriptExpr *Element; ///< `s[i][j]`
  const clang::Expr *Array;                 ///< `s`
};

/// The positions that turn a MemberUse into `s.f[i]`: behind `s`, and the range
/// of `.f`.
struct MemberText {
  clang::SourceLocation AfterArray;
  clang::CharSourceRange Member;
};

/// Returns std::nullopt if the text of \p Use cannot be edited.
std::optional<MemberText> getMemberText(const MemberUse &Use,
                                        const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_SOURCE_SOURCETEXT_H
