// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CallTable.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {

//===----------------------------------------------------------------------===//
// What a translation unit says of its functions
//===----------------------------------------------------------------------===//

bool isLibraryFunction(const ASTContext &Context, const FunctionDecl *Callee) {
  return Callee->getBuiltinID() || Callee->isImplicit() ||
         Context.getSourceManager().isInSystemHeader(Callee->getLocation());
}

bool isBarrier(const FunctionDecl *Callee) {
  if (!Callee->getIdentifier())
    return false;
  StringRef Name = Callee->getName();
  return Name.starts_with("__syncthreads") || Name == "sync" ||
         Name == "__barrier_sync";
}

/// Returns the declaration that all specialisations of \p Function's text
/// share.
static const FunctionDecl *getWritten(const FunctionDecl *Function) {
  if (const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern())
    Function = Pattern;
  return Function->getCanonicalDecl();
}

class CalleeFinder : public RecursiveASTVisitor<CalleeFinder> {
public:
  explicit CalleeFinder(CallTable::Body &Found) : Found(Found) {}
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitCallExpr(CallExpr *Call) {
    if (const FunctionDecl *Callee = Call->getDirectCallee()) {
      Found.HasBarrier |= isBarrier(Callee);
      add(Callee);
    }
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) {
    add(Construct->getConstructor());
    return true;
  }
  bool VisitLabelStmt(LabelStmt *) { return Found.HasJump = true; }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *) {
    return Found.HasJump = true;
  }

private:
  void add(const FunctionDecl *Callee) {
    const FunctionDecl *Definition = nullptr;
    if (Callee->hasBody(Definition) && !Callee->hasAttr<CUDAGlobalAttr>())
      Found.Callees.push_back(Definition);
  }
  CallTable::Body &Found;
};

/// Finds every place that names a function, called or not.
class MentionFinder : public RecursiveASTVisitor<MentionFinder> {
public:
  MentionFinder(
      const ASTContext &Context,
      llvm::DenseMap<const FunctionDecl *, CallTable::Mentions> &Found)
      : Context(Context), Found(Found) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(Decl *D) {
    const SourceManager &SM = Context.getSourceManager();
    if (D && !isa<TranslationUnitDecl>(D) &&
        SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return true;
    const auto *Function = dyn_cast_or_null<FunctionDecl>(D);
    llvm::SaveAndRestore<const FunctionDecl *> Inside(
        Around, Function ? Function : Around);
    return RecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    add(Ref->getDecl(), Ref, Ref->getLocation());
    return true;
  }
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *Lookup) {
    for (const NamedDecl *Each : Lookup->decls())
      add(Each->getUnderlyingDecl(), Lookup, Lookup->getNameLoc());
    return true;
  }
  bool VisitVarDecl(VarDecl *Var) {
    if (const auto *Cleanup = Var->getAttr<CleanupAttr>())
      add(Cleanup->getFunctionDecl(), nullptr, Var->getLocation());
    return true;
  }

private:
  void add(const NamedDecl *D, const Expr *Ref, SourceLocation Loc) {
    if (const auto *Template = dyn_cast_or_null<FunctionTemplateDecl>(D))
      D = Template->getTemplatedDecl();
    if (const auto *Function = dyn_cast_or_null<FunctionDecl>(D)) {
      bool IsDependent = Around && Around->isDependentContext();
      Found[getWritten(Function)].push_back({Ref, Loc, IsDependent});
    }
  }
  const ASTContext &Context;
  llvm::DenseMap<const FunctionDecl *, CallTable::Mentions> &Found;
  const FunctionDecl *Around = nullptr; ///< Whose text is traversed.
};

const CallTable::Body &CallTable::bodyOf(const FunctionDecl *Definition) const {
  std::unique_ptr<Body> &Known = Bodies[Definition];
  if (!Known) {
    Known = std::make_unique<Body>();
    if (!isLibraryFunction(Context, Definition))
      CalleeFinder(*Known).TraverseStmt(Definition->getBody());
  }
  return *Known;
}

