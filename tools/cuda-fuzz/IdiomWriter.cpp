// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The common parts of idioms, and the kernel around them.
//===----------------------------------------------------------------------===//

#include "IdiomWriter.h"
#include "KernelPrinter.h"

using llvm::StringRef;
using llvm::Twine;

namespace cudaopt::fuzz {

void IdiomWriter::run() {
  static constexpr void (*Writers[])(IdiomWriter &) = {
#define IDIOM(NAME, WORD, WEIGHT, PLACE, JUDGE) write##NAME,
#include "Idioms.def"
  };
  Writers[unsigned(K.Idioms[Position].Kind)](*this);
}

void IdiomWriter::line(const Twine &Text) {
  Body += (Twine(Indent) + Text + "\n").str();
}

void IdiomWriter::open(const Twine &Head) {
  line(Head + " {");
  Indent += "  ";
}

void IdiomWriter::close(unsigned Count) {
  for (; Count; --Count) {
    Indent.resize(Indent.size() - 2);
    line("}");
  }
}

void IdiomWriter::openLoop(const Twine &Counter, unsigned Trips) {
  const std::string Type = R.chance(70) ? "int" : "unsigned", I = Counter.str(),
                    Last = text(Trips);
  switch (R.below(4)) {
  case 0:
    return open("for (" + Type + " " + I + " = 0; " + I + " < " + Last + "; " +
                I + "++)");
  case 1:
    return open("for (" + Type + " " + I + " = 0; " + I + " != " + Last + "; " +
                I + " += 1)");
  case 2:
    return open("for (" + Type + " " + I + " = 0; " + I +
                " <= " + text(Trips - 1) + "; ++" + I + ")");
  default:
    return open("for (" + Type + " " + I + " = 0; " + I + " < " + Last +
                "; ++" + I + ")");
  }
}

std::string IdiomWriter::fresh(StringRef Stem) {
  return Stem.str() + text(Position) + "_" + text(++NumNames) + "_" +
         std::to_string(K.Number);
}

std::string IdiomWriter::freshArray() {
  return fresh(R.pick<const char *>(
      {"tile", "buf", "cache", "sums", "left", "right", "part", "tmp"}));
}

Element IdiomWriter::chooseElement() {
  if (!holdsFloat(K.Value))
    return R.pick({Element::Int, Element::Int, Element::Unsigned,
                   Element::Short, Element::Char, Element::LongLong});
  return R.pick({Element::Float, Element::Float, Element::Float,
                 Element::Double, Element::Int, Element::Unsigned,
                 Element::Short});
}

IdiomArray IdiomWriter::array(Element Type, unsigned Count) {
  IdiomArray A{freshArray(), Type, Count ? Count : threads()};
  declare("__shared__ " + spellingOf(Type) + " " + A.Name + "[" +
          Twine(A.Count) + "];");
  return A;
}

/// All forms are permutations of the threads, or at least stay below their
/// number.
std::string IdiomWriter::otherThread() {
  const unsigned T = threads();
  switch (R.below(5)) {
  case 0:
    return text(T - 1) + " - tid";
  case 1:
    return "(tid + " + text(R.between(1, T - 1)) + ") % " + text(T);
  case 2:
    if (T % 2 == 0)
      return "tid ^ 1";
    return text(T - 1) + " - tid";
  case 3:
    if (T % 3 && T > 3)
      return "tid * 3 % " + text(T);
    return "(tid + 1) % " + text(T);
  default:
    return "tid < " + text(T - 1) + " ? tid + 1 : 0";
  }
}

std::string IdiomWriter::value(Element Type) {
  const bool TakesInput = holdsFloat(Type) || !holdsFloat(K.Value);
  const std::string A = text(R.pick<unsigned>({1, 1, 1, 3, 5, 7})),
                    B = text(R.below(60));
  if (TakesInput && R.chance(60))
    return "in[(tid * " + A + " + " + B + ") % " + text(NumInputs) + "]";
  if (R.chance(40))
    return "flags[(tid * " + A + " + " + B + ") % " + text(NumFlags) + "]";
  return "tid * " + A + " + " + B;
}

std::string IdiomWriter::uniformCondition() {
  return "n " + std::string(R.pick<const char *>({">", "<", "!=", "=="})) +
         " " + text(R.between(2, 20));
}

std::string IdiomWriter::threadCondition() {
  const unsigned T = threads();
  switch (R.below(4)) {
  case 0:
    return "tid < " + text(R.between(1, T - 1));
  case 1:
    return "tid >= " + text(R.between(1, T - 1));
  case 2:
    return "tid % 2 == " + text(R.below(2));
  default:
    return "tid & " + text(1u << R.below(4));
  }
}

std::string IdiomWriter::dataCondition() {
  const std::string Flag =
      "flags[(tid + " + text(R.below(NumFlags)) + ") % " + text(NumFlags) + "]";
  if (R.chance(40))
    return "in[tid % " + text(NumInputs) + "] > 0";
  return Flag + (R.chance(50) ? " > 0" : " & 1");
}

void IdiomWriter::gap(const IdiomArray &Like) {
  // Any type will do, as long as the array fits where the other one was.
  Element Type = R.chance(60) ? Like.Type : chooseElement();
  IdiomArray A = array(Type);
  fill(A);
  barrier();
  add(A.at(otherThread()));
  barrier();
}

std::string IdiomWriter::output(unsigned Count, const Twine &Index) {
  const unsigned First = NextOutput;
  NextOutput += Count * K.Grid;
  return ("out[" + Twine(First) + " + " +
          (K.Grid > 1 ? "blockIdx.x * " + text(Count) + " + " : "") + Index +
          "]")
      .str();
}

std::string IdiomWriter::result() const {
  return "out[tid" + (K.Grid > 1 ? " + blockIdx.x * " + text(threads()) : "") +
         "]";
}

/// The declarations of all idioms precede the first idiom.
KernelText KernelPrinter::runIdioms() {
  std::string Declarations, Body;
  unsigned NumOutputs = K.numThreads() * K.Grid;
  if (K.Visibility == Linkage::Anonymous)
    write("namespace {\n");
  std::string Result;
  for (unsigned I = 0; I < K.Idioms.size(); ++I) {
    IdiomWriter W(K, I, NumOutputs);
    W.run();
    write(W.file());
    Declarations += W.declarations();
    Body += W.body();
    NumOutputs = W.nextOutput();
    Result = W.result();
    // The next idiom has arrays of its own and needs no barrier.
    if (I + 1 < K.Idioms.size() && W.R.chance(85))
      Body += "  __syncthreads();\n";
  }
  printHead();
  write(Declarations);
  printLocals();
  const StringRef Barrier = "__syncthreads();";
  for (size_t At = Body.find(Barrier); At != std::string::npos;
       At = Body.find(Barrier, At + 1))
    Out.Barriers.push_back({here() + unsigned(At), unsigned(Barrier.size())});
  write(Body);
  line(Result + " = acc;");
  write(K.Visibility == Linkage::Anonymous ? "}\n}\n" : "}\n");
  printLaunch("launch" + Twine(K.Number), K.Block, true);
  Out.NumOutputs = NumOutputs;
  return std::move(Out);
}

} // namespace cudaopt::fuzz
