// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Clang turns the initialiser of a local table into a constant, and copies it
/// where the table is declared. Here the constants that hold addresses of
/// shared variables become local variables of the functions that use them.
//===----------------------------------------------------------------------===//

#include "SharedTables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace cudaopt::simt {

namespace {

/// Finds the tables of a module, each before those it points to.
class TableFinder {
public:
  void visit(GlobalVariable &V) {
    if (V.isConstant() && V.hasDefinitiveInitializer())
      namesShared(V);
  }
  /// Returns the tables; none if tables point to each other in a cycle.
  ArrayRef<GlobalVariable *> tables() {
    std::reverse(Tables.begin(), Tables.end());
    return HasCircle ? ArrayRef<GlobalVariable *>() : Tables;
  }

private:
  /// Returns true if \p C is a shared variable, or contains the address of one,
  /// or of a table that does.
  bool namesShared(Constant &C);

  enum class State : uint8_t { Open, IsNone, IsTable };
  DenseMap<const Constant *, State> Known;
  SmallVector<GlobalVariable *, 4> Tables;
  bool HasCircle = false;
};

} // namespace

bool TableFinder::namesShared(Constant &C) {
  auto *V = dyn_cast<GlobalVariable>(&C);
  if (V && V->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
    return true;
  if (V ? !V->isConstant() || !V->hasDefinitiveInitializer()
        : isa<GlobalValue>(C))
    return false;
  auto [Place, IsNew] = Known.try_emplace(&C, State::Open);
  if (!IsNew) {
    HasCircle |= Place->second == State::Open;
    return Place->second == State::IsTable;
  }
  bool Names = false;
  for (const Use &Operand : C.operands())
    if (auto *Part = dyn_cast<Constant>(Operand))
      Names |= namesShared(*Part);
  Known[&C] = Names ? State::IsTable : State::IsNone;
  if (V && Names)
    Tables.push_back(V);
  return Names;
}

/// Returns the uses of a table by function. Uses by an address in another space
/// than the generic one are left out, since a local copy is not in that space.
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

/// Returns the address of a local copy of \p Table, made at the entry of \p F.
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
  TableFinder Finder;
  for (GlobalVariable &V : M.globals())
    Finder.visit(V);
  // The copy of a table uses the tables it points to. These come later in the
  // list, and their copies are inserted before it.
  for (GlobalVariable *Table : Finder.tables()) {
    convertUsersOfConstantsToInstructions({Table});
    for (auto &[F, Uses] : findUses(*Table)) {
      Value *Copy = copyTable(*Table, *F);
      for (Use *U : Uses)
        U->set(Copy);
    }
  }
}

} // namespace cudaopt::simt
