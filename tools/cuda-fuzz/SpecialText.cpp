// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints statements that use a shared array in other ways than by subscripts
/// of its name: through pointers, in loops that threads leave at different
/// times, in lambdas, by parts of an element, or several elements at a time.
//===----------------------------------------------------------------------===//

#include "KernelPrinter.h"

#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;
using llvm::Twine;

namespace cudaopt::fuzz {

/// Returns the number of threads of a block as a factor of an expression.
std::string KernelPrinter::allThreads() const {
  if (!K.UsesBlockDim)
    return std::to_string(K.numThreads());
  return K.Block[1] * K.Block[2] == 1
             ? "blockDim.x"
             : "(blockDim.x * blockDim.y * blockDim.z)";
}

/// Returns element \p Number of \p Array, counted in row-major order.
std::string KernelPrinter::elementAt(unsigned Array,
                                     const Twine &Number) const {
  const fuzz::Array &A = K.Arrays[Array];
  std::string N = "(" + Number.str() + ")", Name = nameOf(Array);
  if (A.IsFlat || A.Extents.size() == 1)
    return Name + "[" + N + "]";
  std::string Columns = std::to_string(A.Extents.back());
  std::string Last = "[" + N + " % " + Columns + "]";
  if (A.Extents.size() == 2)
    return Name + "[" + N + " / " + Columns + "]" + Last;
  unsigned Rows = A.Extents[1];
  return Name + "[" + N + " / " + std::to_string(Rows * A.Extents.back()) +
         "][" + N + " / " + Columns + " % " + std::to_string(Rows) + "]" + Last;
}

/// Returns a pointer to the first element of \p Array.
std::string KernelPrinter::baseOf(unsigned Array, unsigned Salt) const {
  const fuzz::Array &A = K.Arrays[Array];
  if (A.IsFlat || A.Extents.size() == 1)
    return Salt % 2 ? "&" + nameOf(Array) + "[0]" : nameOf(Array);
  if (Salt % 3 == 0)
    return "reinterpret_cast<" + typeOf(A.Type) + " *>(" + nameOf(Array) + ")";
  return "&" + nameOf(Array) + (A.Extents.size() == 3 ? "[0][0][0]" : "[0][0]");
}

/// Returns a value for element \p Number of \p Array, taken from the input.
std::string KernelPrinter::madeValue(unsigned Array,
                                     const Twine &Number) const {
  Element Type = K.Arrays[Array].Type;
  std::string N = "(" + Number.str() + ")";
  std::string From =
      holdsFloat(Type) == holdsFloat(K.Value)
          ? "in[" + N + " % " + std::to_string(NumInputs) + "]"
          : "flags[" + N + " % " + std::to_string(NumFlags) + "]";
  return "(" + typeOf(Type) + ")" + From;
}

/// Returns the kernel's own name for a device function that takes pointers; it
/// is not shared, because cuda-opt may change it for one kernel.
std::string KernelPrinter::helper(StringRef Name) const {
  return (Name + "_" + Twine(K.Number)).str();
}

/// Prints the helper functions if some statement needs them.
void KernelPrinter::printHelpers() {
  bool UsesPointers = false;
  for (const Phase &P : K.Phases)
    for (const Statement &S : P.Statements)
      UsesPointers |= S.What == Statement::Kind::Special &&
                      S.Of == Feature::PointerVariable;
  if (!UsesPointers)
    return;
  write("template <class T> __device__ T " + helper("readAt") +
        "(const T *p, unsigned i) { return p[i]; }\n");
  write("template <class T> __device__ void " + helper("writeAt") +
        "(T *p, unsigned i, T v) { p[i] = v; }\n");
  write("template <class T>\n__device__ const T *" + helper("choose") +
        "(bool c, const T *a, const T *b) { return c ? a : b; }\n");
}

/// Reads elements through a pointer: incremented, compared with an end, chosen
/// between two arrays, passed to a function, kept in a table or a struct,
/// changed in a loop, volatile, or through an integer.
void KernelPrinter::printPointerRead(const Statement &S) {
  unsigned A = S.Reads.front().Array, B = S.Reads.back().Array;
  unsigned N = K.Arrays[A].numElements();
  unsigned M = std::min(N, K.Arrays[B].numElements());
  std::string T = typeOf(K.Arrays[A].Type), Base = baseOf(A, S.Salt);
  std::string Own = "tid % " + std::to_string(N);
  switch (S.Variant) {
  case 0:
    line("const " + T + " *p = " + Base + ";");
    line("p += " + Own + ";");
    return line("acc += *p;");
  case 1:
    line("const " + T + " *const end = " + Base + " + " + Twine(N) + ";");
    open("for (const " + T + " *p = " + Base + " + " + Own +
         "; p < end; p += " + Twine(N / 3 + 1) + ")");
    line("acc += *p;");
    return close();
  case 2:
    line("const " + T + " *p = (tid & 1) ? " + Base + " : " +
         baseOf(B, S.Salt + 1) + ";");
    return line("acc += p[tid % " + Twine(M) + "];");
  case 3:
    return line("acc += " + helper("readAt") + "(" + Base + ", " + Own + ");");
  case 4:
    line("const " + T + " *table[2];");
    line("table[0] = " + Base + ";");
    line("table[1] = " + baseOf(B, S.Salt + 1) + ";");
    return line("acc += table[tid & 1][tid % " + Twine(M) + "];");
  case 5:
    line("const " + T + " *p = " + Base + ";");
    open("for (int k = 0; k < 3; ++k)");
    line("acc += p[tid % " + Twine(N / 3 ? N / 3 : 1) + "];");
    line("p = " + Base + " + k * " + Twine(N / 3) + ";");
    return close();
  case 6:
    line("struct { const " + T + " *p; unsigned n; } view;");
    line("view.p = " + Base + ";");
    line("view.n = " + Twine(N) + ";");
    return line("acc += view.p[tid % view.n];");
  case 8:
    line("const " + T + " *volatile p = " + Base + ";");
    return line("acc += p[" + Own + "];");
  case 9:
    line("volatile unsigned long long bits = reinterpret_cast<unsigned long "
         "long>(" +
         Base + ");");
    return line("acc += reinterpret_cast<const " + T + " *>(bits)[" + Own +
                "];");
  default:
    line("const " + T + " *p = " + helper("choose") + "(tid % 3 == 0, " + Base +
         ", " + baseOf(B, S.Salt + 1) + ");");
    return line("acc += p[tid * 5 % " + Twine(M) + "];");
  }
}

/// Writes elements through a pointer; in the last form, two arrays exchange
/// their roles in a loop.
void KernelPrinter::printPointerWrite(const Statement &S) {
  unsigned A = S.Reads.front().Array, N = K.Arrays[A].numElements();
  std::string T = typeOf(K.Arrays[A].Type), Base = baseOf(A, S.Salt);
  std::string Loop = "for (unsigned i = tid; i < " + std::to_string(N) +
                     "; i += " + allThreads() + ")";
  switch (S.Variant) {
  case 0:
    open(Loop);
    line(T + " *p = " + Base + " + i;");
    line("*p = " + madeValue(A, "i + " + Twine(S.Salt)) + ";");
    return close();
  case 1:
    open(Loop);
    line(helper("writeAt") + "(" + Base + ", i, " + madeValue(A, "i * 3") +
         ");");
    return close();
  case 2:
    line(T + " *const end = " + Base + " + " + Twine(N) + ";");
    open("for (" + T + " *p = " + Base +
         " + tid; p < end; p += " + allThreads() + ")");
    line("*p = " + madeValue(A, "p - end + " + Twine(N)) + ";");
    return close();
  case 3:
    line(T + " *volatile p = " + Base + ";");
    open(Loop);
    line("p[i] = " + madeValue(A, "i + " + Twine(S.Salt)) + ";");
    return close();
  default: { // Two arrays take turns.
    unsigned B = S.Reads.back().Array;
    unsigned M = std::min(N, K.Arrays[B].numElements());
    std::string Count = std::to_string(M);
    line(T + " *from = " + Base + ", *to = " + baseOf(B, S.Salt) + ";");
    open("for (int k = 0; k < " + Twine(2 + S.Salt % 2) + "; ++k)");
    open("for (unsigned i = tid; i < " + Count + "; i += " + allThreads() +
         ")");
    line("to[i] = from[(i + " + Twine(S.Salt) + ") % " + Count + "];");
    close();
    line("__syncthreads();");
    line(T + " *const old = from;");
    line("from = to;");
    line("to = old;");
    return close();
  }
  }
}

/// Reads in loops and switches that threads leave at different times.
void KernelPrinter::printBreakRead(const Statement &S) {
  unsigned A = S.Reads.front().Array;
  std::string N = std::to_string(K.Arrays[A].numElements());
  std::string Other = elementAt(A, "(tid + k * 3) % " + N);
  switch (S.Variant) {
  case 0:
    open("for (unsigned k = 0; k < 8; ++k)");
    line("if (k == (tid & 3) + 2)\n" + Indent + "  break;");
    line("acc += " + Other + ";");
    return close();
  case 1:
    open("for (unsigned k = 0; k < 6; ++k)");
    line("if ((tid + k) % 3 == 0)\n" + Indent + "  continue;");
    line("acc += " + Other + ";");
    return close();
  case 2:
    line("unsigned k = 0;");
    open("while (true)");
    line("acc += " + Other + ";");
    line("if (++k > tid % 5)\n" + Indent + "  break;");
    return close();
  case 3:
    open("for (unsigned j = 0; j < 3; ++j)");
    open("for (unsigned k = 0; k < 4; ++k)");
    line("if (k + j > (tid & 3))\n" + Indent + "  break;");
    line("acc += " + Other + ";");
    return close(2);
  case 4:
    line("unsigned k = 0;");
    open("switch (tid % 4)");
    line("case 0: acc += " + Other + "; k = 1;");
    line("case 1: acc += " + Other + "; break;");
    line("case 2: k = 2; acc += " + Other + ";");
    line("default: acc += 1;");
    return close();
  case 5: // Counters that wrap around.
    open("for (unsigned char k = 252; k != 2; ++k)");
    line("acc += " + Other + ";");
    return close();
  default:
    open("for (unsigned k = tid % 4 + 1; k-- > 0;)");
    line("acc += " + Other + ";");
    return close();
  }
}

/// Writes only some elements, because threads leave the loop early or skip
/// iterations: the others keep their old values.
void KernelPrinter::printBreakWrite(const Statement &S) {
  unsigned A = S.Reads.front().Array;
  unsigned N = K.Arrays[A].numElements();
  std::string Target = elementAt(A, "i");
  std::string Value = madeValue(A, "i + " + Twine(S.Salt));
  open("for (unsigned i = tid; i < " + Twine(N) + "; i += " + allThreads() +
       ")");
  switch (S.Variant) {
  case 0:
    line("if (i % 3 == " + Twine(S.Salt % 3) + ")\n" + Indent + "  continue;");
    line(Target + " = " + Value + ";");
    break;
  case 1:
    line("if (i > " + Twine(S.Salt % N) + ")\n" + Indent + "  break;");
    line(Target + " = " + Value + ";");
    break;
  default:
    line(Target + " = " + Value + ";");
    line("if (tid & 1)\n" + Indent + "  break;");
  }
  close();
}

/// Accesses the array in a lambda, which captures it implicitly or has a
/// pointer to it.
void KernelPrinter::printLambda(const Statement &S) {
  unsigned A = S.Reads.front().Array;
  unsigned N = K.Arrays[A].numElements();
  std::string T = typeOf(K.Arrays[A].Type);
  if (!S.IsWriter) {
    std::string Kind = S.Variant == 1 ? "auto" : "unsigned";
    line("auto get = [&](" + Kind + " k) { return " +
         elementAt(A, "k % " + Twine(N)) + "; };");
    switch (S.Variant) {
    case 2:
      return line("acc += applied(get, unsigned(tid + 1));");
    case 3:
      line(
          "auto both = [&](unsigned k) { acc += get(k); acc += get(k + 2); };");
      return line("both(tid);");
    default:
      return line("acc += get(unsigned(tid) + " + Twine(S.Salt) + ");");
    }
  }
  std::string Store =
      elementAt(A, "i") + " = " + madeValue(A, "i + 1") + "; };";
  switch (S.Variant) {
  case 0:
    line("auto put = [&](unsigned i) { " + Store);
    break;
  case 1: // A return that leaves only the lambda.
    line("auto put = [&](unsigned i) { if (i % 2 == " + Twine(S.Salt % 2) +
         ") return; " + Store);
    break;
  default:
    line(T + " *p = " + baseOf(A, S.Salt) + ";");
    line("auto put = [p, in, flags](unsigned i) { p[i] = " +
         madeValue(A, "i + 1") + "; };");
  }
  open("for (unsigned i = tid; i < " + Twine(N) + "; i += " + allThreads() +
       ")");
  line("put(i);");
  close();
}

/// Prints a write to a part of each element. In floating-point values only bits
/// of the mantissa change, so that none becomes a NaN.
void KernelPrinter::printPartialWrite(const Statement &S) {
  unsigned A = S.Reads.front().Array;
  const fuzz::Array &Target = K.Arrays[A];
  std::string Element = elementAt(A, "i");
  open("for (unsigned i = tid; i < " + Twine(Target.numElements()) +
       "; i += " + allThreads() + ")");
  if (isRecord(Target.Type)) {
    line(Element + ".y = i % 7;");
    return close();
  }
  unsigned Size = sizeOf(Target.Type);
  switch (S.Variant) {
  case 0:
    line("reinterpret_cast<unsigned char *>(&" + Element + ")[0] = i * 5 + " +
         Twine(S.Salt) + ";");
    break;
  case 1:
    line("const unsigned char part = flags[i % 64];");
    line("__builtin_memcpy(&" + Element + ", &part, 1);");
    break;
  case 2:
    if (Size > 2) {
      line("*reinterpret_cast<short *>(&" + Element + ") = i * 3;");
      break;
    }
    [[fallthrough]];
  default:
    line("if (i % 3 == 1)");
    line("  *reinterpret_cast<char *>(&" + Element + ") = i;");
  }
  close();
}

/// Reads or writes 2 or 4 neighbouring elements as one vector, which requires
/// alignment and neighbours that stay neighbours.
void KernelPrinter::printWide(const Statement &S) {
  unsigned A = S.Reads.front().Array;
  const fuzz::Array &Target = K.Arrays[A];
  unsigned Size = sizeOf(Target.Type), N = Target.numElements();
  unsigned Lanes = S.Variant % 2 || Size == 8 ? 2 : 4;
  bool IsFloat = holdsFloat(Target.Type);
  std::string Wide = Size == 8 ? "double2" : IsFloat ? "float" : "int";
  if (Size == 4)
    Wide += std::to_string(Lanes);
  std::string Last = Lanes == 4 ? "w" : "y";
  if (!S.IsWriter) {
    std::string First =
        "tid % " + std::to_string(N / Lanes) + " * " + std::to_string(Lanes);
    line("const " + Wide + " w = *reinterpret_cast<const " + Wide + " *>(&" +
         elementAt(A, First) + ");");
    line("acc += w.x;");
    return line("acc += w." + Last + ";");
  }
  open("for (unsigned i = tid; i < " + Twine(N / Lanes) +
       "; i += " + allThreads() + ")");
  line(Wide + " w;");
  for (unsigned L = 0; L < Lanes; ++L)
    line(Twine("w.") + Twine("xyzw"[L]) + " = " +
         madeValue(A, "i * " + Twine(Lanes) + " + " + Twine(L)) + ";");
  line("*reinterpret_cast<" + Wide + " *>(&" +
       elementAt(A, "i * " + Twine(Lanes)) + ") = w;");
  close();
}

/// Prints traps that no thread reaches, and assertions that hold.
void KernelPrinter::printTrap(const Statement &S) {
  const std::string Conditions[] = {"tid > 100000", "threadIdx.x > 1023",
                                    K.HasCount ? "n < 0" : "gridDim.x == 0"};
  const std::string Never = Conditions[S.Salt % 3];
  const std::string If = "if (" + Never + ")\n" + Indent + "  ";
  switch (S.Variant) {
  case 0:
    return line(If + "__trap();");
  case 1:
    return line(If + "asm volatile(\"trap;\");");
  case 2:
    return line(If + "__builtin_trap();");
  case 3:
    return line("assert(!(" + Never + "));");
  case 4:
    return line("trapUnless(!(" + Never + "));");
  case 5:
    return line("[&] { if (" + Never + ") __trap(); }();");
  case 6:
    open("for (int k = 0; k < 3; ++k)");
    line("assert(k < 3 && !(" + Never + "));");
    line("acc += k;");
    return close();
  default:
    return line("acc += (" + Never + ") ? (__trap(), 1) : 0;");
  }
}

void KernelPrinter::printSpecial(const Statement &S) {
  open("");
  switch (S.Of) {
  case Feature::PointerVariable:
    S.IsWriter ? printPointerWrite(S) : printPointerRead(S);
    break;
  case Feature::Break:
    S.IsWriter ? printBreakWrite(S) : printBreakRead(S);
    break;
  case Feature::Lambda:
    printLambda(S);
    break;
  case Feature::PartialWrite:
    printPartialWrite(S);
    break;
  case Feature::WideAccess:
    printWide(S);
    break;
  case Feature::Trap:
    printTrap(S);
    break;
  default:
    printOwned(S);
  }
  close();
}

} // namespace cudaopt::fuzz
