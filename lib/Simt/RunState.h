// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What all parts of a run share: the program, the launch, and what was seen.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_RUNSTATE_H
#define CUDAOPT_LIB_SIMT_RUNSTATE_H

#include "GridMemory.h"
#include "Warp.h"

#include "cudaopt/Simt/Executor.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace cudaopt::simt {

/// What is undefined holds these.
inline constexpr uint64_t UndefinedBytes = 0xa5a5a5a5a5a5a5a5;

struct RunState {
  const Program &P;
  const Launch &L;
  DeviceMemory &Memory;
  const ExecutorOptions &Options;
  TermTable *Terms;
  RunResult Result = {};
  std::array<uint32_t, 3> Block = {}; ///< The block that runs.
  /// Of the variables whose addresses are terms.
  std::map<uint32_t, SharedAddr> AddressOfBase = {};

  /// True if what nobody wrote is a term.
  bool tracksUndefined() const {
    return Terms && !Options.OnlyAddressesAreTerms;
  }
  uint32_t numThreads() const { return L.Block[0] * L.Block[1] * L.Block[2]; }
  SourceRef placeOf(const Operation &Op) const { return P.Sites[Op.Site]; }

  /// A finding at \p Op, to be completed by the caller.
  Finding findingAt(FindingKind Kind, const Operation &Op) const {
    Finding F;
    F.Kind = Kind;
    F.Where = placeOf(Op);
    F.Block = Block;
    return F;
  }
  void add(Finding F) { Result.Seen.add(std::move(F)); }
  /// A finding of all threads of \p Lanes.
  void report(FindingKind Kind, const Operation &Op, const Warp &W,
              uint32_t Lanes, std::string Object = {}) {
    Finding F = findingAt(Kind, Op);
    F.Thread = W.thread(static_cast<unsigned>(std::countr_zero(Lanes)));
    F.Count = static_cast<unsigned>(std::popcount(Lanes));
    F.Object = std::move(Object);
    add(std::move(F));
  }

  bool isStopped() const {
    return Result.Status != RunStatus::Finished ||
           (Options.Part && Options.Part->isBroken());
  }
  /// The run ends because of a finding.
  void stop() { Result.Status = RunStatus::Stopped; }
  /// The run cannot go on: \p Why, at \p Op.
  void giveUp(RunStatus Status, std::string Why, const Operation &Op) {
    if (isStopped())
      return;
    Result.Status = Status;
    Result.Why = std::move(Why);
    Result.Where = placeOf(Op);
  }
  void dependsOnData(std::string What, const Operation &Op) {
    giveUp(RunStatus::DataDependent,
           std::move(What) + (Options.OnlyAddressesAreTerms
                                  ? " depends on where a shared variable lies"
                                  : " depends on data"),
           Op);
  }
  /// The number that an address of shared memory is, or nothing if \p Id is
  /// none.
  std::optional<uint64_t> numberOf(TermId Id) const {
    const std::optional<SharedAddress> Where = Terms->asAddress(Id);
    auto Base = Where ? AddressOfBase.find(Where->Base) : AddressOfBase.end();
    if (Base == AddressOfBase.end())
      return std::nullopt;
    uint64_t Number = Base->second + static_cast<uint64_t>(Where->Offset);
    if (Where->Bits == 32)
      return Number & 0xffffffff;
    return Where->IsGeneric ? SharedWindow + Number : Number;
  }

  /// The value of a lane as a term of \p Bits bits.
  TermId termOf(const Warp &W, Register R, unsigned Lane, unsigned Bits) {
    if (W.symbolic(R) >> Lane & 1)
      return static_cast<TermId>(W[R][Lane]);
    return Terms->constant(W[R][Lane], Bits);
  }
  /// Stores a term, or the number that it is known to be.
  void put(Warp &W, Register R, unsigned Lane, TermId Term) {
    const TermTable::Term &T = (*Terms)[Term];
    if (T.Operator.What == TermOperator::Kind::Constant)
      W.put(R, Lane, T.A | static_cast<uint64_t>(T.B) << 32);
    else
      W.putTerm(R, Lane, Term);
  }
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_RUNSTATE_H
