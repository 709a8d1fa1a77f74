// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Idioms about storage: which arrays share bytes, how many bytes they have,
/// where they are placed, and in which order statements use them.
//===----------------------------------------------------------------------===//

#include "IdiomWriter.h"
#include "KernelPrinter.h"

#include <algorithm>

using llvm::StringRef;
using llvm::Twine;

namespace cudaopt::fuzz {

/// Opens a loop in which the threads take the elements of \p A in turn.
static void openAll(IdiomWriter &W, const IdiomArray &A) {
  W.open("for (int i = tid; i < " + Twine(A.Count) +
         "; i += " + Twine(W.threads()) + ")");
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

/// Each thread computes an element of one array from an element of another, in
/// an order in which the new element may or may not take the old one's place.
void writeInPlace(IdiomWriter &W) {
  const Element Type = W.chooseElement();
  IdiomArray Old = W.array(Type), New = W.array(Type);
  const std::string T = W.text(W.threads() - 1), X = W.fresh("x"),
                    V = spellingOf(Type).str();
  W.line(Old.at(T + " - tid") + " = " + W.value(Type) + ";");
  W.barrier();
  const std::string From = Old.at("tid"), To = New.at("tid");
  switch (W.R.below(6)) {
  case 0:
    W.line(To + " = " + From + " + " + W.value(Type) + ";");
    break;
  case 1:
    W.line(To + " = " + W.value(Type) + ";");
    W.line("const " + V + " " + X + " = " + From + ";");
    W.add(X);
    break;
  case 2:
    W.line(V + " " + X + " = 0;");
    W.openLoop("k", W.R.between(2, 4));
    W.line(X + " += " + From + ";");
    W.line(To + " = " + X + ";");
    W.close();
    break;
  case 3:
    W.line(To + " = " + Old.at(W.otherThread()) + " + " + From + ";");
    break;
  case 4:
    W.line(To + " = " + W.value(Type) + ";");
    W.line("if (" + W.dataCondition() + ")");
    W.line("  " + To + " = " + From + ";");
    break;
  default:
    W.line("const " + V + " " + X + " = " + From + ";");
    W.line(To + " = " + X + " + 1;");
    if (W.R.chance(50))
      W.line(To + " += " + From + ";");
  }
  W.barrier();
  W.add(New.at(W.otherThread()));
}

/// The threads make and use elements of one array while another waits that they
/// will use behind the barrier: the two must not share bytes.
void writeNeededBehind(IdiomWriter &W) {
  const Element Type = W.chooseElement();
  IdiomArray Old = W.array(Type, 2 * W.threads()),
             New = W.array(Type, 2 * W.threads());
  const std::string T = W.text(W.threads()), Last = W.text(2 * W.threads() - 1);
  W.line(Old.at(Last + " - tid") + " = " + W.value(Type) + ";");
  W.line(Old.at(W.text(W.threads() - 1) + " - tid") + " = " + W.value(Type) +
         ";");
  W.barrier();
  W.line(New.at("tid") + " = " + W.value(Type) + ";");
  W.line(New.at("tid + " + T) + " = " + W.value(Type) + ";");
  W.add(New.at("tid") + " + " + New.at("tid + " + T));
  W.barrier();
  W.add(Old.at("tid") + " - " + Old.at("tid + " + T));
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Arrays of odd sizes and different types live from one phase to another.
void writeLivesInTurn(IdiomWriter &W) {
  struct Life {
    IdiomArray A;
    unsigned Begin, End;
  };
  const unsigned NumPhases = W.R.between(2, 5);
  const Element Largest =
      holdsFloat(W.K.Value) ? Element::Double : Element::LongLong;
  std::vector<Life> Lives;
  for (unsigned I = W.R.between(4, 9); I; --I) {
    const unsigned Begin = W.R.below(NumPhases);
    const Element Type =
        W.R.pick({Element::Char, Element::Char, Element::Short, Largest});
    Lives.push_back({W.array(Type, W.R.between(8, W.threads()) | 1), Begin,
                     W.R.between(Begin, NumPhases - 1)});
  }
  for (unsigned Phase = 0; Phase < NumPhases; ++Phase) {
    for (const Life &L : Lives)
      if (L.Begin == Phase) {
        openAll(W, L.A);
        W.line(L.A.at("i") + " = i + " + Twine(W.R.below(50)) + ";");
        W.close();
      }
    W.barrier();
    for (const Life &L : Lives)
      if (L.Begin <= Phase && Phase <= L.End) {
        // The unused rest of the array may overlap others.
        const unsigned Used =
            W.R.chance(70) ? W.R.between(1, L.A.Count) : L.A.Count;
        W.add(
            L.A.at("(tid * 3 + " + Twine(W.R.below(9)) + ") % " + Twine(Used)));
      }
    W.barrier();
  }
}

/// Other arrays may be placed behind the part of an array that is still used;
/// one of them has elements that need alignment.
void writePartStillUsed(IdiomWriter &W) {
  const unsigned T = W.threads(), Used = W.R.between(T / 4, T - 1) | 1,
                 Count = W.R.between(T / 8, T / 2);
  IdiomArray Old = W.array(Element::Char,
                           W.R.between(Used + 8, Used + 6 * Count)),
             Aligned = W.array(holdsFloat(W.K.Value) ? Element::Double
                                                     : Element::LongLong,
                               Count),
             Last = W.array(W.R.pick({Element::Char, Element::Short}), T);
  openAll(W, Old);
  W.line(Old.at("i") + " = i;");
  W.close();
  W.barrier();
  W.add(Old.at("(tid + " + Twine(W.R.below(40)) + ") % " + Twine(Old.Count)));
  W.barrier();
  openAll(W, Aligned);
  W.line(Aligned.at("i") + " = i + " + Twine(W.R.below(50)) + ";");
  W.close();
  W.fill(Last);
  W.barrier();
  W.add(Old.at("tid % " + Twine(Used)));
  W.add(Aligned.at("tid % " + Twine(Count)));
  W.add(Last.at(W.otherThread()));
}

/// Writes elements of \p A and reads them in other threads; \p Used elements
/// are accessed.
static void exchange(IdiomWriter &W, const IdiomArray &A, unsigned Used) {
  W.line("if (tid < " + W.text(Used) + ")");
  W.line("  " + A.at("tid") + " = " + W.value(A.Type) + ";");
  W.barrier();
  W.add(A.at(Twine(Used - 1) + " - tid % " + Twine(Used)));
  W.barrier();
}

/// An array in front of one that is accessed 16 bytes at a time shares bytes,
/// becomes smaller, or vanishes.
void writeInFrontOfWide(IdiomWriter &W) {
  const Element Type = W.K.Value;
  const unsigned T = W.threads(), Count = 16 / sizeOf(Type),
                 Odd = W.R.between(T / 8, T / 2 - 1) | 1, Form = W.R.below(3),
                 Each = Form == 0   ? 8192 / sizeOf(Type) >> W.R.below(4)
                        : Form == 1 ? Odd
                                    : Odd * Count / 2,
                 Rest = Form == 1 ? 2 * Count - Odd % Count : Each;
  // The following arrays are aligned, whatever precedes this one.
  const std::string First = W.freshArray();
  W.declare("__shared__ __align__(16) " + spellingOf(Type) + " " + First + "[" +
            Twine(T) + "];");
  IdiomArray A = W.array(Type, Each), B = A;
  if (Form)
    B = W.array(Type, Rest);
  IdiomArray Wide = W.array(Type, Count * T);
  const StringRef Vector = Type == Element::Double  ? "double2"
                           : Type == Element::Float ? "float4"
                                                    : "int4";
  W.line(First + "[tid] = " + W.value(Type) + ";");
  W.line("*(" + Vector + " *)&" + Wide.at(Twine(Count) + " * tid") +
         " = *(const " + Vector + " *)&in[" + Twine(Count) + " * (tid % " +
         Twine(NumInputs / Count) + ")];");
  switch (Form) {
  case 0: // It has more rows than are used.
    exchange(W, A, Odd);
    break;
  case 1: // It is private to threads.
    W.open("if (tid < " + Twine(Odd) + ")");
    W.line(A.at("tid") + " = " + W.value(Type) + ";");
    W.add(A.at("tid"));
    W.close();
    exchange(W, B, Rest);
    break;
  default: // The arrays live in turn.
    exchange(W, A, std::min(Each, T));
    exchange(W, B, std::min(Each, T));
  }
  W.add(Wide.at(Twine(Wide.Count - 1) + " - tid"));
  W.add(First + "[" + W.text(T - 1) + " - tid]");
}

/// Some rows of an array are never accessed; how many depends on the launch.
void writeRowsUnused(IdiomWriter &W) {
  const unsigned T = W.threads(), X = W.K.Block[0],
                 Beyond = T + W.R.between(1, 32);
  const Element Type = W.chooseElement();
  const unsigned Least = 2 * Beyond + T;
  IdiomArray A =
      W.array(Type, std::max(Least + W.R.below(90),
                             W.R.pick<unsigned>({0, 0, 9000 / sizeOf(Type)})));
  std::string Shift;
  if (W.R.chance(70)) {
    // The smaller the block, the further the accesses go.
    Shift = " + " + W.text(X * Beyond) + " / blockDim.x";
    const std::string V = spellingOf(W.K.Value).str(),
                      Parameters = "(" + V + " *out, const " + V +
                                   " *in, const int *flags";
    if (W.K.Visibility == Linkage::Static)
      W.fileLine("static");
    W.fileLine("__global__ void " + W.K.name() + Parameters + ", int n);");
    W.fileLine("void " + W.fresh("smaller") + Parameters + ") {");
    W.fileLine("  " + W.K.name() + "<<<" + Twine(W.K.Grid) + ", dim3(" +
               Twine(X / 2) + ", " + Twine(W.K.Block[1]) +
               ")>>>(out, in, flags, 16);");
    W.fileLine("}");
  }
  W.line(A.at("tid" + Shift) + " = " + W.value(Type) + ";");
  W.barrier();
  W.add(A.at("(tid ^ 1)" + Shift));
  if (W.R.chance(30))
    W.add("sizeof(" + A.at("0") + ")");
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// Two arrays are filled together that could share bytes in another order of
/// statements. Usually the threads that use the one leave, and do nothing with
/// the other.
void writeFilledTogether(IdiomWriter &W) {
  IdiomArray Small = W.array(W.K.Value),
             Large = W.array(W.K.Value, 2 * W.threads());
  W.fill(Small);
  openAll(W, Large);
  W.line(Large.at("i") + " = " + W.text(W.R.below(50)) + " - i;");
  W.close();
  W.barrier();
  const std::string First =
      W.output(W.threads(), "tid") + " = " + Small.at(W.otherThread()) + ";";
  if (W.R.chance(70)) {
    W.open("if (" + (W.R.chance(50) ? W.threadCondition() : W.dataCondition()) +
           ")");
    W.line(First);
    W.line(W.result() + " = acc;");
    W.line("return;");
    W.close();
  } else {
    W.line(First);
  }
  W.line(W.output(W.threads(), "tid") + " = " + Large.at(W.otherThread()) +
         ";");
}

} // namespace cudaopt::fuzz
