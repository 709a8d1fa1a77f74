// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints functions of the IR (--print=ir); Function.h has an example. The text
/// is deterministic: results and phis are numbered in the order of the blocks,
/// not by their ids.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/Function.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/OperationKinds.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"

using namespace cudaopt::ir;
using namespace llvm;

raw_ostream &cudaopt::ir::operator<<(raw_ostream &OS, const Type &T) {
  switch (T.What) {
  case Type::Void:
    return OS << "void";
  case Type::Boolean:
    return OS << "bool";
  case Type::Integer:
    return OS << (T.IsSigned ? 's' : 'u') << T.Bits;
  case Type::Float:
    return OS << (T.IsBrain ? "bf" : "f") << T.Bits;
  case Type::Pointer:
    return OS << "ptr";
  case Type::Aggregate:
    return OS << "bytes" << T.Bits / 8;
  }
  return OS;
}

namespace {

class Printer {
public:
  Printer(const Function &F, raw_ostream &OS) : F(F), OS(OS) { number(); }

  void print();
  void print(ValueId Id, bool IsOperand = false);

private:
  void number();
  void print(const Object &O);
  void print(const Block &B);
  void print(const Operation &O);
  void print(const Touch &T);
  void printTerminator(const Block &B);
  void printAnchor(const Anchor &A);
  void printLiteral(const Value &V);
  void printCall(StringRef Name, ArrayRef<ValueId> Operands);

  const Function &F;
  raw_ostream &OS;
  DenseMap<ValueId, unsigned> Numbers; ///< The numbers of results and phis.
};

} // namespace

/// Numbers phis and results in the order in which they are printed.
void Printer::number() {
  for (const std::unique_ptr<Block> &B : F.blocks()) {
    for (ValueId Phi : B->Phis)
      Numbers.try_emplace(Phi, Numbers.size() + 1);
    for (const Operation &O : B->Operations)
      if (O.Result)
        Numbers.try_emplace(O.Result, Numbers.size() + 1);
  }
}

static APFloat toFloat(const Value &V) {
  const fltSemantics &S = V.Ty.IsBrain      ? APFloat::BFloat()
                          : V.Ty.Bits == 16 ? APFloat::IEEEhalf()
                          : V.Ty.Bits == 32 ? APFloat::IEEEsingle()
                          : V.Ty.Bits == 64 ? APFloat::IEEEdouble()
                                            : APFloat::x87DoubleExtended();
  return APFloat(S, V.Integer);
}

void Printer::printLiteral(const Value &V) {
  if (V.Ty.What == Type::Pointer) {
    OS << "null";
  } else if (V.Ty.What == Type::Boolean) {
    OS << (V.Integer.isZero() ? "false" : "true");
  } else if (V.Ty.What == Type::Float && V.Ty.Bits <= 80) {
    SmallString<16> Text;
    toFloat(V).toString(Text, 0, 0);
    OS << Text;
  } else {
    OS << V.Integer;
  }
}

void Printer::printCall(StringRef Name, ArrayRef<ValueId> Operands) {
  OS << Name << '(';
  ListSeparator Comma;
  for (ValueId Id : Operands) {
    OS << Comma;
    print(Id);
  }
  OS << ')';
}

static StringRef nameOf(const clang::Decl *D) {
  const auto *Named = dyn_cast_or_null<clang::NamedDecl>(D);
  return !Named                   ? "this"
         : Named->getIdentifier() ? Named->getName()
                                  : "unnamed";
}

/// Prints the value \p Id; as the operand of another one (\p IsOperand) with
/// parentheses around arithmetic.
void Printer::print(ValueId Id, bool IsOperand) {
  const Value &V = F.value(Id);
  const bool HasParentheses =
      IsOperand && (V.What == Value::Binary || V.What == Value::Select);
  if (HasParentheses)
    OS << '(';
  switch (V.What) {
  case Value::None:
    OS << "none";
    break;
  case Value::Literal:
    printLiteral(V);
    break;
  case Value::Special:
    OS << getName(V.Register);
    break;
  case Value::Argument:
    OS << '%' << nameOf(V.Decl);
    break;
  case Value::Address:
    OS << '@' << (V.Object ? StringRef(F.object(V.Object).Name) : "unknown");
    break;
  case Value::Offset:
    print(V.Operands[0], true);
    OS << " + ";
    print(V.Operands[1]);
    break;
  case Value::Phi:
  case Value::Result:
    OS << '%' << Numbers.lookup(Id);
    break;
  case Value::Unary:
    OS << clang::UnaryOperator::getOpcodeStr(V.unary());
    print(V.Operands[0], true);
    break;
  case Value::Binary:
    print(V.Operands[0], true);
    OS << ' ' << clang::BinaryOperator::getOpcodeStr(V.binary()) << ' ';
    print(V.Operands[1], true);
    break;
  case Value::Select:
    print(V.Operands[0], true);
    OS << " ? ";
    print(V.Operands[1], true);
    OS << " : ";
    print(V.Operands[2], true);
    break;
  case Value::Convert:
    OS << V.Ty << '(';
    print(V.Operands[0]);
    OS << ')';
    break;
  case Value::SharedAddress:
    printCall("shared", V.Operands);
    break;
  case Value::SharedPointer:
    printCall("pointer", V.Operands);
    break;
  case Value::Pure:
    printCall(nameOf(V.Decl), V.Operands);
    break;
  case Value::Undefined:
    OS << "undefined";
    break;
  }
  if (HasParentheses)
    OS << ')';
}

