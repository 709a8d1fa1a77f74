// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A points-to and escape analysis of one function: which objects a pointer may
/// lead to, through memory as well, and which objects' addresses get to where
/// they are not followed. It is inclusion-based and ignores the order of
/// execution (Andersen 1994, section 4): what a local variable may hold
/// anywhere in the function, it is taken to hold everywhere.
///
/// \verbatim
///   1 __device__ float *global;
///   2 __global__ void f(int i) {
///   3   __shared__ float a[32], b[32], c[32];
///   4   float *both[2] = {a, b};
///   5   both[i][0] = 1;              may write a and b
///   6   global = c;                  c escapes
///   7   global[0] = 2;               may write c, and memory that is unknown
///   8 }
/// \endverbatim
///
/// Addresses are followed through the objects of a thread (variables,
/// parameters, temporaries) as long as these do not escape themselves.
///
/// An opaque operation lets escape what it gets, unless the client knows better
/// (Retention).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_POINTSTO_H
#define CUDAOPT_IR_POINTSTO_H

#include "cudaopt/IR/Function.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SparseBitVector.h"

namespace cudaopt::ir {

using ObjectSet = llvm::SparseBitVector<>;

/// Where an opaque operation may keep the addresses that it gets.
enum class Retention : uint8_t {
  Anywhere, ///< They escape.
  /// In objects that it gets, too, and whose type can hold an address.
  InOperands,
  /// As InOperands, but it takes no address itself: its operands are evaluated
  /// already, in an order that C++ leaves open.
  Reordered,
  /// It copies the bytes of objects that it gets to others of them.
  AsBytes,
  Nowhere, ///< It uses them, and may yield one of them.
};

/// A way by which the addresses of objects get out of sight.
struct Escape {
  enum Kind : uint8_t {
    Stored,    ///< To memory that other code may read.
    Passed,    ///< To an opaque operation, or out of the function.
    ToInteger, ///< Made a number, of which nothing is known any more.
    /// In an object of a thread whose bytes are also read as something else.
    Bytes,
  };
  Kind How = Passed;
  ObjectSet Objects;
  /// The operation that lets them escape; null if no operation does.
  const Operation *By = nullptr;
  /// The value that is the number, for ToInteger.
  ValueId Number = 0;
};

class PointsTo {
public:
  /// \p F must outlive the object. \p RetentionOf is asked about each opaque
  /// operation.
  PointsTo(const Function &F,
           llvm::function_ref<Retention(const Operation &)> RetentionOf);

  /// Returns the objects that the pointer \p V may point into, or from whose
  /// addresses the number \p V may have been computed. Object 0 is among them
  /// if a pointer may lead to memory that is not followed: then it may also
  /// point into any object that has escaped.
  const ObjectSet &of(ValueId V) const { return Targets[V]; }
  /// Returns \p Objects with all that the pointers in them lead to.
  ObjectSet reachableFrom(ObjectSet Objects) const;
  /// Returns what the opaque operation \p O may access through what it gets,
  /// beside what has escaped.
  ObjectSet reachedBy(const Operation &O) const;
  /// The escapes, in the order of F's blocks; those by numbers come last.
  llvm::ArrayRef<Escape> escapes() const { return Escapes; }
  /// All objects that have escaped.
  const ObjectSet &escaped() const { return Escaped; }

private:
  /// What an object of a thread holds.
  struct Memory {
    ObjectSet Targets; ///< Of the pointers in it; object 0 as in of().
    /// The first byte of each pointer that is stored at a known place.
    llvm::SmallSet<uint64_t, 4> Offsets;
    bool IsScattered = false; ///< Pointers are stored at unknown places, too.
  };
  /// Pointers to Objects that are written to the objects To.
  struct Write {
    ObjectSet To;
    ObjectSet Objects;
    /// The value that is stored, and where; 0 if any number of pointers may be
    /// stored anywhere.
    ValueId Stored = 0, Address = 0;
  };

  bool isFollowed(ObjectId Id) const;
  bool isOnlyFollowed(const ObjectSet &Objects) const;
  void solve();
  bool transfer(ValueId Id);
  bool transfer(const Operation &O);
  ObjectSet resultOf(const Operation &O) const;
  ObjectSet readFrom(ValueId Address) const;
  llvm::SmallVector<Write, 2> writesOf(const Operation &O) const;
  llvm::SmallVector<Write, 2> keptBy(const Operation &O) const;
  ObjectSet pointersIn(ValueId V) const;
  bool write(const Write &W);
  Retention retentionOf(const Operation &O) const;
  ObjectSet givenTo(const Operation &O) const;
  ObjectSet passedTo(const Operation &O) const;
  ObjectSet misreadBy(const Operation &O) const;
  bool mayOverlapPointer(ValueId Address, uint64_t Width, ObjectId Id) const;
  bool escape(const ObjectSet &Objects);
  void findNumbers();
  ObjectSet madeNumber(ValueId Id) const;
  void findEscapes();
  void note(Escape::Kind How, const ObjectSet &Objects, const Operation *By,
            ValueId Number = 0);

  const Function &F;
  std::vector<ObjectSet> Targets; ///< By value.
  /// Numbers that are made of pointers, for more than their distance.
  llvm::DenseSet<ValueId> Numbers;
  std::vector<Memory> Held; ///< By object.
  ObjectSet Escaped;
  /// The opaque operations of which something is known.
  llvm::DenseMap<const Operation *, Retention> Retentions;
  /// The objects whose addresses a load reads as something else.
  llvm::DenseMap<const Operation *, ObjectSet> Misread;
  std::vector<Escape> Escapes;
};

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_POINTSTO_H
