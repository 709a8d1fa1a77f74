// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Classifies calls of library functions by the names and the types of these.
//===----------------------------------------------------------------------===//

#include "LibraryCalls.h"
#include "ParameterUses.h"

#include "cudaopt/IR/DeviceCalls.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

llvm::SmallVector<const Expr *, 8> argumentsOf(const Expr *Call) {
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Call))
    return {Construct->arg_begin(), Construct->arg_end()};
  const auto *Plain = dyn_cast<CallExpr>(Call);
  if (!Plain)
    return {};
  llvm::SmallVector<const Expr *, 8> Found(Plain->arguments());
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Plain))
    Found.push_back(Member->getImplicitObjectArgument());
  return Found;
}

/// Returns the function that the call or construction \p E, which may be null,
/// runs; null if that is not known.
static const FunctionDecl *calleeOf(const Expr *E) {
  if (const auto *Construct = dyn_cast_or_null<CXXConstructExpr>(E))
    return Construct->getConstructor();
  const auto *Call = dyn_cast_or_null<CallExpr>(E);
  return Call ? Call->getDirectCallee() : nullptr;
}

static StringRef nameOf(const FunctionDecl *Callee) {
  return Callee && Callee->getIdentifier() ? Callee->getName() : "";
}

/// Returns true if the definition of \p Callee exists, although its body may
/// have been skipped, or if the function is known to use addresses only during
/// the call.
static bool isTrusted(const FunctionDecl *Callee) {
  const FunctionDecl *Pattern = Callee->getTemplateInstantiationPattern();
  auto isDefined = [](const FunctionDecl *Function) {
    return Function->hasBody() || Function->isDefined() ||
           Function->hasSkippedBody();
  };
  const StringRef Name = nameOf(Callee);
  return isDefined(Callee) || (Pattern && isDefined(Pattern)) ||
         Callee->isImplicit() || Callee->isDefaulted() ||
         Name.starts_with("atomic") || Name.starts_with("__nvvm_atom") ||
         Name.starts_with("__nvvm_ldg") ||
         Name.starts_with("__builtin_assume") || Name == "memset" ||
         Name.starts_with("__pipeline_");
}

Reason classifyEscape(const Expr *Call, const ASTContext &Context) {
  const FunctionDecl *Callee = calleeOf(Call);
  const StringRef Name = nameOf(Callee);
  if (Name.contains("map_shared_rank") || Name.contains("mapa"))
    return Reason::DistributedShared;
  const auto *Plain = dyn_cast<CallExpr>(Call);
  if ((Callee && ir::isInNamespace(Callee, "cuda", "ptx")) ||
      Name.contains("bulk") || Name.contains("mbarrier") ||
      Name.contains("cp_async") ||
      (Name == "memcpy_async" && Plain &&
       ir::classifyAsyncCopy(Plain, Context) == ir::AsyncCopy::None))
    return Reason::AsyncBulkCopy;
  if (Name.contains("cvta"))
    return Reason::AddressAsInteger;
  return Reason::PassedToUnknown;
}

/// Returns true if \p Operator, of a function object, may keep an address that
/// it is called with, or already has one. What a lambda captures is followed as
/// any object.
static bool mayKeepArguments(const FunctionDecl *Operator) {
  const CXXRecordDecl *Record = cast<CXXMethodDecl>(Operator)->getParent();
  if (!Record->isLambda() && !Record->isEmpty())
    return true;
  return llvm::any_of(Operator->parameters(), [&](const ParmVarDecl *Each) {
    const QualType Type = Each->getType();
    return !Type->isArithmeticType() && !Type->isEnumeralType() &&
           !usesOnlyValue(Operator, Each->getFunctionScopeIndex());
  });
}

/// Returns true if a library function that gets an object of \p Type may run
/// functions of the user with addresses that are not followed: function
/// pointers, and function objects that do more with their arguments than to
/// read and assign them.
static bool runsUnknown(QualType Type, const ASTContext &Context) {
  Type = Type.getNonReferenceType().getCanonicalType();
  if (Type->isFunctionType() || Type->isFunctionPointerType() ||
      Type->isMemberFunctionPointerType())
    return true;
  const auto *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() ||
      Context.getSourceManager().isInSystemHeader(Record->getLocation()))
    return false;
  for (const Decl *Member : Record->decls()) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Member);
    if (Method && Method->getOverloadedOperator() == OO_Call &&
        mayKeepArguments(Method))
      return true;
    if (const auto *Template = dyn_cast<FunctionTemplateDecl>(Member))
      for (const FunctionDecl *Each : Template->specializations())
        if (Each->getOverloadedOperator() == OO_Call && mayKeepArguments(Each))
          return true;
  }
  return false;
}

