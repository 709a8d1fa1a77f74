// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks a plan the slow, obvious way. Shares no code with the passes, nor
/// with the value graph from which they work. What threads do is checked
/// elsewhere, on the code that clang generates: see Check/RunCheck.h.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_VERIFY_H
#define CUDAOPT_TRANSFORMS_VERIFY_H

#include "cudaopt/Machine/Target.h"
#include "cudaopt/Model/SharedProgram.h"
#include "cudaopt/Transforms/Plan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Returns success if \p New stores every byte of an array of shape \p Shape in
/// a place of its own inside the new array, keeps together and aligned what
/// belongs together (elements, for Fields their fields, and what \p Accesses
/// access at once), and keeps the rows that they reach through pointers; else
/// the rule that is violated. \p Accesses are all accesses to the array, named
/// \p Name.
llvm::Error verifyLayout(const Layout &New, const ArrayShape &Shape,
                         llvm::ArrayRef<const Access *> Accesses,
                         llvm::StringRef Name);

/// Returns true if \p A is written as a subscript of the array itself, or of
/// the pointer that stands for it, so that its subscripts say which element it
/// is. Those of a parameter, a pointer to a row or a cast do not.
bool namesElement(const Access &A);

/// Returns success if the layouts of \p P leave each part of an `extern` array
/// in bytes of its own; else the rule that is violated.
llvm::Error verifyParts(const Kernel &K, const KernelInstance &Instance,
                        const Plan &P);

/// Returns success if verifyLayout and verifyParts pass all of \p P, and if
/// blocks get their memory (and if their storage changes, as many fit); else
/// the rule that is violated.
llvm::Error verifyPlan(const Kernel &K, const Plan &P, const Target &T,
                       clang::ASTContext &Context);

/// Where a variable is stored.
struct StoredAt {
  uint64_t Offset = 0, Size = 0; ///< Bytes.
  bool IsPermuted = false; ///< Elements lie elsewhere in it than declared.
};

/// Returns where \p P stores the variables of \p Program, by VariableId: where
/// a C++ compiler would put them; or why that cannot be.
llvm::Expected<std::vector<StoredAt>> findPlaces(const SharedProgram &Program,
                                                 const Plan &P);

/// The shared memory of one instance as a plan stores it.
struct StoredBlock {
  std::vector<uint64_t> Offsets; ///< By ArrayId.
  std::optional<uint64_t> Bytes; ///< If not all variables have their own.
};

/// Returns where \p P stores the arrays of \p Instance, or why that cannot be.
llvm::Expected<StoredBlock> findBlock(const Kernel &K,
                                      const KernelInstance &Instance,
                                      const Plan &P,
                                      clang::ASTContext &Context);

/// Steps that access \c A and steps that access \c B, with no barrier between:
/// all pairs that may touch the same bytes.
struct UnorderedSteps {
  VariableId A, B;
  llvm::SmallVector<std::pair<StepId, StepId>, 4> Pairs;
};
using UnorderedCheck = llvm::function_ref<llvm::Error(const UnorderedSteps &)>;

/// Returns success if every read of \p P, on every way through its steps, finds
/// what it found when each variable had bytes of its own; else the rule that is
/// violated, and where. \p Places is by VariableId. Variables that share bytes
/// without a barrier between are left to \p Check, and wrong without one.
llvm::Error verifyStorage(const SharedProgram &P,
                          llvm::ArrayRef<StoredAt> Places,
                          UnorderedCheck Check = nullptr);

/// Returns success if no thread gets from a read of \p V to a write to it, or
/// back, without a barrier between; else the rule that is violated.
llvm::Error verifyPhases(const SharedProgram &P, VariableId V);

/// Says whether two variables that \p Steps access with no barrier between are
/// in place: see Check/RunCheck.h.
using InPlaceCheck = llvm::function_ref<llvm::Error(
    const SharedProgram &Program, llvm::ArrayRef<StoredAt> Places,
    const UnorderedSteps &Steps)>;

/// Returns success if verifyStorage passes what \p Reuse makes of every
/// instance of \p K, with the layouts of \p P and the barriers that it adds,
/// and
/// \p CheckInPlace what it says to be in place, and no instance needs more
/// bytes than before; else the rule that is violated. What becomes private or
/// is cut is taken to be right.
llvm::Error verifyReuse(const Kernel &K, const Plan &P,
                        clang::ASTContext &Context, InPlaceCheck CheckInPlace);

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_VERIFY_H
