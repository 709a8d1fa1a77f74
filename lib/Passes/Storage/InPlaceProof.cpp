// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Implements the proof in three steps: which of the two arrays dies (from the
/// live ranges); whether compilers must expect that the arrays alias, so that
/// they keep the order of the accesses (from the types); and, for each pair of
/// accesses, whether they meet in one thread and in the right order (by isl).
/// Whatever is not known makes the proof fail.
//===----------------------------------------------------------------------===//

#include "InPlaceProof.h"

#include "Order/StatementTime.h"
#include "PlainUses.h"
#include "cudaopt/Model/KernelBuilder.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace cudaopt;
using namespace clang;

namespace {

/// An access and the step that makes it.
struct StepAccess {
  StepId Where;
  const Access *A;
};

/// The proof for two arrays of one instance.
class InPlaceProver {
public:
  InPlaceProver(const Kernel &K, const ReuseInstance &I, VariableId A,
                VariableId B)
      : K(K), I(I), P(I.Program), Instance(*P.Instance), Ids{A, B} {}

  InPlaceResult run();

private:
  bool areBusy(const LiveInterval &Each) const {
    return Each.Busy[Ids[0]].any() && Each.Busy[Ids[1]].any();
  }
  std::optional<bool> findDying(StepId Begin) const;
  std::optional<Refusal> findArrayRefusal() const;
  bool isReached(StepId From, StepId To) const;
  std::vector<StepId> findSteps(StepId Begin) const;
  std::optional<Refusal> proveRegion(StepId Begin);
  std::vector<StepAccess> findAccesses(llvm::ArrayRef<StepId> Steps) const;
  std::optional<Refusal> provePair(const StepAccess &X, const StepAccess &Y);
  bool findRelation(const Access &A);
  bool proveOrder(const StepAccess &X, const StepAccess &Y) const;
  isl::map toPlaces(const Access &A) const;
  const SharedVariable &variable(bool IsBorn) const {
    return P.Variables[Ids[IsBorn]];
  }
  Refusal refuse(Reason Why, const Access *At = nullptr) const {
    return {Why, variable(false).Name,
            At ? At->Ref->getExprLoc() : variable(false).Decl->getLocation()};
  }

  const Kernel &K;
  const ReuseInstance &I;
  const SharedProgram &P;
  const KernelInstance &Instance;
  const IslContext Isl; ///< Must outlive Relations.
  /// The access relations that were computed so far.
  llvm::DenseMap<const Access *, std::optional<isl::map>> Relations;
  /// The array that dies and the one that is born, in the current region.
  std::array<VariableId, 2> Ids;
};

} // namespace

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Adds the scalar types of which \p Type consists, without sign; null for a
/// part that is not understood.
static void addScalars(QualType Type, const ASTContext &Context,
                       llvm::SmallPtrSetImpl<const clang::Type *> &Scalars) {
  Type =
      Context.getBaseElementType(Type).getCanonicalType().getUnqualifiedType();
  if (const auto *Record = Type->getAsCXXRecordDecl()) {
    if (!Record->getDefinition() || Record->getNumBases() || Record->isUnion())
      Scalars.insert(nullptr);
    else
      for (const FieldDecl *Field : Record->getDefinition()->fields())
        addScalars(Field->getType(), Context, Scalars);
    return;
  }
  if (Type->isIntegerType() && !Type->isEnumeralType() &&
      !Type->isBooleanType())
    Type = Type->isUnsignedIntegerType()
               ? Type
               : Context.getCorrespondingUnsignedType(Type);
  Scalars.insert(Type->isScalarType() ? Type.getTypePtr() : nullptr);
}

