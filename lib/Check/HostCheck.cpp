// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Evaluates the shapes of launches by LLVM's own optimizer: a call with the
/// shape as arguments is inserted in front of each launch, the module is
/// optimized, and arguments that are constants afterwards are the shape.
///
///   dim3 block(16, n);    call void @cudaopt.launch(i32 0,
///   k<<<1, block>>>();        i32 1, i32 1, i32 1, i32 16, i32 %n, i32 1)
//===----------------------------------------------------------------------===//

#include "cudaopt/Check/HostCheck.h"

#include "FoundUses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace cudaopt::check;

/// The name of a function that is called in front of each launch with the
/// numbers of its shape. The optimizer keeps the calls, since the function is
/// not defined, and makes their arguments constants where it can.
static constexpr StringLiteral Sink = "cudaopt.launch";
static constexpr unsigned NumDimensions = 3;

namespace {

/// A launch in the code, before it is evaluated.
struct LaunchSite {
  CallBase *Call;
  std::string Stub;
  /// The index of the operand that is the grid; the next one is the block.
  unsigned Grid;
};

} // namespace

static StringRef getCalleeName(const CallBase &Call) {
  const auto *Callee =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  return Callee ? Callee->getName() : "";
}

/// Clang's name for the host function that launches a kernel.
static bool isStub(StringRef Name) { return Name.contains("__device_stub__"); }

/// Returns the stub of the kernel that is launched by `k<<<...>>>()`. The
/// launch begins with a call of `__cudaPushCallConfiguration`, \p Push, which
/// returns 0 if the kernel is to be called; the first stub on that path is the
/// kernel's. Returns "" if none is found.
static std::string findStub(const CallBase &Push) {
  SmallSetVector<const BasicBlock *, 8> Blocks;
  Blocks.insert(Push.getParent());
  const BasicBlock *End = nullptr;
  if (const auto *Branch =
          dyn_cast<BranchInst>(Push.getParent()->getTerminator());
      Branch && Branch->isConditional())
    End = Branch->getSuccessor(0);
  for (unsigned I = 0; I != Blocks.size(); ++I) {
    const BasicBlock *B = Blocks[I];
    bool IsBehind = B != Push.getParent();
    for (const Instruction &Each : *B) {
      if (const auto *Call = dyn_cast<CallBase>(&Each); Call && IsBehind) {
        if (isStub(getCalleeName(*Call)))
          return getCalleeName(*Call).str();
        if (getCalleeName(*Call) == "__cudaPushCallConfiguration")
          return "";
      }
      IsBehind |= &Each == &Push;
    }
    for (const BasicBlock *Next : successors(B))
      if (Next != End)
        Blocks.insert(Next);
  }
  return "";
}

/// Finds launches by `<<<>>>` and by calls of cudaLaunchKernel().
static std::vector<LaunchSite> findSites(Module &M) {
  std::vector<LaunchSite> Sites;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      const StringRef Name = getCalleeName(*Call);
      if (Name == "__cudaPushCallConfiguration" && Call->arg_size() >= 2) {
        Sites.push_back({Call, findStub(*Call), 0});
      } else if (Name.contains("cudaLaunchKernel") && Call->arg_size() >= 3) {
        const auto *Kernel =
            dyn_cast<Function>(Call->getArgOperand(0)->stripPointerCasts());
        Sites.push_back({Call, Kernel ? Kernel->getName().str() : "", 1});
      }
    }
  return Sites;
}

/// Inserts a call of the sink in front of each launch. Its arguments are the
/// index of the launch in \p Sites and the six numbers of the grid and the
/// block.
static void insertSinks(Module &M, ArrayRef<LaunchSite> Sites) {
  LLVMContext &Context = M.getContext();
  Type *Int = Type::getInt32Ty(Context);
  const SmallVector<Type *, 8> Types(1 + 2 * NumDimensions, Int);
  const FunctionCallee Callee = M.getOrInsertFunction(
      Sink, FunctionType::get(Type::getVoidTy(Context), Types, false));
  for (const auto &[Id, Site] : enumerate(Sites)) {
    IRBuilder<> Builder(Site.Call);
    SmallVector<Value *, 8> Numbers = {Builder.getInt32(Id)};
    for (unsigned Which : {Site.Grid, Site.Grid + 1}) {
      Value *Dim = Site.Call->getArgOperand(Which);
      for (unsigned I = 0; I != NumDimensions; ++I) {
        Value *Number = PoisonValue::get(Int);
        if (Dim->getType()->isPointerTy())
          Number = Builder.CreateAlignedLoad(
              Int, Builder.CreateConstGEP1_32(Int, Dim, I), Align(4));
        Numbers.push_back(Number);
      }
    }
    Builder.CreateCall(Callee, Numbers);
  }
}

/// Optimizes \p M, which propagates constants through variables, calls and
/// loops.
static void evaluate(Module &M) {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Groups;
  ModuleAnalysisManager Modules;
  PassBuilder Builder;
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Groups);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Groups, Modules);
  Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O1).run(M, Modules);
}

HostCheck::HostCheck(Module &M) {
  const std::vector<LaunchSite> Sites = findSites(M);
  if (Sites.empty())
    return;
  std::vector<Launch> Known;
  for (const LaunchSite &Site : Sites)
    Known.push_back({Site.Stub, getPoint(*Site.Call), {}, {}});
  insertSinks(M, Sites);
  evaluate(M);
  const Function *Callee = M.getFunction(Sink);
  if (!Callee)
    return;
  for (const User *U : Callee->users()) {
    const auto *Call = dyn_cast<CallBase>(U);
    const auto *Id =
        Call ? dyn_cast<ConstantInt>(Call->getArgOperand(0)) : nullptr;
    if (!Id)
      continue;
    Launch Found = Known[Id->getZExtValue()];
    for (unsigned I = 0; I != 2 * NumDimensions; ++I)
      if (const auto *N = dyn_cast<ConstantInt>(Call->getArgOperand(I + 1)))
        (I < NumDimensions ? Found.Grid : Found.Block)[I % NumDimensions] =
            N->getZExtValue();
    Launches.push_back(std::move(Found));
  }
  // The order of uses is LLVM's; messages need a stable one.
  llvm::sort(Launches, [](const Launch &A, const Launch &B) {
    return std::tie(A.At, A.Block, A.Grid) < std::tie(B.At, B.Block, B.Grid);
  });
}

std::optional<Disagreement>
HostCheck::compare(const KernelClaims &Claims) const {
  if (!Claims.Shapes)
    return std::nullopt;
  for (const Launch &L : Launches) {
    if (L.Stub != Claims.Stub)
      continue;
    const auto agrees = [](const std::array<Number, 3> &Found,
                           const std::array<uint32_t, 3> &Claimed) {
      return all_of(zip(Found, Claimed), [](auto Pair) {
        auto [A, B] = Pair;
        return !A || !B || *A == B;
      });
    };
    if (any_of(*Claims.Shapes, [&](const ShapeClaim &S) {
          return agrees(L.Block, S.Block) && agrees(L.Grid, S.Grid);
        }))
      continue;
    Disagreement D;
    D.What = Disagreement::Kind::Shape;
    D.At = L.At;
    D.Text = "it is launched in blocks of ";
    for (unsigned I = 0; I != NumDimensions; ++I)
      D.Text += (I ? " x " : "") +
                (L.Block[I] ? std::to_string(*L.Block[I]) : std::string("?"));
    D.Text += ", which the plan does not know";
    return D;
  }
  return std::nullopt;
}
