// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Building, folding, printing and evaluating the values of a kernel. Folding
/// must agree with evaluation: whatever is undefined in C (division by 0, a
/// shift by too much) is left as it is.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/ValueGraph.h"

#include "cudaopt/Model/ValueArithmetic.h"
#include "cudaopt/Model/ValueText.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cassert>

using namespace cudaopt;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Returns the id of a node equal to \p V, adding it if there is none.
ValueId ValueGraph::insert(const Value &V) {
  Key K{static_cast<unsigned>(V.Kind),
        unsigned{V.Type.Bits} << 1 | unsigned{V.Type.IsSigned},
        V.Literal,
        V.Operands[0],
        V.Operands[1],
        V.Operands[2]};
  auto [It, IsNew] = Ids.try_emplace(K, Values.size());
  if (!IsNew)
    return It->second;

  bool HasParameter = V.Kind == ValueKind::Parameter;
  bool HasBlock = V.Kind == ValueKind::BlockIdx;
  for (unsigned I = 0; I < V.NumOperands; ++I) {
    HasParameter |= ParameterFlags[V.Operands[I]];
    HasBlock |= BlockFlags[V.Operands[I]];
  }
  Values.push_back(V);
  ParameterFlags.push_back(HasParameter);
  BlockFlags.push_back(HasBlock);
  return It->second;
}

ValueId ValueGraph::constant(int64_t Literal, ValueType Type) {
  return insert({ValueKind::Constant, Type, convert(Literal, Type)});
}

ValueId ValueGraph::constant(const llvm::APSInt &Literal, ValueType Type) {
  return constant(Literal.extOrTrunc(64).getSExtValue(), Type);
}

ValueId ValueGraph::threadIdx(unsigned Dimension) {
  return insert({ValueKind::ThreadIdx, {32, false}, Dimension});
}

ValueId ValueGraph::blockIdx(unsigned Dimension) {
  return insert({ValueKind::BlockIdx, {32, false}, Dimension});
}

ValueId ValueGraph::iterator(LoopId Loop) {
  return insert({ValueKind::Iterator, {}, Loop});
}

ValueId ValueGraph::parameter(llvm::StringRef Name, ValueType Type) {
  auto Known = std::find(Parameters.begin(), Parameters.end(), Name);
  int64_t Number = Known - Parameters.begin();
  if (Known == Parameters.end())
    Parameters.push_back(Name.str());
  return insert({ValueKind::Parameter, Type, Number});
}

ValueId ValueGraph::sequence(ValueId Index, std::vector<int64_t> Entries,
                             ValueType Type) {
  assert(!Entries.empty() && "a sequence has a last entry");
  for (int64_t &Entry : Entries)
    Entry = convert(Entry, Type);
  auto Same = std::find(Sequences.begin(), Sequences.end(), Entries);
  int64_t Number = Same - Sequences.begin();
  if (Same == Sequences.end())
    Sequences.push_back(std::move(Entries));
  if (std::optional<int64_t> At = asConstant(Index); At && *At >= 0) {
    ArrayRef<int64_t> List = Sequences[Number];
    return constant(List[std::min<uint64_t>(*At, List.size() - 1)], Type);
  }
  return insert({ValueKind::Sequence, Type, Number, {Index}, 1});
}

std::optional<int64_t> ValueGraph::asConstant(ValueId Id) const {
  if (Values[Id].Kind != ValueKind::Constant)
    return std::nullopt;
  return Values[Id].Literal;
}

ValueId ValueGraph::operation(ValueKind Kind, ValueType Type,
                              ArrayRef<ValueId> Operands) {
  if (isTruthValue(Kind))
    Type = ValueType{};
  if (std::optional<ValueId> Folded = fold(Kind, Type, Operands))
    return *Folded;

  Value V{Kind, Type};
  V.NumOperands = Operands.size();
  std::copy(Operands.begin(), Operands.end(), V.Operands.begin());
  if (isCommutative(Kind)) {
    auto Rank = [&](ValueId Id) { return std::pair(!!asConstant(Id), Id); };
    if (Rank(V.Operands[1]) < Rank(V.Operands[0]))
      std::swap(V.Operands[0], V.Operands[1]);
  }
  return insert(V);
}

