// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What all parts of a run share: the program, the launch, and what was
/// observed.
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

/// The value of undefined registers and bytes.
inline constexpr uint64_t UndefinedBytes = 0xa5a5a5a5a5a5a5a5;

/// The state of a run. Everything but Terms is set at its start.
struct RunState {
  const Program &P;
  const Launch &L;
  DeviceMemory &Memory;
  const ExecutorOptions &Options;
  TermTable *Terms;
  RunResult Result = {};
  std::array<uint32_t, 3> Block = {}; ///< The block that runs.
  /// The addresses of the variables whose addresses are terms, by their number
  /// in the table of terms.
  std::map<uint32_t, SharedAddr> AddressOfBase = {};

  /// Returns true if bytes that were never written are terms.
  bool tracksUndefined() const {
    return Terms && !Options.OnlyAddressesAreTerms;
  }
  uint32_t numThreads() const { return L.Block[0] * L.Block[1] * L.Block[2]; }
  SourceRef placeOf(const Operation &Op) const { return P.Sites[Op.Site]; }

  /// Returns a finding at \p Op, to be completed by the caller.
  Finding findingAt(FindingKind Kind, const Operation &Op) const {
    Finding F;
    F.Kind = Kind;
    F.Where = placeOf(Op);
    F.Block = Block;
    return F;
  }
  void add(Finding F) { Result.Seen.add(std::move(F)); }
  /// Adds a finding for all threads of \p Lanes.
  void report(FindingKind Kind, const Operation &Op, const Warp &W,
              uint32_t Lanes, std::string Object = {}) {
    Finding F = findingAt(Kind, Op);
    F.Thread = W.thread(static_cast<unsigned>(std::countr_zero(Lanes)));
    F.Count = static_cast<unsigned>(std::popcount(Lanes));
    F.Object = std::move(Object);
    add(std::move(F));
  }

  /// Returns true if nothing more may be executed.
  bool isStopped() const {
    return Result.Status != RunStatus::Finished ||
           (Options.Part && Options.Part->isBroken());
  }
  /// Ends the run because of a finding.
  void stop() { Result.Status = RunStatus::Stopped; }
  /// Ends the run with \p Status, since \p Why prevents \p Op. The first reason
  /// counts.
  void giveUp(RunStatus Status, std::string Why, const Operation &Op) {
    if (isStopped())
      return;
    Result.Status = Status;
    Result.Why = std::move(Why);
    Result.Where = placeOf(Op);
  }
  /// Ends the run as DataDependent: \p What depends on data.
  void dependsOnData(std::string What, const Operation &Op) {
    giveUp(RunStatus::DataDependent,
           std::move(What) + (Options.OnlyAddressesAreTerms
                                  ? " depends on where a shared variable lies"
                                  : " depends on data"),
           Op);
  }
  /// Returns the number of an address of shared memory; std::nullopt if \p Id
  /// is no address.
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

  /// Returns the value of a lane as a term of \p Bits bits.
  TermId termOf(const Warp &W, Register R, unsigned Lane, unsigned Bits) {
    if (W.symbolic(R) >> Lane & 1)
      return static_cast<TermId>(W[R][Lane]);
    return Terms->constant(W[R][Lane], Bits);
  }
  /// Sets a lane of a register to a term, or to the number that the term is.
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
