// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares the uses of shared variables that were found in a kernel's code
/// (FoundUses.h) with the claims of a plan.
//===----------------------------------------------------------------------===//

#include "cudaopt/Check/DeviceCheck.h"

#include "DeviceFacts.h"
#include "ThreadSight.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace cudaopt::check;

const char *cudaopt::check::getVerb(UseKind Kind) {
  switch (Kind) {
  case UseKind::Read:
    return "reads";
  case UseKind::Write:
    return "writes";
  case UseKind::Atomic:
    return "changes atomically";
  case UseKind::Any:
    return "accesses";
  }
  llvm_unreachable("unknown kind of use");
}

/// Promotes local variables whose address is not taken to SSA values (mem2reg).
static void promoteLocals(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    std::vector<AllocaInst *> Locals;
    for (Instruction &I : F.getEntryBlock())
      if (auto *Local = dyn_cast<AllocaInst>(&I))
        if (isAllocaPromotable(Local))
          Locals.push_back(Local);
    if (Locals.empty())
      continue;
    DominatorTree DT(F);
    PromoteMemToReg(Locals, DT);
  }
}

/// The positions of operands are found before locals are promoted, all else
/// after that (see findOperandPoints()).
DeviceCheck::DeviceCheck(Module &M, SymbolTable Symbols) {
  const OperandPoints Points = findOperandPoints(M);
  promoteLocals(M);
  FoundUses Uses = findUses(M, SharedFlow(M, Symbols), Points);
  Found = std::make_unique<Facts>(M, std::move(Symbols), std::move(Uses));
}

DeviceCheck::~DeviceCheck() = default;

namespace {

/// Compares one kernel with its claims.
class Comparison {
public:
  Comparison(const Module &M, const SymbolTable &Symbols, const FoundUses &Uses,
             const KernelClaims &Claims)
      : M(M), Symbols(Symbols), Uses(Uses), Claims(Claims) {}

  std::optional<Disagreement> run();

private:
  void reach(const Function &F);
  std::optional<unsigned> findVariable(const GlobalVariable *V) const {
    return cudaopt::check::findVariable(Claims, Symbols, *V);
  }
  std::optional<Disagreement> compareEscapes() const;
  std::optional<Disagreement> compareAccesses() const;
  std::optional<Disagreement> compareFunction(const Function *F,
                                              unsigned Variable) const;
  std::optional<Disagreement> compareLeaves() const;
  std::optional<Disagreement> compareSight() const;
  bool runsForAll(const Instruction &I) const;
  Disagreement describe(const FoundAccess &A, unsigned Variable) const;
  bool mayLeaveAt(const SourcePoint &At) const;
  bool isKnownLeave(const FoundLeave &L, unsigned Depth) const;

  const Module &M;
  const SymbolTable &Symbols;
  const FoundUses &Uses;
  const KernelClaims &Claims;
  FunctionSet Reached; ///< The functions that the kernel may run, itself first.
};

} // namespace

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool cudaopt::check::isNear(ArrayRef<SourcePoint> Points,
                            const AccessClaim &C) {
  return any_of(Points, [&](const SourcePoint &P) {
    return is_contained(C.Points, P) || C.Part.contains(P);
  });
}

bool cudaopt::check::fits(UseKind Kind, uint64_t Width,
                          ArrayRef<SourcePoint> Points, const AccessClaim &C) {
  const bool SameKind =
      Kind == C.Kind || Kind == UseKind::Any || C.Kind == UseKind::Any;
  const bool SameWidth = !Width || !C.Width || Width == C.Width;
  return SameKind && SameWidth && isNear(Points, C);
}

/// Describes the access \p A, which no claim explains: as one of another width
/// if there is a claim for its place.
Disagreement Comparison::describe(const FoundAccess &A,
                                  unsigned Variable) const {
  Disagreement D;
  if (!A.Points.empty())
    D.At = A.Points.front();
  const std::string &Name = Claims.Variables[Variable].Name;
  std::string Does = std::string(getVerb(A.Kind)) + " '" + Name + "'";
  for (const AccessClaim &C : Claims.Accesses)
    if (C.Variable == Variable && C.Width && A.Width && C.Width != A.Width &&
        (C.Kind == A.Kind || C.Kind == UseKind::Any) && isNear(A.Points, C)) {
      D.What = Disagreement::Kind::Width;
      D.Text = "it " + Does + ", " + std::to_string(A.Width) +
               " bytes a thread, where the plan knows of " +
               std::to_string(C.Width);
      return D;
    }
  D.What = Disagreement::Kind::Access;
  D.Text = "it " + Does + " where the plan knows of no such access";
  return D;
}

