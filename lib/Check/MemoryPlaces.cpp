// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds accesses by instruction and by the names of the toolkit's functions.
//===----------------------------------------------------------------------===//

#include "MemoryPlaces.h"

#include "LaneCalls.h"
#include "ToolkitBodies.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace cudaopt;
using namespace cudaopt::check;

/// The address spaces of NVPTX.
static constexpr unsigned GenericSpace = 0, GlobalSpace = 1, SharedSpace = 3;
/// The most bytes that a thread copies at once, and still is counted.
static constexpr uint64_t MaxCopiedBytes = 256;

static Space spaceOf(const Value *Address) {
  const Value *Object = getUnderlyingObject(Address);
  const unsigned Number = Object->getType()->getPointerAddressSpace();
  if (isa<AllocaInst>(Object))
    return Space::Other;
  if (Number == SharedSpace)
    return Space::Shared;
  const auto *A = dyn_cast<Argument>(Object);
  if (A && A->hasByValAttr())
    return Space::Other;
  return Number == GenericSpace || Number == GlobalSpace ? Space::Global
                                                         : Space::Other;
}

void MemoryPlaces::add(const Instruction &I, UseKind Kind, const Use &Address,
                       Type *T, const DataLayout &Layout) {
  const uint64_t Bytes = Layout.getTypeStoreSize(T);
  const bool IsOfHalves = T->isVectorTy() && T->getScalarSizeInBits() == 16;
  addPieces(I, Kind, Address, Bytes,
            std::min<uint64_t>(Bytes, IsOfHalves ? 8 : 16));
}

/// Adds an access to \p Bytes bytes in requests of \p Width.
void MemoryPlaces::addPieces(const Instruction &I, UseKind Kind,
                             const Use &Address, uint64_t Bytes,
                             uint64_t Width) {
  const Space Where = spaceOf(Address);
  if (Where == Space::Other)
    return;
  PlacesOf[&I].push_back({unsigned(Places.size()), &Address});
  Places.push_back({Kind, Width, {}, {}, &I});
  Spaces.push_back(Where);
  Requests.push_back(divideCeil(Bytes, Width));
}

/// Adds a copy of a struct, which is made in pieces as wide as both sides are
/// aligned.
void MemoryPlaces::addTransfer(const MemIntrinsic &I) {
  const auto *Length = dyn_cast<ConstantInt>(I.getLength());
  const uint64_t Bytes = Length ? Length->getZExtValue() : 0;
  if (Bytes == 0 || Bytes > MaxCopiedBytes) {
    Unseen.insert(I.getFunction());
    return;
  }
  const auto *Copy = dyn_cast<MemTransferInst>(&I);
  uint64_t Width = std::min<uint64_t>(16, Bytes & -Bytes);
  Width = std::min(Width, I.getDestAlign().valueOrOne().value());
  if (Copy)
    Width = std::min(Width, Copy->getSourceAlign().valueOrOne().value());
  addPieces(I, UseKind::Write, I.getRawDestUse(), Bytes, Width);
  if (Copy)
    addPieces(I, UseKind::Read, Copy->getRawSourceUse(), Bytes, Width);
}

/// Adds the access of a function of the toolkit that is one instruction:
/// `atomicAdd(p, x)`, `__ldg(p)`, `__stcs(p, x)`.
bool MemoryPlaces::addCall(const CallBase &Call, StringRef Name,
                           const DataLayout &Layout) {
  if (Call.arg_empty() || !Call.getArgOperand(0)->getType()->isPointerTy() ||
      Call.paramHasAttr(0, Attribute::StructRet))
    return false;
  const Use &Address = Call.getArgOperandUse(0);
  Type *Second =
      Call.arg_size() > 1 ? Call.getArgOperand(1)->getType() : nullptr;
  if (Name.starts_with("atomic") && Second)
    add(Call, UseKind::Atomic, Address, Second, Layout);
  else if (Name.starts_with("__ld") && !Call.getType()->isVoidTy())
    add(Call, UseKind::Read, Address, Call.getType(), Layout);
  else if (Name.starts_with("__st") && Second && !Second->isPointerTy())
    add(Call, UseKind::Write, Address, Second, Layout);
  else
    return false;
  return true;
}

/// Returns true for an intrinsic by which the lanes of a warp learn values.
static bool isExchange(StringRef Name) {
  return any_of(ArrayRef<StringRef>{".shfl.", ".vote.", ".match.", ".redux.",
                                    "activemask"},
                [&](StringRef Part) { return Name.contains(Part); });
}

/// Returns true if \p Call may do more than compute, and is none of the calls
/// that runs know.
static bool hasUnseenEffects(const CallBase &Call, StringRef Name,
                             const SymbolTable &Symbols) {
  if (Call.doesNotAccessMemory() || Name.starts_with("__shfl"))
    return false;
  if (Call.isInlineAsm())
    return !cast<InlineAsm>(Call.getCalledOperand())->getAsmString().empty();
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    if (Intrinsic->isAssumeLikeIntrinsic() || !Call.mayHaveSideEffects() ||
        isExchange(Call.getCalledFunction()->getName()))
      return false;
  const LaneOperation::Kind What = findLaneCall(Call, Symbols).What;
  return What == LaneOperation::Forget || What == LaneOperation::Opaque ||
         What == LaneOperation::MayLeave;
}

MemoryPlaces::MemoryPlaces(const Module &M, const SymbolTable &Symbols) {
  for (const GlobalVariable &V : M.globals())
    Numbers[&V] = Numbers.size();
  const DataLayout &Layout = M.getDataLayout();
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      if (const std::optional<PlainAccess> Access = findPlainAccess(I))
        add(I, Access->Kind, *Access->Address, Access->Accessed, Layout);
      else if (const auto *Transfer = dyn_cast<MemIntrinsic>(&I))
        addTransfer(*Transfer);
      else if (const auto *Call = dyn_cast<CallBase>(&I)) {
        const Function *Callee = Call->getCalledFunction();
        const StringRef Name =
            Callee ? nameOfToolkit(*Callee, Symbols) : StringRef();
        if (!addCall(*Call, Name, Layout) &&
            hasUnseenEffects(*Call, Name, Symbols))
          Unseen.insert(&F);
      }
    }
}
