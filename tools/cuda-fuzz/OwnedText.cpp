// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints statements that work in several phases on storage of their own:
/// pointers that are kept as bytes, structs, arrays of which each thread uses
/// its own elements, and products that are stored before they are added.
//===----------------------------------------------------------------------===//

#include "KernelPrinter.h"

using llvm::Twine;

namespace cudaopt::fuzz {

/// Returns the thread's element number \p J, with the dimensions in one of
/// several orders.
std::string KernelPrinter::privateElement(unsigned Own, const Twine &J) const {
  const OwnedArray &O = K.Owned[Own];
  std::string Name = "own" + std::to_string(Own),
              Count = std::to_string(O.Count);
  std::string Index = "(" + J.str() + ")";
  switch (O.Variant % 4) {
  case 0:
    return Name + "[tid][" + Index + "]";
  case 1:
    return Name + "[" + Index + "][tid]";
  case 2:
    return Name + "[tid * " + Count + " + " + Index + "]";
  default:
    return Name + "[" + Index + " * " + std::to_string(K.numThreads()) +
           " + tid]";
  }
}

/// Declares the storage of each owned array, in a form that its variant
/// selects.
void KernelPrinter::printOwnedDeclarations() {
  std::string V = typeOf(K.Value);
  for (unsigned I = 0; I < K.Owned.size(); ++I) {
    const OwnedArray &O = K.Owned[I];
    std::string Name = "own" + std::to_string(I);
    if (O.Of == Feature::PointerBytes) {
      line("unsigned long long " + Name + " = 0;");
      continue;
    }
    if (O.Of == Feature::Aggregate) {
      if (O.Variant % 2)
        line("struct Part" + Twine(I) + " { " + V + " v[3]; short n; };");
      else
        line("struct Part" + Twine(I) + " { char n; struct { " + V +
             " v[4]; } in; };");
      line("__shared__ Part" + Twine(I) + " " + Name + "[" +
           Twine(16 * O.Count) + "];");
      line("__shared__ struct { " + V + " v[" + Twine(8 * O.Count) +
           "][5]; Part" + Twine(I) + " part; } all" + Twine(I) + ";");
      continue;
    }
    std::string Threads = std::to_string(K.numThreads());
    std::string Count = std::to_string(O.Count);
    std::string Extents[] = {Threads + "][" + Count, Count + "][" + Threads,
                             Threads + " * " + Count, Count + " * " + Threads};
    line("__shared__ " + V + " " + Name + "[" + Extents[O.Variant % 4] + "];");
  }
}

/// Turns a pointer into a number in ways that do not look like a conversion.
void KernelPrinter::printBytesTaken(const Statement &S) {
  unsigned A = S.Reads.front().Array;
  std::string T = typeOf(K.Arrays[A].Type);
  std::string Name = "own" + std::to_string(S.Own);
  line(T + " *p = " + baseOf(A, S.Salt) + ";");
  switch (S.Variant) {
  case 0:
    return line("__builtin_memcpy(&" + Name + ", &p, 8);");
  case 1:
    return line(Name + " = *(unsigned long long *)&p;");
  case 2:
    return line(Name + " = reinterpret_cast<unsigned long long &>(p);");
  case 3:
    line("union { " + T + " *p; unsigned long long u; } both;");
    line("both.p = p;");
    return line(Name + " = both.u;");
  case 4:
    return line(Name + " = reinterpret_cast<unsigned long long>(p);");
  case 5:
    line("unsigned low, high;");
    line("__builtin_memcpy(&low, &p, 4);");
    line("__builtin_memcpy(&high, reinterpret_cast<char *>(&p) + 4, 4);");
    line("low = __shfl_xor_sync(0xffffffffu, low, 1);");
    return line(Name + " = (unsigned long long)high << 32 | low;");
  case 6:
    open("for (int k = 0; k < 8; ++k)");
    line(Name + " |= (unsigned long long)((unsigned char *)&p)[k] << 8 * k;");
    return close();
  case 7:
    line("double d;");
    line("__builtin_memcpy(&d, &p, 8);");
    return line("__builtin_memcpy(&" + Name + ", &d, 8);");
  case 8:
    line("struct { " + T + " *p; } holder, copy;");
    line("holder.p = p;");
    line("copy = holder;");
    return line(Name + " = *reinterpret_cast<unsigned long long *>(&copy);");
  case 9:
    return line(Name + " = __builtin_bit_cast(unsigned long long, p);");
  case 10:
    line(T + " **pp = &p;");
    return line(Name + " = *reinterpret_cast<unsigned long long *>(pp);");
  case 11:
    return line(Name + " = throughAsm(p);");
  case 12:
    line(T + " *volatile v = p;");
    return line(Name + " = reinterpret_cast<unsigned long long>(v);");
  default:
    line("volatile unsigned long long u = reinterpret_cast<unsigned long "
         "long>(p);");
    return line(Name + " = u;");
  }
}

/// Turns the number back into a pointer and reads through it.
void KernelPrinter::printBytesUsed(const Statement &S) {
  unsigned A = S.Reads.front().Array, N = K.Arrays[A].numElements();
  std::string T = typeOf(K.Arrays[A].Type);
  std::string Name = "own" + std::to_string(S.Own);
  if (S.Salt % 2)
    return line("acc += reinterpret_cast<const " + T + " *>(" + Name +
                ")[(tid + " + Twine(S.Salt) + ") % " + Twine(N) + "];");
  line("const " + T + " *q;");
  line("__builtin_memcpy(&q, &" + Name + ", 8);");
  line("acc += q[tid * 3 % " + Twine(N) + "];");
}

/// Writes structs member by member and copies them as a whole, in three phases
/// with a barrier behind each.
void KernelPrinter::printAggregate(const Statement &S) {
  const OwnedArray &O = K.Owned[S.Own];
  std::string I = std::to_string(S.Own), Name = "own" + I;
  std::string Value = O.Variant % 2 ? "v" : "in.v";
  unsigned N = 16 * O.Count, M = 8 * O.Count;
  std::string Loop = "for (unsigned i = tid; i < " + std::to_string(N) +
                     "; i += " + allThreads() + ")";
  switch (S.Piece) {
  case 0:
    open(Loop);
    line(Name + "[i] = {};");
    line(Name + "[i].n = i;");
    line(Name + "[i]." + Value + "[i % 3] = in[i % 256];");
    close();
    open("for (unsigned i = tid; i < " + Twine(M * 5) +
         "; i += " + allThreads() + ")");
    line("all" + I + ".v[i / 5][i % 5] = in[(i + " + Twine(S.Salt) +
         ") % 256];");
    close();
    line("if (tid == 0)");
    line("  all" + I + ".part = {};");
    break;
  case 1:
    line("if (tid == 0)");
    line("  all" + I + ".part = " + Name + "[" +
         Twine(N / 2 + S.Salt % (N / 2)) + "];");
    open("for (unsigned i = tid; i < " + Twine(N / 2) +
         "; i += " + allThreads() + ")");
    line("Part" + I + " part = " + Name + "[i + " + Twine(N / 2) + "];");
    line("part." + Value + "[1] = in[i];");
    line(Name + "[i] = part;");
    close();
    break;
  default:
    line("const Part" + I + " part = " + Name + "[(tid + " + Twine(S.Salt) +
         ") % " + Twine(N) + "];");
    line("acc += part." + Value + "[tid % 3];");
    line("acc += part.n;");
    line("acc += all" + I + ".part." + Value + "[1];");
    line("acc += all" + I + ".v[tid % " + Twine(M) + "][tid % 5];");
  }
  line("__syncthreads();");
}

/// Each thread uses only its own elements, so that no barrier is needed.
void KernelPrinter::printPrivate(const Statement &S) {
  const OwnedArray &O = K.Owned[S.Own];
  std::string Count = std::to_string(O.Count);
  std::string Loop = "for (int j = 0; j < " + Count + "; ++j)";
  if (S.Piece == 0) {
    open(Loop);
    line(privateElement(S.Own, "j") + " = in[(tid + j * 7 + " + Twine(S.Salt) +
         ") % 256];");
    return close();
  }
  if (S.Piece == 1)
    switch (S.Variant) {
    case 0: // One of several elements.
      return line(privateElement(S.Own, Twine(S.Salt % O.Count)) +
                  " = in[tid];");
    case 1:
      return line(privateElement(S.Own, "tid % " + Count) + " += 1;");
    case 2:
      open(Loop);
      line("if (j == " + Twine(S.Salt % 3) + ")\n" + Indent + "  break;");
      line(privateElement(S.Own, "j") + " = acc;");
      return close();
    default:
      line("reinterpret_cast<unsigned char *>(&" + privateElement(S.Own, "0") +
           ")[0] = " + Twine(S.Salt) + ";");
      return;
    }
  if (S.Variant % 2)
    return line(
        "acc += " +
        privateElement(S.Own, "(tid + " + Twine(S.Salt) + ") % " + Count) +
        ";");
  open(Loop);
  line("acc += " + privateElement(S.Own, "j") + ";");
  close();
}

/// Stores a product and adds it later: whether the two are rounded together
/// must not change.
void KernelPrinter::printContraction(const Statement &S) {
  std::string Own = privateElement(S.Own, "0");
  std::string Factor = "in[(tid + " + std::to_string(S.Salt) + ") % 256]";
  if (S.Piece == 0)
    return line(Own + " = in[tid] * " + Factor + ";");
  switch (S.Variant % 4) {
  case 0:
    return line("acc = " + Own + " + acc;");
  case 1:
    return line("acc = acc - " + Own + ";");
  case 2:
    return line("acc += " + Own + " + " + Factor + ";");
  default:
    return line(Own + " = " + Own + " * acc + " + Factor + ";");
  }
}

void KernelPrinter::printOwned(const Statement &S) {
  switch (S.Of) {
  case Feature::PointerBytes:
    S.Piece ? printBytesUsed(S) : printBytesTaken(S);
    break;
  case Feature::Aggregate:
    printAggregate(S);
    break;
  case Feature::PrivateArray:
    printPrivate(S);
    break;
  default:
    printContraction(S);
  }
}

} // namespace cudaopt::fuzz