void Printer::print(const Object &O) {
  static constexpr StringLiteral Kinds[] = {
      "unknown",   "shared", "dynamic shared", "local",  "parameter",
      "temporary", "global", "constant",       "pointee"};
  OS << "  @" << O.Name << ' ' << Kinds[O.What];
  if (O.Size)
    OS << ' ' << *O.Size << " bytes";
  if (O.Alignment > 1)
    OS << ", align " << O.Alignment;
  OS << '\n';
}

void Printer::printAnchor(const Anchor &A) {
  if (!A.Node)
    return;
  const clang::SourceManager &Sources = F.context().getSourceManager();
  const clang::PresumedLoc At =
      Sources.getPresumedLoc(Sources.getExpansionLoc(A.Node->getBeginLoc()));
  if (At.isInvalid())
    return;
  static constexpr StringLiteral Texts[] = {"", " exact", " macro argument",
                                            " macro body", " header"};
  OS << " ; " << At.getLine() << ':' << At.getColumn() << Texts[A.Text];
}

static StringRef nameOf(Scope S) {
  static constexpr StringLiteral Names[] = {"thread", "warp",   "group",
                                            "block",  "device", "system"};
  return Names[static_cast<unsigned>(S)];
}

/// Prints what a known operation accesses: ", reads 16 rows of 32 bytes [@s] by
/// 64".
void Printer::print(const Touch &T) {
  OS << (T.Reads && T.Writes ? ", changes "
         : T.Reads           ? ", reads "
                             : ", writes ");
  if (T.Rows > 1)
    OS << T.Rows << " rows of ";
  if (T.Width)
    OS << T.Width << " bytes ";
  else if (T.Bytes)
    print(T.Bytes, true), OS << " bytes ";
  OS << '[';
  print(T.Address);
  OS << ']';
  if (T.Stride) {
    OS << " by ";
    print(T.Stride, true);
  }
}

/// Prints an operation: its result, its kind with a scope, its width or type,
/// its address and operands, and its place in the source.
void Printer::print(const Operation &O) {
  static constexpr StringLiteral Names[] = {
      "load",    "store",  "copy",   "atomic", "barrier", "fence",
      "shuffle", "sample", "commit", "wait",   "known",   "opaque"};
  OS << "    ";
  if (O.Result) {
    print(O.Result);
    OS << " = ";
  }
  OS << (O.IsVolatile ? "volatile " : "")
     << (O.IsAsynchronous ? "asynchronous " : "") << Names[O.What];
  if (O.Extent != Scope::Thread)
    OS << ' ' << nameOf(O.Extent);
  if (O.What == Operation::Load)
    OS << ' ' << F.value(O.Result).Ty;
  else if (O.What == Operation::Store)
    OS << ' ' << F.value(O.Stored).Ty;
  else if (O.Width)
    OS << ' ' << O.Width << " bytes";
  if (O.Address) {
    OS << " [";
    print(O.Address);
    OS << ']';
  }
  if (O.Stored) {
    OS << ", ";
    print(O.Stored);
  }
  if (!O.Why.empty()) {
    OS << ' ';
    printCall(O.Why, O.Operands);
  }
  for (const Touch &T : O.Touches)
    print(T);
  for (ObjectId Id : O.Mentions)
    OS << " @" << F.object(Id).Name;
  printAnchor(O.Where);
  OS << '\n';
}

void Printer::printTerminator(const Block &B) {
  static constexpr StringLiteral Names[] = {"jump",      "branch", "switch",
                                            "may leave", "leave",  ""};
  OS << "    " << Names[B.Terminator];
  if (B.Condition) {
    OS << ' ';
    print(B.Condition);
    OS << (B.Terminator == Block::Leave ? "" : ",");
  }
  ListSeparator Comma(",");
  const size_t Shown = B.Terminator == Block::Leave ? 0 : B.Successors.size();
  for (size_t I = 0; I < Shown; ++I) {
    OS << Comma << ' ';
    if (I < B.Cases.size() && B.Cases[I])
      OS << B.Cases[I]->first
         << (B.Cases[I]->first == B.Cases[I]->second
                 ? std::string()
                 : " ... " + toString(B.Cases[I]->second, 10))
         << ": ";
    if (B.Successors[I] == F.exit())
      OS << (B.HasVirtualExit ? "virtual exit" : "exit");
    else
      OS << 'B' << B.Successors[I]->Id;
  }
  printAnchor(B.Where);
  OS << '\n';
}

void Printer::print(const Block &B) {
  OS << "  B" << B.Id << ':';
  for (const Loop &L : F.loops())
    if (L.Header == &B) {
      OS << " loop";
      printAnchor({Anchor::NoText, L.Statement, 0});
    }
  OS << '\n';
  for (ValueId Phi : B.Phis) {
    OS << "    ";
    print(Phi);
    OS << " = phi " << F.value(Phi).Ty;
    for (auto [Before, Incoming] :
         zip_equal(B.Predecessors, F.value(Phi).Operands)) {
      OS << " [B" << Before->Id << ": ";
      print(Incoming);
      OS << ']';
    }
    OS << '\n';
  }
  for (const Operation &O : B.Operations)
    print(O);
  printTerminator(B);
}

void Printer::print() {
  OS << (F.decl()->hasAttr<clang::CUDAGlobalAttr>() ? "kernel " : "function ");
  F.decl()->getNameForDiagnostic(OS, F.context().getPrintingPolicy(), true);
  OS << '\n';
  for (ObjectId Id = 1; Id < F.numObjects(); ++Id)
    if (F.object(Id).What != Object::Unknown)
      print(F.object(Id));
  for (const std::unique_ptr<Block> &B : F.blocks())
    if (B.get() != F.exit())
      print(*B);
}

void Function::print(raw_ostream &OS) const { Printer(*this, OS).print(); }

void Function::print(raw_ostream &OS, ValueId Id) const {
  Printer(*this, OS).print(Id);
}