/// Returns true if a compiler must assume that elements of \p A and of \p B may
/// alias: both consist of one and the same scalar type. With other types, the
/// strict aliasing rule would allow it to move a write to the new array in
/// front of a read of the old one.
static bool mayAlias(const VarDecl *A, const VarDecl *B) {
  llvm::SmallPtrSet<const clang::Type *, 4> Scalars;
  addScalars(A->getType(), A->getASTContext(), Scalars);
  addScalars(B->getType(), B->getASTContext(), Scalars);
  return Scalars.size() == 1 && *Scalars.begin();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static bool isBarrier(const SharedProgram &P, StepId S) {
  return P.Steps[S].What == Step::Kind::Barrier;
}

static bool uses(const Step &S, VariableId V) {
  return llvm::any_of(S.Uses,
                      [V](const SharedUse &Use) { return Use.Variable == V; });
}

/// Returns the steps that are reachable behind \p Begin, up to and including
/// the next barriers, in ascending order.
std::vector<StepId> InPlaceProver::findSteps(StepId Begin) const {
  std::vector<StepId> Found;
  std::vector<StepId> Stack(P.Steps[Begin].Successors.begin(),
                            P.Steps[Begin].Successors.end());
  llvm::BitVector Seen(P.Steps.size());
  while (!Stack.empty()) {
    const StepId S = Stack.back();
    Stack.pop_back();
    if (Seen.test(S))
      continue;
    Seen.set(S);
    Found.push_back(S);
    if (!isBarrier(P, S))
      llvm::append_range(Stack, P.Steps[S].Successors);
  }
  llvm::sort(Found);
  return Found;
}

/// Returns true if a path without a barrier leads from behind \p From to \p To.
bool InPlaceProver::isReached(StepId From, StepId To) const {
  return llvm::is_contained(findSteps(From), To);
}

/// Returns which of the two arrays dies (true for the second) in all intervals
/// that begin at \p Begin and have both busy, while no earlier value of the
/// other is needed; std::nullopt if neither does.
std::optional<bool> InPlaceProver::findDying(StepId Begin) const {
  for (const bool Second : {false, true}) {
    const VariableId Dying = Ids[Second], Born = Ids[!Second];
    if (llvm::all_of(I.Ranges.Intervals, [&](const LiveInterval &Each) {
          return Each.Begin != Begin || !areBusy(Each) ||
                 (Each.Kept[Dying].none() && Each.Needed[Born].none());
        }))
      return Second;
  }
  return std::nullopt;
}

/// Returns the accesses that \p Steps make to the two arrays.
std::vector<StepAccess>
InPlaceProver::findAccesses(llvm::ArrayRef<StepId> Steps) const {
  std::vector<StepAccess> Found;
  for (StepId S : Steps) {
    llvm::SmallPtrSet<const Stmt *, 32> Parts;
    std::vector<const Stmt *> Stack = {P.Steps[S].Statement};
    while (!Stack.empty()) {
      const Stmt *Part = Stack.back();
      Stack.pop_back();
      if (Part && Parts.insert(Part).second)
        llvm::append_range(Stack, Part->children());
    }
    // A step without uses of the array is skipped: it may be a loop whose parts
    // are steps of their own.
    for (const Access &A : Instance.Accesses)
      for (VariableId Id : Ids)
        if (A.Array == *P.Variables[Id].Array && uses(P.Steps[S], Id) &&
            Parts.contains(A.Ref))
          Found.push_back({S, &A});
  }
  return Found;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static bool haveSameShape(const ArrayShape &A, const ArrayShape &B) {
  return A.Extents == B.Extents && A.ElementSize == B.ElementSize;
}

static std::string joinNames(llvm::StringRef Prefix, unsigned Count) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::ListSeparator Comma(", ");
  for (unsigned Index = 0; Index != Count; ++Index)
    OS << Comma << Prefix << Index;
  return Text;
}

/// Computes the access relation of \p A, unless it is known already. Returns
/// false if A has none: it is not affine.
bool InPlaceProver::findRelation(const Access &A) {
  auto [It, IsNew] = Relations.try_emplace(&A);
  if (IsNew)
    It->second = computeRelation(Instance, A, Isl);
  return It->second.has_value();
}

/// Returns { S[b, t, i] -> [x] }, x the bytes that \p A accesses. For two
/// arrays of the same shape, x is the number of the element instead: if both
/// then get the same layout, equal elements still have equal positions.
isl::map InPlaceProver::toPlaces(const Access &A) const {
  const ArrayShape &Shape = Instance.Shapes[A.Array];
  const bool IsByElement =
      haveSameShape(Shape, Instance.Shapes[*variable(false).Array]) &&
      haveSameShape(Shape, Instance.Shapes[*variable(true).Array]);
  std::string Index = "0";
  for (unsigned D = 0; D != Shape.Extents.size(); ++D)
    Index = "(" + Index + ") * " + std::to_string(Shape.Extents[D]) + " + s" +
            std::to_string(D);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "{ [" << joinNames("s", Shape.Extents.size()) << "] -> [x] : ";
  if (IsByElement)
    OS << "x = " << Index;
  else
    OS << "exists (k : x = (" << Index << ") * " << Shape.ElementSize << " + "
       << A.Offset << " + k and 0 <= k < " << A.Width << ")";
  OS << " }";
  const isl::map Relation = isl::manage(
      isl_map_reset_tuple_id(Relations.find(&A)->second->copy(), isl_dim_out));
  return Relation.apply_range(isl::map(Isl.get(), Text));
}

/// Returns the text of the map { S[b, t, i] -> [Image] }.
static std::string writeMap(const Access &A, llvm::StringRef Image) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "{ S[b0, b1, b2, t0, t1, t2";
  for (LoopId L : A.Loops)
    OS << ", i" << L;
  OS << "] -> [" << Image << "] }";
  return Text;
}

