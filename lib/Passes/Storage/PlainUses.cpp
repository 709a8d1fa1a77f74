// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares two lists: the accesses of the model, each of which must be plain,
/// and the mentions of the array in the text, each of which must be one of
/// these accesses. The second comparison finds what the model does not see.
//===----------------------------------------------------------------------===//

#include "PlainUses.h"

#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/Model/TextRefusals.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

/// Returns the reference to `a` in `a[i][j]`; null if \p A is written in
/// another way, such as `i[a]` or with parentheses.
static const DeclRefExpr *findName(const Access &A) {
  const Expr *Base = A.Ref;
  for (size_t I = 0; I != A.Subscripts.size(); ++I) {
    const auto *Subscript =
        dyn_cast<ArraySubscriptExpr>(Base->IgnoreImpCasts());
    // In `i[a]` the index comes first.
    if (!Subscript || Subscript->getBase() != Subscript->getLHS())
      return nullptr;
    Base = Subscript->getBase();
  }
  return dyn_cast<DeclRefExpr>(Base->IgnoreImpCasts());
}

/// Returns true if \p A is a load or store of an element, or of a part of one,
/// whose subscripts have no effect, so that they can be left out.
static bool isPlain(const Access &A, const ArrayShape &Shape,
                    const ASTContext &Context) {
  return A.Kind != AccessKind::Atomic && A.Chunk == 1 && !A.Run && !A.IsAlone &&
         !A.IsThroughRowPointer && !A.Function && !A.Use &&
         A.Subscripts.size() == Shape.Extents.size() &&
         A.Offset + A.Width <= Shape.ElementSize &&
         getSubscriptBrackets(A.Ref).size() == A.Subscripts.size() &&
         llvm::all_of(A.Subscripts, [&](const Expr *Subscript) {
           return !whyNotRepeatable(Subscript, Context);
         });
}

/// Returns what forbids the replacement whatever the accesses are.
static std::optional<Refusal> findArrayRefusal(const Kernel &K, ArrayId Id,
                                               StringRef Pass) {
  const SharedArray &A = K.Arrays[Id];
  const SourceLocation Loc = A.Decl->getLocation();
  for (StringRef Name : {StringRef("shared-reuse"), Pass})
    if (std::optional<Refusal> Mark = findMark(K, Id, Name))
      return Mark;
  if (!A.Refusals.empty())
    return A.Refusals.front();
  if (A.IsExtern || A.Whole)
    return Refusal{Reason::ExternArray, "", Loc};
  if (A.DeclarationRefusal)
    return A.DeclarationRefusal;
  if (A.ShapeRefusal)
    return A.ShapeRefusal;
  if (A.SubscriptRefusal)
    return A.SubscriptRefusal;
  if (!A.Parameters.empty()) {
    const auto *Callee =
        cast<FunctionDecl>(A.Parameters.front()->getDeclContext());
    return Refusal{Reason::PassedToFunction, Callee->getNameAsString(), Loc};
  }
  if (!A.RowPointers.empty())
    return Refusal{Reason::RowPointer, A.RowPointers.front()->getName().str(),
                   Loc};
  if (!A.WantedLayout.empty())
    return Refusal{Reason::AskedToKeep, "", Loc};
  const auto *Owner =
      dyn_cast_or_null<FunctionDecl>(A.Decl->getParentFunctionOrMethod());
  if (!Owner || Owner->getLocation() != K.Decl->getLocation())
    return Refusal{Reason::FileScope, "", Loc};
  return std::nullopt;
}

std::optional<Refusal> findUnusualUse(const Kernel &K, ArrayId Array,
                                      StringRef Pass) {
  const SharedArray &A = K.Arrays[Array];
  if (std::optional<Refusal> R = findArrayRefusal(K, Array, Pass))
    return R;
  const ASTContext &Context = A.Decl->getASTContext();
  llvm::DenseSet<SourceLocation> Known;
  for (const auto &Instance : K.Instances)
    for (const Access &Use : Instance->Accesses) {
      if (Use.Array != Array)
        continue;
      const DeclRefExpr *Name = findName(Use);
      if (!Name || !isPlain(Use, Instance->Shapes[Array], Context))
        return Refusal{Reason::NotPlain, getWrittenText(Use.Ref, Context),
                       Use.Ref->getExprLoc()};
      Known.insert(Name->getLocation());
    }
  for (SourceLocation Mention : findMentions(K, A).All)
    if (!Known.contains(Mention))
      return Refusal{Reason::NamedAsWhole, "", Mention};
  return std::nullopt;
}

} // namespace cudaopt
