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
#include "cudaopt/Model/TextRefusals.h"
#include "cudaopt/Rewrite/RewriteKernel.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using namespace clang;

KernelRules::KernelRules(const Kernel &K, size_t Index, const RuleSources &From)
    : K(K), Index(Index), From(From),
      OfInstances(
          findInstanceRefusal(K, From.Context, !From.Opts.Overlay.empty())) {}

void KernelRules::add(PlanRefusal What) {
  switch (What.Of) {
  case PlanRefusal::Part::Layout:
    Layouts.emplace(What.Number, std::move(What.Refused));
    return;
  case PlanRefusal::Part::Rewrite:
    Rewrites.emplace(What.Number, std::move(What.Refused));
    return;
  case PlanRefusal::Part::Storage:
    Storage = std::move(What.Refused);
    return;
  case PlanRefusal::Part::All:
    All = std::move(What.Refused);
    return;
  }
  llvm_unreachable("unknown part");
}

/// Returns why nothing at \p Loc may be edited.
std::optional<Refusal> KernelRules::ofText(SourceLocation Loc) const {
  if (OfInstances)
    return Refusal{OfInstances->Why, OfInstances->Detail, Loc};
  return findHeaderRefusal(Loc, From.Context.getSourceManager(), From.Opts,
                           *From.Facts.Inclusions);
}

/// Returns the doubt about the parse, if there is one: a text that may not be
/// the build's is no basis for edits.
std::optional<Refusal> KernelRules::ofDoubts(SourceLocation Loc) const {
  if (From.Doubts.OfText.empty())
    return std::nullopt;
  return Refusal{Reason::ParsedOtherwise, From.Doubts.OfText, Loc};
}

