// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds calls and other mentions of functions, on demand, and decides for each
/// function that a walk entered whether its text can be edited, must be copied
/// first, or serves callers that were not followed.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/CallTable.h"
#include "FunctionCopies.h"
#include "Jumps.h"
#include "cudaopt/IR/OwnDeclarations.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

//===----------------------------------------------------------------------===//
// What a translation unit says of its functions
//===----------------------------------------------------------------------===//

bool isBarrier(const FunctionDecl *Callee) {
  if (!Callee->getIdentifier())
    return false;
  StringRef Name = Callee->getName();
  return Name.starts_with("__syncthreads") || Name == "sync" ||
         Name == "__barrier_sync";
}

const FunctionDecl *getWritten(const FunctionDecl *Function) {
  if (const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern())
    Function = Pattern;
  return Function->getCanonicalDecl();
}

void CallTable::collectCallees(const Stmt *Code, Body &Found) {
  auto add = [&](const FunctionDecl *Callee) {
    const FunctionDecl *Definition = nullptr;
    if (Callee->hasBody(Definition) && !Callee->hasAttr<CUDAGlobalAttr>())
      Found.Callees.push_back(Definition);
  };
  auto visit = [&](const DynTypedNode &N) {
    const auto *Call = N.get<CallExpr>();
    if (const auto *Construct = N.get<CXXConstructExpr>()) {
      add(Construct->getConstructor());
    } else if (const FunctionDecl *Callee =
                   Call ? Call->getDirectCallee() : nullptr) {
      Found.HasBarrier |= isBarrier(Callee);
      add(Callee);
    }
  };
  forEachNode(Code, visit, {.Implicit = true});
}

const CallTable::Body &CallTable::bodyOf(const FunctionDecl *Definition) const {
  std::unique_ptr<Body> &Known = Bodies[Definition];
  if (!Known) {
    Known = std::make_unique<Body>();
    if (isLibraryFunction(Context, Definition))
      return *Known;
    collectCallees(Definition->getBody(), *Known);
    Known->HasJump = findJump(Definition->getBody());
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Definition))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        collectCallees(Init->getInit(), *Known);
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

/// Returns true if \p Around is in the text of a template.
static bool isInTemplate(NodePath Around) {
  for (const DynTypedNode &Each : llvm::reverse(Around))
    if (const auto *Function = Each.get<FunctionDecl>())
      return Function->isDependentContext();
  return false;
}

/// Returns all places that name a function, whether they call it or not.
CallTable::MentionMap CallTable::collectMentions(const ASTContext &Context) {
  MentionMap Found;
  auto visit = [&](const DynTypedNode &N, NodePath Around) {
    auto add = [&](const NamedDecl *D, const Expr *Ref, SourceLocation Loc) {
      if (const auto *Template = dyn_cast_or_null<FunctionTemplateDecl>(D))
        D = Template->getTemplatedDecl();
      if (const auto *Function = dyn_cast_or_null<FunctionDecl>(D))
        Found[getWritten(Function)].push_back({Ref, Loc, isInTemplate(Around)});
    };
    if (const auto *Ref = N.get<DeclRefExpr>())
      add(Ref->getDecl(), Ref, Ref->getLocation());
    else if (const auto *Lookup = N.get<UnresolvedLookupExpr>())
      for (const NamedDecl *Each : Lookup->decls())
        add(Each->getUnderlyingDecl(), Lookup, Lookup->getNameLoc());
    const auto *D = N.get<Decl>();
    if (!D)
      return true;
    if (isOfSystem(D))
      return false;
    if (const auto *Cleanup = D->getAttr<CleanupAttr>())
      add(Cleanup->getFunctionDecl(), nullptr, D->getLocation());
    return true;
  };
  for (const Decl *D : listOwnDeclarations(Context))
    walkNodes(D, visit, {.Implicit = true, .Instances = true});
  return Found;
}

