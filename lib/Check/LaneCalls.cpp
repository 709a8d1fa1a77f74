// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Classifies calls by intrinsics, mangled names, and the names of the
/// toolkit's functions.
//===----------------------------------------------------------------------===//

#include "LaneCalls.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace cudaopt::check;

static LaneCall readRegister(LaneRegister Which, unsigned Dimension) {
  return {LaneOperation::Register, unsigned(Which) * 4 + Dimension};
}

static LaneCall findIntrinsic(const IntrinsicInst &Call) {
  switch (Call.getIntrinsicID()) {
#define REGISTER(NAME, WHICH)                                                  \
  case Intrinsic::nvvm_read_ptx_sreg_##NAME##_x:                               \
    return readRegister(LaneRegister::WHICH, 0);                               \
  case Intrinsic::nvvm_read_ptx_sreg_##NAME##_y:                               \
    return readRegister(LaneRegister::WHICH, 1);                               \
  case Intrinsic::nvvm_read_ptx_sreg_##NAME##_z:                               \
    return readRegister(LaneRegister::WHICH, 2);
    REGISTER(tid, Thread)
    REGISTER(ntid, BlockSize)
    REGISTER(ctaid, Block)
    REGISTER(nctaid, GridSize)
#undef REGISTER
  case Intrinsic::smin:
    return {LaneOperation::Extremum, CmpInst::ICMP_SLT};
  case Intrinsic::smax:
    return {LaneOperation::Extremum, CmpInst::ICMP_SGT};
  case Intrinsic::umin:
    return {LaneOperation::Extremum, CmpInst::ICMP_ULT};
  case Intrinsic::umax:
    return {LaneOperation::Extremum, CmpInst::ICMP_UGT};
  case Intrinsic::expect:
    return {LaneOperation::Copy};
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all: {
    const auto *Barrier = dyn_cast<ConstantInt>(Call.getArgOperand(0));
    return {Barrier && Barrier->isZero() ? LaneOperation::Barrier
                                         : LaneOperation::Forget};
  }
  case Intrinsic::trap:
  case Intrinsic::ubsantrap:
  case Intrinsic::nvvm_exit:
    return {LaneOperation::MayLeave};
  default:
    return {};
  }
}

/// Recognises the functions that clang's headers call for `threadIdx.x` and its
/// like, by their mangled names.
static std::optional<LaneCall> findFetch(StringRef Symbol) {
  const auto isOf = [&](StringRef Class) {
    return Symbol.consume_front(Class) &&
           Symbol.consume_front("17__fetch_builtin_");
  };
  std::optional<LaneRegister> Which;
  if (isOf("_ZN26__cuda_builtin_threadIdx_t"))
    Which = LaneRegister::Thread;
  else if (isOf("_ZN25__cuda_builtin_blockDim_t"))
    Which = LaneRegister::BlockSize;
  else if (isOf("_ZN25__cuda_builtin_blockIdx_t"))
    Which = LaneRegister::Block;
  else if (isOf("_ZN24__cuda_builtin_gridDim_t"))
    Which = LaneRegister::GridSize;
  if (!Which || (Symbol != "xEv" && Symbol != "yEv" && Symbol != "zEv"))
    return std::nullopt;
  return readRegister(*Which, Symbol[0] - 'x');
}

/// Recognises minima and maxima of two integers: `min`, `__nv_ullmax`.
static std::optional<LaneCall> findExtremum(const CallBase &Call,
                                            StringRef Symbol, StringRef Name) {
  if (Call.arg_size() != 2 || !Call.getType()->isIntegerTy() ||
      Call.getArgOperand(0)->getType() != Call.getType() ||
      Call.getArgOperand(1)->getType() != Call.getType())
    return std::nullopt;
  Name.consume_front("__nv_");
  const bool SaysUnsigned = Name.consume_front("u");
  Name.consume_front("ll");
  if (Name != "min" && Name != "max")
    return std::nullopt;
  // A mangled name ends with the types of the parameters; `j`, `m` and `y` are
  // unsigned ones.
  const bool IsUnsigned =
      SaysUnsigned ||
      (Symbol.starts_with("_Z") &&
       Symbol.take_back(2).find_first_of("jmy") != StringRef::npos);
  if (Name == "min")
    return LaneCall{LaneOperation::Extremum,
                    IsUnsigned ? CmpInst::ICMP_ULT : CmpInst::ICMP_SLT};
  return LaneCall{LaneOperation::Extremum,
                  IsUnsigned ? CmpInst::ICMP_UGT : CmpInst::ICMP_SGT};
}

bool cudaopt::check::isBlockSync(StringRef Symbol) {
  return Symbol.starts_with("_ZN18cooperative_groups") &&
         (Symbol.ends_with("12thread_block4syncEv") ||
          Symbol.contains("4syncINS0_12thread_blockEE") ||
          Symbol.contains("4syncINS_12thread_blockEE"));
}

/// Classifies calls of functions of the toolkit, whose bodies are not parsed.
static LaneCall findLibraryCall(const CallBase &Call, const Function &Callee,
                                const SymbolTable &Symbols) {
  const StringRef Symbol = Callee.getName();
  if (std::optional<LaneCall> Fetch = findFetch(Symbol))
    return *Fetch;
  if (isBlockSync(Symbol))
    return {LaneOperation::Barrier};
  const auto Known = Symbols.Library.find(Symbol);
  if (Known != Symbols.Library.end())
    if (auto Extremum = findExtremum(Call, Symbol, Known->second))
      return *Extremum;
  return {};
}

LaneCall cudaopt::check::findLaneCall(const CallBase &Call,
                                      const SymbolTable &Symbols) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return findIntrinsic(*Intrinsic);
  if (Call.isInlineAsm())
    return {mayLeave(Call) ? LaneOperation::MayLeave : LaneOperation::Forget};
  const Function *Callee = findCallee(Call);
  if (!Callee)
    return {LaneOperation::Opaque};
  if (SharedFlow::isFollowed(Callee))
    return {LaneOperation::Call};
  return findLibraryCall(Call, *Callee, Symbols);
}
