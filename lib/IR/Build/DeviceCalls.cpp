// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Recognises barriers of the block and asynchronous copies by the names of the
/// functions.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/DeviceCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudaopt::ir {

bool isLibraryFunction(const ASTContext &Context, const FunctionDecl *Callee) {
  return Callee->getBuiltinID() || Callee->isImplicit() ||
         Context.getSourceManager().isInSystemHeader(Callee->getLocation());
}

bool isInNamespace(const Decl *D, StringRef Outer, StringRef Inner) {
  bool HasInner = Inner.empty();
  StringRef Outermost;
  for (const DeclContext *DC = D->getDeclContext(); DC; DC = DC->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(DC);
        Space && Space->getIdentifier()) {
      Outermost = Space->getName();
      HasInner |= Outermost == Inner;
    }
  return HasInner && Outermost == Outer;
}

static StringRef nameOf(const NamedDecl *D) {
  return D && D->getIdentifier() ? D->getName() : "";
}

static const CXXRecordDecl *getRecord(QualType Type) {
  return Type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl();
}

/// Returns true for the classes of cooperative groups that consist of whole
/// blocks. A `thread_group` may be any group, so that it does not count.
static bool isBlockGroup(QualType Type) {
  const CXXRecordDecl *Record = getRecord(Type);
  return Record && isInNamespace(Record, "cooperative_groups") &&
         llvm::StringSwitch<bool>(nameOf(Record))
             .Cases({"thread_block", "grid_group", "cluster_group",
                     "multi_grid_group"},
                    true)
             .Default(false);
}

/// Returns true if \p E is a constant 0.
static bool isZero(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult Result;
  return !E->isValueDependent() && E->EvaluateAsInt(Result, Context) &&
         Result.Val.getInt() == 0;
}

/// Returns true for `block.sync()`, `thread_block::sync()` and `sync(block)`.
/// The type of the object decides, whichever base class declares sync().
static bool isGroupSync(const CallExpr *Call, const FunctionDecl *Callee) {
  if (nameOf(Callee) != "sync" && nameOf(Callee) != "synchronize")
    return false;
  if (const auto *Member =
          dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParenImpCasts())) {
    QualType Type = Member->getBase()->IgnoreParenImpCasts()->getType();
    return isBlockGroup(Member->isArrow() ? Type->getPointeeType() : Type);
  }
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee))
    return Method->isStatic() && isInNamespace(Callee, "cooperative_groups") &&
           llvm::StringSwitch<bool>(nameOf(Method->getParent()))
               .Cases({"thread_block", "cluster_group"}, true)
               .Default(false);
  return isInNamespace(Callee, "cooperative_groups") &&
         Call->getNumArgs() == 1 &&
         isBlockGroup(Call->getArg(0)->IgnoreParenImpCasts()->getType());
}

bool isBlockBarrier(const CallExpr *Call, const ASTContext &Context) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return false;
  if (isGroupSync(Call, Callee))
    return true;
  if (!Callee->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return false;
  StringRef Name = nameOf(Callee);
  // An overload of the user is no barrier.
  if ((Callee->hasBody() && !isLibraryFunction(Context, Callee)) ||
      (Name == "__syncthreads" && Callee->getNumParams()))
    return false;
  if (llvm::StringSwitch<bool>(Name)
          .Cases({"__syncthreads", "__syncthreads_count", "__syncthreads_and",
                  "__syncthreads_or"},
                 true)
          .Cases({"__nvvm_bar0", "__nvvm_bar0_popc", "__nvvm_bar0_and",
                  "__nvvm_bar0_or"},
                 true)
          .Default(Name.starts_with("__nvvm_barrier0")))
    return true;
  return llvm::StringSwitch<bool>(Name)
             .Cases(
                 {"__barrier_sync", "__nvvm_bar_sync", "__nvvm_barrier_sync"},
                 true)
             .Default(false) &&
         Call->getNumArgs() == 1 && isZero(Call->getArg(0), Context);
}

/// Returns true if \p Call has an argument whose class is \p Name of libcu++.
static bool hasArgument(const CallExpr *Call, StringRef Name) {
  return llvm::any_of(Call->arguments(), [&](const Expr *Argument) {
    const CXXRecordDecl *Record =
        getRecord(Argument->IgnoreParenImpCasts()->getType());
    return Record && nameOf(Record) == Name && isInNamespace(Record, "cuda");
  });
}

/// Returns true if \p Callee is an instance `wait_prior<0>`, which waits until
/// no batch of copies is left.
static bool waitsForNoneLeft(const FunctionDecl *Callee) {
  const TemplateArgumentList *Arguments =
      Callee->getTemplateSpecializationArgs();
  return Arguments && Arguments->size() >= 1 &&
         Arguments->get(0).getKind() == TemplateArgument::Integral &&
         Arguments->get(0).getAsIntegral() == 0;
}

/// `memcpy_async` of libcu++ counts only with a pipeline, not with a barrier
/// object.
AsyncCopy classifyAsyncCopy(const CallExpr *Call, const ASTContext &Context) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  StringRef Name = nameOf(Callee);
  if (Name == "__pipeline_memcpy_async")
    return AsyncCopy::Issue;
  if (!Callee)
    return AsyncCopy::None;
  if (Name == "memcpy_async")
    return isInNamespace(Callee, "cooperative_groups") ||
                   (isInNamespace(Callee, "cuda") &&
                    hasArgument(Call, "pipeline"))
               ? AsyncCopy::Issue
               : AsyncCopy::None;
  if (Name == "wait" && isInNamespace(Callee, "cooperative_groups"))
    return AsyncCopy::WaitAll;
  if (Name == "pipeline_consumer_wait_prior" && isInNamespace(Callee, "cuda") &&
      waitsForNoneLeft(Callee))
    return AsyncCopy::WaitCommitted;
  if (Name == "producer_commit" && isInNamespace(Callee, "cuda"))
    return AsyncCopy::Commit;
  return AsyncCopy::None;
}

} // namespace cudaopt::ir
