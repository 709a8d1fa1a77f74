// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers the queries of `cooperative_groups::thread_block` by their names,
/// since the bodies in the toolkit's header are not always parsed. They are
/// arithmetic on threadIdx, blockIdx and blockDim:
///
///   block.group_index()   blockIdx
///   block.thread_rank()   threadIdx.x + blockDim.x *
///                         (threadIdx.y + blockDim.y * threadIdx.z)
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "cudaopt/IR/DeviceCalls.h"

#include "llvm/ADT/StringSwitch.h"

using namespace cudaopt::ir;
using namespace llvm;

namespace {
/// What a query asks for.
enum class Answer { None, Rank, Size, ThreadIdx, BlockIdx, BlockDim };
} // namespace

static Answer findAnswer(const clang::FunctionDecl *Callee) {
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(Callee);
  if (!Method || !Method->getIdentifier() || Method->getNumParams() ||
      !Method->getParent()->getIdentifier() ||
      Method->getParent()->getName() != "thread_block" ||
      !isInNamespace(Method, "cooperative_groups"))
    return Answer::None;
  return StringSwitch<Answer>(Method->getName())
      .Case("thread_rank", Answer::Rank)
      .Cases({"size", "num_threads"}, Answer::Size)
      .Case("thread_index", Answer::ThreadIdx)
      .Case("group_index", Answer::BlockIdx)
      .Cases({"group_dim", "dim_threads"}, Answer::BlockDim)
      .Default(Answer::None);
}

std::optional<ValueId>
Lowering::lowerGroupCall(const clang::CallExpr *E,
                         const clang::FunctionDecl *Callee) {
  const Answer Asked = findAnswer(Callee);
  if (Asked == Answer::None)
    return std::nullopt;
  const Type Unsigned = Type::integer(false, 32);
  const auto Register = [&](SpecialRegister First, unsigned Axis) {
    return Builder.convert(Builder.special(static_cast<SpecialRegister>(
                               static_cast<unsigned>(First) + Axis)),
                           Unsigned);
  };
  if (Asked == Answer::Rank || Asked == Answer::Size) {
    const bool IsRank = Asked == Answer::Rank;
    if (!E->getType()->isIntegerType())
      return std::nullopt;
    // Horner's scheme over z, y, x: (z * blockDim.y + y) * blockDim.x + x. The
    // size is blockDim.z * blockDim.y * blockDim.x.
    ValueId Result = Builder.literal(IsRank ? 0 : 1, Unsigned);
    for (unsigned Axis : {2, 1, 0}) {
      Result = Builder.binary(clang::BO_Mul, Unsigned, Result,
                              Register(SpecialRegister::BlockDimX, Axis));
      if (IsRank)
        Result = Builder.binary(clang::BO_Add, Unsigned, Result,
                                Register(SpecialRegister::ThreadIdxX, Axis));
    }
    return Builder.convert(Result, typeOf(E->getType()));
  }
  // The others return a `dim3`.
  if (sizeOf(E->getType()) != 12)
    return std::nullopt;
  const SpecialRegister First =
      Asked == Answer::ThreadIdx  ? SpecialRegister::ThreadIdxX
      : Asked == Answer::BlockIdx ? SpecialRegister::BlockIdxX
                                  : SpecialRegister::BlockDimX;
  const ValueId At = temporary(E, E->getType());
  for (unsigned Axis = 0; Axis < 3; ++Axis)
    store(
        E,
        Builder.offset(At, Builder.literal(4 * Axis, Type::integer(true, 64))),
        Register(First, Axis), Context.UnsignedIntTy);
  return At;
}
