// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Loads the device side of a translation unit. A module is prepared once,
/// before any kernel is lowered: all functions are inlined into the kernels,
/// questions to the compiler (__nvvm_reflect) are answered, and control flow is
/// tidied up so that lanes meet where the source says. Then variables are
/// allocated; kernels are lowered on demand.
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "Lowering.h"
#include "SharedTables.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Local.h"
#include <utility>

using namespace llvm;

namespace cudaopt::simt {

//===----------------------------------------------------------------------===//
// Questions to the compiler
//===----------------------------------------------------------------------===//

/// Returns the value of `__CUDA_ARCH__` for the target of \p F: 900 for
/// "sm_90a".
static uint64_t archOf(const Function &F) {
  StringRef Digits = F.getFnAttribute("target-cpu").getValueAsString();
  Digits.consume_front("sm_");
  uint64_t Number = 0;
  Digits.consumeInteger(10, Number);
  return Number * 10;
}

/// Returns the answer of `__nvvm_reflect(Name)` in \p F. All questions but that
/// for the architecture are answered with 0; "__CUDA_FTZ" is, so that denormals
/// are kept.
static uint64_t reflect(const Value *Name, const Function &F) {
  const auto *V = dyn_cast<GlobalVariable>(Name->stripPointerCasts());
  const auto *Text = V && V->hasInitializer()
                         ? dyn_cast<ConstantDataSequential>(V->getInitializer())
                         : nullptr;
  if (!Text || !Text->isCString())
    return 0;
  return Text->getAsCString() == "__CUDA_ARCH" ? archOf(F) : 0;
}

static bool isReflection(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && (Callee->getName() == "__nvvm_reflect" ||
                    Callee->getIntrinsicID() == Intrinsic::nvvm_reflect);
}

/// Replaces the calls of __nvvm_reflect by their answers and removes the code
/// that becomes unreachable. Such code is often inline assembly of other
/// architectures, which would be refused.
static void resolveReflections(Function &F) {
  SmallVector<CallInst *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (isReflection(I))
      Calls.push_back(cast<CallInst>(&I));
  if (Calls.empty())
    return;
  for (const WeakVH Call : Calls) {
    auto *Question = cast<CallInst>(Call);
    Constant *Answer = ConstantInt::get(Question->getType(),
                                        reflect(Question->getArgOperand(0), F));
    replaceAndRecursivelySimplify(Question, Answer);
    if (Call)
      Question->eraseFromParent();
  }
  for (BasicBlock &BB : F)
    ConstantFoldTerminator(&BB, /*DeleteDeadConditions=*/true);
  removeUnreachableBlocks(F);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Marks all functions but recursive ones to be inlined into the kernels.
static void requestInlining(Module &M) {
  SmallPtrSet<const Function *, 4> Recursive;
  CallGraph Calls(M);
  for (auto It = scc_begin(&Calls); !It.isAtEnd(); ++It)
    if (It.hasCycle())
      for (const CallGraphNode *Node : *It)
        if (Node->getFunction())
          Recursive.insert(Node->getFunction());
  for (Function &F : M) {
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::NoInline);
    if (F.isDeclaration() || isKernel(F))
      continue;
    F.setLinkage(GlobalValue::InternalLinkage);
    F.setComdat(nullptr);
    if (Recursive.contains(&F))
      F.removeFnAttr(Attribute::AlwaysInline);
    else
      F.addFnAttr(Attribute::AlwaysInline);
  }
  // Calls carry the attribute, too.
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Call->removeFnAttr(Attribute::NoInline);
}

namespace {
/// Pins the accesses of a function to where the source has them while control
/// flow is simplified. A load that is hoisted above a branch would be executed
/// by more lanes than the source says, and show a race that is none. So all
/// accesses are volatile during the lifetime of this object.
class PinnedAccesses {
public:
  explicit PinnedAccesses(Function &F) {
    for (Instruction &I : instructions(F)) {
      auto *Load = dyn_cast<LoadInst>(&I);
      auto *Store = dyn_cast<StoreInst>(&I);
      if ((Load && !Load->isVolatile()) || (Store && !Store->isVolatile())) {
        set(I, true);
        Pinned.emplace_back(&I);
      }
    }
  }
  PinnedAccesses(const PinnedAccesses &) = delete;
  PinnedAccesses &operator=(const PinnedAccesses &) = delete;
  ~PinnedAccesses() {
    for (const WeakVH &I : Pinned)
      if (I)
        set(*cast<Instruction>(I), false);
  }

private:
  static void set(Instruction &I, bool IsVolatile) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Load->setVolatile(IsVolatile);
    else
      cast<StoreInst>(I).setVolatile(IsVolatile);
  }
  SmallVector<WeakVH, 64> Pinned;
};
} // namespace

