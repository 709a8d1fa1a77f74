// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reduces failing kernels greedily: takes the first smaller kernel that still
/// fails, and starts again. Ends when no single step fails.
//===----------------------------------------------------------------------===//

#include "Minimizer.h"

#include <algorithm>

namespace cudaopt::fuzz {

namespace {

/// Produces all kernels that are one step smaller, those with the largest steps
/// first.
class Reducer {
public:
  explicit Reducer(const Kernel &K) : K(K) {}
  std::vector<Kernel> run();

private:
  void dropIdioms();
  void dropPhases();
  void simplifyPhases();
  void dropStatements();
  void dropArrays();
  void simplifyStatements();
  void simplifyReads(size_t Phase, size_t Statement);
  void dropFeatures();
  void dropOwned(unsigned Own);
  void simplifyWriting();
  void add(Kernel Smaller) {
    if (isWellFormed(Smaller))
      Result.push_back(std::move(Smaller));
  }

  const Kernel &K;
  std::vector<Kernel> Result;
};

} // namespace

void Reducer::dropIdioms() {
  for (size_t I = 0; I < K.Idioms.size() && K.Idioms.size() > 1; ++I) {
    Kernel Smaller = K;
    Smaller.Idioms.erase(Smaller.Idioms.begin() + I);
    add(std::move(Smaller));
  }
}

/// Removing a phase in front of the kernel's loop, or in it, moves the loop's
/// ends.
void Reducer::dropPhases() {
  for (size_t I = 0; I < K.Phases.size() && K.Phases.size() > 1; ++I) {
    Kernel Smaller = K;
    Smaller.Phases.erase(Smaller.Phases.begin() + I);
    Smaller.LoopBegin -= I < K.LoopBegin;
    Smaller.LoopEnd -= I < K.LoopEnd;
    add(std::move(Smaller));
  }
}

/// Lets all threads stay, or moves the statements out of their branch or
/// function.
void Reducer::simplifyPhases() {
  for (size_t I = 0; I < K.Phases.size(); ++I) {
    Kernel Smaller = K;
    Phase &P = Smaller.Phases[I];
    if (P.Leaving.Shape != Guard::Form::None) {
      P.Leaving = {};
      add(Smaller);
    }
    if (P.Shape != Phase::Form::Plain) {
      P.Shape = Phase::Form::Plain;
      P.IsBarrierInside = false;
      add(std::move(Smaller));
    }
  }
}

void Reducer::dropStatements() {
  for (size_t I = 0; I < K.Phases.size(); ++I)
    for (size_t J = 0; J < K.Phases[I].Statements.size(); ++J) {
      Kernel Smaller = K;
      auto &Statements = Smaller.Phases[I].Statements;
      Statements.erase(Statements.begin() + J);
      add(std::move(Smaller));
    }
}

/// Returns true if \p S accesses the array, as its own one or by a read.
static bool usesArray(const Statement &S, unsigned Array) {
  bool IsOwn = S.What != Statement::Kind::Accumulate &&
               S.What != Statement::Kind::Count &&
               S.What != Statement::Kind::Special && S.Array == Array;
  return IsOwn ||
         std::any_of(S.Reads.begin(), S.Reads.end(),
                     [=](const Access &A) { return A.Array == Array; });
}

/// Removes an array with all statements that use it; the numbers of later
/// arrays move down.
void Reducer::dropArrays() {
  for (unsigned A = 0; A < K.Arrays.size() && K.Arrays.size() > 1; ++A) {
    Kernel Smaller = K;
    Smaller.Arrays.erase(Smaller.Arrays.begin() + A);
    for (Phase &P : Smaller.Phases) {
      std::erase_if(P.Statements,
                    [=](const Statement &S) { return usesArray(S, A); });
      for (Statement &S : P.Statements) {
        S.Array -= S.Array > A;
        for (Access &Read : S.Reads)
          Read.Array -= Read.Array > A;
      }
    }
    add(std::move(Smaller));
  }
}

/// Removes a read, removes what is computed from its value, or replaces a
/// subscript by 0 or by its bare variable.
void Reducer::simplifyReads(size_t Phase, size_t Which) {
  const Statement &Old = K.Phases[Phase].Statements[Which];
  if (Old.What == Statement::Kind::Special)
    return;
  bool CanDrop = Old.What != Statement::Kind::Count;
  for (size_t R = 0; R < Old.Reads.size(); ++R) {
    if (CanDrop) {
      Kernel Smaller = K;
      auto &Reads = Smaller.Phases[Phase].Statements[Which].Reads;
      Reads.erase(Reads.begin() + R);
      add(std::move(Smaller));
    }
    if (Old.Reads[R].Shape != Access::Form::Plain) {
      Kernel Smaller = K;
      Smaller.Phases[Phase].Statements[Which].Reads[R].Shape =
          Access::Form::Plain;
      add(std::move(Smaller));
    }
    for (size_t D = 0; D < Old.Reads[R].Subscripts.size(); ++D) {
      const Index &I = Old.Reads[R].Subscripts[D];
      Index Zero{Index::Form::Constant, I.Base, 1, 0, I.Extent};
      Index Bare{Index::Form::Affine, I.Base, 1, 0, I.Extent};
      bool IsConstant = I.Shape == Index::Form::Constant;
      bool IsBare = I.Shape == Index::Form::Affine && I.Factor == 1;
      Kernel Smaller = K;
      Index &New =
          Smaller.Phases[Phase].Statements[Which].Reads[R].Subscripts[D];
      New = Zero;
      if (!IsConstant || I.Offset)
        add(Smaller);
      New = Bare;
      if (!IsConstant && (!IsBare || I.Offset))
        add(std::move(Smaller));
    }
  }
}

/// Removes the guard or the loop of a statement, or what complicates its store.
void Reducer::simplifyStatements() {
  for (size_t I = 0; I < K.Phases.size(); ++I)
    for (size_t J = 0; J < K.Phases[I].Statements.size(); ++J) {
      simplifyReads(I, J);
      const Statement &Old = K.Phases[I].Statements[J];
      Kernel Smaller = K;
      Statement &New = Smaller.Phases[I].Statements[J];
      if (Old.Who.Shape != Guard::Form::None) {
        New.Who = {};
        add(Smaller);
        New = Old;
      }
      if (Old.Steps > 1) {
        New.Steps = 1;
        add(Smaller);
        New = Old;
      }
      if (Old.IsAddition || (Old.AddsOffset && !Old.Drivers.empty())) {
        New.IsAddition = New.AddsOffset = false;
        add(std::move(Smaller));
      }
    }
}

/// Removes storage that no statement uses any more.
void Reducer::dropOwned(unsigned Own) {
  Kernel Smaller = K;
  Smaller.Owned.erase(Smaller.Owned.begin() + Own);
  for (Phase &P : Smaller.Phases)
    for (Statement &S : P.Statements) {
      const bool IsOwner = usesOwned(S);
      if (IsOwner && S.Own == Own)
        return;
      S.Own -= IsOwner && S.Own > Own;
    }
  add(std::move(Smaller));
}

/// Removes what features added around the statements.
void Reducer::dropFeatures() {
  Kernel Smaller = K;
  if (K.OtherBlock) {
    Smaller.Block = K.launchedBlock();
    Smaller.OtherBlock = Smaller.SmallerBlock = std::nullopt;
    add(Smaller);
    Smaller = K;
  }
  for (unsigned D = 0; D < 3; ++D)
    if (!K.HostValue[D].empty()) {
      Smaller.HostValue[D] = Smaller.HostText[D] = "";
      add(Smaller);
      Smaller = K;
    }
  if (K.Visibility != Linkage::External) {
    Smaller.Visibility = Linkage::External;
    add(Smaller);
    Smaller = K;
  }
  for (unsigned I = 0; I < K.Owned.size(); ++I)
    dropOwned(I);
  for (Phase &P : Smaller.Phases) {
    if (P.Returning.Shape != Guard::Form::None) {
      const Guard Old = P.Returning;
      P.Returning = {};
      add(Smaller);
      P.Returning = Old;
    }
    if (P.How != Exit::Return) {
      const Exit Old = P.How;
      P.How = Exit::Return;
      add(Smaller);
      P.How = Old;
    }
  }
}

/// Removes loop, second block, and the ways of writing that do not change what
/// the kernel computes.
void Reducer::simplifyWriting() {
  Kernel Smaller = K;
  if (K.LoopEnd > K.LoopBegin) {
    Smaller.LoopBegin = Smaller.LoopEnd = 0;
    Smaller.Trips = 1;
    add(Smaller);
    Smaller = K;
  }
  if (K.Grid > 1) {
    Smaller.Grid = 1;
    add(Smaller);
    Smaller = K;
  }
  if (K.Width != WidthForm::Number) {
    Smaller.Width = WidthForm::Number;
    Smaller.HasTypeParameter = false;
    add(Smaller);
    Smaller = K;
  }
  for (bool Kernel::*Flag :
       {&Kernel::IsRestrict, &Kernel::IsUnsigned, &Kernel::UsesBlockDim,
        &Kernel::Unrolls, &Kernel::LaunchesVariable}) {
    if (!(K.*Flag))
      continue;
    Smaller.*Flag = false;
    add(Smaller);
    Smaller.*Flag = true;
  }
}

std::vector<Kernel> Reducer::run() {
  dropIdioms();
  dropPhases();
  simplifyPhases();
  dropArrays();
  dropStatements();
  dropFeatures();
  simplifyStatements();
  simplifyWriting();
  return std::move(Result);
}

/// Terminates, because every step removes something.
Kernel minimize(Kernel K, llvm::function_ref<bool(const Kernel &)> StillFails) {
  for (bool Shrinks = true; Shrinks;) {
    Shrinks = false;
    for (Kernel &Smaller : Reducer(K).run())
      if (StillFails(Smaller)) {
        K = std::move(Smaller);
        Shrinks = true;
        break;
      }
  }
  return K;
}

} // namespace cudaopt::fuzz
