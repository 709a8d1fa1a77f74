// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Gives the escapes of addresses a reason and a place in the text.
//===----------------------------------------------------------------------===//

#include "SharedEscapes.h"
#include "LibraryCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudaopt {

TargetSet findVariables(const ir::ObjectSet &Objects, const ir::Function &F,
                        const SharedVariables &Shared) {
  TargetSet Found = Shared.none();
  for (ir::ObjectId Id : Objects)
    if (const ValueDecl *D = F.object(Id).Decl)
      if (const std::optional<VariableId> Variable = Shared.find(D))
        Found.set(*Variable);
  return Found;
}

namespace {

class EscapePins {
public:
  EscapePins(const ir::Function &F, const ir::PointsTo &Pointers,
             const StatementOverlay &Overlay, const SharedVariables &Shared)
      : F(F), Pointers(Pointers), Overlay(Overlay), Shared(Shared) {}

  void pin(const ir::Escape &E) const;
  void pinDestroyed() const;
  void pinRestricted() const;

private:
  void pinPassed(const ir::Escape &E, const TargetSet &Set) const;
  void pinTargets(ir::ValueId V, Reason Why, std::string Detail,
                  SourceLocation Loc) const;
  bool runsInDestructor(const ir::Operation &O) const;
  SourceLocation locate(const ir::Operation &O) const;
  SourceLocation locate(ir::ValueId Number) const;

  const ir::Function &F;
  const ir::PointsTo &Pointers;
  const StatementOverlay &Overlay;
  const SharedVariables &Shared;
};

} // namespace

/// Returns the place of \p O in the user's text: that of the call, if a library
/// function executes it.
SourceLocation EscapePins::locate(const ir::Operation &O) const {
  const std::optional<TextPlace> Place = Overlay.find(O.Where);
  if (!Place)
    return F.decl()->getLocation();
  const Stmt *At = Place->LibraryCall ? Place->LibraryCall : O.Where.Node;
  return locationOf(At ? At : Place->At.Statement);
}

/// Returns the place of the first expression that became \p Number.
SourceLocation EscapePins::locate(ir::ValueId Number) const {
  SourceLocation First;
  for (const auto &[Where, Each] : F.evaluations()) {
    const SourceLocation Loc = locationOf(Where.first);
    if (Each.Value == Number && Loc.isValid() &&
        !Overlay.isInLibrary(Where.second) &&
        (First.isInvalid() || Loc < First))
      First = Loc;
  }
  return First.isValid() ? First : F.decl()->getLocation();
}

void EscapePins::pinPassed(const ir::Escape &E, const TargetSet &Set) const {
  const Stmt *Node = E.By ? E.By->Where.Node : nullptr;
  Reason Why = Reason::AddressNotFollowed;
  std::string Detail = E.By ? E.By->Why : "return";
  if (isa_and_nonnull<AsmStmt>(Node)) {
    Why = Reason::InlineAssembly;
    Detail.clear();
  } else if (isa_and_nonnull<CallExpr, CXXConstructExpr>(Node)) {
    const auto *Call = cast<Expr>(Node);
    if (findUserBody(Call, Shared.context()) &&
        !Overlay.isInLibrary(E.By->Where.Path))
      return; // A call that is not followed refuses the kernel.
    if (const auto *Plain = dyn_cast<CallExpr>(Call);
        Plain && !Plain->getDirectCallee())
      Detail = "a function pointer";
    Why = classifyEscape(Call, Shared.context());
  }
  Shared.pin(Set, Why, std::move(Detail),
             E.By ? locate(*E.By) : F.decl()->getLocation());
}

void EscapePins::pin(const ir::Escape &E) const {
  const TargetSet Set = findVariables(E.Objects, F, Shared);
  if (Set.none())
    return;
  switch (E.How) {
  case ir::Escape::Passed:
    return pinPassed(E, Set);
  case ir::Escape::Stored:
    return Shared.pin(Set, Reason::AddressStored, "", locate(*E.By));
  case ir::Escape::Bytes:
    return Shared.pin(Set, Reason::AddressBytes, "", locate(*E.By));
  case ir::Escape::ToInteger:
    return Shared.pin(Set, Reason::AddressAsInteger, "", locate(E.Number));
  }
}