const CallTable::Reached &
CallTable::reachedFrom(const FunctionDecl *Root) const {
  std::unique_ptr<Reached> &Known = Closures[Root];
  if (!Known) {
    Known = std::make_unique<Reached>();
    Known->insert(Root);
    for (size_t I = 0; I != Known->size(); ++I)
      for (const FunctionDecl *Callee : bodyOf((*Known)[I]).Callees)
        Known->insert(Callee);
  }
  return *Known;
}

bool CallTable::reachesBarrier(const FunctionDecl *Root) const {
  return llvm::any_of(reachedFrom(Root), [&](const FunctionDecl *Each) {
    return bodyOf(Each).HasBarrier;
  });
}

bool CallTable::canEnter(const FunctionDecl *Definition) const {
  return Definition->getIdentifier() && !isa<CXXMethodDecl>(Definition) &&
         !Definition->isVariadic() && !Definition->isDependentContext() &&
         !Definition->hasAttr<CUDAGlobalAttr>() &&
         isa_and_nonnull<CompoundStmt>(Definition->getBody()) &&
         !isLibraryFunction(Context, Definition) &&
         !bodyOf(Definition).HasJump && !HasError(Definition);
}

llvm::ArrayRef<CallTable::Mention>
CallTable::mentionsOf(const FunctionDecl *Function) const {
  if (!AllMentions) {
    AllMentions.emplace();
    MentionFinder(Context, *AllMentions)
        .TraverseDecl(Context.getTranslationUnitDecl());
  }
  auto It = AllMentions->find(getWritten(Function));
  if (It == AllMentions->end())
    return {};
  return It->second;
}

//===----------------------------------------------------------------------===//
// What the walks met
//===----------------------------------------------------------------------===//

void CallRecord::enter(const Expr *Ref) {
  Entered.insert(Ref);
  EnteredPlaces.insert(cast<DeclRefExpr>(Ref)->getLocation());
}

bool CallRecord::bind(const ParmVarDecl *Parameter,
                      std::optional<ArrayId> &Array) {
  auto [It, IsNew] =
      Bindings.insert({Parameter->getLocation(), Binding{Parameter, Array}});
  if (IsNew || It->second.Array == Array)
    return true;
  Array = It->second.Array;
  return false;
}

void CallRecord::use(ArrayId Array,
                     llvm::ArrayRef<const FunctionDecl *> Functions) {
  if (!Functions.empty())
    Uses[Array].insert(Functions.begin(), Functions.end());
}

/// True if a function of another file may call \p Function.
static bool isOpenToOthers(const FunctionDecl *Function,
                           const LangOptions &Language) {
  return Function->isExternallyVisible() &&
         (Language.GPURelocatableDeviceCode ||
          !Function->hasAttr<CUDADeviceAttr>() ||
          Function->hasAttr<CUDAHostAttr>());
}

std::optional<Blocker>
CallRecord::findOtherCaller(const FunctionDecl *Function,
                            const CallTable &Calls) const {
  const ASTContext &Context = Calls.context();
  const SourceManager &SM = Context.getSourceManager();
  std::string Name = Function->getNameAsString();
  SourceLocation Loc = Function->getLocation();
  if (!SM.isInMainFile(SM.getExpansionLoc(Loc)))
    return Blocker{Reason::FunctionInHeader, Name, Loc};
  if (isOpenToOthers(Function, Context.getLangOpts()))
    return Blocker{Reason::CalledElsewhere, Name, Loc};
  for (const CallTable::Mention &M : Calls.mentionsOf(Function))
    if (M.IsDependent ? !EnteredPlaces.contains(M.Loc)
                      : !Entered.contains(M.Ref))
      return Blocker{Reason::CalledElsewhere, Name, M.Loc};
  return std::nullopt;
}

void CallRecord::finish(Kernel &K, const CallTable &Calls) const {
  for (const auto &[Array, Functions] : Uses)
    for (const FunctionDecl *Function : Functions)
      if (std::optional<Blocker> Other = findOtherCaller(Function, Calls)) {
        K.Arrays[Array].block(std::move(*Other));
        break;
      }
  for (const auto &[Place, Bound] : Bindings)
    if (Bound.Array)
      K.Arrays[*Bound.Array].Parameters.push_back(Bound.Parameter);
}

} // namespace cudaopt
