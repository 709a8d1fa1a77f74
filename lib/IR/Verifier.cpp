// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks the invariants of the IR that Function.h states. Debug builds verify
/// each function that is built; only the first failure is reported.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/Graph.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace cudaopt::ir;
using namespace llvm;

namespace {

class Verifier {
public:
  explicit Verifier(const Function &F)
      // The tree does not change the graph that it reads.
      : F(F), Dominance(const_cast<Function &>(F)) {}

  std::optional<std::string> run();

private:
  void verifyShape(const Block &B);
  void verifyPhis(const Block &B);
  void verifyOperations(const Block &B);
  void verifyTypes(const Operation &O);
  void verifyTypes(ValueId Id);
  /// Checks that the definitions on which \p Id depends dominate its use. The
  /// use is at the end of \p At if \p Defined is null, else behind the
  /// operations of \p At that define the values in \p Defined.
  void verifyUse(ValueId Id, const Block &At, const DenseSet<ValueId> *Defined);
  void fail(const Twine &Why) {
    if (!Failure)
      Failure = Why.str();
  }

  const Function &F;
  const Dominators Dominance;
  std::optional<std::string> Failure;
};

} // namespace

static std::string nameOf(const Block &B) { return "B" + std::to_string(B.Id); }

/// Checks invariant 2 and what is said of terminators: a block has the
/// successors that its terminator needs, edges are known to both of their ends,
/// and only the exit ends the function.
void Verifier::verifyShape(const Block &B) {
  size_t Expected = B.Terminator == Block::Branch     ? 2
                    : B.Terminator == Block::MayLeave ? 2
                    : B.Terminator == Block::End      ? 0
                    : B.Terminator == Block::Switch   ? B.Cases.size()
                                                      : 1;
  Expected += B.HasVirtualExit;
  if (B.Successors.size() != Expected)
    fail(nameOf(B) + " has a wrong number of successors");
  const bool Leaves = B.Terminator == Block::Leave ||
                      B.Terminator == Block::MayLeave || B.HasVirtualExit;
  if (Leaves && B.Successors.back() != F.exit())
    fail(nameOf(B) + " does not leave");
  for (const Block *Next : B.Successors)
    if (count(Next->Predecessors, &B) != count(B.Successors, Next))
      fail(nameOf(B) + " and " + nameOf(*Next) + " disagree about their edge");
  if (B.Id != 0 && B.Predecessors.empty() && &B != F.exit())
    fail(nameOf(B) + " cannot be reached");
  if ((B.Terminator == Block::End) != (&B == F.exit()))
    fail(nameOf(B) + " ends the function, or the exit does not");
}

/// Pure values have no place of their own; so the phis and results that they
/// are computed from are checked.
void Verifier::verifyUse(ValueId Id, const Block &At,
                         const DenseSet<ValueId> *Defined) {
  DenseSet<ValueId> Seen;
  std::vector<ValueId> Ahead = {Id};
  while (!Ahead.empty()) {
    const ValueId Each = Ahead.back();
    Ahead.pop_back();
    if (!Seen.insert(Each).second)
      continue;
    const Value &V = F.value(Each);
    if (V.What != Value::Phi && V.What != Value::Result) {
      append_range(Ahead, V.Operands);
      continue;
    }
    const Block *Home = F.blocks()[V.Block].get();
    const bool Reaches = Home == &At && Defined
                             ? Defined->contains(Each)
                             : Dominance.dominates(Home, &At);
    if (!Reaches)
      fail("a use in " + nameOf(At) + " of what " + nameOf(*Home) +
           " defines is not dominated by it");
  }
}

/// An operand of a phi is used at the end of the predecessor that it comes
/// from, not in the block of the phi.
void Verifier::verifyPhis(const Block &B) {
  for (ValueId Phi : B.Phis) {
    const Value &V = F.value(Phi);
    if (V.What != Value::Phi || V.Block != B.Id)
      return fail(nameOf(B) + " has a phi of another block");
    if (V.Operands.size() != B.Predecessors.size())
      return fail(nameOf(B) + " has a phi without an operand for each "
                              "predecessor");
    for (auto [Before, Incoming] : zip_equal(B.Predecessors, V.Operands)) {
      if (F.value(Incoming).Ty != V.Ty)
        fail(nameOf(B) + " has a phi of several types");
      verifyUse(Incoming, *Before, nullptr);
    }
  }
}

void Verifier::verifyTypes(const Operation &O) {
  const bool Accesses =
      O.What == Operation::Load || O.What == Operation::Store ||
      O.What == Operation::Copy || O.What == Operation::Atomic;
  if (Accesses != (O.Address != 0))
    return fail("an operation has an address and should not, or none");
  if (O.Address && F.value(O.Address).Ty.What != Type::Pointer)
    fail("an address is no pointer");
  if ((O.What == Operation::Store || O.What == Operation::Copy) && !O.Stored)
    fail("a store stores nothing");
  if (O.What == Operation::Copy && O.Stored &&
      F.value(O.Stored).Ty.What != Type::Pointer)
    fail("a copy's source is no pointer");
  if (O.What != Operation::Known && (O.IsAsynchronous || !O.Touches.empty()))
    fail("an operation touches what only known ones do");
  for (const Touch &T : O.Touches)
    if (F.value(T.Address).Ty.What != Type::Pointer)
      fail("what a known operation touches is no pointer");
  if (O.What == Operation::Load && !O.Result)
    fail("a load has no result");
}

void Verifier::verifyTypes(ValueId Id) {
  const Value &V = F.value(Id);
  if (V.What == Value::Offset && F.value(V.Operands[0]).Ty != Type::pointer())
    fail("an offset from what is no pointer");
  if (V.What == Value::Offset && F.value(V.Operands[1]).Ty.Bits != 64)
    fail("an offset of other than 64 bits");
  if (V.What != Value::Binary)
    return;
  const Type L = F.value(V.Operands[0]).Ty, R = F.value(V.Operands[1]).Ty;
  const bool IsShift =
      V.binary() == clang::BO_Shl || V.binary() == clang::BO_Shr;
  if (!IsShift && L != R)
    fail("arithmetic on different types");
}

void Verifier::verifyOperations(const Block &B) {
  DenseSet<ValueId> Defined(B.Phis.begin(), B.Phis.end());
  for (const Operation &O : B.Operations) {
    const bool IsLast = &O == &B.Operations.back();
    if (O.What == Operation::Barrier && !IsLast)
      fail(nameOf(B) + " goes on behind a barrier");
    verifyTypes(O);
    for (ValueId Used : {O.Address, O.Stored})
      if (Used)
        verifyUse(Used, B, &Defined);
    for (ValueId Used : O.Operands)
      verifyUse(Used, B, &Defined);
    for (const Touch &T : O.Touches)
      for (ValueId Used : {T.Address, T.Bytes, T.Stride})
        if (Used)
          verifyUse(Used, B, &Defined);
    if (O.Result)
      Defined.insert(O.Result);
  }
  for (const VariableUse &U : B.Uses)
    if (U.Held)
      verifyUse(U.Held, B, &Defined);
  if (B.Condition)
    verifyUse(B.Condition, B, nullptr);
}

std::optional<std::string> Verifier::run() {
  for (auto [Id, B] : enumerate(F.blocks())) {
    if (B->Id != Id)
      fail("blocks are not in order");
    verifyShape(*B);
    verifyPhis(*B);
    verifyOperations(*B);
  }
  for (ValueId Id = 1; Id < F.numValues(); ++Id)
    verifyTypes(Id);
  return Failure;
}

std::optional<std::string> Function::verify() const {
  return Verifier(*this).run();
}
