// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The integer values of a kernel as a hash-consed graph: equal expressions
/// have equal ids, so that long chains of locals stay linear in size. A value
/// is a function of the block, the thread, the iterators of the enclosing
/// loops, and parameters (anything that is the same for the whole launch but
/// not known).
///
///     ValueGraph G;                                   // 2 * threadIdx.x + 1
///     ValueId T = G.cast(G.threadIdx(0), {});
///     ValueId V = G.operation(ValueKind::Add, {},
///         {G.operation(ValueKind::Mul, {}, {T, G.constant(2)}),
///         G.constant(1)});
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_VALUEGRAPH_H
#define CUDAOPT_MODEL_VALUEGRAPH_H

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace cudaopt {

using ValueId = uint32_t;
using LoopId = uint32_t; ///< Index into KernelInstance::Loops.

enum class ValueKind : uint8_t {
  Constant,  ///< Literal
  ThreadIdx, ///< Literal = dimension 0..2
  BlockIdx,  ///< Literal = dimension 0..2
  Iterator,  ///< Literal = LoopId; counts the loop's iterations 0, 1, 2, ...
  Sequence, ///< Literal = index into sequences(); Operands[0] selects the entry
  Parameter, ///< Literal = index into parameters()
  Add,
  Sub,
  Mul,
  Div, ///< Truncates, as in C.
  Rem,
  Shl,
  Shr, ///< Arithmetic for signed types.
  And,
  Or,
  Xor,
  Min,
  Max,
  Less,
  LessEqual,
  Equal,
  NotEqual,
  LogicalAnd,
  LogicalOr,
  LogicalNot,
  Select, ///< Operands[0] ? Operands[1] : Operands[2]
  Cast,   ///< Operands[0] converted to Type
};

/// The C type in which a value is computed. Arithmetic converts its operands to
/// it and wraps the result to it. One bit is `bool`: every number but 0 becomes
/// 1.
struct ValueType {
  uint8_t Bits = 32;
  bool IsSigned = true;
  bool operator==(const ValueType &) const = default;
};

/// A node of the graph.
struct Value {
  ValueKind Kind;
  ValueType Type;
  int64_t Literal = 0;
  std::array<ValueId, 3> Operands = {}; ///< Unused ones are 0.
  uint8_t NumOperands = 0;
};

/// The point at which a value is evaluated: one thread of one block in one
/// iteration.
struct EvaluationPoint {
  std::array<int64_t, 3> Thread = {};
  std::array<int64_t, 3> Block = {};
  llvm::ArrayRef<int64_t> Iterators; ///< Indexed by LoopId.
};

/// The values of one kernel instance. Nodes are only added; operands have
/// smaller ids than the values that use them.
class ValueGraph {
public:
  ValueId constant(int64_t Literal, ValueType Type = {});
  /// The upper half of the unsigned 64-bit numbers becomes negative.
  ValueId constant(const llvm::APSInt &Literal, ValueType Type);
  ValueId threadIdx(unsigned Dimension);
  ValueId blockIdx(unsigned Dimension);
  ValueId iterator(LoopId Loop);
  /// Returns a value that is the same in the whole launch, but not known. Equal
  /// names give the same value.
  ValueId parameter(llvm::StringRef Name, ValueType Type);
  /// Returns the \p Index-th entry of \p Entries, or the last one for greater
  /// indices.
  ValueId sequence(ValueId Index, std::vector<int64_t> Entries, ValueType Type);
  /// Builds, folds and hash-conses an operation. Comparisons and logical
  /// operations have type int, whatever \p Type says; comparisons convert their
  /// operands as C does.
  ValueId operation(ValueKind Kind, ValueType Type,
                    llvm::ArrayRef<ValueId> Operands);

  /// Returns \p Id converted to \p Type: \p Id itself if it has that type.
  ValueId cast(ValueId Id, ValueType Type) {
    return operation(ValueKind::Cast, Type, {Id});
  }

  const Value &operator[](ValueId Id) const { return Values[Id]; }
  size_t size() const { return Values.size(); }
  llvm::ArrayRef<int64_t> sequenceOf(const Value &V) const {
    return Sequences[V.Literal];
  }
  llvm::StringRef parameterName(const Value &V) const {
    return Parameters[V.Literal];
  }
  /// Returns the number of a constant; std::nullopt for any other value.
  std::optional<int64_t> asConstant(ValueId Id) const;
  /// Returns true if \p Id depends on a parameter, so that it cannot be
  /// evaluated.
  bool dependsOnParameter(ValueId Id) const { return ParameterFlags[Id]; }
  bool dependsOnBlock(ValueId Id) const { return BlockFlags[Id]; }
  void print(ValueId Id, llvm::raw_ostream &OS) const;

private:
  ValueId insert(const Value &V);
  ValueId truthOf(ValueId Id);
  std::optional<ValueId> fold(ValueKind Kind, ValueType Type,
                              llvm::ArrayRef<ValueId> Operands);
  std::optional<ValueId> foldLogical(ValueKind Kind, ValueId A, ValueId B);
  std::optional<ValueId> foldBinary(ValueKind Kind, ValueType Type, ValueId A,
                                    ValueId B);
  std::optional<ValueId> foldEqualOperands(ValueKind Kind, ValueType Type,
                                           ValueId A);
  std::optional<ValueId> foldConstantOnRight(ValueKind Kind, ValueType Type,
                                             ValueId A, int64_t C);

  std::vector<Value> Values;
  std::vector<bool> ParameterFlags, BlockFlags;
  std::vector<std::vector<int64_t>> Sequences;
  std::vector<std::string> Parameters;
  using Key =
      std::tuple<unsigned, unsigned, int64_t, ValueId, ValueId, ValueId>;
  llvm::DenseMap<Key, ValueId> Ids;
};

/// Evaluates values of a graph with the arithmetic of C (wrapping to the type,
/// truncating division). It keeps a scratch table, so one evaluator should
/// serve many points; the graph must not grow in the meantime.
class Evaluator {
public:
  explicit Evaluator(const ValueGraph &Graph);
  /// Moves to a new point; cached results are dropped.
  void moveTo(const EvaluationPoint &Point);
  /// Returns the value at the current point; std::nullopt if it depends on a
  /// parameter or is undefined in C (division by zero, shift out of range).
  std::optional<int64_t> evaluate(ValueId Id);

private:
  std::optional<int64_t> compute(const Value &V);

  const ValueGraph &Graph;
  EvaluationPoint Point;
  uint32_t Epoch = 0;
  std::vector<uint32_t> Epochs;
  std::vector<std::optional<int64_t>> Known;
};

} // namespace cudaopt

#endif // CUDAOPT_MODEL_VALUEGRAPH_H
