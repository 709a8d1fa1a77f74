// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Clang makes a constant of the initializer of a local table, and copies it
/// where the table is declared.
//===----------------------------------------------------------------------===//

#include "SharedTables.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace cudaopt::simt {

/// True if \p C is a shared variable, or made of the address of one.
static bool namesShared(const Constant &C,
                        SmallPtrSetImpl<const Constant *> &Seen) {
  if (const auto *V = dyn_cast<GlobalVariable>(&C))
    return V->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
  if (isa<GlobalValue>(C) || !Seen.insert(&C).second)
    return false;
  return any_of(C.operands(), [&](const Use &Operand) {
    const auto *Part = dyn_cast<Constant>(Operand);
    return Part && namesShared(*Part, Seen);
  });
}

static bool isSharedTable(const GlobalVariable &V) {
  SmallPtrSet<const Constant *, 16> Seen;
  return V.isConstant() && V.hasDefinitiveInitializer() &&
         namesShared(*V.getInitializer(), Seen);
}

/// Uses of a table by the functions in which they are. Those by addresses of
/// another space than the generic one stay: a local copy is not there.
static MapVector<Function *, SmallVector<Use *, 4>>
findUses(GlobalVariable &Table) {
  MapVector<Function *, SmallVector<Use *, 4>> Uses;
  auto Add = [&Uses](Value &Address) {
    for (Use &U : Address.uses())
      if (auto *User = dyn_cast<Instruction>(U.getUser()))
        Uses[User->getFunction()].push_back(&U);
  };
  if (Table.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_GENERIC)
    Add(Table);
  for (User *U : Table.users())
    if (auto *Cast = dyn_cast<AddrSpaceCastInst>(U);
        Cast && Cast->getDestAddressSpace() == NVPTXAS::ADDRESS_SPACE_GENERIC)
      Add(*Cast);
  return Uses;
}

/// Returns the address of a copy of \p Table that each call of \p F makes.
static Value *copyTable(GlobalVariable &Table, Function &F) {
  IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Copy =
      Builder.CreateAlloca(Table.getValueType(), nullptr, Table.getName());
  Copy->setAlignment(F.getDataLayout().getValueOrABITypeAlignment(
      Table.getAlign(), Table.getValueType()));
  Builder.CreateAlignedStore(Table.getInitializer(), Copy, Copy->getAlign());
  return Builder.CreateAddrSpaceCast(
      Copy, Builder.getPtrTy(NVPTXAS::ADDRESS_SPACE_GENERIC));
}

void localizeSharedTables(Module &M) {
  SmallVector<GlobalVariable *, 4> Tables;
  for (GlobalVariable &V : M.globals())
    if (isSharedTable(V))
      Tables.push_back(&V);
  SmallVector<Constant *, 4> Constants(Tables.begin(), Tables.end());
  convertUsersOfConstantsToInstructions(Constants);
  for (GlobalVariable *Table : Tables)
    for (auto &[F, Uses] : findUses(*Table)) {
      Value *Copy = copyTable(*Table, *F);
      for (Use *U : Uses)
        U->set(Copy);
    }
}

} // namespace cudaopt::simt