/// Returns why nothing about the array may change.
std::optional<Refusal> KernelRules::ofArray(ArrayId Array) const {
  const SourceLocation Loc = K.Arrays[Array].Decl->getLocation();
  if (std::optional<Refusal> R = ofText(Loc))
    return R;
  if (std::optional<Refusal> R = ofDoubts(Loc))
    return R;
  if (All)
    return Refusal{All->Why, All->Detail, Loc};
  if (auto Found = Layouts.find(Array); Found != Layouts.end())
    return Found->second;
  return std::nullopt;
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
std::optional<Refusal> KernelRules::ofLayout(ArrayId Array,
                                             const Layout &New) const {
  if (!isLongerRow(K, Array, New))
    if (std::optional<Refusal> R =
            findForwardedProduct(K, Array, From.approximates()))
      return R;
  const SourceLocation Loc = K.Arrays[Array].Decl->getLocation();
  ArrayRewrite Alone = {K, Array, New};
  const Edits Own = rewriteArrays(Alone, From.Context);
  if (!Alone.WhyNot.empty())
    return Refusal{Reason::NotEditable, Alone.WhyNot, Loc};
  if (auto Mark = findMarkedEdit(Own, From.Marks))
    return Refusal{Mark->Why, Mark->Detail, Loc};
  return std::nullopt;
}

/// Returns why an array must not share a storage object with others: a compiler
/// can then no longer prove that accesses to them are distinct, nor that
/// nothing reads what is stored, and may decide otherwise whether to forward
/// and fuse a stored product (StoredProducts.h).
static std::optional<Refusal> findStoredProduct(const Kernel &K,
                                                const ReuseDecision &Reuse,
                                                bool Approximates) {
  for (const StorageNode &Object : Reuse.Objects)
    for (unsigned V : listVariables(Object))
      for (ArrayId Array = 0; Array != K.Arrays.size(); ++Array)
        if (K.Arrays[Array].Decl->getLocation() ==
            Reuse.Variables[V].Decl->getLocation())
          if (std::optional<Refusal> R = findForwardedProduct(
                  K, Array, Approximates, /*IsMoved=*/true))
            return R;
  return std::nullopt;
}

/// Returns why nothing about the kernel as a whole may change. Inactive #if
/// regions forbid it: other settings of the preprocessor make another kernel of
/// the same text, in which arrays may live longer.
std::optional<Refusal> KernelRules::ofKernel() const {
  const SourceLocation Loc = K.Decl->getLocation();
  if (All)
    return Refusal{All->Why, All->Detail, Loc};
  for (const SharedArray &A : K.Arrays)
    for (const Refusal &R : A.Refusals)
      if (R.Why == Reason::InactiveRegion)
        return R;
  if (std::optional<Refusal> R = ofText(Loc))
    return R;
  return ofDoubts(Loc);
}

/// Returns why the kernel must not have the storage of \p P: an earlier
/// refusal, a forwarded product, a rule about the whole kernel or a function
/// that it calls, or the text.
std::optional<Refusal> KernelRules::ofStorage(const Plan &P) const {
  if (Storage)
    return Storage;
  if (std::optional<Refusal> R =
          findStoredProduct(K, *P.Reuse, From.approximates()))
    return R;
  if (std::optional<Refusal> R = ofKernel())
    return R;
  if (llvm::any_of(P.Reuse->callees(), [this](const FunctionDecl *Callee) {
        return hasInactiveText(Callee, From.Context, From.Facts.Skipped);
      }))
    return Refusal{Reason::InactiveRegion, "", K.Decl->getLocation()};
  return ofStorageText(P);
}

/// Tries the edits of the rewrite alone, apart from the rules about the whole
/// kernel.
std::optional<Refusal>
KernelRules::ofRewrite(unsigned Number, const KernelRewrite &Wanted) const {
  if (auto Found = Rewrites.find(Number); Found != Rewrites.end())
    return Found->second;
  if (std::optional<Refusal> R = ofKernel())
    return R;
  if (hasInactiveText(K.Decl, From.Context, From.Facts.Skipped))
    return Refusal{Reason::InactiveRegion, "", K.Decl->getLocation()};
  Edits Own(From.Context.getSourceManager(), From.Context.getLangOpts());
  if (llvm::Error Failure = writeRewrite(K, Wanted, From.Context, Own))
    return Refusal{Reason::NotEditable, toString(std::move(Failure)),
                   K.Decl->getLocation()};
  return findMarkedEdit(Own, From.Marks);
}

/// Returns why the text cannot get the storage of \p P. The trial includes the
/// array rewrites, since storage moves the declarations with their new layouts.
std::optional<Refusal> KernelRules::ofStorageText(const Plan &P) const {
  std::vector<ArrayRewrite> Wanted = listRewrites(K, P);
  Edits Own = rewriteArrays(Wanted, From.Context);
  if (llvm::Error Failure = rewriteReuse(K, *P.Reuse, From.Context, Own))
    return Refusal{Reason::NotEditable, toString(std::move(Failure)),
                   K.Decl->getLocation()};
  return findMarkedEdit(Own, From.Marks);
}

/// Only the main file can be reordered, since the reordered text is parsed
/// again under the main file's name.
std::optional<Refusal> KernelRules::ofOrder(const OrderDecision &New) const {
  const SourceManager &SM = From.Context.getSourceManager();
  const SourceLocation Loc = K.Decl->getLocation();
  if (std::optional<Refusal> R = ofDoubts(Loc))
    return R;
  Edits Own(SM, From.Context.getLangOpts());
  llvm::Error Failure =
      SM.isWrittenInMainFile(Loc)
          ? rewriteOrder(K, New, From.Context, Own)
          : llvm::createStringError("it stands in an included file");
  if (Failure)
    return Refusal{Reason::NotEditable, toString(std::move(Failure)), Loc};
  for (llvm::StringRef Pass : {"shared-reuse", "reorder"})
    if (auto Mark = From.Marks.ofFunction(K.Decl, Pass))
      return Mark;
  if (auto Mark = findMarkedEdit(Own, From.Marks))
    return Mark;
  if (From.Orders.Declined.count(Index))
    return Refusal{Reason::OrderGainsNothing, "", Loc};
  return std::nullopt;
}

bool KernelRules::isReordered() const {
  return From.Orders.Applied.count(Index) != 0;
}
