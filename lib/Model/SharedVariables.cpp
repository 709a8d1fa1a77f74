// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects the shared variables that a kernel and its callees mention, and
/// pins those that may not share their bytes from the start.
//===----------------------------------------------------------------------===//

#include "SharedVariables.h"
#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {
/// Adds to \p Found the shared variables that \p Code mentions.
static void addMentioned(const Stmt *Code,
                         llvm::SetVector<const VarDecl *> &Found) {
  auto visit = [&](const DynTypedNode &N) {
    const auto *Var = N.get<VarDecl>();
    if (const auto *Ref = N.get<DeclRefExpr>())
      Var = dyn_cast<VarDecl>(Ref->getDecl());
    else if (const auto *Member = N.get<MemberExpr>())
      Var = dyn_cast<VarDecl>(Member->getMemberDecl());
    if (Var && Var->hasAttr<CUDASharedAttr>())
      Found.insert(Var->getCanonicalDecl());
  };
  forEachNode(Code, visit, {.Implicit = true});
}

/// Returns the shared variables that \p Functions mention, member initialisers
/// included, but not those that functions of libraries do.
template <typename Range>
static llvm::SetVector<const VarDecl *>
findMentioned(const Range &Functions, const ASTContext &Context) {
  llvm::SetVector<const VarDecl *> Found;
  for (const FunctionDecl *Function : Functions) {
    if (isLibraryFunction(Context, Function))
      continue;
    addMentioned(Function->getBody(), Found);
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        addMentioned(Init->getInit(), Found);
  }
  return Found;
}

const FunctionDecl *findUserBody(const Expr *Call, const ASTContext &Context) {
  const FunctionDecl *Callee = nullptr, *Body = nullptr;
  if (const auto *Direct = dyn_cast<CallExpr>(Call)) {
    Callee = Direct->getDirectCallee();
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    const auto *Member =
        dyn_cast<MemberExpr>(Direct->getCallee()->IgnoreParenImpCasts());
    if (Method && Method->isVirtual() &&
        !(Member &&
          Member->performsVirtualDispatch(Context.getLangOpts()) == false))
      return nullptr;
  } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(Call)) {
    Callee = Construct->getConstructor();
  }
  if (!Callee || isLibraryFunction(Context, Callee) || !Callee->hasBody(Body))
    return nullptr;
  return Body;
}

/// Returns true if the hardware works on objects of \p Type (a barrier in
/// shared memory, the state of a pipeline), or on a part of them; \p Name is
/// then the type's name.
static bool isHardwareObject(QualType Type, std::string &Name) {
  while (const ArrayType *Array = Type->getAsArrayTypeUnsafe())
    Type = Array->getElementType();
  Name = Type.getUnqualifiedType().getAsString();
  if (StringRef(Name).contains("mbarrier_t"))
    return true;
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition())
    return false;
  const StringRef Class = Record->getIdentifier() ? Record->getName() : "";
  if (ir::isInNamespace(Record, "cuda") &&
      (Class == "barrier" || Class == "pipeline_shared_state"))
    return true;
  for (const CXXBaseSpecifier &Base : Record->bases())
    if (isHardwareObject(Base.getType(), Name))
      return true;
  for (const FieldDecl *Field : Record->fields())
    if (isHardwareObject(Field->getType(), Name))
      return true;
  return false;
}

/// Adds \p Var, with the element size of the model's array if the model has it.
/// Variables at file scope are pinned, since other kernels may use them, and so
/// are those that the author's marks protect.
void SharedVariables::add(const Kernel &K, const KernelInstance &Instance,
                          const VarDecl *Var) {
  QualType Type = Var->getType();
  if (Type->isIncompleteType() || Type->isDependentType() || Ids.contains(Var))
    return; // `extern __shared__` is a part of DynamicBytes.
  SharedVariable V;
  V.Decl = Var;
  V.Name = Var->getNameAsString();
  V.Size = context().getTypeSizeInChars(Type).getQuantity();
  V.Alignment = context().getDeclAlign(Var).getQuantity();
  V.ElementSize = std::max<uint64_t>(V.Size, 1);
  for (ArrayId Id = 0; Id < K.Arrays.size(); ++Id)
    if (K.Arrays[Id].Decl->getLocation() == Var->getLocation() &&
        Id < Instance.Shapes.size() && !Instance.Shapes[Id].Extents.empty() &&
        Instance.Shapes[Id].ElementSize) {
      V.Array = Id;
      V.ElementSize = Instance.Shapes[Id].ElementSize;
    }
  std::string Hardware;
  for (StringRef Pass : {"shared-reuse", "overlay"})
    if (K.Marks && !V.Pinned)
      V.Pinned = K.Marks->ofVariable(Var, Pass);
  if (!V.Pinned && Var->isFileVarDecl())
    V.Pinned = Refusal{Reason::FileScope, "", Var->getLocation()};
  else if (!V.Pinned && isHardwareObject(Type, Hardware))
    V.Pinned = Refusal{Reason::HoldsBarrier, Hardware, Var->getLocation()};
  Ids[Var] = P.Variables.size();
  P.Variables.push_back(std::move(V));
}