llvm::ArrayRef<CallTable::Mention>
CallTable::mentionsOf(const FunctionDecl *Function) const {
  if (!AllMentions)
    AllMentions = collectMentions(Context);
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

/// Calls of one text with the same arrays share a use.
FunctionUseId CallRecord::call(const DeclRefExpr *Callee,
                               const FunctionDecl *Body,
                               llvm::ArrayRef<std::optional<ArrayId>> Arrays,
                               std::optional<FunctionUseId> Caller) {
  auto Known = llvm::find_if(Functions, [&](const FunctionUse &Use) {
    return getWritten(Use.Function) == getWritten(Body) &&
           llvm::ArrayRef(Use.Arrays) == Arrays;
  });
  if (Known == Functions.end()) {
    Functions.push_back({Body, {Arrays.begin(), Arrays.end()}, {}});
    Known = std::prev(Functions.end());
  }
  // The instances of a template share one text, so their calls share a place.
  if (llvm::none_of(Known->Calls, [&](const FunctionUse::Call &Call) {
        return Call.Caller == Caller &&
               Call.Callee->getLocation() == Callee->getLocation();
      }))
    Known->Calls.push_back({Callee, Caller});
  return Known - Functions.begin();
}

void CallRecord::use(ArrayId Array, llvm::ArrayRef<FunctionUseId> Running) {
  if (!Running.empty())
    Uses[Array].insert(Running.begin(), Running.end());
}

bool isOpenToOthers(const FunctionDecl *Function, const LangOptions &Language) {
  return Function->isExternallyVisible() &&
         (Language.GPURelocatableDeviceCode ||
          !Function->hasAttr<CUDADeviceAttr>() ||
          Function->hasAttr<CUDAHostAttr>());
}

/// Returns a caller of \p Function that no walk has entered, or why there may
/// be one.
std::optional<Refusal>
CallRecord::findOtherCaller(const FunctionDecl *Function,
                            const CallTable &Calls) const {
  const ASTContext &Context = Calls.context();
  const SourceManager &SM = Context.getSourceManager();
  std::string Name = Function->getNameAsString();
  SourceLocation Loc = Function->getLocation();
  if (!SM.isInMainFile(SM.getExpansionLoc(Loc)))
    return Refusal{Reason::FunctionInHeader, Name, Loc};
  if (isOpenToOthers(Function, Context.getLangOpts()))
    return Refusal{Reason::CalledElsewhere, Name, Loc};
  for (const CallTable::Mention &M : Calls.mentionsOf(Function))
    if (M.IsDependent ? !EnteredPlaces.contains(M.Loc)
                      : !Entered.contains(M.Ref))
      return Refusal{Reason::CalledElsewhere, Name, M.Loc};
  return std::nullopt;
}

/// Returns true if the text of use \p Id also serves calls with other arrays,
/// unknown callers, or a copy of its caller.
bool CallRecord::servesOthers(FunctionUseId Id) const {
  const FunctionUse &Use = Functions[Id];
  return Others[Id] ||
         llvm::any_of(Functions,
                      [&](const FunctionUse &Other) {
                        return getWritten(Other.Function) ==
                                   getWritten(Use.Function) &&
                               Other.Arrays != Use.Arrays;
                      }) ||
         llvm::any_of(Use.Calls, [&](const FunctionUse::Call &Call) {
           return Call.Caller && Functions[*Call.Caller].NeedsCopy;
         });
}

/// Decides which uses need a copy. A copy calls copies, so this is repeated
/// until nothing changes.
void CallRecord::findCopies(const ASTContext &Context) {
  for (bool Changes = true; std::exchange(Changes, false);)
    for (FunctionUseId Id = 0; Id != Functions.size(); ++Id) {
      FunctionUse &Use = Functions[Id];
      if (Use.NeedsCopy ||
          llvm::none_of(Use.Arrays, [](auto A) { return A.has_value(); }) ||
          !servesOthers(Id) || findCopyRefusal(Functions, Id, Context))
        continue;
      Use.NeedsCopy = Changes = true;
    }
}

/// Returns what use \p Id of a function forbids \p Array, which that function
/// accesses.
std::optional<Refusal>
CallRecord::findRefusal(ArrayId Array, FunctionUseId Id,
                        const ASTContext &Context) const {
  const FunctionUse &Use = Functions[Id];
  if (!llvm::is_contained(Use.Arrays, Array) ||
      (Others[Id] && Others[Id]->Why == Reason::FunctionInHeader))
    return Others[Id];
  if (Use.NeedsCopy || !servesOthers(Id))
    return std::nullopt;
  return findCopyRefusal(Functions, Id, Context);
}

void CallRecord::finish(Kernel &K, const CallTable &Calls) {
  for (const FunctionUse &Use : Functions)
    Others.push_back(findOtherCaller(Use.Function, Calls));
  findCopies(Calls.context());
  for (const auto &[Array, Ids] : Uses)
    for (FunctionUseId Id : Ids)
      if (std::optional<Refusal> R = findRefusal(Array, Id, Calls.context())) {
        K.Arrays[Array].refuse(std::move(*R));
        break;
      }
  for (auto [Id, Use] : llvm::enumerate(Functions))
    for (auto [Array, Parameter] :
         llvm::zip(Use.Arrays, Use.Function->parameters())) {
      if (!Array)
        continue;
      SharedArray &Passed = K.Arrays[*Array];
      Passed.Parameters.push_back(Parameter);
      // An edit of the parameter's type would change it for the other callers,
      // too.
      if (!Passed.ShapeRefusal || Passed.DeclarationRefusal || Use.NeedsCopy)
        continue;
      if (servesOthers(Id))
        Passed.DeclarationRefusal = Passed.ShapeRefusal;
      else if (isOverloaded(Use.Function))
        Passed.DeclarationRefusal = {Reason::OverloadedFunction,
                                     Use.Function->getNameAsString(),
                                     Use.Function->getLocation()};
    }
  K.FunctionUses = std::move(Functions);
}

} // namespace cudaopt