/// Returns true if the phi nodes of \p BB are used by nothing but its
/// terminator and the phi nodes of its successors. Then a predecessor may
/// bypass \p BB.
static bool isKnownBehindOnly(const BasicBlock &BB) {
  return all_of(BB.phis(), [&BB](const PHINode &Phi) {
    return all_of(Phi.uses(), [&BB](const Use &U) {
      const auto *Next = dyn_cast<PHINode>(U.getUser());
      return U.getUser() == BB.getTerminator() ||
             (Next && Next->getParent() != &BB &&
              Next->getIncomingBlock(U) == &BB);
    });
  });
}

/// Threads jumps through a switch. To leave a loop whose variables need a
/// cleanup, clang sets a number and switches on it behind the loop. There,
/// lanes that return would meet those that go on, and wait for them, unlike in
/// compiled code. A predecessor for which the number is constant therefore
/// jumps straight to the target. Returns true if something changed.
static bool threadSwitch(BasicBlock &BB) {
  auto *Switch = dyn_cast<SwitchInst>(BB.getTerminator());
  auto *Number = Switch ? dyn_cast<PHINode>(Switch->getCondition()) : nullptr;
  if (!Number || Number->getParent() != &BB ||
      &*BB.getFirstNonPHIOrDbg() != Switch || !isKnownBehindOnly(BB))
    return false;
  bool Changed = false;
  for (BasicBlock *Pred : SmallVector<BasicBlock *>(predecessors(&BB))) {
    auto *Known = dyn_cast<ConstantInt>(Number->getIncomingValueForBlock(Pred));
    if (!Known || count(successors(Pred), &BB) != 1)
      continue;
    BasicBlock *To = Switch->findCaseValue(Known)->getCaseSuccessor();
    if (To == &BB || is_contained(predecessors(To), Pred))
      continue;
    for (PHINode &Phi : To->phis()) {
      Value *In = Phi.getIncomingValueForBlock(&BB);
      if (auto *Here = dyn_cast<PHINode>(In); Here && Here->getParent() == &BB)
        In = Here->getIncomingValueForBlock(Pred);
      Phi.addIncoming(In, Pred);
    }
    Pred->getTerminator()->replaceSuccessorWith(&BB, To);
    BB.removePredecessor(Pred, /*KeepOneInputPHIs=*/true);
    Changed = true;
    if (pred_empty(&BB))
      break;
  }
  return Changed;
}

/// Threads jumps through all such switches. Lifetime markers would stand in the
/// way.
static void threadSwitches(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (I.isLifetimeStartOrEnd())
      I.eraseFromParent();
  bool Changed = true;
  while (std::exchange(Changed, false)) {
    for (BasicBlock &BB : F)
      Changed |= threadSwitch(BB);
    removeUnreachableBlocks(F);
  }
}

/// Returns true if the result of \p I is not used and it has no effect. LLVM
/// itself keeps inline assembly, since it may not return.
static bool isUnused(Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const auto *Asm =
      Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  if (Asm)
    return I.use_empty() && !Asm->hasSideEffects() &&
           !Asm->getConstraintString().contains("~{memory}");
  return isInstructionTriviallyDead(&I) && !I.mayReadFromMemory();
}

