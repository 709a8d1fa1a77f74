// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The time model. Its constants are measured; docs/BankLayout.md describes the
/// measurement.
//===----------------------------------------------------------------------===//

#include "cudaopt/Passes/Residency.h"
#include "cudaopt/Model/KernelCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace cudaopt;

/// The cycles from a request of a warp to its next one. They contain the
/// latency of shared memory (23) and an instruction that waits for the result.
static constexpr double CyclesOfRequest = 40;
/// The cycles of each further wavefront of a request: a single warp gets one
/// every other cycle.
static constexpr double CyclesOfConflict = 2;
/// The cycles of an instruction that computes an address, for which the access
/// has to wait.
static constexpr double CyclesOfInstruction = 5;

/// The bytes of private arrays that are many of a thread's registers. A product
/// with 8 x 8 floats (256 bytes) takes 126 registers, and 129 with some
/// layouts: of 256 threads then one block is resident in place of two, and the
/// time is 1.45 times as long.
static constexpr uint64_t MuchPrivateBytes = 192;
/// Greater arrays lie in memory.
static constexpr uint64_t MaxRegisterBytes = RegistersPerThread * 4;

/// Returns the cycles that the blocks of \p R take if each costs \p Cost and
/// \p Instructions: the time of the pipe of shared memory, which serves one
/// wavefront a cycle, or of the critical path of a warp, whichever is longer.
static double cyclesFor(const Occupancy &R, const BlockCost &Cost,
                        double Instructions) {
  const double Pipe = R.Blocks * Cost.Wavefronts;
  const double Conflicts = std::max(0., Cost.Wavefronts - Cost.Requests);
  const double Path = CyclesOfRequest * Cost.Requests +
                      CyclesOfConflict * Conflicts +
                      CyclesOfInstruction * Instructions;
  return std::max(Pipe, Path / R.WarpsOfBlock);
}

void ResidentTime::add(const Occupancy &R, const BlockCost &Old,
                       const BlockCost &New, double Instructions) {
  Before += cyclesFor(R, Old, 0);
  After += cyclesFor(R, New, Instructions);
  Added += Instructions;
  Cost.Before += Old.Wavefronts;
  Cost.After += New.Wavefronts;
  FewestWarps = std::min(FewestWarps, R.warps());
}

std::string ResidentTime::text() const {
  return llvm::formatv("only {0} {1} on a multiprocessor ({2:F0} wavefronts of "
                       "a block before, {3:F0} after)",
                       FewestWarps,
                       FewestWarps == 1 ? "warp fits" : "warps fit",
                       Cost.Before, Cost.After)
      .str();
}

uint64_t BlockNeeds::bytesOf(const KernelInstance &I) const {
  const auto Known = StaticBytes.find(&I);
  return Known == StaticBytes.end() ? I.StaticSharedBytes : Known->second;
}

BlockNeeds cudaopt::findNeeds(const Kernel &K, const LayoutMap &Layouts) {
  BlockNeeds Needs;
  for (const std::unique_ptr<KernelInstance> &I : K.Instances) {
    uint64_t Bytes = I->StaticSharedBytes;
    for (const auto &[Array, Decision] : Layouts)
      if (const ArrayShape &Shape = I->Shapes[Array]; Decision.isRewritten() &&
                                                      !Shape.Extents.empty() &&
                                                      !K.Arrays[Array].IsExtern)
        Bytes += Decision.New.bytes(Shape) - Layout().bytes(Shape);
    Needs.StaticBytes[I.get()] = Bytes;
  }
  return Needs;
}

std::optional<Occupancy> cudaopt::findResidency(const Kernel &K,
                                                const KernelInstance &I,
                                                const Target &T,
                                                const BlockNeeds &Needs) {
  const BlockShape &Block = I.Block;
  if (!Block.isKnown() || Block.IsUnseen ||
      Block.Origin == ShapeOrigin::Assumed)
    return std::nullopt;
  const bool HasDynamic = llvm::any_of(
      K.Arrays, [](const SharedArray &Array) { return Array.IsExtern; });
  if (HasDynamic && !Block.DynamicBytes)
    return std::nullopt;
  const uint64_t Bytes = Needs.bytesOf(I) + Block.DynamicBytes.value_or(0);
  const unsigned Blocks =
      blocksPerSM(T, Block.numThreads(), Bytes, Needs.Registers);
  if (Blocks == 0)
    return std::nullopt;
  return Occupancy{(Block.numThreads() + WarpSize - 1) / WarpSize, Blocks};
}

/// Returns the bytes of the arrays of a thread of \p I that fit into registers.
static uint64_t countPrivateBytes(const KernelInstance &I) {
  const ir::Function *F = I.Code ? I.Code->live() : nullptr;
  uint64_t Bytes = 0;
  for (ir::ObjectId Id = 0; F && Id < F->numObjects(); ++Id) {
    const ir::Object &O = F->object(Id);
    // Those of the functions that it calls live during the calls only.
    if (O.What == ir::Object::Local && O.Size && *O.Size <= MaxRegisterBytes &&
        O.SourceType->isConstantArrayType() && O.Decl &&
        O.Decl->getParentFunctionOrMethod() == I.Decl)
      Bytes += *O.Size;
  }
  return Bytes;
}

std::optional<Refusal> cudaopt::findRegisterPressure(const Kernel &K,
                                                     ArrayId Array) {
  for (const std::unique_ptr<KernelInstance> &I : K.Instances) {
    const auto *Bounds =
        I->Decl ? I->Decl->getAttr<clang::CUDALaunchBoundsAttr>() : nullptr;
    if (Bounds && Bounds->getMinBlocks())
      continue;
    const uint64_t Bytes = countPrivateBytes(*I);
    if (Bytes >= MuchPrivateBytes)
      return Refusal{Reason::RegisterPressure, std::to_string(Bytes),
                     K.Arrays[Array].Decl->getLocation()};
  }
  return std::nullopt;
}

std::optional<Refusal>
cudaopt::findWaiting(const Kernel &K, ArrayId Array,
                     llvm::ArrayRef<LayoutEffect> Effects, const Target &T,
                     const BlockNeeds &Needs) {
  ResidentTime Time;
  for (const LayoutEffect &Each : Effects)
    if (auto Known = findResidency(K, *Each.Instance, T, Needs))
      Time.add(*Known, Each.Before, Each.After, Each.Instructions);
  if (!Time.isLonger())
    return std::nullopt;
  return Refusal{Reason::FewWarps, Time.text(),
                 K.Arrays[Array].Decl->getLocation()};
}
