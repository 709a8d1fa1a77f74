// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints the statements that use arrays by subscripts.
//===----------------------------------------------------------------------===//

#include "KernelPrinter.h"

using llvm::StringRef;
using llvm::Twine;

namespace cudaopt::fuzz {

using Kind = Statement::Kind;

/// Prints a reference with one subscript for each extent; those of a flat array
/// become `s[r * C + c]`.
void KernelPrinter::printReference(unsigned Array,
                                   llvm::ArrayRef<Piece> Subscripts) {
  ReferenceMark Mark{Array, here(), 0, 0};
  write(nameOf(Array));
  if (K.Arrays[Array].IsFlat) {
    write("[");
    Mark.LastOpen = here();
    write(Subscripts[0].operand() + " * " +
          number(K.Arrays[Array].Extents.back()) + " + " +
          Subscripts[1].operand());
    Mark.LastClose = here();
    write("]");
  } else {
    for (const Piece &P : Subscripts) {
      write("[");
      Mark.LastOpen = here();
      write(P.Text);
      Mark.LastClose = here();
      write("]");
    }
  }
  Out.References.push_back(Mark);
}

std::vector<Piece> KernelPrinter::ownElement(unsigned Array) const {
  std::vector<Piece> Result;
  size_t N = K.Arrays[Array].Extents.size();
  for (size_t D = 0; D < N; ++D)
    Result.push_back(
        variable(Variable(unsigned(Variable::Column) + 1 - N + D)));
  return Result;
}

/// Returns the number of the element that \p S works on, or of the thread.
std::string KernelPrinter::ownNumber(const Statement &S) const {
  if (S.What == Kind::Accumulate || S.What == Kind::Count ||
      S.What == Kind::Special)
    return "tid";
  const std::vector<unsigned> &Extents = K.Arrays[S.Array].Extents;
  if (S.Drivers.empty() && Extents.size() > 1)
    return "i";
  std::vector<Piece> Own = ownElement(S.Array);
  Piece Result = Own[0];
  for (size_t D = 1; D < Own.size(); ++D)
    Result = {Result.operand() + " * " + number(Extents[D]) + " + " +
                  Own[D].operand(),
              false};
  return Result.Text;
}

/// Returns the text of a subscript. Quotients by a power of two are shifts in
/// kernels with odd numbers.
Piece KernelPrinter::textOf(const Index &I) const {
  const Piece &V = variable(I.Base);
  Piece Sum = V;
  if (I.Factor > 1)
    Sum = {V.operand() + " * " + std::to_string(I.Factor), false};
  if (I.Offset)
    Sum = {Sum.Text + " + " + std::to_string(I.Offset), false};
  std::string Extent = number(I.Extent);
  bool IsPowerOfTwo = (I.Extent & (I.Extent - 1)) == 0;
  switch (I.Shape) {
  case Index::Form::Constant:
    return {std::to_string(I.Offset)};
  case Index::Form::Affine:
    return Sum;
  case Index::Form::Quotient:
    if ((I.Factor & (I.Factor - 1)) == 0 && K.Number % 2)
      return {V.operand() + " >> " + std::to_string(__builtin_ctz(I.Factor)),
              false};
    return {V.operand() + " / " + std::to_string(I.Factor), false};
  case Index::Form::Reversed:
    return {Extent + " - 1 - " + V.operand(), false};
  case Index::Form::Modular:
    return {Sum.operand() + " % " + Extent, false};
  case Index::Form::Masked:
    return {Sum.operand() + " & (" + Extent + " - 1)", false};
  case Index::Form::Exclusive:
    return {V.operand() + " ^ " + std::to_string(I.Offset), false};
  case Index::Form::Next:
    return {V.Text + " + 1 < " + Extent + " ? " + V.Text + " + 1 : " + V.Text,
            false};
  case Index::Form::Previous:
    return {V.operand() + " > 0 ? " + V.Text + " - 1 : 0", false};
  case Index::Form::Called:
    return {"wrapped(" + Sum.Text + ", " + Extent + ")"};
  case Index::Form::Wrapped:
    return {wrappedText(I), false};
  case Index::Form::Data: {
    std::string Flag = "flags[(tid + " + std::to_string(I.Offset) + ") % " +
                       std::to_string(NumFlags) + "]";
    if (IsPowerOfTwo)
      return {Flag + " & (" + Extent + " - 1)", false};
    return {"unsigned(" + Flag + ") % " + Extent, false};
  }
  }
  return {};
}

/// Returns a subscript whose value wraps around, or loses bits in a narrow
/// type, before it is reduced below the extent.
std::string KernelPrinter::wrappedText(const Index &I) const {
  std::string V = variable(I.Base).operand(), Extent = number(I.Extent);
  std::string Offset = std::to_string(I.Offset);
  switch (I.Factor) {
  case 0:
    return "(unsigned(" + V + ") - " + Offset + "u) % " + Extent;
  case 1:
    return "(unsigned char)(" + V + " * 7 + " + Offset + ") % " + Extent;
  case 2:
    return "(unsigned short)(" + V + " * 4099 + " + Offset + ") % " + Extent;
  case 3:
    return "(unsigned)(signed char)(" + V + " * 5 + " + Offset + ") % " +
           Extent;
  case 4:
    return "(0u - 1u - " + V + ") % " + Extent;
  case 5:
    return "(" + V + " * 2654435769u >> 20) % " + Extent;
  case 6:
    return "unsigned(" + V + " - " + Offset + ") % " + Extent;
  case 7:
    return "(" + V + " + 4294967290u) % " + Extent;
  case 8:
    return "unsigned((short)(" + V + " * 521)) / 7u % " + Extent;
  case 9:
    return "unsigned((unsigned long long)" + V + " - " + Offset + ") % " +
           Extent;
  case 10:
    return "((" + V + " - " + Offset + ") & 0xffu) % " + Extent;
  default:
    return "(" + V + " * 65537u * 65537u) % " + Extent;
  }
}

std::string KernelPrinter::conditionOf(const Guard &G) const {
  std::string Limit = std::to_string(G.Limit);
  switch (G.Shape) {
  case Guard::Form::None:
    return "";
  case Guard::Form::TidBelow:
    return "tid < " + Limit;
  case Guard::Form::TxBelow:
    return variable(Variable::Tx).Text + " < " + Limit;
  case Guard::Form::Even:
    return "(tid & 1) == 0";
  case Guard::Form::Modulo:
    return variable(Variable::Tx).Text + " % " + Limit + " != 0";
  case Guard::Form::Data:
    return "flags[tid % " + std::to_string(NumFlags) + "] > 0";
  case Guard::Form::Count:
    return "tid < n";
  case Guard::Form::Never:
    return "tid > 100000";
  }
  return "";
}

/// Opens the conditions that decide whether a thread takes part; returns how
/// many blocks were opened.
unsigned KernelPrinter::openGuard(const Statement &S) {
  unsigned Count = 0;
  if (S.Who.Shape != Guard::Form::None) {
    open("if (" + conditionOf(S.Who) + ")");
    ++Count;
  }
  // Threads that differ only in a dimension that drives no subscript would all
  // write the same elements.
  if (S.What == Kind::Accumulate || S.What == Kind::Count ||
      S.What == Kind::Special || S.Drivers.empty())
    return Count;
  for (unsigned D = 0; D < 3; ++D) {
    bool IsUsed = K.Block[D] == 1;
    for (Driver Used : S.Drivers)
      IsUsed |= Used == Driver::Tid || Used == Driver(unsigned(Driver::Tx) + D);
    if (IsUsed)
      continue;
    open("if (" + variable(Variable(unsigned(Variable::Tx) + D)).Text +
         " == 0)");
    ++Count;
  }
  return Count;
}

unsigned KernelPrinter::openFor(const Twine &Name, const Twine &First,
                                const Twine &Limit, const Twine &Step) {
  if (K.Unrolls)
    line("#pragma unroll");
  std::string Next =
      Step.str() == "1" ? "++" + Name.str() : Name.str() + " += " + Step.str();
  open("for (" + integer() + " " + Name + " = " + First + "; " + Name + " < " +
       Limit + "; " + Next + ")");
  return 1;
}

/// Opens a loop over all elements of \p A in row-major order, distributed over
/// the threads, and computes the subscripts from the number of the element.
unsigned KernelPrinter::openFlatLoop(const Array &A) {
  unsigned Total = A.numElements(), Threads = K.numThreads();
  size_t N = A.Extents.size();
  const char *Name = N == 1 ? "c" : "i";
  std::string Limit;
  for (unsigned Extent : A.Extents)
    Limit += (Limit.empty() ? "" : " * ") + number(Extent);
  std::string Stride = std::to_string(Threads);
  if (K.UsesBlockDim)
    Stride = K.Block[1] * K.Block[2] == 1
                 ? "blockDim.x"
                 : "blockDim.x * blockDim.y * blockDim.z";
  if (Total <= Threads && !hasTwoShapes()) {
    open("if (tid < " + Limit + ")");
    line("const " + integer() + " " + Name + " = tid;");
  } else {
    openFor(Name, "tid", Limit, Stride);
  }
  variable(Variable::Column) = {"c"};
  variable(Variable::Row) = {"r"};
  variable(Variable::Plane) = {"p"};
  if (N == 1)
    return 1;
  std::string Columns = number(A.Extents[N - 1]);
  line("const " + integer() + " c = i % " + Columns + ";");
  if (N == 2) {
    line("const " + integer() + " r = i / " + Columns + ";");
    return 1;
  }
  std::string Rows = number(A.Extents[1]);
  line("const " + integer() + " r = i / " + Columns + " % " + Rows + ";");
  line("const " + integer() + " p = i / (" + Columns + " * " + Rows + ");");
  return 1;
}

/// Lets the threads of a dimension, or a loop, run through a subscript; returns
/// how many blocks were opened.
unsigned KernelPrinter::openDriver(const Statement &S, size_t Dimension) {
  const std::vector<unsigned> &Extents = K.Arrays[S.Array].Extents;
  unsigned Extent = Extents[Dimension];
  std::string Limit = number(Extent);
  Variable V =
      Variable(unsigned(Variable::Column) + 1 - Extents.size() + Dimension);
  std::string Name(1, "prc"[unsigned(V) - unsigned(Variable::Plane)]);
  variable(V) = {Name};
  Driver By = S.Drivers[Dimension];
  if (By == Driver::Sequence)
    return openFor(Name, "0", Limit, "1");
  bool IsTid = By == Driver::Tid;
  unsigned Which = unsigned(By) - unsigned(Driver::Tx);
  Piece Thread =
      IsTid ? Piece{"tid"} : variable(Variable(unsigned(Variable::Tx) + Which));
  unsigned Threads = IsTid ? K.numThreads() : K.Block[Which];
  if (Threads >= Extent && !hasTwoShapes()) {
    variable(V) = Thread;
    if (Threads == Extent)
      return 0;
    open("if (" + Thread.Text + " < " + Limit + ")");
    return 1;
  }
  std::string Step = IsTid ? std::to_string(Threads) : threads(Which);
  if (IsTid && hasTwoShapes())
    Step = allThreads();
  if (!S.AddsOffset || Extent % Threads || hasTwoShapes())
    return openFor(Name, Thread.Text, Limit, Step);
  variable(V) = {Thread.Text + " + j" + Name, false};
  return openFor("j" + Name, "0", Limit, Step);
}

unsigned KernelPrinter::openLoops(const Statement &S) {
  if (S.What == Kind::Count || S.What == Kind::Special)
    return 0;
  if (S.What == Kind::Accumulate)
    return S.Steps > 1 ? openFor("k", "0", number(S.Steps), "1") : 0;
  if (S.Drivers.empty())
    return openFlatLoop(K.Arrays[S.Array]);
  unsigned Count = 0;
  for (size_t D = 0; D < S.Drivers.size(); ++D)
    Count += openDriver(S, D);
  return Count;
}

/// Returns a number of the input for \p S.
std::string KernelPrinter::inputOf(const Statement &S, bool IsFloat) const {
  std::string Number = ownNumber(S);
  if (IsFloat != holdsFloat(K.Value))
    return "flags[(" + Number + ") % " + std::to_string(NumFlags) + "]";
  if (K.Number % 3 == 0)
    return "in[(" + Number + ") * 7 % " + std::to_string(NumInputs) + "]";
  return "in[" + Number + (K.Grid > 1 ? " + blockIdx.x * 1024]" : "]");
}

/// Prints a read of an array, maybe as a part of an expression.
void KernelPrinter::printRead(const Access &A, bool IsFloat) {
  Element Type = K.Arrays[A.Array].Type;
  std::vector<Piece> Subscripts;
  for (const Index &I : A.Subscripts)
    Subscripts.push_back(textOf(I));
  StringRef Before, After;
  switch (A.Shape) {
  case Access::Form::Plain:
    break;
  case Access::Form::Scaled:
    Before = IsFloat ? "0.5f * " : "3 * ";
    break;
  case Access::Form::Called:
    Before = isRecord(Type) ? "sumOf(" : "twice(";
    After = ")";
    break;
  case Access::Form::Conditional:
    Before = "((tid & 2) ? ";
    After = " : 0)";
    break;
  case Access::Form::Negated:
    Before = "-";
    break;
  }
  write(Before);
  printReference(A.Array, Subscripts);
  if (isRecord(Type) && A.Shape != Access::Form::Called)
    write(A.Subscripts.back().Offset % 2 ? ".y" : ".x");
  write(After);
}

void KernelPrinter::printSum(const Statement &S, bool IsFloat, bool IsFirst) {
  if (S.ReadsInput) {
    write((IsFirst ? "" : " + ") + inputOf(S, IsFloat));
    IsFirst = false;
  }
  for (const Access &Read : S.Reads) {
    write(IsFirst ? "" : " + ");
    printRead(Read, IsFloat);
    IsFirst = false;
  }
  if (IsFirst)
    write("1");
}

/// Prints the store of a sum, or of a whole record.
void KernelPrinter::printStore(const Statement &S) {
  Element Type = K.Arrays[S.Array].Type;
  write(Indent);
  printReference(S.Array, ownElement(S.Array));
  if (S.IsAddition)
    write(isRecord(Type) ? ".x += " : " += ");
  else
    write(" = ");
  bool IsCopy = !S.IsAddition && !S.ReadsInput && S.Reads.size() == 1 &&
                K.Arrays[S.Reads[0].Array].Type == Type &&
                S.Reads[0].Shape == Access::Form::Plain;
  if (isRecord(Type) && IsCopy) {
    std::vector<Piece> Subscripts;
    for (const Index &I : S.Reads[0].Subscripts)
      Subscripts.push_back(textOf(I));
    printReference(S.Reads[0].Array, Subscripts);
  } else {
    bool IsMade = isRecord(Type) && !S.IsAddition;
    write(IsMade ? "to" + spellingOf(Type) + "(" : "");
    printSum(S, holdsFloat(Type), true);
    write(IsMade ? ")" : "");
  }
  write(";\n");
}

void KernelPrinter::printOutput(const Statement &S) {
  Element Type = K.Arrays[S.Array].Type;
  write(Indent + "out[" + ownNumber(S));
  if (OutputBase)
    write(" + " + Twine(OutputBase));
  if (K.Grid > 1)
    write(" + blockIdx.x * " + Twine(OutputStride));
  write(isRecord(Type) ? "] = sumOf(" : "] = ");
  printReference(S.Array, ownElement(S.Array));
  write(isRecord(Type) ? ")" : "");
  printSum(S, holdsFloat(K.Value), false);
  write(";\n");
}

void KernelPrinter::printBody(const Statement &S) {
  switch (S.What) {
  case Kind::Fill:
  case Kind::Store:
    return printStore(S);
  case Kind::Output:
    return printOutput(S);
  case Kind::Accumulate:
    write(Indent + "acc += ");
    printSum(S, holdsFloat(K.Value), true);
    return write(";\n");
  case Kind::Count: {
    write(Indent + "atomicAdd(&");
    printRead(S.Reads.front(), false);
    return write(", 1 + tid % 3);\n");
  }
  case Kind::Special:
    return printSpecial(S);
  }
}

/// Prints guards and loops around the body; both bind the variables that its
/// subscripts use.
void KernelPrinter::printStatement(const Statement &S) {
  unsigned Opened = openGuard(S);
  Opened += openLoops(S);
  printBody(S);
  close(Opened);
  if (S.What == Kind::Output)
    OutputBase += K.Arrays[S.Array].numElements();
}

} // namespace cudaopt::fuzz
