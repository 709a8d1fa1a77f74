// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides instruction by instruction whether it may tell threads apart, or
/// order them. Whatever is not listed may do so.
//===----------------------------------------------------------------------===//

#include "ThreadSight.h"

#include "LaneCalls.h"
#include "SharedFlow.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace cudaopt::check;

/// Returns the dimension of threadIdx or blockDim that an intrinsic reads;
/// std::nullopt for other intrinsics.
static std::optional<unsigned> findDimension(Intrinsic::ID Id) {
  switch (Id) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return 0;
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return 1;
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return 2;
  default:
    return std::nullopt;
  }
}

static bool isBlindIntrinsic(const IntrinsicInst &Call,
                             const std::array<bool, 3> &Observed) {
  if (std::optional<unsigned> D = findDimension(Call.getIntrinsicID()))
    return Observed[*D];
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case Intrinsic::fmuladd:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    return true;
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
  case Intrinsic::memset:
    return !cast<MemIntrinsic>(Call).isVolatile();
  default:
    return false;
  }
}

/// Returns true for those functions of the toolkit, whose bodies are not
/// parsed, that do not tell duplicates apart: by their mangled names, what
/// clang's headers call for `threadIdx.x` and its like, and groups that are
/// whole blocks.
static bool isBlindDeclaration(StringRef Name,
                               const std::array<bool, 3> &Observed) {
  if (Name.starts_with("_ZN18cooperative_groups"))
    return Name.ends_with("17this_thread_blockEv") || isBlockSync(Name);
  if (Name.consume_front("_ZN25__cuda_builtin_blockIdx_t17__fetch_builtin_") ||
      Name.consume_front("_ZN24__cuda_builtin_gridDim_t17__fetch_builtin_"))
    return true;
  return (Name.consume_front(
              "_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_") ||
          Name.consume_front(
              "_ZN25__cuda_builtin_blockDim_t17__fetch_builtin_")) &&
         StringSwitch<bool>(Name)
             .Case("xEv", Observed[0])
             .Case("yEv", Observed[1])
             .Case("zEv", Observed[2])
             .Default(false);
}

static bool isBlindCall(const CallBase &Call,
                        const std::array<bool, 3> &Observed) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return isBlindIntrinsic(*Intrinsic, Observed);
  const Function *Callee = findCallee(Call);
  if (!Callee || Callee->isInterposable() || isa<InvokeInst>(Call))
    return false;
  return SharedFlow::isFollowed(Callee) ||
         isBlindDeclaration(Callee->getName(), Observed);
}

/// Comparisons of pointers are not blind: they may compare the addresses of
/// local variables, which differ between threads.
static bool isBlindCompare(const CmpInst &Compare) {
  return !Compare.getOperand(0)->getType()->isPtrOrPtrVectorTy() ||
         isa<ConstantPointerNull>(Compare.getOperand(0)) ||
         isa<ConstantPointerNull>(Compare.getOperand(1));
}

bool cudaopt::check::isBlind(const Instruction &I,
                             const std::array<bool, 3> &Observed) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple();
  if (const auto *Compare = dyn_cast<CmpInst>(&I))
    return isBlindCompare(*Compare);
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return isBlindCall(*Call, Observed);
  if (isa<CastInst>(I))
    return !I.getType()->isPtrOrPtrVectorTy() ==
           !I.getOperand(0)->getType()->isPtrOrPtrVectorTy();
  return isa<AllocaInst, BinaryOperator, BranchInst, ExtractElementInst,
             ExtractValueInst, FreezeInst, GetElementPtrInst, InsertElementInst,
             InsertValueInst, PHINode, ReturnInst, SelectInst,
             ShuffleVectorInst, SwitchInst, UnaryOperator, UnreachableInst>(I);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Returns true for words of a demangled signature that make up types of
/// numbers.
static bool isNumberWord(StringRef Word) {
  return StringSwitch<bool>(Word)
      .Cases({"unsigned", "signed", "char", "short", "int", "long"}, true)
      .Cases({"bool", "float", "double", "const", "void"}, true)
      .Cases({"__half", "__half2", "__half_raw", "__half2_raw"}, true)
      .Cases({"__nv_bfloat16", "__nv_bfloat162", "__nv_bfloat16_raw",
              "__nv_bfloat162_raw"},
             true)
      .Cases({"float2", "float3", "float4", "double2", "int2", "int3", "int4",
              "uint2", "uint3", "uint4", "dim3"},
             true)
      .Default(false);
}

/// Returns true for functions of the toolkit that compute numbers from numbers,
/// by their demangled signature: all parameters, and the class of a member
/// function, are types of numbers. Functions that wait for threads of a warp,
/// or ask them, have such signatures, too, but are named for it: `__shfl_sync`,
/// `__any_sync`.
static bool isArithmetic(StringRef Symbol) {
  const std::string Demangled = demangle(Symbol);
  const StringRef Text = Demangled;
  if (Text == Symbol) // A name of C does not tell the types of the parameters.
    return false;
  const size_t Open = Text.find('(', Text.starts_with("operator()") ? 10 : 0);
  const StringRef Name = Text.take_front(Open);
  const auto [Class, Member] = Name.rsplit("::");
  if (Open == StringRef::npos || Name.contains("sync") ||
      Name.contains("shfl") ||
      (Member.empty() ? Text.ends_with("()") : !isNumberWord(Class)))
    return false;
  for (StringRef Rest = Text.drop_front(Open); !Rest.empty();) {
    const StringRef Word =
        Rest.take_while([](char C) { return isAlnum(C) || C == '_'; });
    if (!Word.empty() ? !isNumberWord(Word)
                      : !StringRef("(), &").contains(Rest[0]))
      return false;
    Rest = Rest.drop_front(std::max<size_t>(Word.size(), 1));
  }
  return true;
}

/// Returns true for functions of the toolkit, whose bodies are not parsed, that
/// do not synchronise with other threads except as a barrier of the block.
static bool isOrderlyDeclaration(StringRef Symbol) {
  constexpr std::array<bool, 3> All = {true, true, true};
  return isBlindDeclaration(Symbol, All) || isArithmetic(Symbol);
}

static bool isOrderlyIntrinsic(const IntrinsicInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::assume:
    return true;
  default:
    if (const auto *Memory = dyn_cast<MemIntrinsic>(&Call))
      return !Memory->isVolatile();
    return Call.doesNotAccessMemory() && !Call.isConvergent();
  }
}

bool cudaopt::check::mayOrder(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return !Load->isSimple();
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return !Store->isSimple();
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return I.mayReadOrWriteMemory() && !isa<AllocaInst>(I);
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(Call))
    return !isOrderlyIntrinsic(*Intrinsic);
  const Function *Callee = findCallee(*Call);
  return !Callee || Callee->isInterposable() ||
         (!SharedFlow::isFollowed(Callee) &&
          !isOrderlyDeclaration(Callee->getName()));
}