/// Removes computations whose results are not used. The headers of the toolkit
/// compute much that a kernel then does not use, and some of it is not
/// modelled. Loads stay, so that they are checked.
static void dropUnusedValues(Function &F) {
  for (BasicBlock &BB : F)
    for (Instruction &I : make_early_inc_range(BB))
      if (auto *Extract = dyn_cast<ExtractValueInst>(&I))
        if (Value *Part = simplifyExtractValueInst(
                Extract->getAggregateOperand(), Extract->getIndices(),
                SimplifyQuery(F.getDataLayout(), &I)))
          Extract->replaceAllUsesWith(Part);
  SmallVector<WeakTrackingVH, 32> Candidates;
  for (Instruction &I : instructions(F))
    Candidates.emplace_back(&I);
  while (!Candidates.empty()) {
    auto *I = dyn_cast_or_null<Instruction>(Candidates.pop_back_val());
    if (!I || !isUnused(*I))
      continue;
    for (Value *Operand : I->operands())
      if (isa<Instruction>(Operand))
        Candidates.emplace_back(Operand);
    I->eraseFromParent();
  }
}

namespace {
/// The analyses that the passes here ask for. LLVM's PassBuilder would register
/// them as well, but would link all passes there are.
struct PassRun {
  FunctionAnalysisManager Functions;
  ModuleAnalysisManager Modules;

  PassRun() {
    Modules.registerPass([] { return PassInstrumentationAnalysis(); });
    Modules.registerPass([] { return ProfileSummaryAnalysis(); });
    Modules.registerPass(
        [this] { return FunctionAnalysisManagerModuleProxy(Functions); });
    Functions.registerPass(
        [this] { return ModuleAnalysisManagerFunctionProxy(Modules); });
    Functions.registerPass([] { return PassInstrumentationAnalysis(); });
    Functions.registerPass([] { return AssumptionAnalysis(); });
    Functions.registerPass([] { return DominatorTreeAnalysis(); });
    Functions.registerPass([] { return TargetIRAnalysis(); });
    Functions.registerPass([] { return TargetLibraryAnalysis(); });
    Functions.registerPass([] { return BasicAA(); });
    Functions.registerPass([] { return ScopedNoAliasAA(); });
    Functions.registerPass([] { return TypeBasedAA(); });
    Functions.registerPass([] {
      AAManager Aliases;
      Aliases.registerFunctionAnalysis<BasicAA>();
      Aliases.registerFunctionAnalysis<ScopedNoAliasAA>();
      Aliases.registerFunctionAnalysis<TypeBasedAA>();
      return Aliases;
    });
  }
};
} // namespace

/// Makes scalars undefined where their lifetime begins, so that a variable that
/// a loop declares does not keep its value from one iteration to the next:
/// reading it uninitialised is then found.
static void forgetScalars(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    const auto *Life = dyn_cast<LifetimeIntrinsic>(&I);
    if (!Life || Life->getIntrinsicID() != Intrinsic::lifetime_start)
      continue;
    auto *Variable = dyn_cast<AllocaInst>(Life->getArgOperand(0));
    if (!Variable || !Variable->getAllocatedType()->isSingleValueType())
      continue;
    IRBuilder<>(I.getNextNode())
        .CreateStore(UndefValue::get(Variable->getAllocatedType()), Variable);
  }
}

/// Inlines all functions and promotes local variables to registers, without any
/// optimization.
static void inlineAll(Module &M, PassRun &Run) {
  for (Function &F : M)
    forgetScalars(F);
  ModulePassManager Inline;
  Inline.addPass(GlobalDCEPass());
  // A second round inlines calls through pointers that the first one has turned
  // into constants.
  for (int Round = 0; Round < 2; ++Round) {
    Inline.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
    Inline.addPass(
        createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::PreserveCFG)));
  }
  Inline.run(M, Run.Modules);
}