/// Returns a tuple of the thread and of \p Time, padded with 0 to \p Length
/// entries.
static std::string writeTime(llvm::ArrayRef<TimeEntry> Time, size_t Length) {
  std::string Text = "t0, t1, t2";
  llvm::raw_string_ostream OS(Text);
  for (size_t Entry = 0; Entry != Length; ++Entry)
    if (Entry >= Time.size())
      OS << ", 0";
    else if (Time[Entry].Loop)
      OS << ", i" << *Time[Entry].Loop;
    else
      OS << ", " << Time[Entry].Position;
  return Text;
}

/// Returns the text of the map { [t, u] -> [t, v] : u before v } for times of
/// \p Length entries, which are in lexicographical order.
static std::string writeBefore(size_t Length) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "{ [t0, t1, t2, " << joinNames("u", Length) << "] -> [t0, t1, t2, "
     << joinNames("v", Length) << "] : ";
  llvm::ListSeparator Or(" or ");
  for (size_t Entry = 0; Entry != Length; ++Entry) {
    OS << Or << "(u" << Entry << " < v" << Entry;
    for (size_t Equal = 0; Equal != Entry; ++Equal)
      OS << " and u" << Equal << " = v" << Equal;
    OS << ")";
  }
  OS << " }";
  return Text;
}

/// Returns a tuple of the block and of the iterators of the loops of \p A that
/// are not in \p Time, since they are around the whole statement: within one
/// execution of the statement, these are the same for all its accesses.
static std::string writeOuter(const Access &A, const StatementTime &Time) {
  std::string Text = "b0, b1, b2";
  for (LoopId L : A.Loops)
    if (llvm::none_of(Time, [L](const TimeEntry &E) { return E.Loop == L; }))
      Text += ", i" + std::to_string(L);
  return Text;
}

namespace {

/// Two accesses as isl relations.
class AccessPair {
public:
  AccessPair(const Access &X, const Access &Y, const isl::map &OfX,
             const isl::map &OfY)
      : X(X), Y(Y), Places{OfX, OfY} {}

  /// Returns { Image(S) -> Image(S') : instance S of X and instance S' of Y
  /// access the same place, and Key(S) = Key(S') }.
  isl::map meet(const std::array<std::string, 2> &Keys,
                const std::array<std::string, 2> &Images) const {
    auto relate = [&](const Access &A, unsigned Side) {
      const isl::ctx Ctx = Places[Side].ctx();
      const isl::map Key(Ctx, writeMap(A, Keys[Side]));
      const isl::map Image(Ctx, writeMap(A, Images[Side]));
      return Image.reverse().apply_range(Key.range_product(Places[Side]));
    };
    return relate(X, 0).apply_range(relate(Y, 1).reverse());
  }

private:
  const Access &X, &Y;
  std::array<isl::map, 2> Places;
};

} // namespace

//===----------------------------------------------------------------------===//
// The proof
//===----------------------------------------------------------------------===//

/// Proves that X comes before Y in every thread where both access the same
/// place, for two accesses of one step. A step that may be taken repeatedly
/// without a barrier has no such order.
bool InPlaceProver::proveOrder(const StepAccess &X, const StepAccess &Y) const {
  const Stmt *Root = P.Steps[X.Where].Statement;
  const auto Before = findStatementTime(Root, *X.A, Instance);
  const auto After = findStatementTime(Root, *Y.A, Instance);
  if (!Before || !After || isReached(X.Where, X.Where))
    return false;
  const size_t Length = std::max(Before->size(), After->size());
  return Isl.proves([&] {
    const isl::map Meetings =
        AccessPair(*X.A, *Y.A, toPlaces(*X.A), toPlaces(*Y.A))
            .meet({writeOuter(*X.A, *Before), writeOuter(*Y.A, *After)},
                  {writeTime(*Before, Length), writeTime(*After, Length)});
    return Meetings.is_subset(isl::map(Isl.get(), writeBefore(Length)));
  });
}