std::optional<ValueId> ValueGraph::fold(ValueKind Kind, ValueType Type,
                                        ArrayRef<ValueId> Operands) {
  switch (Kind) {
  case ValueKind::Cast:
    assert(Operands.size() == 1 && "a cast has one operand");
    if (Values[Operands[0]].Type == Type)
      return Operands[0];
    if (std::optional<int64_t> C = asConstant(Operands[0]))
      return constant(*C, Type);
    return std::nullopt;
  case ValueKind::LogicalNot:
    assert(Operands.size() == 1 && "a negation has one operand");
    if (std::optional<int64_t> C = asConstant(Operands[0]))
      return constant(!*C);
    return std::nullopt;
  case ValueKind::Select:
    assert(Operands.size() == 3 && "a selection has three operands");
    if (std::optional<int64_t> C = asConstant(Operands[0]))
      return cast(Operands[*C ? 1 : 2], Type);
    if (Operands[1] == Operands[2])
      return cast(Operands[1], Type);
    return std::nullopt;
  case ValueKind::LogicalAnd:
  case ValueKind::LogicalOr:
    assert(Operands.size() == 2 && "a connective has two operands");
    return foldLogical(Kind, Operands[0], Operands[1]);
  default:
    assert(Operands.size() == 2 && "the operation is binary");
    return foldBinary(Kind, Type, Operands[0], Operands[1]);
  }
}

/// Returns \p Id as 0 or 1.
ValueId ValueGraph::truthOf(ValueId Id) {
  if (isTruthValue(Values[Id].Kind))
    return Id;
  return operation(ValueKind::NotEqual, {}, {Id, constant(0, Values[Id].Type)});
}

/// Folds && and ||. The operands have no side effects, so that either may
/// decide.
std::optional<ValueId> ValueGraph::foldLogical(ValueKind Kind, ValueId A,
                                               ValueId B) {
  // Decisive is the operand that decides alone: 1 for ||, 0 for &&. The other
  // constant is neutral.
  bool Decisive = Kind == ValueKind::LogicalOr;
  std::optional<int64_t> CA = asConstant(A), CB = asConstant(B);
  if ((CA && !!*CA == Decisive) || (CB && !!*CB == Decisive))
    return constant(Decisive);
  if (CA)
    return truthOf(B);
  if (CB || A == B)
    return truthOf(A);
  return std::nullopt;
}

/// Folds binary operations. The operands are evaluated by the same code as in
/// Evaluator, computeBinary().
std::optional<ValueId> ValueGraph::foldBinary(ValueKind Kind, ValueType Type,
                                              ValueId A, ValueId B) {
  std::optional<int64_t> CA = asConstant(A), CB = asConstant(B);
  if (CA && CB) {
    std::optional<int64_t> Result =
        computeBinary(Kind, Type, *CA, Values[A].Type, *CB, Values[B].Type);
    if (Result)
      return constant(*Result, Type);
    return std::nullopt;
  }
  if (A == B)
    return foldEqualOperands(Kind, Type, A);
  if (CA && isCommutative(Kind)) {
    std::swap(A, B);
    std::swap(CA, CB);
  }
  if (!CB || isComparison(Kind))
    return std::nullopt;
  return foldConstantOnRight(Kind, Type, A, convert(*CB, Type));
}

std::optional<ValueId>
ValueGraph::foldEqualOperands(ValueKind Kind, ValueType Type, ValueId A) {
  switch (Kind) {
  case ValueKind::Sub:
  case ValueKind::Xor:
  case ValueKind::Less:
  case ValueKind::NotEqual:
    return constant(0, Type);
  case ValueKind::LessEqual:
  case ValueKind::Equal:
    return constant(1, Type);
  case ValueKind::And:
  case ValueKind::Or:
  case ValueKind::Min:
  case ValueKind::Max:
    return cast(A, Type);
  default:
    return std::nullopt;
  }
}

