// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Idioms about arrays with bank conflicts: arrays that are accessed several
/// elements at a time, copied, accessed through pointers, or with subscripts
/// that have side effects.
//===----------------------------------------------------------------------===//

#include "IdiomWriter.h"
#include "KernelPrinter.h"

using llvm::StringRef;
using llvm::Twine;

namespace cudaopt::fuzz {

namespace {
/// A vector type with which a thread accesses several elements at once.
struct Wide {
  StringRef Name, Element;
  unsigned Count, Bytes; ///< The number of elements, and the bytes of one.
};

struct Tile {
  std::string Name;
  unsigned Rows, Columns;

  std::string at(const Twine &Row, const Twine &Column) const {
    return (Twine(Name) + "[" + Row + "][" + Column + "]").str();
  }
};
} // namespace

/// Chooses a vector of 16 bytes with elements of the kernel's input type.
static Wide chooseWide(IdiomWriter &W) {
  switch (W.K.Value) {
  case Element::Double:
    return {"double2", "double", 2, 8};
  case Element::Float:
    return {"float4", "float", 4, 4};
  default:
    return {"int4", spellingOf(W.K.Value), 4, 4};
  }
}

static std::string sumOf(const Wide &V, const Twine &Value) {
  return (Value + ".x + " + Value + (V.Count == 2 ? ".y" : ".w")).str();
}

static std::string chooseAnnotation(IdiomWriter &W) {
  return W.R.pick<const char *>({"", "", "LAYOUT(pad) ", "LAYOUT(pad) "});
}

/// Opens a loop in which each thread takes some of \p Count elements; returns
/// the expression for an element's number.
static std::string openElements(IdiomWriter &W, unsigned Count) {
  const unsigned T = W.threads();
  if (Count % T || W.R.chance(50)) {
    W.open("for (int i = tid; i < " + Twine(Count) + "; i += " + Twine(T) +
           ")");
    return "i";
  }
  W.openLoop("i", Count / T);
  return "(i * " + W.text(T) + " + tid)";
}

static std::string inputAt(IdiomWriter &W, const Twine &Index) {
  return ("in[(" + Index + ") % " + Twine(NumInputs) + "]").str();
}

/// Declares a tile and fills it by rows; columns are read later.
static Tile fillTile(IdiomWriter &W, StringRef Type, unsigned Rows,
                     unsigned Columns, StringRef Annotation) {
  Tile T{W.freshArray(), Rows, Columns};
  W.declare(Annotation + "__shared__ " + Type + " " + T.Name + "[" +
            Twine(Rows) + "][" + Twine(Columns) + "];");
  const std::string E = openElements(W, Rows * Columns), C = W.text(Columns);
  W.line(T.at(E + " / " + C, E + " % " + C) + " = " + inputAt(W, E) + ";");
  W.close();
  W.barrier();
  return T;
}

static void readColumns(IdiomWriter &W, const Tile &T) {
  const std::string E = openElements(W, T.Rows * T.Columns), R = W.text(T.Rows);
  W.add(T.at(E + " % " + R, E + " / " + R));
  W.close();
}

/// Copies the beginning of each plane 16 bytes at a time. Planes begin at
/// multiples of 16 bytes, but rows do not, so that padding rows breaks the
/// alignment.
void writeCopiedPlanes(IdiomWriter &W) {
  const Wide V = chooseWide(W);
  const unsigned Planes = 32,
                 Columns = V.Count == 2 ? W.R.pick<unsigned>({3, 5})
                                        : W.R.pick<unsigned>({6, 10}),
                 Rows = W.R.pick<unsigned>({2, 4, 8});
  const std::string Name = W.freshArray(), P = W.text(Planes);
  W.declare(chooseAnnotation(W) + "__shared__ __align__(16) " + V.Element +
            " " + Name + "[" + P + "][" + Twine(Rows) + "][" + Twine(Columns) +
            "];");
  W.open("if (tid < " + P + ")");
  W.line("__builtin_memcpy((" + V.Name + " *)&" + Name + "[tid][0][0], &in[" +
         Twine(V.Count) + " * tid], 16);");
  W.line(Name + "[tid][" + W.text(Rows - 1) + "][" + W.text(Columns - 1) +
         "] = in[tid];");
  W.close();
  W.barrier();
  for (unsigned I = W.R.between(1, 3); I; --I)
    W.add(Name + "[tid % " + P + "][0][" +
          W.text(W.R.below(V.Count == 2 ? 2 : 4)) + "]");
  W.add(Name + "[tid % " + P + "][" + W.text(Rows - 1) + "][" +
        W.text(Columns - 1) + "]");
}

/// Puts a tile with conflicts in front of an array that is read 16 bytes at a
/// time and is aligned only by its position.
void writeTileInFront(IdiomWriter &W) {
  const Wide V = chooseWide(W);
  const unsigned T = W.threads(), Columns = 32,
                 Rows = V.Count == 2 ? 33 : W.R.pick<unsigned>({34, 38});
  Tile Front{W.freshArray(), Rows, Columns};
  const std::string Behind = W.freshArray();
  W.declare(Twine(W.R.chance(75) ? "LAYOUT(pad) " : "") +
            "__shared__ __align__(16) " + V.Element + " " + Front.Name + "[" +
            Twine(Rows) + "][" + Twine(Columns) + "];");
  W.declare("__shared__ " + V.Element + " " + Behind + "[" +
            Twine(V.Count * T) + "];");
  const std::string C = W.text(V.Count), From = " = *(const " + V.Name.str() +
                                                " *)&in[" + C + " * tid % " +
                                                W.text(NumInputs) + "];";
  if (W.R.chance(40)) {
    const std::string Pointer = W.fresh("p");
    W.line(V.Name + " *" + Pointer + " = (" + V.Name + " *)" + Behind + ";");
    W.line(Pointer + "[tid]" + From);
  } else {
    W.line("*(" + V.Name + " *)&" + Behind + "[" + C + " * tid]" + From);
  }
  const std::string E = openElements(W, Rows * Columns);
  W.line(Front.at(E + " / 32", E + " % 32") + " = " + inputAt(W, E) + ";");
  W.close();
  W.barrier();
  W.add(Behind + "[" + W.text(V.Count * T - 1) + " - tid]");
  W.openLoop("k", W.R.between(1, 3));
  W.add(Front.at("tid % 32 + k % 2", "tid / 32"));
  W.close();
  // Another array becomes smaller, so that all positions are computed again.
  if (W.R.chance(70)) {
    IdiomArray Own = W.array(W.K.Value);
    W.fill(Own);
    W.add(Own.at("tid"));
  }
}

/// Writes or reads rows several elements at a time, and reads columns.
void writeWideRows(IdiomWriter &W) {
  const Wide V = chooseWide(W);
  const unsigned Columns = W.R.pick<unsigned>({16, 32}),
                 Rows = W.R.pick<unsigned>({32, 1024 / Columns});
  if (W.R.chance(50)) {
    Tile T = fillTile(W, V.Element, Rows, Columns, "");
    const std::string Value = W.fresh("v"), N = W.text(Columns / V.Count);
    W.line("const " + V.Name + " " + Value + " = *(" + V.Name + " *)&" +
           T.at("tid / " + N + " % " + W.text(Rows),
                "tid % " + N + " * " + W.text(V.Count)) +
           ";");
    W.add(sumOf(V, Value));
    return readColumns(W, T);
  }
  Tile T{W.freshArray(), Rows, Columns};
  W.declare("__shared__ __align__(16) " + V.Element + " " + T.Name + "[" +
            Twine(Rows) + "][" + Twine(Columns) + "];");
  W.open("for (int i = tid; i < " + Twine(Rows * Columns / V.Count) +
         "; i += " + Twine(W.threads()) + ")");
  const std::string N = W.text(Columns / V.Count), C = W.text(V.Count);
  W.line("*reinterpret_cast<" + V.Name + " *>(&" +
         T.at("i / " + N, "i % " + N + " * " + C) + ") = *(const " + V.Name +
         " *)&in[i * " + C + " % " + W.text(NumInputs) + "];");
  W.close();
  W.barrier();
  readColumns(W, T);
}

/// Accesses rows through pointers.
void writeRowPointer(IdiomWriter &W) {
  const StringRef Type = spellingOf(W.chooseElement());
  const unsigned Columns = W.R.pick<unsigned>({8, 16, 32});
  Tile T = fillTile(W, Type, 32, Columns, chooseAnnotation(W));
  const std::string Row = W.fresh("row");
  W.line("const " + Type + " *" + Row + " = " + T.Name + "[tid % 32];");
  W.openLoop("k", Columns);
  W.add(Row + "[k]");
  W.close();
}

/// Uses subscripts that leave a row, because the author knows that the next row
/// follows.
void writeRowsLeft(IdiomWriter &W) {
  const std::string Type = W.fresh("Pair"), Name = W.freshArray(),
                    V = spellingOf(W.K.Value).str();
  const unsigned Columns = W.R.pick<unsigned>({16, 32}),
                 Step = W.R.pick<unsigned>({8, 16}), PerRow = Columns / Step;
  W.fileLine("struct " + Type + " { " + V + " first, second; };");
  W.declare("__shared__ " + Type + " " + Name + "[" + Twine(32 / PerRow) +
            "][" + Twine(Columns) + "];");
  const std::string Lane = W.threads() > 32 ? "(tid % 32)" : "tid",
                    S = W.text(Step), P = W.text(PerRow),
                    Beyond = Name + "[0][" + Lane + " * " + S + "]",
                    Inside = Name + "[" + Lane + " / " + P + "][" + Lane +
                             " % " + P + " * " + S + "]";
  W.open("if (tid < 32)");
  W.line(Beyond + ".first = " + W.value(W.K.Value) + ";");
  W.line(Beyond + ".second = " + W.value(W.K.Value) + ";");
  W.close();
  W.barrier();
  W.add(Inside + ".first");
  W.add((W.R.chance(50) ? Inside : Beyond) + ".second");
}

/// Calls a function with side effects in a subscript, which must not be
/// evaluated twice.
void writeSubscriptWithEffect(IdiomWriter &W) {
  const std::string Function = W.fresh("next"), Name = W.freshArray(),
                    V = spellingOf(W.K.Value).str();
  const unsigned Planes = 32, Rows = W.R.pick<unsigned>({1, 2}),
                 Columns = 32 / Rows;
  W.fileLine("__device__ int " + Function + "(" + V +
             " &count, int i) { count += 1; __syncthreads(); return i; }");
  W.declare(W.R.pick<const char *>({"LAYOUT(xor) ", "LAYOUT(xor) ", ""}) +
            std::string("__shared__ ") + V + " " + Name + "[" + Twine(Planes) +
            "][" + Twine(Rows) + "][" + Twine(Columns) + "];");
  const std::string E = openElements(W, 1024), C = W.text(Columns);
  W.line(Name + "[" + E + " / 32][" + E + " / " + C + " % " + W.text(Rows) +
         "][" + E + " % " + C + "] = " + inputAt(W, E) + ";");
  W.close();
  W.barrier();
  W.openLoop("k", W.R.between(2, 6));
  const std::string Count = W.fresh("count");
  W.line(V + " " + Count + " = 0;");
  W.add(Name + "[" + Function + "(" + Count + ", tid % 32)][0][k]");
  W.add(Count);
  W.close();
}

/// Moves elements of one tile to another of the same size in bytes but,
/// usually, with other rows.
void writeTileForTile(IdiomWriter &W) {
  const StringRef Type = spellingOf(W.K.Value);
  const unsigned Side =
      sizeOf(W.K.Value) == 4 ? W.R.pick<unsigned>({16, 32}) : 16;
  const bool IsSame = W.R.chance(25);
  const std::string S = W.text(Side), H = W.text(Side / 2);
  Tile First = fillTile(W, Type, Side, Side, "");
  Tile Second{W.freshArray(), IsSame ? Side : 2 * Side,
              IsSame ? Side : Side / 2};
  W.declare("__shared__ " + Type + " " + Second.Name + "[" +
            Twine(Second.Rows) + "][" + Twine(Second.Columns) + "];");
  // The element of Second at the position that the element of First has.
  const auto At = [&](const std::string &Row, const std::string &Column) {
    return IsSame ? Second.at(Row, Column)
                  : Second.at("2 * (" + Row + ") + " + Column + " / " + H,
                              Column + " % " + H);
  };
  std::string E = openElements(W, Side * Side);
  W.line(At(E + " % " + S, E + " / " + S) + " = " +
         First.at(E + " % " + S, E + " / " + S) + " + 1;");
  W.close();
  W.barrier();
  E = openElements(W, Side * Side);
  W.add(At(E + " / " + S, E + " % " + S));
  W.close();
}

} // namespace cudaopt::fuzz