/// Simplifies control flow without moving accesses.
static void tidyControlFlow(Function &F, PassRun &Run) {
  threadSwitches(F);
  PinnedAccesses Pins(F);
  SimplifyCFGPass().run(F, Run.Functions);
}

/// Prepares a module for lowering.
static void prepare(Module &M, const LowerOptions &Options) {
  localizeSharedTables(M);
  for (Function &F : M)
    if (!F.isDeclaration())
      resolveReflections(F);
  requestInlining(M);

  PassRun Run;
  if (Options.Optimize)
    Options.Optimize(M);
  else
    inlineAll(M, Run);
  for (Function &F : M) {
    if (!isKernel(F))
      continue;
    if (!Options.Optimize)
      tidyControlFlow(F, Run);
    contractProducts(F);
    dropUnusedValues(F);
  }
  assert(!verifyModule(M, &errs()) && "the preparation broke the module");
}

//===----------------------------------------------------------------------===//
// DeviceImage
//===----------------------------------------------------------------------===//

/// Programs are lowered on demand and kept.
struct DeviceImage::Impl {
  std::unique_ptr<Module> M;
  LowerOptions Options;
  DeviceVariables Variables;
  std::map<std::string, Program, std::less<>> Programs;
};

DeviceImage::DeviceImage() : State(std::make_unique<Impl>()) {}
DeviceImage::~DeviceImage() = default;

Expected<std::unique_ptr<DeviceImage>>
DeviceImage::load(std::unique_ptr<Module> M, DeviceMemory &Memory,
                  LowerOptions Options) {
  if (!M->getTargetTriple().isNVPTX() ||
      M->getDataLayout().getPointerSizeInBits() != 64)
    return createStringError("the module is no 64-bit CUDA device code but '" +
                             M->getTargetTriple().str() + "'");
  prepare(*M, Options);
  std::unique_ptr<DeviceImage> Image(new DeviceImage());
  Image->State->Variables.allocate(*M, Memory);
  Image->State->M = std::move(M);
  Image->State->Options = std::move(Options);
  return Image;
}

std::vector<std::string> DeviceImage::kernels() const {
  std::vector<std::string> Names;
  for (const Function &F : *State->M)
    if (isKernel(F))
      Names.push_back(F.getName().str());
  return Names;
}

Expected<const Program &> DeviceImage::kernel(StringRef MangledName) {
  auto Known = State->Programs.find(MangledName);
  if (Known != State->Programs.end())
    return Known->second;
  Function *F = State->M->getFunction(MangledName);
  if (!F || !isKernel(*F))
    return createStringError("there is no kernel '" + MangledName + "'");
  Expected<Program> Lowered =
      KernelLowering(*F, State->Variables, State->Options).run();
  if (!Lowered)
    return Lowered.takeError();
  return State->Programs.emplace(MangledName, std::move(*Lowered))
      .first->second;
}

/// The attribute holds up to three extents, separated by commas; their product
/// counts.
unsigned DeviceImage::maxThreads(StringRef MangledName) const {
  const Function *F = State->M->getFunction(MangledName);
  if (!F || !F->hasFnAttribute("nvvm.maxntid"))
    return 0;
  unsigned Threads = 1;
  for (StringRef Rest = F->getFnAttribute("nvvm.maxntid").getValueAsString();
       !Rest.empty();) {
    auto [Extent, Behind] = Rest.split(',');
    unsigned Number = 0;
    if (Extent.trim().getAsInteger(10, Number))
      return 0;
    Threads *= Number;
    Rest = Behind;
  }
  return Threads;
}

DeviceMemory::Allocation *DeviceImage::variable(StringRef MangledName) {
  return State->Variables.ByName.lookup(MangledName);
}

} // namespace cudaopt::simt
