// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Translates the values of an instance to isl: the domain and the relation of
/// an access, and what isl can prove of its subscripts.
///
/// All of it lives in parameter space first: blocks (b0..b2), threads (t0..t2),
/// iterators (i0, i1, ...) and the kernel's unknowns are isl parameters, which
/// isl aligns by name; `computeRelation` binds the first three to the tuple S.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ACCESSRELATION_H
#define CUDAOPT_LIB_MODEL_ACCESSRELATION_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace cudaopt {

/// A value as a quasi-affine function over the integers. Wherever Valid holds,
/// C computes the same number; or if MayWrap, the same number modulo 2^bits.
struct AffineValue {
  isl::pw_aff Function;
  isl::set Valid;
  bool MayWrap = false;
};

/// A condition as the set on which it holds; Valid has the same meaning.
struct AffineCondition {
  isl::set Holds, Valid;
};

/// Computes the relations of one kernel instance, and caches them. All
/// functions throw isl::exception: call them inside IslContext::attempt.
class AccessRelations {
public:
  AccessRelations(const KernelInstance &Instance, const IslContext &Isl);

  /// Returns the threads and iterations that may execute \p A: a superset if
  /// some condition is not affine.
  isl::set computeDomain(const Access &A);

  /// Returns true if 0 <= \p Value < \p Extent, as C computes it, wherever \p A
  /// may be executed.
  bool isInRange(ValueId Value, uint64_t Extent, const Access &A);

  /// Returns { S[b, t, i] -> A[a] }; std::nullopt if a subscript is not
  /// quasi-affine or may wrap on \p Domain.
  std::optional<isl::map> computeRelation(const Access &A,
                                          llvm::StringRef ArrayName,
                                          const isl::set &Domain);

private:
  std::optional<AffineValue> toAffine(ValueId Id);
  std::optional<AffineValue> computeAffine(ValueId Id);
  std::optional<AffineValue> computeLeaf(const Value &V);
  std::optional<AffineValue> computeArithmetic(const Value &V);
  std::optional<AffineValue> computeDivision(const Value &V);
  std::optional<AffineValue> computeBits(const Value &V);
  std::optional<AffineCondition> toCondition(ValueId Id);
  std::optional<AffineCondition> computeCondition(ValueId Id);
  /// Restricts the validity of \p A, of type \p Type, to where it is the exact
  /// number.
  AffineValue makeExact(const AffineValue &A, ValueType Type);
  AffineValue restrictTo(const AffineValue &A, ValueType Type);
  isl::set restrictToReached(const isl::set &Domain, LoopId Loop);
  isl::set restrictByCondition(const isl::set &Domain, ValueId Condition,
                               bool Negated);
  isl::set computeShape();
  /// Implements isInRange() for a value that is affine.
  bool computeInRange(ValueId Value, uint64_t Extent, const isl::set &Domain);
  isl::pw_aff parameter(llvm::StringRef Name);
  isl::pw_aff number(int64_t N);

  const KernelInstance &Instance;
  isl::ctx Ctx;
  isl::set Universe;
  std::map<ValueId, std::optional<AffineValue>> Affine;
  std::map<ValueId, std::optional<AffineCondition>> Conditions;
  using DomainKey = std::vector<ValueId>;
  static DomainKey keyOf(const Access &A);
  /// The threads and blocks of the launch.
  std::optional<isl::set> Shape;
  std::map<DomainKey, isl::set> Domains;
  std::map<std::tuple<ValueId, uint64_t, DomainKey>, bool> InRange;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ACCESSRELATION_H