void EscapePins::pinTargets(ir::ValueId V, Reason Why, std::string Detail,
                            SourceLocation Loc) const {
  Shared.pin(findVariables(Pointers.of(V), F, Shared), Why, std::move(Detail),
             Loc);
}

//===----------------------------------------------------------------------===//
// Uses without a place
//===----------------------------------------------------------------------===//

bool EscapePins::runsInDestructor(const ir::Operation &O) const {
  for (ir::CallPathId Path = O.Where.Path; Path; Path = F.callerOf(Path))
    if (!isa_and_nonnull<CallExpr, CXXConstructExpr>(F.callOf(Path)))
      return true;
  return false;
}

/// The call of a destructor has no place in the text, so what it uses is
/// pinned.
void EscapePins::pinDestroyed() const {
  for (const std::unique_ptr<ir::Block> &B : F.blocks())
    for (const ir::Operation &O : B->Operations) {
      if (!runsInDestructor(O))
        continue;
      auto pinUse = [&](ir::ValueId V) {
        pinTargets(V, Reason::PassedToUnknown, "a destructor", locate(O));
      };
      pinUse(O.Address);
      if (O.What == ir::Operation::Copy)
        pinUse(O.Stored);
      for (const ir::Touch &T : O.Touches)
        pinUse(T.Address);
    }
}

//===----------------------------------------------------------------------===//
// Promises
//===----------------------------------------------------------------------===//

/// Returns true if \p E names a pointer, or is a reference, that is declared
/// `__restrict__`.
static bool isRestricted(const Expr *E) {
  if (E->getType().isRestrictQualified())
    return true;
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->getType().isRestrictQualified();
}

/// Pins what restricted pointers lead to: a compiler may take it that nothing
/// else accesses these bytes.
void EscapePins::pinRestricted() const {
  struct Restricted {
    SourceLocation Loc;
    std::string Name;
    ir::ValueId Pointer;
  };
  std::vector<Restricted> Found;
  for (const auto &[Where, Each] : F.evaluations()) {
    const auto *E = dyn_cast<Expr>(Where.first);
    // A pointer is read, a reference is named.
    const auto *Load = dyn_cast_or_null<CastExpr>(E);
    const bool Reads = Load && Load->getCastKind() == CK_LValueToRValue;
    const Expr *Named = Reads ? Load->getSubExpr()->IgnoreParens() : E;
    if (!Named || !isRestricted(Named) ||
        Named->getType()->isPointerType() != Reads)
      continue;
    const auto *Ref = dyn_cast<DeclRefExpr>(Named);
    const auto *Member = dyn_cast<MemberExpr>(Named);
    const ValueDecl *D = Ref      ? Ref->getDecl()
                         : Member ? Member->getMemberDecl()
                                  : nullptr;
    Found.push_back({D ? D->getLocation() : E->getExprLoc(),
                     D ? D->getNameAsString() : "", Each.Value});
  }
  // Only the first reason is kept. Sorting by position makes that the same one
  // in every run.
  llvm::sort(Found, [](const Restricted &A, const Restricted &B) {
    return std::pair(A.Loc, A.Pointer) < std::pair(B.Loc, B.Pointer);
  });
  for (const Restricted &Each : Found)
    pinTargets(Each.Pointer, Reason::ReachedByRestrict, Each.Name, Each.Loc);
}

void pinEscapes(const ir::Function &F, const ir::PointsTo &Pointers,
                const StatementOverlay &Overlay,
                const SharedVariables &Shared) {
  const EscapePins Pins(F, Pointers, Overlay, Shared);
  for (const ir::Escape &Each : Pointers.escapes())
    Pins.pin(Each);
  // Initial values of static variables are no operations of the function.
  Shared.pin(Shared.mentionedInStatics(F.decl()), Reason::AddressStored, "",
             F.decl()->getLocation());
  Pins.pinDestroyed();
  Pins.pinRestricted();
}

} // namespace cudaopt
