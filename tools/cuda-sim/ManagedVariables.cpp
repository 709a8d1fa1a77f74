// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The header that redefines __managed__, and the search for the annotations
/// that it leaves in the IR.
//===----------------------------------------------------------------------===//

#include "ManagedVariables.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace cudaopt;
using namespace llvm;

static constexpr StringLiteral Annotation = "cuda-sim.managed";

StringRef cudasim::getManagedHeaderPath() { return "/cuda-sim/managed.h"; }

StringRef cudasim::getManagedHeaderText() {
  return R"(#pragma once
#pragma GCC system_header
#undef __managed__
#define __managed__ \
  __attribute__((device)) __attribute__((annotate("cuda-sim.managed")))
)";
}

/// Returns the variable that an entry of llvm.global.annotations refers to if
/// it is managed; otherwise null.
static GlobalVariable *findManaged(const ConstantStruct &Entry) {
  auto *Text =
      dyn_cast<GlobalVariable>(Entry.getOperand(1)->stripPointerCasts());
  if (!Text || !Text->hasInitializer())
    return nullptr;
  auto *Letters = dyn_cast<ConstantDataSequential>(Text->getInitializer());
  if (!Letters || !Letters->isCString() ||
      Letters->getAsCString() != Annotation)
    return nullptr;
  return dyn_cast<GlobalVariable>(Entry.getOperand(0)->stripPointerCasts());
}

StringSet<> cudasim::takeManagedVariables(Module &M) {
  StringSet<> Names;
  GlobalVariable *Annotations = M.getNamedGlobal("llvm.global.annotations");
  if (!Annotations)
    return Names;
  for (const Use &Entry : Annotations->getInitializer()->operands())
    if (GlobalVariable *Variable = findManaged(*cast<ConstantStruct>(Entry)))
      Names.insert(Variable->getName());
  Annotations->eraseFromParent();
  return Names;
}
