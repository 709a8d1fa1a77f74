// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks a plan a second time, the slow and obvious way: every byte of every
/// array, every path through the steps. The checks share no code with the
/// passes, nor with the value graph from which these work, so that one mistake
/// does not hide another. They rely on what is claimed about the threads'
/// accesses; that is checked elsewhere, on the code that clang generates
/// (Check/RunCheck.h).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_VERIFY_VERIFY_H
#define CUDAOPT_VERIFY_VERIFY_H

#include "cudaopt/Machine/Target.h"
#include "cudaopt/Model/SharedProgram.h"
#include "cudaopt/Plan/Plan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Checks a layout. Returns success if \p New stores every byte of an array of
/// shape \p Shape at an address of its own inside the new array, keeps together
/// and aligned what belongs together (elements, for Fields their fields, and
/// what \p Accesses access at once), and keeps the rows that they reach through
/// pointers; else the violated rule. \p Accesses are all accesses to the array,
/// whose name is \p Name.
llvm::Error verifyLayout(const Layout &New, const ArrayShape &Shape,
                         llvm::ArrayRef<const Access *> Accesses,
                         llvm::StringRef Name);

/// Returns true if \p A is written as a subscript of the array itself, or of
/// the pointer that stands for it, so that its subscripts say which element it
/// is. Those of a parameter, a pointer to a row or a cast do not.
bool namesElement(const Access &A);

/// Checks sub-arrays. Returns success if with the layouts of \p P each
/// sub-array of an `extern` array still has bytes of its own; else the violated
/// rule.
llvm::Error verifyParts(const Kernel &K, const KernelInstance &Instance,
                        const Plan &P);

/// Checks all layouts of \p P. Returns success if verifyLayout and verifyParts
/// do for each instance, if a block does not need more memory than it may have,
/// and, where the storage changes, if as many blocks fit on a multiprocessor as
/// before; else the violated rule.
llvm::Error verifyPlan(const Kernel &K, const Plan &P, const Target &T,
                       clang::ASTContext &Context);

/// The bytes where a variable is stored.
struct StoredAt {
  uint64_t Offset = 0, Size = 0; ///< In bytes.
  /// True if a layout moves the variable's elements within these bytes.
  bool IsPermuted = false;
};

/// Returns where \p P stores the variables of \p Program, by VariableId: the
/// offsets that a C++ compiler gives to the rewritten declarations. Fails if
/// they take more bytes than the same variables stored one by one.
llvm::Expected<std::vector<StoredAt>> findPlaces(const SharedProgram &Program,
                                                 const Plan &P);

/// The shared memory of one instance as a plan stores it.
struct StoredBlock {
  std::vector<uint64_t> Offsets; ///< By ArrayId, in bytes.
  /// The bytes of the whole block; std::nullopt if the plan leaves all
  /// variables where they are, or if the shape of the block is only assumed.
  std::optional<uint64_t> Bytes;
};

/// Returns where \p P stores the arrays of \p Instance; fails as findPlaces.
llvm::Expected<StoredBlock> findBlock(const Kernel &K,
                                      const KernelInstance &Instance,
                                      const Plan &P,
                                      clang::ASTContext &Context);

/// All pairs of a step that accesses \c A and a step that accesses \c B that no
/// barrier orders and that may touch the same bytes.
struct UnorderedSteps {
  VariableId A, B;
  llvm::SmallVector<std::pair<StepId, StepId>, 4> Pairs;
};
using UnorderedCheck = llvm::function_ref<llvm::Error(const UnorderedSteps &)>;

/// Checks storage. Returns success if every read of \p P, on every path through
/// its steps, finds what it would find if each variable had bytes of its own;
/// else the violated rule, and where. \p Places is by VariableId. Variables
/// that share bytes while no barrier orders their accesses are left to
/// \p Check; without one they are an error.
llvm::Error verifyStorage(const SharedProgram &P,
                          llvm::ArrayRef<StoredAt> Places,
                          UnorderedCheck Check = nullptr);

/// Returns success if no thread gets from a read of \p V to a write to it, or
/// back, without a barrier between; else the violated rule.
llvm::Error verifyPhases(const SharedProgram &P, VariableId V);

/// A check that \p Steps, which access two variables with no barrier between,
/// overwrite in place: each thread only what it has read itself. Implemented by
/// Check/RunCheck.h.
using InPlaceCheck = llvm::function_ref<llvm::Error(
    const SharedProgram &Program, llvm::ArrayRef<StoredAt> Places,
    const UnorderedSteps &Steps)>;

/// Checks the storage of \p P. Returns success if for every instance of \p K,
/// with P's layouts and added barriers, verifyStorage passes, \p CheckInPlace
/// passes the pairs that P says are in place, and not more bytes are needed
/// than before; else the violated rule. Which arrays are private or trimmed is
/// not questioned here.
llvm::Error verifyReuse(const Kernel &K, const Plan &P,
                        clang::ASTContext &Context, InPlaceCheck CheckInPlace);

} // namespace cudaopt

#endif // CUDAOPT_VERIFY_VERIFY_H