/// Assigns a claim to access \p I such that no claim is assigned twice: a free
/// one, or one whose access can take another claim. This finds an augmenting
/// path of a bipartite matching between accesses and claims. \p Fitting has the
/// claims that fit each access, \p Taken the access to which each claim is
/// assigned, or -1.
static bool assign(unsigned I, ArrayRef<SmallVector<unsigned, 4>> Fitting,
                   MutableArrayRef<int> Taken, BitVector &Tried) {
  for (unsigned Claim : Fitting[I]) {
    if (Tried[Claim])
      continue;
    Tried.set(Claim);
    if (Taken[Claim] >= 0 && !assign(Taken[Claim], Fitting, Taken, Tried))
      continue;
    Taken[Claim] = I;
    return true;
  }
  return false;
}

/// Checks that each access of \p F to a variable is explained by a claim; if
/// the claims are exact, by a claim of its own.
std::optional<Disagreement>
Comparison::compareFunction(const Function *F, unsigned Variable) const {
  const bool IsExact = Claims.Variables[Variable].IsExact;
  std::vector<const FoundAccess *> Certain;
  std::vector<SmallVector<unsigned, 4>> Fitting;
  for (const FoundAccess &A : Uses.Accesses) {
    if (A.function() != F || findVariable(A.Variable) != Variable)
      continue;
    SmallVector<unsigned, 4> Claimed;
    for (const auto &[I, C] : enumerate(Claims.Accesses))
      if (C.Variable == Variable && fits(A.Kind, A.Width, A.Points, C))
        Claimed.push_back(I);
    if (Claimed.empty())
      return describe(A, Variable);
    if (Claims.ReliesOnLeaves &&
        all_of(Claimed,
               [&](unsigned I) { return Claims.Accesses[I].IsByAll; }) &&
        F == Reached.front() && !runsForAll(*A.By))
      return Disagreement{Disagreement::Kind::Leave,
                          "threads may leave it before they access '" +
                              Claims.Variables[Variable].Name + "' here",
                          A.Points.front()};
    const bool IsOfCallee = any_of(
        Claimed, [&](unsigned I) { return Claims.Accesses[I].IsOfCallee; });
    if (!IsExact || A.Kind == UseKind::Any || IsOfCallee)
      continue;
    Certain.push_back(&A);
    Fitting.push_back(std::move(Claimed));
  }
  std::vector<int> Taken(Claims.Accesses.size(), -1);
  for (unsigned I = 0; I != Certain.size(); ++I) {
    BitVector Tried(Claims.Accesses.size());
    if (!assign(I, Fitting, Taken, Tried))
      return describe(*Certain[I], Variable);
  }
  return std::nullopt;
}

/// Returns true if every path through the kernel gets to \p I before a thread
/// can leave.
bool Comparison::runsForAll(const Instruction &I) const {
  const BasicBlock *Target = I.getParent();
  for (const FoundLeave &L : Uses.Leaves)
    if (L.By->getParent() == Target && L.By->comesBefore(&I))
      return false; // Something in front of I in its block may leave.
  SmallSetVector<const BasicBlock *, 16> Blocks;
  Blocks.insert(&I.getFunction()->getEntryBlock());
  for (unsigned Next = 0; Next != Blocks.size(); ++Next) {
    const BasicBlock *B = Blocks[Next];
    if (B == Target)
      continue;
    if (any_of(Uses.Leaves,
               [&](const FoundLeave &L) { return L.By->getParent() == B; }))
      return false;
    Blocks.insert(succ_begin(B), succ_end(B));
  }
  return true;
}

/// Variables are identified by name and place of declaration: their mangled
/// names are unknown to claims, and names alone are not unique.
std::optional<unsigned> cudaopt::check::findVariable(const KernelClaims &Claims,
                                                     const SymbolTable &Symbols,
                                                     const GlobalVariable &V) {
  auto Known = Symbols.Variables.find(V.getName());
  if (Known == Symbols.Variables.end())
    return std::nullopt;
  for (const auto &[I, C] : enumerate(Claims.Variables))
    if (C.Declared == Known->second.Declared && C.Name == Known->second.Name)
      return I;
  return std::nullopt;
}

std::vector<std::optional<unsigned>>
cudaopt::check::findVariables(const KernelClaims &Claims,
                              const DeviceCheck::Facts &Facts) {
  std::vector<std::optional<unsigned>> Result;
  for (const GlobalVariable *V : Facts.Runs.Variables)
    Result.push_back(findVariable(Claims, Facts.Symbols, *V));
  return Result;
}

const Function *cudaopt::check::findKernel(const Module &M,
                                           const KernelClaims &Claims) {
  const Function *Kernel = M.getFunction(Claims.Symbol);
  return Kernel && !Kernel->isDeclaration() ? Kernel : nullptr;
}

