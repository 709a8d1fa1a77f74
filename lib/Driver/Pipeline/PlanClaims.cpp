// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes claims from plans. A claim identifies an access by its source
/// position, since that is what the plan's model and the generated code have in
/// common.
//===----------------------------------------------------------------------===//

#include "PlanClaims.h"
#include "DeviceCode.h"
#include "RunClaims.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;

namespace cudaopt {
namespace {

/// Makes the claims about one instance of a kernel.
class ClaimMaker {
public:
  ClaimMaker(const Kernel &K, const KernelInstance &Instance, const Plan &P,
             const SourcePoints &Points, ASTContext &Context)
      : K(K), Instance(Instance), P(P), Points(Points), Context(Context),
        SM(Context.getSourceManager()) {}

  check::KernelClaims make(const std::string &Symbol);
  std::optional<unsigned> findVariable(const VarDecl *Decl) const;
  /// For each access claim, the access from which it was made; null if it was
  /// made from a use in the shared program.
  llvm::ArrayRef<const Access *> sources() const { return Sources; }

private:
  void addArrays();
  unsigned addVariable(const VarDecl *Decl, llvm::StringRef Name);
  const VarDecl *memoryOf(ArrayId Array) const;
  void addAccesses();
  void addShapes();
  check::AccessClaim makeAccess(const Access &A, unsigned Variable) const;
  void addAccessOfCallee(const Access &A, unsigned Variable);
  void addUses(const SharedProgram &Program);
  void addLeaves(const SharedProgram &Program);
  check::SourcePart makePart(const Stmt *S) const;

