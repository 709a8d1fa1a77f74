// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass never-read: tells which shared arrays are written and never read,
/// so that they, and the barriers around them, may be left over from an earlier
/// version of the kernel. It changes nothing.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/TextRefusals.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Plan/Plan.h"
#include "cudaopt/Support/Diagnostics.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using namespace clang;

/// Returns the location where \p A names its array.
static SourceLocation findMention(const Access &A) {
  const Expr *Base = A.Ref->IgnoreParenImpCasts();
  while (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Base))
    Base = Subscript->getBase()->IgnoreParenImpCasts();
  return Base->getBeginLoc();
}

/// Returns true if the kernel writes to the array \p Id, and does nothing else
/// with it. Every mention of the array in the text must be one of these writes;
/// that includes the text of branches that all instances discard.
static bool isNeverRead(const Kernel &K, ArrayId Id) {
  const SharedArray &A = K.Arrays[Id];
  // An `extern` array, or one whose address escapes, may be read elsewhere.
  if (!A.Refusals.empty() || A.IsExtern || A.Whole)
    return false;
  llvm::DenseSet<SourceLocation> Writes;
  for (const auto &Instance : K.Instances)
    for (const Access &Each : Instance->Accesses) {
      if (Each.Array != Id)
        continue;
      if (Each.Kind != AccessKind::Write)
        return false;
      Writes.insert(findMention(Each));
    }
  return !Writes.empty() &&
         llvm::all_of(findMentions(K, A).All, [&](SourceLocation Mention) {
           return Writes.contains(Mention);
         });
}

Plan cudaopt::planNeverRead(const PassInput &In, const Plan &Earlier) {
  Plan P = Earlier;
  for (ArrayId Id = 0; Id != In.K.Arrays.size(); ++Id)
    if (const SharedArray &A = In.K.Arrays[Id]; isNeverRead(In.K, Id))
      P.Notes.push_back({diag::remark_array_never_read,
                         "never-read",
                         Id,
                         A.Decl->getLocation(),
                         {{"Array", A.Name}}});
  return P;
}
