// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The threads and iterations that reach an access, as sets of isl: the shape
/// of block, grid and loops, cut by the conditions around the access.
//===----------------------------------------------------------------------===//

#include "AccessRelation.h"

namespace cudaopt {

/// Intersects \p Domain with \p Condition, or with its negation. Conjuncts are
/// taken one by one, so that an affine one helps although its neighbour is not
/// affine; where a condition may wrap, nothing is concluded from it.
isl::set AccessRelations::restrictByCondition(const isl::set &Domain,
                                              ValueId Condition, bool Negated) {
  const Value V = Instance.Values[Condition];
  if (V.Kind == ValueKind::LogicalNot)
    return restrictByCondition(Domain, V.Operands[0], !Negated);
  ValueKind Conjunction =
      Negated ? ValueKind::LogicalOr : ValueKind::LogicalAnd;
  if (V.Kind == Conjunction)
    return restrictByCondition(
        restrictByCondition(Domain, V.Operands[0], Negated), V.Operands[1],
        Negated);
  std::optional<AffineCondition> C = toCondition(Condition);
  if (!C)
    return Domain;
  isl::set Holds = Negated ? C->Holds.complement() : C->Holds;
  return Domain.intersect(Holds.unite(C->Valid.complement()));
}

/// The threads of a block and the blocks of a grid. A grid of unknown size is
/// taken to have fewer than 2^31 threads along each dimension, so that the
/// usual blockIdx * blockDim + threadIdx does not wrap.
isl::set AccessRelations::computeShape() {
  isl::set Result = Universe;
  for (unsigned D = 0; D < 3; ++D) {
    const BlockShape &B = Instance.Block;
    uint32_t Threads = B.maxExtent(D);
    uint64_t Blocks =
        B.Grid[D] ? B.Grid[D] : ((uint64_t(1) << 31) - 1) / Threads;
    isl::pw_aff T = parameter("t" + std::to_string(D));
    isl::pw_aff Block = parameter("b" + std::to_string(D));
    Result = Result.intersect(T.ge_set(number(0)))
                 .intersect(T.lt_set(number(Threads)))
                 .intersect(Block.ge_set(number(0)))
                 .intersect(Block.lt_set(number(Blocks)));
  }
  return Result;
}

/// An iteration is reached if every earlier one passed the loop's test:
///   { i : not exists j : 0 <= j < i, j not in Domain }
/// so that neither a test like `i != n` nor a counter that wraps around lets
/// later iterations in.
isl::set AccessRelations::restrictToReached(const isl::set &Domain,
                                            LoopId Loop) {
  std::string Name = "i" + std::to_string(Loop);
  isl::pw_aff I = parameter(Name), J = parameter("earlier");
  isl::set Failed = I.ge_set(number(0)).subtract(Domain);
  int Position =
      isl_set_find_dim_by_name(Failed.get(), isl_dim_param, Name.c_str());
  if (Position < 0)
    return Domain;
  Failed = isl::manage(
      isl_set_set_dim_id(Failed.release(), isl_dim_param, Position,
                         isl_id_alloc(Ctx.get(), "earlier", nullptr)));
  isl::set Unreached = Failed.intersect(J.lt_set(I));
  Position =
      isl_set_find_dim_by_name(Unreached.get(), isl_dim_param, "earlier");
  Unreached = isl::manage(
      isl_set_project_out(Unreached.release(), isl_dim_param, Position, 1));
  return Domain.subtract(Unreached);
}

/// Accesses with the same guards and loops have the same domain; loops are
/// stored complemented, to tell them from guards.
AccessRelations::DomainKey AccessRelations::keyOf(const Access &A) {
  DomainKey Key(A.Guards.begin(), A.Guards.end());
  for (LoopId L : A.Loops)
    Key.push_back(~L);
  return Key;
}

isl::set AccessRelations::computeDomain(const Access &A) {
  DomainKey Key = keyOf(A);
  if (auto It = Domains.find(Key); It != Domains.end())
    return It->second;
  if (!Shape)
    Shape = computeShape();
  isl::set Domain = *Shape;
  for (LoopId L : A.Loops) {
    isl::set Started = parameter("i" + std::to_string(L)).ge_set(number(0));
    Domain = Domain.intersect(Started);
    if (!Instance.Loops[L].Condition)
      continue;
    isl::set Tested =
        restrictByCondition(Started, *Instance.Loops[L].Condition, false);
    Domain = Domain.intersect(restrictToReached(Tested, L));
  }
  for (ValueId Guard : A.Guards)
    Domain = restrictByCondition(Domain, Guard, false);
  Domain = Domain.coalesce();
  Domains.emplace(Key, Domain);
  return Domain;
}

} // namespace cudaopt
