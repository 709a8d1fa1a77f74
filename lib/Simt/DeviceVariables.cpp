// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Allocates the `__device__` and `__constant__` variables of a module and
/// gives them their initial values.
//===----------------------------------------------------------------------===//

#include "ConstantBits.h"
#include "Lowering.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace cudaopt::simt {

std::string sourceName(const GlobalValue &V) {
  std::string Name = V.getName().str();
  // Clang initialises a local array from a constant named
  // "__const.<function>.<name>".
  if (StringRef(Name).starts_with("__const."))
    return Name.substr(Name.rfind('.') + 1);
  if (StringRef(Name).starts_with(".str"))
    return "a string";
  bool IsLocal = StringRef(Name).starts_with("_ZZ");
  std::string Text = demangle(Name);
  size_t Last = Text.rfind("::");
  return IsLocal && Last != std::string::npos ? Text.substr(Last + 2) : Text;
}

/// Returns true for variables that only tools read, such as llvm.used.
static bool isForLinker(const GlobalVariable &V) {
  return V.getSection() == "llvm.metadata" || V.getName().starts_with("llvm.");
}

void DeviceVariables::allocate(const Module &M, DeviceMemory &Memory) {
  const DataLayout &DL = M.getDataLayout();
  for (const GlobalVariable &V : M.globals()) {
    if (V.getAddressSpace() == 3 || V.isDeclaration() || isForLinker(V))
      continue;
    // A constant in address space 1 is accessed by instructions on global
    // memory.
    bool IsConst = V.getAddressSpace() == 4 ||
                   (V.isConstant() && V.getAddressSpace() != 1);
    uint64_t Size = DL.getTypeAllocSize(V.getValueType());
    DeviceMemory::Allocation &A =
        Memory.allocate(IsConst ? StateSpace::Const : StateSpace::Global,
                        std::max<uint64_t>(Size, 1), sourceName(V));
    A.IsFixed = V.isConstant() && !V.isExternallyInitialized();
    Where[&V] = &A;
    ByName[V.getName()] = &A;
  }
  auto Lookup = [this](const GlobalValue &V, std::string &Why) {
    return addressOf(V, Why);
  };
  for (auto &[V, A] : Where) {
    std::string Why;
    const Constant *Value = cast<GlobalVariable>(V)->getInitializer();
    if (!writeTo(A->Data, Value, DL, Lookup, Why))
      Refused[V] = "in the value of '" + sourceName(*V) + "': " + Why;
  }
  refuseOwners();
}

/// Returns true if \p C is a variable for which \p Holds, or contains the
/// address of one.
template <class Function>
static bool names(const Constant &C, Function Holds,
                  SmallPtrSetImpl<const Constant *> &Seen) {
  if (const auto *V = dyn_cast<GlobalValue>(&C))
    return Holds(*V);
  return Seen.insert(&C).second && any_of(C.operands(), [&](const Use &Part) {
           const auto *Inner = dyn_cast<Constant>(Part);
           return Inner && names(*Inner, Holds, Seen);
         });
}

/// A kernel could reach a refused variable through another one that holds its
/// address, so that the latter is refused as well; to a fixed point.
void DeviceVariables::refuseOwners() {
  for (bool Changed = !Refused.empty(); Changed;) {
    Changed = false;
    for (const auto &[V, A] : Where) {
      std::string Why;
      auto IsRefused = [&](const GlobalValue &Other) {
        auto Found = Refused.find(&Other);
        if (Found != Refused.end())
          Why = Found->second;
        return !Why.empty();
      };
      SmallPtrSet<const Constant *, 16> Seen;
      if (Refused.contains(V) ||
          !names(*cast<GlobalVariable>(V)->getInitializer(), IsRefused, Seen))
        continue;
      Refused[V] = Why;
      Changed = true;
    }
  }
}

std::optional<uint64_t> DeviceVariables::addressOf(const GlobalValue &V,
                                                   std::string &Why) const {
  if (isa<Function>(V)) {
    Why = "the address of function '" + sourceName(V) + "' is not modelled";
    return std::nullopt;
  }
  if (const auto *Alias = dyn_cast<GlobalAlias>(&V))
    if (const auto *Object = Alias->getAliaseeObject();
        Object == Alias->getAliasee() && isa<GlobalVariable>(Object))
      return addressOf(*Object, Why);
  auto Known = Where.find(&V);
  if (Known != Where.end())
    return Known->second->Address;
  Why = "variable '" + sourceName(V) + "' is defined elsewhere";
  return std::nullopt;
}

} // namespace cudaopt::simt
