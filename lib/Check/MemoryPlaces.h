// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The accesses to shared and global memory in optimized code, as requests of
/// warps: loads, stores, atomic operations, copies of structs, and functions of
/// the toolkit that are one instruction.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_MEMORYPLACES_H
#define CUDAOPT_LIB_CHECK_MEMORYPLACES_H

#include "WarpRun.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class CallBase;
class DataLayout;
class MemIntrinsic;
} // namespace llvm

namespace cudaopt::check {

enum class Space { Shared, Global, Other };

/// The accesses to memory that a module makes, and the numbers of its
/// variables.
struct MemoryPlaces {
  llvm::DenseMap<const llvm::GlobalVariable *, unsigned> Numbers;
  std::vector<RunPlace> Places;
  std::vector<Space> Spaces; ///< By place.
  /// The requests that become one access of the IR: nvcc merges halves to 8
  /// bytes at most.
  std::vector<unsigned> Requests;
  PlacesOfCode PlacesOf;
  /// Functions with instructions that may access memory, or wait for other
  /// threads, in ways that are not counted.
  llvm::SmallPtrSet<const llvm::Function *, 4> Unseen;

  MemoryPlaces(const llvm::Module &M, const SymbolTable &Symbols);

private:
  void add(const llvm::Instruction &I, UseKind Kind, const llvm::Use &Address,
           llvm::Type *T, const llvm::DataLayout &Layout);
  void addPieces(const llvm::Instruction &I, UseKind Kind,
                 const llvm::Use &Address, uint64_t Bytes, uint64_t Width);
  void addTransfer(const llvm::MemIntrinsic &I);
  bool addCall(const llvm::CallBase &Call, llvm::StringRef Name,
               const llvm::DataLayout &Layout);
};

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_MEMORYPLACES_H
