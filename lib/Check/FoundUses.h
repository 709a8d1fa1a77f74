// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects what device code does to shared variables (accesses, and escapes of
/// their addresses) and where threads may leave it, each with the source
/// positions that debug information gives.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_FOUNDUSES_H
#define CUDAOPT_LIB_CHECK_FOUNDUSES_H

#include "SharedFlow.h"

#include "llvm/ADT/SmallPtrSet.h"
#include <string>
#include <vector>

namespace cudaopt::check {

/// An instruction that may access a shared variable. If it may access several,
/// there is one FoundAccess for each.
struct FoundAccess {
  const llvm::GlobalVariable *Variable;
  UseKind Kind;
  uint64_t Width; ///< Bytes per thread; 0 if that is not known.
  /// The instruction, in a function of the user. If a function of the library
  /// makes the access, this is the call of it.
  const llvm::Instruction *By;
  std::vector<SourcePoint> Points; ///< Where it may be said to stand.
  /// The operand of By that is the address; null if By is a call of a function
  /// of the library with a body, which may compute it from any argument.
  const llvm::Use *Address = nullptr;

  const llvm::Function *function() const { return By->getFunction(); }
};

/// An instruction by which the address of a shared variable goes where it is
/// not followed, or has an effect as a number.
struct FoundEscape {
  const llvm::GlobalVariable *Variable;
  const llvm::Function *In;
  std::string How; ///< The predicate: "is stored where others may read it".
  SourcePoint At;
};

/// A place where a thread may leave the function, before the end of its text.
struct FoundLeave {
  const llvm::Instruction *By;
  SourcePoint At;
  /// True for a `return`, which ends the thread only in the kernel itself;
  /// false for an instruction that ends the thread in any function.
  bool IsReturn;

  const llvm::Function *function() const { return By->getFunction(); }
};

/// All that was found in a module.
struct FoundUses {
  std::vector<FoundAccess> Accesses;
  std::vector<FoundEscape> Escapes;
  std::vector<FoundLeave> Leaves;
  /// The calls of each function that has a body.
  llvm::DenseMap<const llvm::Function *,
                 llvm::SmallVector<const llvm::CallBase *, 4>>
      Callers;
  /// Functions that call through a pointer.
  llvm::SmallPtrSet<const llvm::Function *, 4> CallPointers;
};

/// Returns true if \p Call is inline assembly that may end the thread or leave
/// the function.
bool mayLeave(const llvm::CallBase &Call);

/// The access of a load, a store, or an atomic operation.
struct PlainAccess {
  UseKind Kind; ///< Read, Write or Atomic.
  const llvm::Use *Address;
  llvm::Type *Accessed; ///< What each thread accesses there.
};

/// Returns the access that \p I makes itself; std::nullopt if it makes none, or
/// is a call.
std::optional<PlainAccess> findPlainAccess(const llvm::Instruction &I);

/// Returns the source position of \p I; not valid without debug information.
SourcePoint getPoint(const llvm::Instruction &I);

/// The instructions that compute the address that an operand is.
using OperandPoints =
    llvm::DenseMap<const llvm::Use *,
                   llvm::SmallVector<const llvm::Instruction *, 2>>;

/// Finds the instructions that compute each address in \p M. It must be called
/// before local variables are promoted to registers: then an operand's
/// instructions are those of its own expression, since the results of earlier
/// statements are loaded from variables.
OperandPoints findOperandPoints(const llvm::Module &M);

/// Collects the uses of shared variables in \p M, whose locals are promoted.
FoundUses findUses(const llvm::Module &M, const SharedFlow &Flow,
                   const OperandPoints &Points);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_FOUNDUSES_H