/// Proves that \p X, an access to the dying array, and \p Y, one to the other,
/// never access the same place, or only in one thread and X first.
std::optional<Refusal> InPlaceProver::provePair(const StepAccess &X,
                                                const StepAccess &Y) {
  for (const Access *A : {X.A, Y.A})
    if (!A->hasWidth() || !findRelation(*A))
      return refuse(Reason::BytesNotProved, A);
  auto holds = [&](llvm::function_ref<bool(const isl::map &)> Holds) {
    const std::string Block = "b0, b1, b2", Thread = "t0, t1, t2";
    return Isl.proves([&] {
      return Holds(AccessPair(*X.A, *Y.A, toPlaces(*X.A), toPlaces(*Y.A))
                       .meet({Block, Block}, {Thread, Thread}));
    });
  };
  if (holds([](const isl::map &Meetings) { return Meetings.is_empty(); }))
    return std::nullopt;
  if (!holds([&](const isl::map &Meetings) {
        return Meetings.is_subset(
            isl::map(Isl.get(), "{ [t0, t1, t2] -> [t0, t1, t2] }"));
      }))
    return refuse(Reason::OtherThreadReads, X.A);
  if (X.Where == Y.Where ? !proveOrder(X, Y) : isReached(Y.Where, X.Where))
    return refuse(Reason::OverwrittenBefore, X.A);
  return std::nullopt;
}

/// Proves the claim for the steps between \p Begin and the next barriers.
std::optional<Refusal> InPlaceProver::proveRegion(StepId Begin) {
  const std::vector<StepId> Steps = findSteps(Begin);
  for (StepId S : Steps)
    for (const SharedUse &Use : P.Steps[S].Uses)
      if (llvm::is_contained(Ids, Use.Variable) &&
          (Use.IsPending || isBarrier(P, S)))
        return refuse(Reason::BytesNotProved);
  const std::vector<StepAccess> All = findAccesses(Steps);
  auto isOf = [&](const StepAccess &Each, bool IsBorn) {
    return Each.A->Array == *variable(IsBorn).Array;
  };
  for (const bool IsBorn : {false, true})
    for (StepId S : Steps)
      if (uses(P.Steps[S], Ids[IsBorn]) &&
          llvm::none_of(All, [&](const StepAccess &Each) {
            return Each.Where == S && isOf(Each, IsBorn);
          }))
        return refuse(Reason::BytesNotProved);
  for (const StepAccess &X : All)
    for (const StepAccess &Y : All)
      if (isOf(X, false) && isOf(Y, true))
        if (std::optional<Refusal> R = provePair(X, Y))
          return R;
  return std::nullopt;
}

/// Returns why the proof is not possible at all, whatever the accesses are.
std::optional<Refusal> InPlaceProver::findArrayRefusal() const {
  for (const bool IsBorn : {false, true}) {
    const SharedVariable &V = variable(IsBorn);
    if (!V.Array || V.Pinned)
      return refuse(Reason::BytesNotProved);
    if (std::optional<Refusal> R = findUnusualUse(K, *V.Array, "overlay"))
      return R;
  }
  if (!Instance.Block.isKnown())
    return Instance.Block.IsUnseen
               ? Refusal{*K.WhyOpen, K.Name, K.Decl->getLocation()}
               : refuse(Reason::UnknownBlock);
  if (!mayAlias(variable(false).Decl, variable(true).Decl))
    return refuse(Reason::ElementTypesDiffer);
  return std::nullopt;
}

// The arrays may change roles: in one interval A dies and B is born, in another
// one it is the other way round. Each region is proved on its own.
InPlaceResult InPlaceProver::run() {
  InPlaceResult Result;
  std::vector<StepId> Begins;
  for (const LiveInterval &Each : I.Ranges.Intervals)
    if (areBusy(Each) && !llvm::is_contained(Begins, Each.Begin)) {
      if (!findDying(Each.Begin))
        return Result;
      Begins.push_back(Each.Begin);
    }
  Result.IsCandidate = !Begins.empty();
  if (!Result.IsCandidate)
    return Result;
  const std::array<VariableId, 2> AsGiven = Ids;
  Result.Dying = Ids[*findDying(Begins.front())];
  Result.Refused = findArrayRefusal();
  for (StepId Begin : Begins) {
    if (Result.Refused)
      break;
    Ids = AsGiven;
    if (*findDying(Begin))
      std::swap(Ids[0], Ids[1]);
    Result.Dying = Ids[0];
    Result.Refused = proveRegion(Begin);
  }
  return Result;
}

InPlaceResult cudaopt::proveInPlace(const Kernel &K, const ReuseInstance &I,
                                    VariableId A, VariableId B) {
  return InPlaceProver(K, I, A, B).run();
}
