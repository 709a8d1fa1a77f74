// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs LLVM's default pipeline on device code.
//===----------------------------------------------------------------------===//

#include "cudaopt/Simt/Optimizer.h"

#include "Lowering.h"

#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/NaryReassociate.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Scalar/StraightLineStrengthReduce.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"
#include <memory>
#include <optional>
#include <string>

using namespace llvm;
using namespace cudaopt;

/// Returns the target whose cost model the optimizations use; null if this LLVM
/// has no NVPTX backend.
static std::unique_ptr<TargetMachine> targetOf(const Module &M) {
  // A static initialiser runs once, also if several threads get here.
  [[maybe_unused]] static const bool IsReady = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    return true;
  }();
  StringRef CPU;
  for (const Function &F : M)
    if (simt::isKernel(F))
      CPU = F.getFnAttribute("target-cpu").getValueAsString();
  std::string Error;
  const Target *T = TargetRegistry::lookupTarget(M.getTargetTriple(), Error);
  if (!T)
    return nullptr;
  return std::unique_ptr<TargetMachine>(T->createTargetMachine(
      M.getTargetTriple(), CPU, "", TargetOptions(), std::nullopt));
}

static void run(Module &M, bool MergesAccesses) {
  const std::unique_ptr<TargetMachine> Target = targetOf(M);
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PassBuilder Builder(Target.get());
  if (Target)
    Target->registerPassBuilderCallbacks(Builder);
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Components);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  if (MergesAccesses)
    Builder.registerOptimizerLastEPCallback(
        [](ModulePassManager &Passes, OptimizationLevel, ThinOrFullLTOPhase) {
          // The order of NVPTXPassConfig::addIRPasses.
          FunctionPassManager Last;
          Last.addPass(InferAddressSpacesPass());
          Last.addPass(SeparateConstOffsetFromGEPPass());
          Last.addPass(StraightLineStrengthReducePass());
          Last.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
          Last.addPass(NaryReassociatePass());
          Last.addPass(EarlyCSEPass());
          Last.addPass(InferAlignmentPass());
          Last.addPass(LoadStoreVectorizerPass());
          Last.addPass(EarlyCSEPass());
          Passes.addPass(createModuleToFunctionPassAdaptor(std::move(Last)));
        });
  Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(M, Modules);
}

void cudaopt::simt::optimize(Module &M) { run(M, /*MergesAccesses=*/false); }

void cudaopt::simt::optimizeAndMerge(Module &M) {
  run(M, /*MergesAccesses=*/true);
}
