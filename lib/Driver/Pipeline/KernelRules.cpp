// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Evaluates the rules of a kernel in the order in which reasons are reported.
/// Where a rule concerns the text, the edits of the candidate are made on
/// trial.
//===----------------------------------------------------------------------===//

#include "KernelRules.h"

#include "HeaderRules.h"
#include "MarkCheck.h"
#include "cudaopt/Analysis/StoredProducts.h"
#include "cudaopt/Model/TextBlockers.h"
#include "cudaopt/Rewrite/RewriteKernel.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using namespace clang;

KernelRules::KernelRules(const Kernel &K, size_t Index, const RuleSources &From)
    : K(K), Index(Index), From(From),
      OfInstances(
          findInstanceBlocker(K, From.Context, !From.Opts.Overlay.empty())) {}

void KernelRules::add(Refusal What) {
  switch (What.Of) {
  case Refusal::Part::Layout:
    Layouts.emplace(What.Number, std::move(What.Why));
    return;
  case Refusal::Part::Rewrite:
    Rewrites.emplace(What.Number, std::move(What.Why));
    return;
  case Refusal::Part::Storage:
    Storage = std::move(What.Why);
    return;
  case Refusal::Part::All:
    All = std::move(What.Why);
    return;
  }
  llvm_unreachable("unknown part");
}

/// Returns why nothing at \p Loc may be edited.
Blocker KernelRules::ofText(SourceLocation Loc) const {
  if (!isNone(OfInstances))
    return {OfInstances.Why, OfInstances.Detail, Loc};
  return findHeaderBlocker(Loc, From.Context.getSourceManager(), From.Opts,
                           *From.Facts.Inclusions);
}

/// Returns the doubt about the parse, if there is one: a text that may not be
/// the build's is no basis for edits.
Blocker KernelRules::ofDoubts(SourceLocation Loc) const {
  if (From.Doubts.OfText.empty())
    return {};
  return {Reason::ParsedOtherwise, From.Doubts.OfText, Loc};
}

/// Returns why nothing about the array may change.
Blocker KernelRules::ofArray(ArrayId Array) const {
  const SourceLocation Loc = K.Arrays[Array].Decl->getLocation();
  if (Blocker Why = ofText(Loc); !isNone(Why))
    return Why;
  if (Blocker Why = ofDoubts(Loc); !isNone(Why))
    return Why;
  if (All)
    return {All->Why, All->Detail, Loc};
  auto Refused = Layouts.find(Array);
  return Refused == Layouts.end() ? Blocker() : Refused->second;
}

/// Returns true if the layout only makes rows longer. Padding does not change
/// which accesses a compiler can prove distinct, so that the rule on forwarded
/// products (StoredProducts.h) need not be asked.
static bool isLongerRow(const Kernel &K, ArrayId Array, const Layout &New) {
  return New.Kind == Layout::Family::Pad &&
         llvm::all_of(K.Instances, [&](const auto &Instance) {
           return Instance->Shapes[Array].Extents.size() != 1;
         });
}

/// Returns why the array must not have the layout \p New. Layouts move
/// elements, which may change what a compiler can prove about accesses; and the
/// edits must be possible and must not touch marked text.
Blocker KernelRules::ofLayout(ArrayId Array, const Layout &New) const {
  if (!isLongerRow(K, Array, New))
    if (Blocker Why = findForwardedProduct(K, Array); !isNone(Why))
      return Why;
  const SourceLocation Loc = K.Arrays[Array].Decl->getLocation();
  ArrayRewrite Alone = {K, Array, New};
  const Edits Own = rewriteArrays(Alone, From.Context);
  if (!Alone.WhyNot.empty())
    return {Reason::NotEditable, Alone.WhyNot, Loc};
  if (auto Mark = findMarkedEdit(Own, From.Marks))
    return {Mark->Why, Mark->Detail, Loc};
  return {};
}

/// Returns why an array must not share a storage object with others: a compiler
/// can then no longer prove that accesses to them are distinct, and may decide
/// otherwise whether to forward and fuse a stored product (StoredProducts.h).
static Blocker findStoredProduct(const Kernel &K, const ReuseDecision &Reuse) {
  for (const StorageNode &Object : Reuse.Objects)
    for (unsigned V : listVariables(Object))
      for (ArrayId Array = 0; Array != K.Arrays.size(); ++Array)
        if (K.Arrays[Array].Decl->getLocation() ==
            Reuse.Variables[V].Decl->getLocation())
          if (Blocker Why = findForwardedProduct(K, Array); !isNone(Why))
            return Why;
  return {};
}

