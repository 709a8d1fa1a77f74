// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects the accesses and escapes of shared variables, and the places where
/// threads may leave, in one pass over a module.
//===----------------------------------------------------------------------===//

#include "FoundUses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace cudaopt::check;

SourcePoint cudaopt::check::getPoint(const Instruction &I) {
  const DILocation *Loc = I.getDebugLoc().get();
  if (!Loc || !Loc->getLine())
    return {};
  return {sys::path::filename(Loc->getFilename()).str(), Loc->getLine(),
          Loc->getColumn()};
}

/// The text is searched for the names of instructions that end the thread,
/// return, or jump to a target that is not a label.
bool cudaopt::check::mayLeave(const CallBase &Call) {
  const auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Assembly)
    return false;
  SmallVector<StringRef, 16> Words;
  SplitString(Assembly->getAsmString(), Words, " \t\n\r\v\f;,{}()%@!|:[]<>+");
  return any_of(Words, [](StringRef Word) {
    Word = Word.split('.').first;
    return Word == "exit" || Word == "ret" || Word == "trap" || Word == "brx" ||
           Word == "call" || Word == "tailcall";
  });
}

namespace {

/// Visits all instructions of a module.
class UseFinder {
public:
  UseFinder(const Module &M, const SharedFlow &Flow,
            const OperandPoints &Points)
      : Layout(M.getDataLayout()), Flow(Flow), Points(Points) {}
  FoundUses find(const Module &M);

private:
  using Variables = std::set<const GlobalVariable *>;

  void visit(const Instruction &I);
  void visitPlain(const Instruction &I, const PlainAccess &Access);
  void visitCall(const CallBase &Call);
  void visitIntrinsic(const IntrinsicInst &Call);
  void visitLibrary(const CallBase &Call, const Function &Callee);
  void visitCompare(const CmpInst &Compare);
  void visitLeaves(const Function &F);
  void access(const Instruction &I, const Use &Address, UseKind Kind,
              uint64_t Width);
  void access(const Instruction &I, const Variables &Which, UseKind Kind,
              uint64_t Width, const std::vector<SourcePoint> &Points,
              const Use *Address = nullptr);
  void escape(const Instruction &I, const Variables &Which, StringRef How);
  std::vector<SourcePoint> pointsOf(const Instruction &I,
                                    const Use &Address) const;
  void listCallers(const Function &F, SmallPtrSetImpl<const Function *> &Seen,
                   SmallVectorImpl<const CallBase *> &Found) const;
  uint64_t sizeOf(Type *T) const { return Layout.getTypeStoreSize(T); }

  const DataLayout &Layout;
  const SharedFlow &Flow;
  const OperandPoints &Points;
  FoundUses Result;
};

} // namespace

/// Returns the positions of \p I and of what computes its operand \p Address.
std::vector<SourcePoint> UseFinder::pointsOf(const Instruction &I,
                                             const Use &Address) const {
  std::set<SourcePoint> Places = {getPoint(I)};
  if (auto It = Points.find(&Address); It != Points.end())
    for (const Instruction *Step : It->second)
      Places.insert(getPoint(*Step));
  Places.erase(SourcePoint());
  return {Places.begin(), Places.end()};
}

OperandPoints cudaopt::check::findOperandPoints(const Module &M) {
  OperandPoints Result;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      if (!I.mayReadOrWriteMemory())
        continue;
      for (const Use &Operand : I.operands()) {
        const auto *Step = dyn_cast<Instruction>(Operand.get());
        while (Step && isa<GetElementPtrInst, CastInst>(Step)) {
          Result[&Operand].push_back(Step);
          Step = dyn_cast<Instruction>(Step->getOperand(0));
        }
      }
    }
  return Result;
}

/// Appends the calls in functions of the user through which \p F, a function of
/// the library, is run, directly or by other functions of the library.
void UseFinder::listCallers(const Function &F,
                            SmallPtrSetImpl<const Function *> &Seen,
                            SmallVectorImpl<const CallBase *> &Found) const {
  if (!Seen.insert(&F).second)
    return;
  for (const CallBase *Call : Result.Callers.lookup(&F))
    if (Flow.isLibrary(*Call->getFunction()))
      listCallers(*Call->getFunction(), Seen, Found);
    else
      Found.push_back(Call);
}

