// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs hand-made steps of shared memory with some threads in a random order
/// twice at once: each variable in bytes of its own, and all where they are
/// stored.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_PASSES_PHASEEXECUTOR_H
#define CUDAOPT_TEST_UNIT_PASSES_PHASEEXECUTOR_H

#include "cudaopt/Verify/Verify.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <random>
#include <set>

namespace cudaopt {

class PhaseExecutor {
public:
  PhaseExecutor(const SharedProgram &P, llvm::ArrayRef<StoredAt> Places,
                unsigned Seed)
      : P(P), Places(Places), Random(Seed) {
    uint64_t Bytes = 0;
    for (const StoredAt &Place : Places) {
      Own.emplace_back(Place.Size);
      Bytes = std::max(Bytes, Place.Offset + Place.Size);
    }
    Common.resize(Bytes);
  }

  /// Returns true if some read of a run found something else than it would
  /// have if nothing were shared.
  bool runDiffers() {
    std::vector<unsigned> Threads(NumThreads);
    for (unsigned T = 0; T < NumThreads; ++T)
      Threads[T] = T;
    StepId At = SharedProgram::Entry;
    for (unsigned Interval = 0; Interval < 40 && !Threads.empty(); ++Interval) {
      runInterval(At, Threads);
      if (At == SharedProgram::Exit)
        break;
    }
    land([](const Operation &) { return true; });
    return Differs;
  }

private:
  static constexpr unsigned NumThreads = 4;
  using Token = unsigned; ///< What a byte holds; 0 is undefined.
  struct Operation {
    unsigned Thread;
    enum { Read, Write, Wait } What;
    bool IsPending;
    VariableId Variable;
    unsigned Element;
    Token Value;
  };
  using Way = std::vector<StepId>;

  unsigned draw(unsigned Bound) { return Random() % Bound; }

  /// A random way behind \p From, up to a barrier or the exit.
  Way walk(StepId From) {
    Way Steps;
    for (StepId At = From; Steps.size() < 30;) {
      if (P.Steps[At].Successors.empty())
        break;
      At = P.Steps[At].Successors[draw(P.Steps[At].Successors.size())];
      Steps.push_back(At);
      if (P.Steps[At].What == Step::Kind::Barrier)
        break;
    }
    return Steps;
  }

  /// Runs the block from \p At, where it is afterwards; those who return leave
  /// \p Threads.
  void runInterval(StepId &At, std::vector<unsigned> &Threads) {
    const Way Together = walk(At);
    std::vector<std::vector<Operation>> Lists(NumThreads);
    std::vector<unsigned> Left;
    for (const unsigned T : Threads) {
      const Way Alone = draw(8) ? Way() : walk(At);
      if (!Alone.empty() && Alone.back() == SharedProgram::Exit)
        for (const StepId S : Alone)
          addStep(S, {T}, false, Lists);
      else
        Left.push_back(T);
    }
    Threads = Left;
    if (!Threads.empty())
      for (const StepId S : Together)
        addStep(S, Threads, true, Lists);
    interleave(Lists);
    At = Together.empty() ? SharedProgram::Exit : Together.back();
  }

  /// What \p Threads do in step \p S, which all of the block takes or not.
  void addStep(StepId S, const std::vector<unsigned> &Threads, bool IsBlock,
               std::vector<std::vector<Operation>> &Lists) {
    const auto add = [&](unsigned Thread, auto What, const SharedUse &Use,
                         unsigned E) {
      const Token Value = What == Operation::Write ? ++LastToken : 0;
      Lists[Thread].push_back(
          {Thread, What, Use.IsPending, Use.Variable, E, Value});
    };
    for (const SharedUse &Use : P.Steps[S].Uses) {
      for (const unsigned E : Use.Exposed.set_bits())
        if (draw(3))
          add(Threads[draw(Threads.size())], Operation::Read, Use, E);
      if (Use.Reads)
        for (const unsigned T : Threads)
          for (const Operation &Before : std::vector<Operation>(Lists[T]))
            if (Before.What == Operation::Write && !Before.IsPending &&
                Before.Variable == Use.Variable && Use.May.test(Before.Element))
              add(T, Operation::Read, Use, Before.Element);
      if (Use.Writes)
        for (const unsigned E : Use.May.set_bits())
          if (draw(2) || (IsBlock && Use.Must.test(E)))
            add(Threads[draw(Threads.size())], Operation::Write, Use, E);
    }
    if (P.Steps[S].WaitsForPending)
      for (const unsigned T : Threads)
        Lists[T].push_back({T, Operation::Wait, false, 0, 0, 0});
  }

  /// Runs all operations; those of one thread in order.
  void interleave(const std::vector<std::vector<Operation>> &Lists) {
    std::vector<size_t> Done(NumThreads);
    for (;;) {
      std::vector<unsigned> Ready;
      for (unsigned T = 0; T < NumThreads; ++T)
        if (Done[T] < Lists[T].size())
          Ready.push_back(T);
      if (Ready.empty())
        return;
      // Warps run in bursts.
      const unsigned T = Ready[draw(Ready.size())];
      for (unsigned N = 1 + draw(8); N > 0 && Done[T] < Lists[T].size(); --N)
        start(Lists[T][Done[T]++]);
      if (!draw(4))
        land([&](const Operation &) { return !draw(4); });
    }
  }

  void start(const Operation &O) {
    if (O.What == Operation::Wait)
      land([&](const Operation &Other) { return Other.Thread == O.Thread; });
    else if (O.IsPending)
      InFlight.push_back(O);
    else
      access(O);
  }
  template <typename Test> void land(Test IsDone) {
    std::vector<Operation> Rest;
    for (const Operation &O : InFlight)
      if (IsDone(O))
        access(O);
      else
        Rest.push_back(O);
    InFlight = Rest;
  }

  void access(const Operation &O) {
    const unsigned Bytes = P.Variables[O.Variable].ElementSize;
    // What hardware may be writing is not defined.
    const bool IsRacy = llvm::any_of(InFlight, [&](const Operation &Other) {
      return Other.What == Operation::Write && Other.Variable == O.Variable &&
             Other.Element == O.Element;
    });
    for (unsigned B = O.Element * Bytes; B < (O.Element + 1) * Bytes; ++B) {
      Token &Mine = Own[O.Variable][B];
      Token &Ours = Common[Places[O.Variable].Offset + B];
      if (O.What == Operation::Write)
        Mine = Ours = O.Value;
      else if (Mine && !IsRacy)
        Differs |= Mine != Ours;
    }
  }

  const SharedProgram &P;
  const llvm::ArrayRef<StoredAt> Places;
  std::mt19937 Random;
  std::vector<std::vector<Token>> Own;
  std::vector<Token> Common;
  std::vector<Operation> InFlight;
  Token LastToken = 0;
  bool Differs = false;
};

/// Returns true if one of \p NumRuns runs differs.
inline bool findsDifference(const SharedProgram &P,
                            llvm::ArrayRef<StoredAt> Places, unsigned NumRuns) {
  for (unsigned Seed = 0; Seed < NumRuns; ++Seed)
    if (PhaseExecutor(P, Places, Seed).runDiffers())
      return true;
  return false;
}

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_PASSES_PHASEEXECUTOR_H