std::optional<ValueId> ValueGraph::foldConstantOnRight(ValueKind Kind,
                                                       ValueType Type,
                                                       ValueId A, int64_t C) {
  switch (Kind) {
  case ValueKind::Add:
  case ValueKind::Sub:
  case ValueKind::Or:
  case ValueKind::Xor:
  case ValueKind::Shl:
  case ValueKind::Shr:
    return C == 0 ? std::optional(cast(A, Type)) : std::nullopt;
  case ValueKind::Mul:
    if (C == 0)
      return constant(0, Type);
    return C == 1 ? std::optional(cast(A, Type)) : std::nullopt;
  case ValueKind::And:
    return C == 0 ? std::optional(constant(0, Type)) : std::nullopt;
  case ValueKind::Div:
    return C == 1 ? std::optional(cast(A, Type)) : std::nullopt;
  case ValueKind::Rem:
    return C == 1 ? std::optional(constant(0, Type)) : std::nullopt;
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static llvm::StringRef getSpelling(ValueKind Kind) {
  static constexpr llvm::StringLiteral Spellings[] = {
      "+", "-",   "*",   "/", "%",  "<<", ">>", "&",  "|",
      "^", "min", "max", "<", "<=", "==", "!=", "&&", "||"};
  static_assert(std::size(Spellings) ==
                unsigned(ValueKind::LogicalNot) - unsigned(ValueKind::Add));
  assert(Kind >= ValueKind::Add && Kind < ValueKind::LogicalNot &&
         "only binary operations have a spelling");
  return Spellings[unsigned(Kind) - unsigned(ValueKind::Add)];
}

namespace {

/// Prints a value as an expression of C. The graph shares subexpressions that
/// the text must repeat, so the text is cut after MaxNodes values.
class Printer {
public:
  Printer(const ValueGraph &Graph, bool IsForUser, llvm::raw_ostream &OS)
      : Graph(Graph), IsForUser(IsForUser), OS(OS) {}

  void print(ValueId Id, bool IsOperand);

private:
  void printLeaf(const Value &V);
  void printOperation(const Value &V);

  static constexpr unsigned MaxNodes = 256;
  const ValueGraph &Graph;
  const bool IsForUser;
  llvm::raw_ostream &OS;
  unsigned NumNodes = 0;
};

} // namespace

/// Returns true if each of \p Entries is the one before it, changed by \p Next.
/// The last entry is not checked if there are more than two: a loop may be left
/// with any value.
static bool isChain(ArrayRef<int64_t> Entries,
                    llvm::function_ref<int64_t(int64_t)> Next) {
  const size_t Last = Entries.size() > 2 ? Entries.size() - 1 : Entries.size();
  for (size_t I = 1; I < Last; ++I)
    if (Entries[I] != Next(Entries[I - 1]))
      return false;
  return true;
}

/// Returns the entries by their rule, if there is one: "16, halved each time",
/// "1, 3, 2, ...".
static std::string describeSequence(ArrayRef<int64_t> Entries) {
  constexpr size_t MostEntries = 3;
  const std::string First = std::to_string(Entries.front());
  if (Entries.size() > 1 && Entries.front() != 0) {
    if (isChain(Entries, [](int64_t X) { return int64_t(uint64_t(X) * 2); }))
      return First + ", doubled each time";
    if (isChain(Entries, [](int64_t X) { return X / 2; }))
      return First + ", halved each time";
  }
  std::string Text =
      llvm::join(llvm::map_range(Entries.take_front(MostEntries),
                                 [](int64_t X) { return std::to_string(X); }),
                 ", ");
  return Entries.size() > MostEntries ? Text + ", ..." : Text;
}

void Printer::print(ValueId Id, bool IsOperand) {
  if (++NumNodes > MaxNodes) {
    OS << "...";
    return;
  }
  const Value &V = Graph[Id];
  if (V.Kind <= ValueKind::Iterator || V.Kind == ValueKind::Parameter)
    return printLeaf(V);
  bool NeedsParentheses = IsOperand && V.NumOperands > 1 &&
                          V.Kind != ValueKind::Min && V.Kind != ValueKind::Max;
  if (NeedsParentheses)
    OS << '(';
  printOperation(V);
  if (NeedsParentheses)
    OS << ')';
}

void Printer::printLeaf(const Value &V) {
  switch (V.Kind) {
  case ValueKind::Constant:
    OS << V.Literal;
    return;
  case ValueKind::ThreadIdx:
    OS << "threadIdx."
       << "xyz"[V.Literal];
    return;
  case ValueKind::BlockIdx:
    OS << "blockIdx."
       << "xyz"[V.Literal];
    return;
  case ValueKind::Iterator:
    OS << 'i' << V.Literal;
    return;
  default:
    OS << Graph.parameterName(V);
  }
}

void Printer::printOperation(const Value &V) {
  switch (V.Kind) {
  case ValueKind::Sequence:
    if (IsForUser) {
      OS << '{' << describeSequence(Graph.sequenceOf(V)) << '}';
      return;
    }
    OS << '{'
       << llvm::join(llvm::map_range(
                         Graph.sequenceOf(V),
                         [](int64_t Entry) { return std::to_string(Entry); }),
                     ", ")
       << "}[";
    print(V.Operands[0], false);
    OS << ']';
    return;
  case ValueKind::Cast:
    OS << '(' << (V.Type.IsSigned ? 'i' : 'u') << unsigned{V.Type.Bits} << ')';
    print(V.Operands[0], true);
    return;
  case ValueKind::LogicalNot:
    OS << '!';
    print(V.Operands[0], true);
    return;
  case ValueKind::Select:
    print(V.Operands[0], true);
    OS << " ? ";
    print(V.Operands[1], true);
    OS << " : ";
    print(V.Operands[2], true);
    return;
  case ValueKind::Min:
  case ValueKind::Max:
    OS << getSpelling(V.Kind) << '(';
    print(V.Operands[0], false);
    OS << ", ";
    print(V.Operands[1], false);
    OS << ')';
    return;
  default:
    print(V.Operands[0], true);
    OS << ' ' << getSpelling(V.Kind) << ' ';
    print(V.Operands[1], true);
  }
}

void ValueGraph::print(ValueId Id, llvm::raw_ostream &OS) const {
  Printer(*this, /*IsForUser=*/false, OS).print(Id, false);
}

void cudaopt::printForUser(const ValueGraph &Graph, ValueId Id,
                           llvm::raw_ostream &OS) {
  Printer(Graph, /*IsForUser=*/true, OS).print(Id, false);
}

//===----------------------------------------------------------------------===//
// Evaluating
//===----------------------------------------------------------------------===//

Evaluator::Evaluator(const ValueGraph &Graph)
    : Graph(Graph), Epochs(Graph.size(), 0), Known(Graph.size()) {}

void Evaluator::moveTo(const EvaluationPoint &NewPoint) {
  Point = NewPoint;
  if (++Epoch != 0)
    return;
  // The counter wrapped around: no old entry may look current.
  std::fill(Epochs.begin(), Epochs.end(), 0);
  Epoch = 1;
}

std::optional<int64_t> Evaluator::evaluate(ValueId Id) {
  assert(Id < Epochs.size() && "the graph grew after its evaluator");
  const Value &V = Graph[Id];
  switch (V.Kind) {
  case ValueKind::Constant:
    return V.Literal;
  case ValueKind::ThreadIdx:
    return Point.Thread[V.Literal];
  case ValueKind::BlockIdx:
    return Point.Block[V.Literal];
  case ValueKind::Iterator:
    assert(static_cast<size_t>(V.Literal) < Point.Iterators.size() &&
           "the point has all iterators");
    return Point.Iterators[V.Literal];
  case ValueKind::Parameter:
    return std::nullopt;
  default:
    break;
  }
  if (Epochs[Id] == Epoch)
    return Known[Id];
  std::optional<int64_t> Result = compute(V);
  Epochs[Id] = Epoch;
  Known[Id] = Result;
  return Result;
}

std::optional<int64_t> Evaluator::compute(const Value &V) {
  // && and || are known as soon as one side decides, so that a guard such as
  // `x < 16 && x < n` excludes the lanes that it surely excludes.
  if (V.Kind == ValueKind::LogicalAnd || V.Kind == ValueKind::LogicalOr) {
    bool Decisive = V.Kind == ValueKind::LogicalOr;
    std::optional<int64_t> A = evaluate(V.Operands[0]);
    if (A && !!*A == Decisive)
      return Decisive;
    std::optional<int64_t> B = evaluate(V.Operands[1]);
    if (B && !!*B == Decisive)
      return Decisive;
    return A && B ? std::optional<int64_t>(!Decisive) : std::nullopt;
  }

  std::optional<int64_t> A = evaluate(V.Operands[0]);
  if (!A)
    return std::nullopt;
  switch (V.Kind) {
  case ValueKind::Sequence: {
    if (*A < 0)
      return std::nullopt;
    ArrayRef<int64_t> Entries = Graph.sequenceOf(V);
    return Entries[std::min<uint64_t>(*A, Entries.size() - 1)];
  }
  case ValueKind::Cast:
    return convert(*A, V.Type);
  case ValueKind::LogicalNot:
    return !*A;
  case ValueKind::Select: {
    std::optional<int64_t> Chosen = evaluate(V.Operands[*A ? 1 : 2]);
    return Chosen ? std::optional(convert(*Chosen, V.Type)) : std::nullopt;
  }
  default:
    break;
  }
  std::optional<int64_t> B = evaluate(V.Operands[1]);
  if (!B)
    return std::nullopt;
  return computeBinary(V.Kind, V.Type, *A, Graph[V.Operands[0]].Type, *B,
                       Graph[V.Operands[1]].Type);
}