SharedVariables::SharedVariables(const Kernel &K,
                                 const KernelInstance &Instance,
                                 const CallTable &Calls, SharedProgram &P)
    : Calls(Calls), P(P) {
  auto Found =
      findMentioned(Calls.reachedFrom(Instance.Decl), context()).takeVector();
  const SourceManager &SM = context().getSourceManager();
  llvm::sort(Found, [&](const VarDecl *A, const VarDecl *B) {
    return SM.isBeforeInTranslationUnit(A->getLocation(), B->getLocation());
  });
  for (const VarDecl *Var : Found)
    add(K, Instance, Var);
  P.DynamicBytes = Instance.Block.DynamicBytes.value_or(0);
}

std::optional<VariableId> SharedVariables::find(const ValueDecl *D) const {
  const auto *Var = dyn_cast<VarDecl>(D);
  auto It = Var ? Ids.find(Var->getCanonicalDecl()) : Ids.end();
  return It == Ids.end() ? std::nullopt : std::optional(It->second);
}

const TargetSet &
SharedVariables::mentionedFrom(const FunctionDecl *Function) const {
  std::unique_ptr<TargetSet> &Known = Mentioned[Function];
  if (!Known)
    Known = std::make_unique<TargetSet>(idsOf(
        findMentioned(Calls.reachedFrom(Function), context()).getArrayRef()));
  return *Known;
}

TargetSet
SharedVariables::idsOf(llvm::ArrayRef<const VarDecl *> Variables) const {
  TargetSet Result = none();
  for (const VarDecl *Var : Variables)
    if (std::optional<VariableId> Id = find(Var))
      Result.set(*Id);
  return Result;
}

/// Returns what is mentioned in the code that \p CodeOf finds at the nodes of
/// \p Function, and of all functions it calls.
template <typename Accept>
TargetSet SharedVariables::mentionedWhere(const FunctionDecl *Function,
                                          Accept CodeOf) const {
  llvm::SetVector<const VarDecl *> Found;
  for (const FunctionDecl *Each : Calls.reachedFrom(Function))
    if (!isLibraryFunction(context(), Each))
      forEachNode(
          Each->getBody(),
          [&](const DynTypedNode &N) { addMentioned(CodeOf(N), Found); },
          {.Implicit = true, .Instances = true});
  return idsOf(Found.getArrayRef());
}

TargetSet
SharedVariables::mentionedInClosures(const FunctionDecl *Function) const {
  return mentionedWhere(Function, [](const DynTypedNode &N) -> const Stmt * {
    const auto *Method = N.get<CXXMethodDecl>();
    return Method && Method->doesThisDeclarationHaveABody() ? Method->getBody()
                                                            : nullptr;
  });
}

TargetSet
SharedVariables::mentionedInStatics(const FunctionDecl *Function) const {
  return mentionedWhere(Function, [](const DynTypedNode &N) -> const Stmt * {
    const auto *Var = N.get<VarDecl>();
    return Var && !Var->hasLocalStorage() ? Var->getInit() : nullptr;
  });
}

void SharedVariables::pin(const TargetSet &Targets, Reason Why,
                          std::string Detail, SourceLocation Loc) const {
  for (unsigned Id : Targets.set_bits())
    if (!P.Variables[Id].Pinned)
      P.Variables[Id].Pinned = Refusal{Why, Detail, Loc};
}

} // namespace cudaopt