/// Returns why nothing about the kernel as a whole may change. Inactive #if
/// regions forbid it: other settings of the preprocessor make another kernel of
/// the same text, in which arrays may live longer.
Blocker KernelRules::ofKernel() const {
  const SourceLocation Loc = K.Decl->getLocation();
  if (All)
    return {All->Why, All->Detail, Loc};
  for (const SharedArray &A : K.Arrays)
    for (const Blocker &B : A.Blockers)
      if (B.Why == Reason::InactiveRegion)
        return B;
  if (Blocker Why = ofText(Loc); !isNone(Why))
    return Why;
  return ofDoubts(Loc);
}

/// Returns why the kernel must not have the storage of \p P: an earlier
/// refusal, a forwarded product, a rule about the whole kernel or a function
/// that it calls, or the text.
Blocker KernelRules::ofStorage(const Plan &P) const {
  if (Storage)
    return *Storage;
  if (Blocker Why = findStoredProduct(K, *P.Reuse); !isNone(Why))
    return Why;
  if (Blocker Why = ofKernel(); !isNone(Why))
    return Why;
  if (llvm::any_of(P.Reuse->callees(), [this](const FunctionDecl *Callee) {
        return hasInactiveText(Callee, From.Context, From.Facts.Skipped);
      }))
    return {Reason::InactiveRegion, "", K.Decl->getLocation()};
  return ofStorageText(P);
}

/// Tries the edits of the rewrite alone, apart from the rules about the whole
/// kernel.
Blocker KernelRules::ofRewrite(unsigned Number,
                               const KernelRewrite &Wanted) const {
  if (auto Refused = Rewrites.find(Number); Refused != Rewrites.end())
    return Refused->second;
  if (Blocker Why = ofKernel(); !isNone(Why))
    return Why;
  Edits Own(From.Context.getSourceManager(), From.Context.getLangOpts());
  if (llvm::Error Failure = Wanted.write(K, From.Context, Own))
    return {Reason::NotEditable, toString(std::move(Failure)),
            K.Decl->getLocation()};
  return findMarkedEdit(Own, From.Marks).value_or(Blocker());
}

/// Returns why the text cannot get the storage of \p P. The trial includes the
/// array rewrites, since storage moves the declarations with their new layouts.
Blocker KernelRules::ofStorageText(const Plan &P) const {
  std::vector<ArrayRewrite> Wanted = listRewrites(K, P);
  Edits Own = rewriteArrays(Wanted, From.Context);
  if (llvm::Error Failure = rewriteReuse(K, *P.Reuse, From.Context, Own))
    return {Reason::NotEditable, toString(std::move(Failure)),
            K.Decl->getLocation()};
  return findMarkedEdit(Own, From.Marks).value_or(Blocker());
}

/// Only the main file can be reordered, since the reordered text is parsed
/// again under the main file's name.
Blocker KernelRules::ofOrder(const OrderDecision &New) const {
  const SourceManager &SM = From.Context.getSourceManager();
  const SourceLocation Loc = K.Decl->getLocation();
  if (Blocker Why = ofDoubts(Loc); !isNone(Why))
    return Why;
  Edits Own(SM, From.Context.getLangOpts());
  llvm::Error Failure =
      SM.isWrittenInMainFile(Loc)
          ? rewriteOrder(K, New, From.Context, Own)
          : llvm::createStringError("it stands in an included file");
  if (Failure)
    return {Reason::NotEditable, toString(std::move(Failure)), Loc};
  for (llvm::StringRef Pass : {"shared-reuse", "reorder"})
    if (auto Mark = From.Marks.ofFunction(K.Decl, Pass))
      return *Mark;
  if (auto Mark = findMarkedEdit(Own, From.Marks))
    return *Mark;
  if (From.Orders.Declined.count(Index))
    return {Reason::OrderGainsNothing, "", Loc};
  return {};
}

bool KernelRules::isReordered() const {
  return From.Orders.Applied.count(Index) != 0;
}
