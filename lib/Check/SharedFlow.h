// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Points-to analysis for shared memory: which values of device code may be
/// addresses of shared variables, or be computed from some. It is an
/// inclusion-based analysis (as Andersen 1994) of all functions of a module at
/// once, insensitive to control flow and to calling context, which
/// distinguishes the bytes of local variables, so that a struct of pointers is
/// not mixed up.
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

/// A place that a value may point to: a byte of an object. In shared memory and
/// in unknown memory, bytes are not distinguished (AnyOffset).
struct Place {
  static constexpr int64_t AnyOffset = INT64_MIN;
  unsigned Object;
  int64_t Offset = AnyOffset;
  bool operator<(const Place &Other) const {
    return std::tie(Object, Offset) < std::tie(Other.Object, Other.Offset);
  }
};
using Places = std::set<Place>;

/// Returns the function that \p Call calls; null if that is not known, or if
/// the types of the call and of the function differ.
const llvm::Function *findCallee(const llvm::CallBase &Call);

using FunctionSet = llvm::SmallSetVector<const llvm::Function *, 16>;

/// Adds the functions that \p F calls, and that have a body, to \p To.
void addCallees(const llvm::Function &F, FunctionSet &To);

/// The result of the analysis of one module.
class SharedFlow {
public:
  SharedFlow(const llvm::Module &M, const SymbolTable &Symbols);

  /// Returns the places where \p V may point, or from whose addresses it may be
  /// computed. Empty if it has nothing to do with addresses of interest.
  Places placesOf(const llvm::Value *V) const;
  /// Returns the shared variables among the places of \p V.
  std::set<const llvm::GlobalVariable *> sharedOf(const llvm::Value *V) const;
  /// Returns the shared variables that can be reached from \p V, also through
  /// addresses that local variables hold.
  std::set<const llvm::GlobalVariable *>
  reachableFrom(const llvm::Value *V) const;
  /// Returns true if \p V points to local variables (or constants) only.
  bool isLocal(const llvm::Value *V) const;

  /// Returns true if \p Callee is known and its body is analysed.
  static bool isFollowed(const llvm::Function *Callee) {
    return Callee && !Callee->isDeclaration();
  }
  bool isLibrary(const llvm::Function &F) const {
    return Symbols.Library.contains(F.getName());
  }
  /// Returns the name of \p F in the source if it is a function of the library,
  /// else its mangled name.
  llvm::StringRef nameOf(const llvm::Function &F) const;

private:
  static constexpr unsigned Unknown = 0; ///< The object that may be anything.
  /// A range of bytes of an object that holds addresses.
  struct Slot {
    int64_t Offset, Size; ///< All bytes if Offset is AnyOffset.
    /// True if code that is not seen may have stored the addresses there; then
    /// only loads that have room for an address find them.
    bool IsOpaque;
    bool operator<(const Slot &Other) const {
      return std::tie(Offset, Size, IsOpaque) <
             std::tie(Other.Offset, Other.Size, Other.IsOpaque);
    }
  };
  /// A shared variable, a local variable, or a constant that holds addresses.
  struct Object {
    const llvm::Value *Of = nullptr; ///< The variable; null for Unknown.
    bool IsShared = false;
    std::map<Slot, Places> Contents; ///< The addresses that it may hold.
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
  /// The objects of variables, and the places of other values and of what
  /// functions return.
  llvm::DenseMap<const llvm::Value *, unsigned> ByValue;
  llvm::DenseMap<const llvm::Value *, Places> Values;
  llvm::DenseMap<const llvm::Function *, Places> Returned;
  bool HasChanged = false; ///< Some set has grown in this round.
};

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_SHAREDFLOW_H