  const Kernel &K;
  const KernelInstance &Instance;
  const Plan &P;
  const SourcePoints &Points;
  ASTContext &Context;
  const SourceManager &SM;
  check::KernelClaims Claims;
  std::vector<const Access *> Sources;
  /// The location of each variable's declaration.
  std::vector<SourceLocation> Declared;
  /// The begin of each access in the model, by variable.
  std::set<std::pair<unsigned, SourceLocation>> Modelled;
};

} // namespace

static check::UseKind translate(AccessKind Kind) {
  switch (Kind) {
  case AccessKind::Read:
    return check::UseKind::Read;
  case AccessKind::Write:
    return check::UseKind::Write;
  case AccessKind::Atomic:
    return check::UseKind::Atomic;
  }
  llvm_unreachable("unknown kind of access");
}

/// Returns the variable that \p Array is, or whose sub-array it is.
const VarDecl *ClaimMaker::memoryOf(ArrayId Array) const {
  return K.Arrays[K.Arrays[Array].Whole.value_or(Array)].Decl;
}

std::optional<unsigned> ClaimMaker::findVariable(const VarDecl *Decl) const {
  auto It = llvm::find(Declared, Decl->getLocation());
  if (It == Declared.end())
    return std::nullopt;
  return It - Declared.begin();
}

unsigned ClaimMaker::addVariable(const VarDecl *Decl, llvm::StringRef Name) {
  if (std::optional<unsigned> Known = findVariable(Decl))
    return *Known;
  Declared.push_back(Decl->getLocation());
  // An extern array that several functions declare is one variable in the code.
  const SourceLocation First = Decl->getCanonicalDecl()->getLocation();
  Claims.Variables.push_back({Name.str(), makePoint(SM, First), true, false});
  return Declared.size() - 1;
}

/// Adds the arrays whose elements the plan changes, with all of their memory.
void ClaimMaker::addArrays() {
  auto add = [&](ArrayId Array) {
    const VarDecl *Decl = memoryOf(Array);
    const unsigned Id = addVariable(Decl, Decl->getName());
    for (ArrayId Other = 0; Other != K.Arrays.size(); ++Other)
      Claims.Variables[Id].MayEscape |=
          memoryOf(Other) == Decl && !K.Arrays[Other].Refusals.empty();
  };
  for (const auto &[Array, Decision] : P.Layouts)
    if (Decision.isRewritten())
      add(Array);
  if (!P.Reuse)
    return;
  for (ArrayId Array : P.Reuse->Private)
    add(Array);
  for (const TrimmedArray &T : P.Reuse->Trimmed)
    add(T.Array);
}

/// Makes the claim for an access without its bytes. It is by all threads if no
/// guard, loop or call lets some of them skip it.
check::AccessClaim ClaimMaker::makeAccess(const Access &A,
                                          unsigned Variable) const {
  check::AccessClaim Claim;
  Claim.Variable = Variable;
  Claim.Kind = A.Run ? check::UseKind::Any : translate(A.Kind);
  Claim.IsByAll = A.Kind == AccessKind::Write && A.Guards.empty() &&
                  A.Loops.empty() && A.DomainIsExact && !A.isOpaque() &&
                  !A.Function;
  Claim.Points = Points.pointsOf(A.Ref->getExprLoc());
  const check::SourcePoint Begin = makePoint(SM, A.Ref->getBeginLoc());
  if (!llvm::is_contained(Claim.Points, Begin))
    Claim.Points.push_back(Begin);
  return Claim;
}

/// Adds the accesses of a function that receives the element by reference: it
/// accesses the element any number of times and, if that is a class, maybe in
/// parts.
void ClaimMaker::addAccessOfCallee(const Access &A, unsigned Variable) {
  check::AccessClaim Claim;
  Claim.Points = Points.pointsInCallee(A.Ref);
  if (Claim.Points.empty())
    return;
  Claim.Variable = Variable;
  Claim.Kind = translate(A.Kind);
  Claim.Width = A.Ref->getType()->isRecordType() ? 0 : A.Width;
  Claim.IsOfCallee = true;
  addPiece(Instance, A, /*IsNew=*/true, Claim);
  Claims.Accesses.push_back(std::move(Claim));
  Sources.push_back(&A);
}

/// Adds an access claim for each expression and variable; the model may have
/// several pieces of such an access, which are merged.
void ClaimMaker::addAccesses() {
  using Use = std::tuple<const Expr *, unsigned, AccessKind>;
  std::map<Use, unsigned> Known; ///< Indices of the access claims.
  std::set<std::pair<Use, unsigned>> Pieces;
  for (const Access &A : Instance.Accesses) {
    std::optional<unsigned> Variable = findVariable(memoryOf(A.Array));
    if (!Variable)
      continue;
    Modelled.insert({*Variable, A.Ref->getExprLoc()});
    const Use Made{A.Ref, *Variable, A.Kind};
    auto [It, IsNew] = Known.try_emplace(Made, Claims.Accesses.size());
    if (IsNew) {
      Claims.Accesses.push_back(makeAccess(A, *Variable));
      Sources.push_back(&A);
      addAccessOfCallee(A, *Variable);
    }
    // Another call of the same function makes the same access again.
    const bool IsPiece = Pieces.insert({Made, A.Offset}).second;
    addPiece(Instance, A, IsPiece, Claims.Accesses[It->second]);
    if (IsPiece && !A.Run)
      Claims.Accesses[It->second].Width += A.Width;
  }
}

/// Adds what the steps of the shared program say about variables that share
/// bytes.
void ClaimMaker::addUses(const SharedProgram &Program) {
  for (const Step &S : Program.Steps)
    for (const SharedUse &U : S.Uses) {
      std::optional<unsigned> Variable =
          findVariable(Program.Variables[U.Variable].Decl);
      if (!Variable || Modelled.count({*Variable, U.Loc}))
        continue;
      Claims.Variables[*Variable].IsExact = false;
      check::AccessClaim Claim;
      Claim.Variable = *Variable;
      Claim.Kind = !U.Writes  ? check::UseKind::Read
                   : !U.Reads ? check::UseKind::Write
                              : check::UseKind::Any;
      Claim.Points = Points.pointsOf(U.Loc);
      // A use through a pointer stands for its whole statement.
      if (S.Statement)
        Claim.Part = makePart(S.Statement);
      Claims.Accesses.push_back(std::move(Claim));
      Sources.push_back(nullptr);
    }
}

check::SourcePart ClaimMaker::makePart(const Stmt *S) const {
  return {makePoint(SM, SM.getExpansionLoc(S->getBeginLoc())),
          makePoint(SM, SM.getExpansionRange(S->getEndLoc()).getEnd())};
}

/// Adds the statements behind which threads leave the kernel.
void ClaimMaker::addLeaves(const SharedProgram &Program) {
  Claims.ReliesOnLeaves = true;
  for (const Step &S : Program.Steps) {
    if (S.Statement && llvm::is_contained(S.Successors, SharedProgram::Exit))
      Claims.Leaves.push_back(makePart(S.Statement));
    for (const Stmt *Return : S.Returns)
      Claims.Leaves.push_back(makePart(Return));
  }
}

/// Adds the shapes of all instances of the function; none if one of them may
/// have any shape.
void ClaimMaker::addShapes() {
  std::vector<check::ShapeClaim> Shapes;
  for (const auto &Other : K.Instances) {
    const BlockShape &Block = Other->Block;
    if (Other->Decl != Instance.Decl || Block.Origin == ShapeOrigin::Assumed)
      continue;
    if (!Block.isKnown())
      return;
    Shapes.push_back({Block.Threads, Block.Grid});
  }
  Claims.Shapes = std::move(Shapes);
  std::unique_ptr<MangleContext> Names(Context.createMangleContext());
  llvm::raw_string_ostream OS(Claims.Stub);
  Names->mangleName(GlobalDecl(Instance.Decl, KernelReferenceKind::Stub), OS);
}

/// Makes all claims about the instance. For variables that share bytes, also
/// those uses are claimed that the model of accesses does not have, but the
/// shared program does.
check::KernelClaims ClaimMaker::make(const std::string &Symbol) {
  Claims.Symbol = Symbol;
  if (const Stmt *Body = Instance.Decl->getBody())
    Claims.End = makePoint(SM, Body->getEndLoc());
  addShapes();
  if (P.Reuse && !P.Reuse->Duplicated.empty() && Instance.Block.IsUnseen)
    Claims.Observed = Instance.Observed.value_or(ThreadDimensions());
  Claims.OrderedByBarriers =
      P.Reuse && !P.Reuse->Private.empty() && Instance.Block.IsUnseen;
  addArrays();
  const bool SharesBytes = P.Reuse && !P.Reuse->Objects.empty();
  if (SharesBytes)
    for (const StorageNode &Object : P.Reuse->Objects)
      for (unsigned Id : listVariables(Object))
        addVariable(P.Reuse->Variables[Id].Decl, P.Reuse->Variables[Id].Name);
  addAccesses();
  addRunClaims(
      K, Instance, P, Context,
      [&](ArrayId Array) { return findVariable(memoryOf(Array)); }, Claims);
  if (SharesBytes && !Claims.Launch.IsAssumed) {
    const SharedProgram Program = buildSharedProgram(K, Instance, Context);
    addUses(Program);
    addLeaves(Program);
  }
  return std::move(Claims);
}

std::vector<check::KernelClaims> makeClaims(const Kernel &K, const Plan &P,
                                            const SourcePoints &Points,
                                            ASTContext &Context) {
  ASTNameGenerator Names(Context);
  std::vector<check::KernelClaims> Result;
  for (const auto &Instance : K.Instances)
    Result.push_back(ClaimMaker(K, *Instance, P, Points, Context)
                         .make(Names.getName(Instance->Decl)));
  return Result;
}

std::pair<check::KernelClaims, check::InPlaceClaim>
makeInPlaceClaims(const Kernel &K, const Plan &P, const SharedProgram &Program,
                  llvm::ArrayRef<StoredAt> Places, const UnorderedSteps &Steps,
                  const SourcePoints &Points, ASTContext &Context) {
  ClaimMaker Maker(K, *Program.Instance, P, Points, Context);
  check::KernelClaims Claims =
      Maker.make(ASTNameGenerator(Context).getName(Program.Instance->Decl));
  check::InPlaceClaim InPlace =
      makeInPlaceClaim(P, Program, Places, Steps, Maker.sources());
  InPlace.A.Variable = *Maker.findVariable(Program.Variables[Steps.A].Decl);
  InPlace.B.Variable = *Maker.findVariable(Program.Variables[Steps.B].Decl);
  return {std::move(Claims), std::move(InPlace)};
}

} // namespace cudaopt