ir::Retention findRetention(const ir::Operation &O, const ASTContext &Context) {
  const auto *E = dyn_cast_or_null<Expr>(O.Where.Node);
  const auto *Op = dyn_cast_or_null<BinaryOperator>(E);
  // Only the order of the operands is open; what they do are other operations.
  if (isa_and_nonnull<ArraySubscriptExpr>(E) || (Op && !Op->isAssignmentOp()))
    return llvm::any_of(nodesIn<UnaryOperator>(E),
                        [](const UnaryOperator *Each) {
                          return Each->getOpcode() == UO_AddrOf;
                        })
               ? ir::Retention::Anywhere
               : ir::Retention::Reordered;
  // The hardware gets the addresses, and the group object does not keep them.
  if (const auto *Call = dyn_cast_or_null<CallExpr>(E);
      Call && ir::classifyAsyncCopy(Call, Context) == ir::AsyncCopy::Issue)
    return ir::Retention::Nowhere;
  const FunctionDecl *Callee = calleeOf(E);
  if (!Callee || !ir::isLibraryFunction(Context, Callee))
    return ir::Retention::Anywhere;
  const StringRef Name = nameOf(Callee);
  if (Name == "memcpy" || Name == "memmove" ||
      Name.starts_with("__builtin_mem"))
    return ir::Retention::AsBytes;
  const bool IsTrusted =
      isTrusted(Callee) &&
      classifyEscape(E, Context) == Reason::PassedToUnknown &&
      llvm::none_of(argumentsOf(E), [&](const Expr *Each) {
        return runsUnknown(Each->getType(), Context);
      });
  return IsTrusted ? ir::Retention::InOperands : ir::Retention::Anywhere;
}

//===----------------------------------------------------------------------===//
// Code of the user
//===----------------------------------------------------------------------===//

static bool mayHaveCode(QualType Type, const ASTContext &Context);

static bool mayHaveCode(const TemplateArgumentList *Arguments,
                        const ASTContext &Context) {
  return Arguments &&
         llvm::any_of(Arguments->asArray(), [&](const TemplateArgument &Each) {
           return Each.getKind() == TemplateArgument::Pack ||
                  Each.getKind() == TemplateArgument::Declaration ||
                  (Each.getKind() == TemplateArgument::Type &&
                   mayHaveCode(Each.getAsType(), Context));
         });
}

/// Returns true if an object of \p Type, or what it refers to, may have code of
/// the user: a function, or a class of the user, perhaps as the argument of a
/// template.
static bool mayHaveCode(QualType Type, const ASTContext &Context) {
  Type = Type.getNonReferenceType().getCanonicalType();
  while (Type->isPointerType() || Type->isArrayType())
    Type = QualType(Type->getPointeeOrArrayElementType(), 0);
  if (Type->isFunctionType() || Type->isMemberPointerType())
    return true;
  const auto *Record = Type->getAsCXXRecordDecl();
  if (!Record)
    return false;
  const SourceManager &SM = Context.getSourceManager();
  if (!SM.isInSystemHeader(SM.getExpansionLoc(Record->getLocation())))
    return true;
  const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(Record);
  return Instance && mayHaveCode(&Instance->getTemplateArgs(), Context);
}

bool mayRunUserCode(const ir::Operation &O, const ASTContext &Context) {
  const auto *E = dyn_cast_or_null<Expr>(O.Where.Node);
  if (!isa_and_nonnull<CallExpr, CXXConstructExpr>(E))
    return !isa_and_nonnull<BinaryOperator, ArraySubscriptExpr>(E);
  const FunctionDecl *Callee = calleeOf(E);
  if (!Callee || !ir::isLibraryFunction(Context, Callee))
    return true;
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (Method &&
      mayHaveCode(Context.getCanonicalTagType(Method->getParent()), Context))
    return true;
  return mayHaveCode(Callee->getTemplateSpecializationArgs(), Context) ||
         llvm::any_of(argumentsOf(E), [&](const Expr *Each) {
           return mayHaveCode(Each->getType(), Context);
         });
}

} // namespace cudaopt
