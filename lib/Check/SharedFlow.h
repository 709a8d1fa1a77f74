// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which values of device code may be addresses in shared memory, or be
/// computed from some: an inclusion-based analysis of all functions at once,
/// which distinguishes the bytes of local variables.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_SHAREDFLOW_H
#define CUDAOPT_LIB_CHECK_SHAREDFLOW_H

#include "cudaopt/Check/DeviceCheck.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <map>
#include <set>
#include <vector>

namespace cudaopt::check {

/// A byte of an object; of shared memory and of the unknown, any byte.
struct Place {
  static constexpr int64_t AnyOffset = INT64_MIN;
  unsigned Object;
  int64_t Offset = AnyOffset;
  bool operator<(const Place &Other) const {
    return std::tie(Object, Offset) < std::tie(Other.Object, Other.Offset);
  }
};
using Places = std::set<Place>;

/// The function that \p Call runs, if it is known.
const llvm::Function *findCallee(const llvm::CallBase &Call);

using FunctionSet = llvm::SmallSetVector<const llvm::Function *, 16>;

/// Adds the functions that \p F calls, and that have a body, to \p To.
void addCallees(const llvm::Function &F, FunctionSet &To);

class SharedFlow {
public:
  SharedFlow(const llvm::Module &M, const SymbolTable &Symbols);

  /// Where \p V may point, or what it was computed from.
  Places placesOf(const llvm::Value *V) const;
  /// The shared variables among the places of \p V.
  std::set<const llvm::GlobalVariable *> sharedOf(const llvm::Value *V) const;
  /// Those that \p V leads to, through local variables, too.
  std::set<const llvm::GlobalVariable *>
  reachableFrom(const llvm::Value *V) const;
  /// True if \p V points to local variables and to nothing else.
  bool isLocal(const llvm::Value *V) const;

  /// True if the body of \p Callee is analysed.
  static bool isFollowed(const llvm::Function *Callee) {
    return Callee && !Callee->isDeclaration();
  }
  bool isLibrary(const llvm::Function &F) const {
    return Symbols.Library.contains(F.getName());
  }
  /// The name of \p F in the source, as far as that is known.
  llvm::StringRef nameOf(const llvm::Function &F) const;

private:
  static constexpr unsigned Unknown = 0; ///< The object that may be anything.
  /// Addresses that some bytes of an object hold.
  struct Slot {
    int64_t Offset, Size; ///< Of AnyOffset: all bytes.
    bool IsOpaque;        ///< A function of the library may have put it there.
    bool operator<(const Slot &Other) const {
      return std::tie(Offset, Size, IsOpaque) <
             std::tie(Other.Offset, Other.Size, Other.IsOpaque);
    }
  };
  struct Object {
    const llvm::Value *Of = nullptr; ///< Null of the unknown.
    bool IsShared = false;
    std::map<Slot, Places> Contents;
  };

  void addObjects(const llvm::Module &M);
  unsigned addObject(const llvm::Value *Of, bool IsShared);
  void visit(const llvm::Instruction &I);
  void visitCall(const llvm::CallBase &Call);
  void visitOpaque(const llvm::CallBase &Call, const llvm::Function *Callee);
  void copyBytes(const llvm::MemTransferInst &Copy);
  Places load(const llvm::Value *Pointer, const llvm::Type *Type) const;
  void store(const llvm::Value *Pointer, const Places &What, int64_t Size,
             bool IsOpaque);
  Places shift(const llvm::GEPOperator &GEP) const;
  Places ofOperands(const llvm::User &U) const;
  bool merge(Places &Into, const Places &From);
  void set(const llvm::Value *V, const Places &What);
  int64_t sizeOf(const llvm::Type *Type) const;

  const llvm::DataLayout &Layout;
  const SymbolTable &Symbols;
  std::vector<Object> Objects;
  llvm::DenseMap<const llvm::Value *, unsigned> ByValue;
  llvm::DenseMap<const llvm::Value *, Places> Values;
  llvm::DenseMap<const llvm::Function *, Places> Returned;
  bool HasChanged = false;
};

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_SHAREDFLOW_H