/// Records an access of the variables \p Which. One in a function of the
/// library is attributed to the calls in functions of the user that pass the
/// variable.
void UseFinder::access(const Instruction &I, const Variables &Which,
                       UseKind Kind, uint64_t Width,
                       const std::vector<SourcePoint> &Points,
                       const Use *Address) {
  if (Which.empty())
    return;
  if (!Flow.isLibrary(*I.getFunction())) {
    for (const GlobalVariable *V : Which)
      Result.Accesses.push_back({V, Kind, Width, &I, Points, Address});
    return;
  }
  SmallPtrSet<const Function *, 8> Seen;
  SmallVector<const CallBase *, 4> Calls;
  listCallers(*I.getFunction(), Seen, Calls);
  for (const CallBase *Call : Calls) {
    std::set<SourcePoint> There;
    Variables Passed;
    for (const Use &Argument : Call->args()) {
      for (const SourcePoint &P : pointsOf(*Call, Argument))
        There.insert(P);
      for (const GlobalVariable *V : Flow.reachableFrom(Argument.get()))
        Passed.insert(V);
    }
    for (const GlobalVariable *V : Which)
      if (Passed.contains(V))
        // What is one access for the user may be several in the library: kind
        // and width are not known.
        Result.Accesses.push_back(
            {V, UseKind::Any, 0, Call, {There.begin(), There.end()}});
  }
}

void UseFinder::access(const Instruction &I, const Use &Address, UseKind Kind,
                       uint64_t Width) {
  const Variables Which = Flow.sharedOf(Address.get());
  if (!Which.empty())
    access(I, Which, Kind, Width, pointsOf(I, Address), &Address);
}

void UseFinder::escape(const Instruction &I, const Variables &Which,
                       StringRef How) {
  for (const GlobalVariable *V : Which)
    Result.Escapes.push_back({V, I.getFunction(), How.str(), getPoint(I)});
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Visits a call of an intrinsic. Copies and fills access as many bytes as they
/// say; others may access what their pointers point to, in any way.
void UseFinder::visitIntrinsic(const IntrinsicInst &Call) {
  if (const auto *Copy = dyn_cast<MemTransferInst>(&Call)) {
    const auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
    const uint64_t Width = Length ? Length->getZExtValue() : 0;
    access(Call, Copy->getRawSourceUse(), UseKind::Read, Width);
    access(Call, Copy->getRawDestUse(), UseKind::Write, Width);
    return;
  }
  if (const auto *Set = dyn_cast<MemSetInst>(&Call)) {
    const auto *Length = dyn_cast<ConstantInt>(Set->getLength());
    access(Call, Set->getRawDestUse(), UseKind::Write,
           Length ? Length->getZExtValue() : 0);
    return;
  }
  if (Call.isAssumeLikeIntrinsic())
    return;
  for (const Use &Argument : Call.args())
    if (Argument->getType()->isPointerTy() && !Call.doesNotAccessMemory())
      access(Call, Argument, UseKind::Any, 0);
}

/// Visits a call of a function of the toolkit whose body, in its headers, is
/// not parsed. It accesses what its arguments lead to, but does not keep
/// addresses, except for functions that hand out addresses in another form.
void UseFinder::visitLibrary(const CallBase &Call, const Function &Callee) {
  const StringRef Name = Flow.nameOf(Callee);
  const bool HandsOut = any_of(
      std::initializer_list<StringRef>{"cvta", "mapa", "map_shared_rank",
                                       "bulk", "mbarrier", "smem_pointer"},
      [&](StringRef Part) { return Name.contains(Part); });
  const UseKind Kind =
      Name.starts_with("atomic") ? UseKind::Atomic : UseKind::Any;
  for (const Use &Argument : Call.args()) {
    if (!Argument->getType()->isPointerTy() && !HandsOut)
      continue;
    const Variables Which = Flow.reachableFrom(Argument.get());
    if (HandsOut)
      escape(Call, Which, ("is handed to '" + Name + "'").str());
    else if (!Which.empty())
      access(Call, Which, Kind, 0, pointsOf(Call, Argument), &Argument);
  }
}

/// Visits a call. Functions with a body are followed, so that the call itself
/// does nothing. To other functions of the user, and to assembly, all addresses
/// that the arguments lead to escape.
void UseFinder::visitCall(const CallBase &Call) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return visitIntrinsic(*Intrinsic);
  const Function *Callee = findCallee(Call);
  if (SharedFlow::isFollowed(Callee))
    return;
  if (Callee && Flow.isLibrary(*Callee))
    return visitLibrary(Call, *Callee);
  for (const Use &Argument : Call.args()) {
    const Variables Which = Flow.reachableFrom(Argument.get());
    const std::string How =
        Call.isInlineAsm() ? "is an operand of inline assembly"
        : Callee ? ("is passed to '" + Flow.nameOf(*Callee) + "'").str()
                 : "is passed through a pointer to a function";
    escape(Call, Which, How);
  }
}