std::optional<Disagreement> Comparison::compareAccesses() const {
  for (const Function *F : Reached)
    for (unsigned I = 0; I != Claims.Variables.size(); ++I)
      if (auto D = compareFunction(F, I))
        return D;
  return std::nullopt;
}

/// Checks that the addresses of the plan's variables do not escape.
std::optional<Disagreement> Comparison::compareEscapes() const {
  for (const FoundEscape &E : Uses.Escapes) {
    if (!Reached.contains(E.In))
      continue;
    std::optional<unsigned> Variable = findVariable(E.Variable);
    if (!Variable || Claims.Variables[*Variable].MayEscape)
      continue;
    Disagreement D;
    D.What = Disagreement::Kind::Escape;
    D.Text =
        "the address of '" + Claims.Variables[*Variable].Name + "' " + E.How;
    D.At = E.At;
    return D;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Exits
//===----------------------------------------------------------------------===//

bool Comparison::mayLeaveAt(const SourcePoint &At) const {
  return any_of(Claims.Leaves,
                [&](const SourcePart &Part) { return Part.contains(At); });
}

/// Returns true if the plan knows of \p L, or of every call that leads to it.
bool Comparison::isKnownLeave(const FoundLeave &L, unsigned Depth) const {
  if (!L.At.isValid() || mayLeaveAt(L.At))
    return L.At.isValid();
  if (L.IsReturn || Depth == 8)
    return false;
  bool IsCalled = false;
  for (const CallBase *Call : Uses.Callers.lookup(L.function())) {
    if (!Reached.contains(Call->getFunction()))
      continue;
    IsCalled = true;
    if (!isKnownLeave({Call, getPoint(*Call), false}, Depth + 1))
      return false;
  }
  return IsCalled;
}

/// Checks that threads leave only where the plan expects it, if it relies on
/// that.
std::optional<Disagreement> Comparison::compareLeaves() const {
  if (!Claims.ReliesOnLeaves)
    return std::nullopt;
  for (const FoundLeave &L : Uses.Leaves) {
    const bool IsOfKernel = L.function() == Reached.front();
    if (!Reached.contains(L.function()) || (L.IsReturn && !IsOfKernel))
      continue;
    if (L.IsReturn && L.At == Claims.End)
      continue;
    if (isKnownLeave(L, 0))
      continue;
    Disagreement D;
    D.What = Disagreement::Kind::Leave;
    D.Text = "threads may leave it where the plan expects all of them to go on";
    D.At = L.At;
    return D;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Checks that duplicate threads are not told apart, and that only barriers
/// order threads, if the plan relies on that.
std::optional<Disagreement> Comparison::compareSight() const {
  if (!Claims.Observed && !Claims.OrderedByBarriers)
    return std::nullopt;
  for (const Function *F : Reached)
    for (const Instruction &I : instructions(F)) {
      if (Claims.Observed && !isBlind(I, *Claims.Observed))
        return Disagreement{
            Disagreement::Kind::Thread,
            "threads may differ here that the plan takes for duplicates",
            getPoint(I)};
      if (Claims.OrderedByBarriers && mayOrder(I))
        return Disagreement{
            Disagreement::Kind::Thread,
            "threads may wait here for others, not only at barriers",
            getPoint(I)};
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Adds \p F and all functions that it may run. A call through a pointer may
/// run each function whose address is taken.
void Comparison::reach(const Function &F) {
  Reached.insert(&F);
  for (unsigned I = 0; I != Reached.size(); ++I) {
    addCallees(*Reached[I], Reached);
    if (Uses.CallPointers.contains(Reached[I]))
      for (const Function &Other : M)
        if (!Other.isDeclaration() && Other.hasAddressTaken())
          Reached.insert(&Other);
  }
}

std::optional<Disagreement> Comparison::run() {
  const Function *Kernel = findKernel(M, Claims);
  if (!Kernel) {
    Disagreement D;
    D.What = Disagreement::Kind::Code;
    D.Text = "clang makes no code of it that could be compared";
    return D;
  }
  reach(*Kernel);
  if (auto D = compareEscapes())
    return D;
  if (auto D = compareAccesses())
    return D;
  if (auto D = compareSight())
    return D;
  return compareLeaves();
}

std::optional<Disagreement>
DeviceCheck::compare(const KernelClaims &Claims) const {
  return Comparison(Found->M, Found->Symbols, Found->Uses, Claims).run();
}

const Module &DeviceCheck::module() const { return Found->M; }
const SymbolTable &DeviceCheck::symbols() const { return Found->Symbols; }
