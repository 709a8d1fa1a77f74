// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Idioms about arrays of which each thread has an element of its own: what
/// allows privatization, and what prevents it.
//===----------------------------------------------------------------------===//

#include "IdiomWriter.h"
#include "KernelPrinter.h"

using llvm::Twine;

namespace cudaopt::fuzz {

/// An array, and the expression for the element that belongs to the thread.
namespace {
struct OwnArray {
  std::string Name, At;
  Element Type;
};
} // namespace

/// Returns a number below the number of threads that each thread has for
/// itself.
static std::string ownNumber(IdiomWriter &W) {
  switch (W.R.below(4)) {
  case 0:
    return W.text(W.threads() - 1) + " - tid";
  case 1: // Blocks consist of whole warps.
    return "tid ^ " + W.text(W.R.between(1, 31));
  default:
    return "tid";
  }
}

static OwnArray declareOwn(IdiomWriter &W, const Twine &Qualifier = "") {
  OwnArray Own{W.freshArray(), "", W.chooseElement()};
  std::string Extents;
  const auto &Block = W.K.Block;
  if (Block[1] > 1 && W.R.chance(50)) {
    Extents = W.text(Block[1]) + "][" + W.text(Block[0]);
    Own.At = Own.Name + "[threadIdx.y][threadIdx.x]";
  } else {
    Extents = W.text(W.threads() + W.R.pick<unsigned>({0, 0, 1, 32}));
    Own.At = Own.Name + "[" + ownNumber(W) + "]";
  }
  W.declare(Qualifier + "__shared__ " + spellingOf(Own.Type) + " " + Own.Name +
            "[" + Extents + "];");
  return Own;
}

/// Changes the thread's element, or uses it.
static void useOwn(IdiomWriter &W, const OwnArray &Own) {
  switch (W.R.below(4)) {
  case 0:
    W.line("if (" + W.threadCondition() + ")");
    return W.line("  " + Own.At + " += " + W.text(W.R.below(9)) + ";");
  case 1:
    W.openLoop("k", W.R.between(2, 5));
    W.line(Own.At + " = " + Own.At + " - k;");
    return W.close();
  case 2:
    if (W.R.chance(50))
      W.barrier();
    return W.add(Own.At);
  default:
    return W.line(Own.At + " = " + W.value(Own.Type) + ";");
  }
}

void writePrivateElement(IdiomWriter &W) {
  OwnArray Own = declareOwn(W);
  W.line(Own.At + " = " + W.value(Own.Type) + ";");
  for (unsigned I = W.R.between(0, 3); I; --I)
    useOwn(W, Own);
  W.add(Own.At);
}

/// Each thread has two or three elements.
void writePrivateElements(IdiomWriter &W) {
  const unsigned T = W.threads(), Count = W.R.between(2, 3);
  const std::string Name = W.freshArray(), Threads = W.text(T),
                    Own = ownNumber(W);
  const Element Type = W.chooseElement();
  const unsigned Form = W.R.below(4);
  const std::string Extents = Form == 0   ? W.text(Count) + "][" + Threads
                              : Form == 1 ? Threads + "][" + W.text(Count)
                                          : W.text(Count * T);
  W.declare("__shared__ " + spellingOf(Type) + " " + Name + "[" + Extents +
            "];");
  const auto At = [&](unsigned Which) {
    const std::string J = W.text(Which);
    switch (Form) {
    case 0:
      return Name + "[" + J + "][" + Own + "]";
    case 1:
      return Name + "[" + Own + "][" + J + "]";
    case 2:
      return Name + "[(" + Own + ") * " + W.text(Count) + " + " + J + "]";
    default:
      return Which ? Name + "[(" + Own + ") + " + W.text(Which * T) + "]"
                   : Name + "[" + Own + "]";
    }
  };
  for (unsigned J = 0; J < Count; ++J)
    W.line(At(J) + " = " + W.value(Type) + ";");
  if (W.R.chance(40))
    W.line(At(0) + " = " + At(1) + " - 1;");
  for (unsigned J = 0; J < Count; ++J)
    W.add(At(J) + (J ? "" : " + " + At(Count - 1)));
}

/// Several threads share one element, which one of them writes.
void writePrivateOfSeveral(IdiomWriter &W) {
  const unsigned Threads = W.R.pick<unsigned>({2, 2, 4, W.threads()}),
                 Count = W.threads() / Threads;
  IdiomArray A = W.array(W.chooseElement(), Count);
  const bool IsDivided = W.R.chance(50);
  const std::string At = Count == 1  ? A.at("0")
                         : IsDivided ? A.at("tid / " + Twine(Threads))
                                     : A.at("tid % " + Twine(Count));
  W.line(IsDivided ? "if (tid % " + W.text(Threads) +
                         " == " + W.text(W.R.below(Threads)) + ")"
                   : "if (tid < " + W.text(Count) + ")");
  W.line("  " + At + " = " + W.value(A.Type) + ";");
  W.barrier();
  W.add(At);
}

/// Nobody else reads the elements, but they are volatile and must stay in
/// memory.
void writePrivateVolatile(IdiomWriter &W) {
  OwnArray Own = declareOwn(W, "volatile ");
  W.line(Own.At + " = " + W.value(Own.Type) + ";");
  if (W.R.chance(50))
    W.line(Own.At + " = " + Own.At + " + 1;");
  W.add(Own.At);
}

/// The array is declared in a loop, and keeps its contents from one iteration
/// to the next.
void writePrivateInLoop(IdiomWriter &W) {
  const Element Type = W.chooseElement();
  const std::string Name = W.freshArray(), At = Name + "[" + ownNumber(W) + "]",
                    Value = W.value(Type);
  W.openLoop("k", W.R.between(2, 5));
  W.line("__shared__ " + spellingOf(Type) + " " + Name + "[" +
         Twine(W.threads()) + "];");
  W.line(W.R.chance(50) ? "if (k == 0)" : "if (!k)");
  W.line("  " + At + " = " + Value + ";");
  if (W.R.chance(40))
    W.add(At);
  W.line(At + (W.R.chance(50) ? " += k;" : " -= 1;"));
  if (W.R.chance(30))
    W.barrier();
  W.add(At);
  W.close();
}

/// A lambda accesses the thread's element.
void writePrivateInLambda(IdiomWriter &W) {
  OwnArray Own = declareOwn(W);
  const std::string Lambda = W.fresh("f");
  W.line(Own.At + " = " + W.value(Own.Type) + ";");
  switch (W.R.below(4)) {
  case 0:
    W.line("auto " + Lambda + " = [=](int v) mutable { " + Own.At + " = v; };");
    W.line(Lambda + "(tid + " + W.text(W.R.below(9)) + ");");
    break;
  case 1:
    W.line("auto " + Lambda + " = [=] { return " + Own.At + "; };");
    W.line(Own.At + " += 1;");
    W.add(Lambda + "()");
    break;
  case 2:
    W.line("auto " + Lambda + " = [&](int v) { " + Own.At + " += v; };");
    W.line(Lambda + "(" + W.text(W.R.below(9)) + ");");
    break;
  default:
    W.add("applied([=](unsigned i) { return " + Own.At + "; }, tid)");
  }
  W.add(Own.At);
}

/// The element's address is taken, but only leads back to the element.
void writePrivateAddress(IdiomWriter &W) {
  OwnArray Own = declareOwn(W);
  W.line(Own.At + " = " + W.value(Own.Type) + ";");
  const std::string Type = spellingOf(Own.Type).str(), Pointer = W.fresh("p");
  switch (W.R.below(4)) {
  case 0:
    W.add("*&" + Own.At);
    break;
  case 1:
    W.line(Type + " *" + Pointer + " = &" + Own.At + ";");
    W.line("*" + Pointer + " += 1;");
    break;
  case 2: {
    const std::string Function = W.fresh("step");
    W.fileLine("__device__ void " + Function + "(" + Type +
               " *p) { *p += 2; }");
    W.line(Function + "(&" + Own.At + ");");
    break;
  }
  default:
    W.line("(&" + Own.At + ")[0] += 3;");
  }
  W.add(Own.At);
}

/// The array is named where it is not accessed.
void writePrivateNamed(IdiomWriter &W) {
  OwnArray Own = declareOwn(W);
  W.line(Own.At + " = " + W.value(Own.Type) + ";");
  const bool IsFlat = Own.At.find("][") == std::string::npos;
  const std::string First = Own.Name + (IsFlat ? "[0]" : "[0][0]");
  switch (W.R.below(4)) {
  case 0:
    W.add("sizeof(" + First + ")");
    break;
  case 1:
    W.add("noexcept(" + First + " + 1)");
    break;
  case 2:
    W.line("if (sizeof " + First + " > 2)");
    W.line("  acc += 1;");
    break;
  default:
    W.add("sizeof(" + Own.Name + ")");
  }
  W.add(Own.At);
}

} // namespace cudaopt::fuzz
