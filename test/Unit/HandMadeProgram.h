// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Steps of shared memory that a test writes down as calls instead of as CUDA.
/// Barriers, loops and ifs nest as they would in a kernel's source.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_HANDMADEPROGRAM_H
#define CUDAOPT_TEST_UNIT_HANDMADEPROGRAM_H

#include "cudaopt/Model/SharedProgram.h"

#include <algorithm>
#include <limits>

namespace cudaopt {

class HandMadeProgram {
public:
  /// Variables of \p Sizes bytes, named A, B, ...
  explicit HandMadeProgram(llvm::ArrayRef<uint64_t> Sizes,
                           unsigned ElementSize = 4) {
    P.Steps.resize(2);
    P.Steps[SharedProgram::Entry].What = Step::Kind::Entry;
    P.Steps[SharedProgram::Exit].What = Step::Kind::Exit;
    for (const uint64_t Size : Sizes)
      variable(Size, ElementSize);
  }
  VariableId variable(uint64_t Size, unsigned ElementSize) {
    SharedVariable &New = P.Variables.emplace_back();
    New.Name = std::string(1, char('A' + P.Variables.size() - 1));
    New.Size = Size;
    New.Alignment = New.ElementSize = ElementSize;
    return P.Variables.size() - 1;
  }

  static constexpr unsigned All = std::numeric_limits<unsigned>::max();
  /// Elements [Low, High) of \p V; the whole variable if there are no more.
  ElementSet elements(VariableId V, unsigned Low = 0,
                      unsigned High = All) const {
    ElementSet Set(P.Variables[V].numElements());
    Set.set(Low, std::min<unsigned>(High, Set.size()));
    return Set;
  }
  /// Threads read what others, or they before the last barrier, have written.
  SharedUse read(VariableId V, unsigned Low = 0, unsigned High = All) const {
    SharedUse Use = readOwn(V, Low, High);
    Use.Exposed = Use.May;
    return Use;
  }
  /// Threads read what they have written themselves since the last barrier.
  SharedUse readOwn(VariableId V, unsigned Low = 0, unsigned High = All) const {
    SharedUse Use = mention(V, Low, High);
    Use.Reads = true;
    return Use;
  }
  SharedUse write(VariableId V, unsigned Low = 0, unsigned High = All) const {
    SharedUse Use = mayWrite(V, Low, High);
    Use.Must = Use.May;
    return Use;
  }
  /// A write that perhaps no thread does.
  SharedUse mayWrite(VariableId V, unsigned Low = 0,
                     unsigned High = All) const {
    SharedUse Use = mention(V, Low, High);
    Use.Writes = true;
    return Use;
  }
  static SharedUse pending(SharedUse Use) {
    Use.IsPending = true;
    return Use;
  }

  HandMadeProgram &work(std::vector<SharedUse> Uses) {
    add(Step::Kind::Work).Uses = std::move(Uses);
    return *this;
  }
  HandMadeProgram &barrier(std::vector<SharedUse> Operands = {}) {
    add(Step::Kind::Barrier).Uses = std::move(Operands);
    return *this;
  }
  HandMadeProgram &wait() {
    add(Step::Kind::Work).WaitsForPending = true;
    return *this;
  }
  HandMadeProgram &beginLoop() { return open(); }
  HandMadeProgram &endLoop() {
    connect(Conditions.back());
    Ends = {Conditions.back()};
    Conditions.pop_back();
    Arms.pop_back();
    return *this;
  }
  HandMadeProgram &beginIf() { return open(); }
  HandMadeProgram &otherwise() {
    std::swap(Arms.back(), Ends);
    return *this;
  }
  HandMadeProgram &endIf() {
    Ends.insert(Ends.end(), Arms.back().begin(), Arms.back().end());
    Conditions.pop_back();
    Arms.pop_back();
    return *this;
  }
  /// Some threads return behind what the step does.
  HandMadeProgram &mayReturn(std::vector<SharedUse> Uses = {}) {
    add(Step::Kind::Work).Uses = std::move(Uses);
    P.Steps.back().Successors.push_back(SharedProgram::Exit);
    P.Steps.back().MayLeave = true;
    return *this;
  }
  /// All threads do.
  HandMadeProgram &doReturn() {
    connect(SharedProgram::Exit);
    Ends.clear();
    return *this;
  }
  SharedProgram finish() {
    doReturn();
    return std::move(P);
  }

private:
  SharedUse mention(VariableId V, unsigned Low, unsigned High) const {
    SharedUse Use;
    Use.Variable = V;
    Use.May = elements(V, Low, High);
    Use.Must = Use.Exposed = elements(V, 0, 0);
    return Use;
  }
  void connect(StepId To) {
    for (const StepId From : Ends)
      P.Steps[From].Successors.push_back(To);
  }
  Step &add(Step::Kind What) {
    const StepId New = P.Steps.size();
    P.Steps.emplace_back().What = What;
    connect(New);
    Ends = {New};
    return P.Steps.back();
  }
  HandMadeProgram &open() {
    add(Step::Kind::Work);
    Conditions.push_back(P.Steps.size() - 1);
    Arms.push_back(Ends);
    return *this;
  }

  SharedProgram P;
  std::vector<StepId> Ends{SharedProgram::Entry}; ///< What comes next follows.
  std::vector<StepId> Conditions;
  /// Of each open loop or if: the ends of the arm that is not being written.
  std::vector<std::vector<StepId>> Arms;
};

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_HANDMADEPROGRAM_H