/// Visits a comparison. It lets an address escape, since the result depends on
/// where variables are stored, unless it is one with null or between addresses
/// of the same variable.
void UseFinder::visitCompare(const CmpInst &Compare) {
  const Variables A = Flow.sharedOf(Compare.getOperand(0)),
                  B = Flow.sharedOf(Compare.getOperand(1));
  if (A.empty() && B.empty())
    return;
  const bool ArePointers = Compare.getOperand(0)->getType()->isPointerTy();
  const bool IsNull = isa<ConstantPointerNull>(Compare.getOperand(0)) ||
                      isa<ConstantPointerNull>(Compare.getOperand(1));
  if (ArePointers && (IsNull || (A == B && A.size() == 1)))
    return;
  escape(Compare, A, "is compared as a number");
  escape(Compare, B, "is compared as a number");
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

std::optional<PlainAccess>
cudaopt::check::findPlainAccess(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return PlainAccess{UseKind::Read,
                       &I.getOperandUse(Load->getPointerOperandIndex()),
                       Load->getType()};
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return PlainAccess{UseKind::Write,
                       &I.getOperandUse(Store->getPointerOperandIndex()),
                       Store->getValueOperand()->getType()};
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return PlainAccess{UseKind::Atomic, &I.getOperandUse(0),
                       I.getOperand(I.getNumOperands() - 1)->getType()};
  return std::nullopt;
}

/// Visits a load, a store, or an atomic operation. Loads and stores that are
/// atomic may be accesses of any kind to others.
void UseFinder::visitPlain(const Instruction &I, const PlainAccess &Access) {
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    if (!Flow.isLocal(Store->getPointerOperand()))
      escape(I, Flow.sharedOf(Store->getValueOperand()),
             "is stored where others may read it");
  } else if (Access.Kind == UseKind::Atomic) {
    for (const Use &Operand : drop_begin(I.operands()))
      escape(I, Flow.sharedOf(Operand.get()),
             "is stored where others may read it");
  }
  const bool IsPlain = Access.Kind == UseKind::Atomic || !I.isAtomic();
  access(I, *Access.Address, IsPlain ? Access.Kind : UseKind::Any,
         sizeOf(Access.Accessed));
}

/// Visits one instruction. An address may be stored in local variables, where
/// it is followed; anywhere else it escapes. It also escapes where it is used
/// as a number in a way that shows where the variable is stored.
void UseFinder::visit(const Instruction &I) {
  if (const std::optional<PlainAccess> Access = findPlainAccess(I))
    return visitPlain(I, *Access);
  if (const auto *Compare = dyn_cast<CmpInst>(&I))
    return visitCompare(*Compare);
  if (const auto *GEP = dyn_cast<GetElementPtrInst>(&I)) {
    for (const Use &Index : GEP->indices())
      escape(I, Flow.sharedOf(Index.get()), "is used as a subscript");
    return;
  }
  if (const auto *Switch = dyn_cast<SwitchInst>(&I))
    return escape(I, Flow.sharedOf(Switch->getCondition()),
                  "is compared as a number");
  if (isa<SIToFPInst, UIToFPInst>(I))
    return escape(I, Flow.sharedOf(I.getOperand(0)), "is used as a number");
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return visitCall(*Call);
  if (const auto *VAArg = dyn_cast<VAArgInst>(&I))
    return escape(I, Flow.sharedOf(VAArg->getPointerOperand()),
                  "is passed as a variable argument");
}

/// Finds where threads may leave \p F: calls that do not return, traps,
/// assembly, and `return`.
void UseFinder::visitLeaves(const Function &F) {
  auto add = [&](const Instruction &I, bool IsReturn) {
    Result.Leaves.push_back({&I, getPoint(I), IsReturn});
  };
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (Call && Call->isInlineAsm()) {
      if (mayLeave(*Call))
        add(I, false);
    } else if (const auto *Intrinsic = dyn_cast_or_null<IntrinsicInst>(Call)) {
      if (is_contained(
              std::initializer_list<Intrinsic::ID>{
                  Intrinsic::trap, Intrinsic::ubsantrap, Intrinsic::nvvm_exit},
              Intrinsic->getIntrinsicID()))
        add(I, false);
    } else if (Call && Call->doesNotReturn()) {
      add(I, false);
    }
    if (!isa<ReturnInst>(I))
      continue;
    // If there are several `return` statements, clang makes them branches to a
    // block of this name; then their places are those of the branches.
    if (!I.getParent()->getName().starts_with("return"))
      add(I, true);
    else
      for (const BasicBlock *From : predecessors(I.getParent()))
        add(*From->getTerminator(), true);
  }
}

FoundUses UseFinder::find(const Module &M) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I)) {
        const Function *Callee = findCallee(*Call);
        if (SharedFlow::isFollowed(Callee))
          Result.Callers[Callee].push_back(Call);
        else if (!Callee && !Call->isInlineAsm())
          Result.CallPointers.insert(&F);
      }
  for (const Function &F : M) {
    for (const Instruction &I : instructions(F))
      visit(I);
    visitLeaves(F);
  }
  return std::move(Result);
}

FoundUses cudaopt::check::findUses(const Module &M, const SharedFlow &Flow,
                                   const OperandPoints &Points) {
  return UseFinder(M, Flow, Points).find(M);
}
