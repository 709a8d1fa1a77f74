// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Idioms about live ranges: what overwrites an array, and on which paths. The
/// array seems dead where not all of it is overwritten, or not on all paths.
//===----------------------------------------------------------------------===//

#include "IdiomWriter.h"
#include "KernelPrinter.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt::fuzz {

using Writing = llvm::function_ref<void(const std::string &Round)>;
using Reading = llvm::function_ref<void()>;

/// Lets \p Overwrite write a filled array anew, and \p Read read what other
/// threads wrote, once or in each iteration of a loop. Between reading and
/// writing, another array like \p Like is used: there the old values are dead
/// if all of them get overwritten.
static void writeAnew(IdiomWriter &W, const IdiomArray &Like, bool Loops,
                      Writing Overwrite, Reading Read) {
  W.barrier();
  if (!Loops) {
    Read();
    W.barrier();
    W.gap(Like);
    Overwrite(W.text(W.R.below(9)));
    W.barrier();
    return Read();
  }
  const std::string I = W.R.pick<const char *>({"i", "round", "step"});
  W.openLoop(I, W.R.between(2, 4));
  Overwrite(I);
  W.barrier();
  Read();
  W.barrier();
  W.gap(Like);
  W.close();
  if (W.R.chance(30))
    Read();
}

/// The same for threads that go on with their own elements, without a barrier
/// between writing and reading; \p Use does both.
static void useOwn(IdiomWriter &W, const IdiomArray &Like, Reading ReadOthers,
                   Writing Use) {
  W.barrier();
  ReadOthers();
  W.barrier();
  if (W.R.chance(60)) {
    W.gap(Like);
    return Use(W.text(W.R.below(9)));
  }
  W.openLoop("i", W.R.between(2, 3));
  W.gap(Like);
  Use("i");
  W.barrier();
  W.close();
}

/// Returns a value that a round writes.
static std::string roundValue(IdiomWriter &W, const std::string &Round) {
  return Round + W.R.pick<const char *>({"", " + 1", " * 3", " + 17"});
}

/// Prints a store of \p Value to element \p Place that some threads, or some
/// rounds, do not execute.
static void writeMaybe(IdiomWriter &W, const std::string &Place,
                       const std::string &Value, const std::string &Round,
                       bool Loops) {
  const std::string Store = Place + " = " + Value,
                    Condition = W.dataCondition();
  switch (W.R.below(16)) {
  case 0:
    return W.line(Store + ";");
  // A barrier that is never reached splits this off as a step of its own.
  case 14: {
    W.open("if (" + Condition + ")");
    W.line("if (n < -3)\n      __syncthreads();");
    W.line(Store + ";");
    return W.close();
  }
  case 15: {
    const std::string Mine = W.fresh("mine");
    W.line("int " + Mine + " = 0;");
    W.open("for (int j = 0; j < 3; ++j)");
    W.line(Mine + " ^= flags[(tid * 3 + j) % 64];");
    W.close();
    W.open("if (" + Mine + " & 2)");
    W.line("if (n < -3)\n      __syncthreads();");
    W.line(Store + ";");
    return W.close();
  }
  case 1:
    return W.line("if (" + Condition + ")\n    " + Store + ";");
  case 2:
    return W.line("(" + Condition + ") && (" + Store + ", true);");
  case 3:
    W.open("do");
    W.line("if (" + Condition + ")\n      break;");
    W.line(Store + ";");
    W.close();
    return W.line("while (0);");
  case 4:
    W.open("[&]");
    W.line("if (" + Condition + ")\n      return;");
    W.line(Store + ";");
    W.close();
    return W.line("();");
  case 5:
    return W.line("for (int j = 0; j < (n & 3); j++)\n    " + Place + " = j;");
  case 6:
    return W.line("for (int j = flags[" + W.otherThread() + "] & 3; j > 0; " +
                  "--j)\n    " + Place + " = j;");
  case 7:
    return W.line("if (tid < n)\n    " + Store + ";");
  case 8:
    return W.line("if (" + W.uniformCondition() + ")\n    " + Store + ";");
  case 9:
    W.open("switch (flags[tid % 64] & 3)");
    W.line("case 1:\n  case 2:");
    W.line(Store + ";");
    return W.close();
  default:
    break;
  }
  if (!Loops)
    return W.line("if (" + W.threadCondition() + ")\n    " + Store + ";");
  // The first round writes all elements, but that says nothing about the
  // others.
  switch (W.R.below(4)) {
  case 0:
    return W.line("if (" + Round + " != 1)\n    " + Store + ";");
  case 1:
    return W.line("if (" + Round + " == 0)\n    " + Store + ";");
  case 2:
    return W.line("if (" + Round + " < 1 || " + W.threadCondition() +
                  ")\n    " + Store + ";");
  default:
    return W.line("if (tid / " + W.text(W.threads() / 2) + " == " + Round +
                  " % 2)\n    " + Store + ";");
  }
}

/// Not all threads write an array anew, or not in all rounds.
void writeSometimesOverwritten(IdiomWriter &W) {
  IdiomArray A = W.array();
  const bool Loops = W.R.chance(65);
  W.fill(A);
  writeAnew(
      W, A, Loops,
      [&](const std::string &Round) {
        writeMaybe(W, A.at("tid"), roundValue(W, Round), Round, Loops);
      },
      [&] { W.add(A.at(W.otherThread())); });
}

/// A field, or some bytes, of each element are written anew while the others
/// are still needed.
void writePartOverwritten(IdiomWriter &W) {
  const std::string Type = spellingOf(W.chooseElement()).str(),
                    T = W.text(W.threads()), Name = W.freshArray(),
                    Record = W.fresh("Cell");
  const bool Loops = W.R.chance(60);
  std::string X = ".x", Y = ".y";
  if (W.R.chance(25)) {
    W.fileLine("struct " + Record + " { " + Type + " v[2]; };");
    X = ".v[0]", Y = ".v[1]";
  } else if (W.R.chance(30)) {
    W.fileLine("struct " + Record + " { " + Type + " x; int tag; " + Type +
               " y; };");
  } else {
    W.fileLine("struct " + Record + " { " + Type + " x, y; };");
  }
  W.declare("__shared__ " + Record + " " + Name + "[" + T + "];");
  IdiomArray Like{Name, Element::Int, W.threads()};
  const std::string Own = Name + "[tid]";
  W.line(Own + X + " = tid;");
  W.line(Own + Y + " = tid * 3 + 1;");
  const bool IsAll = W.R.chance(15);
  auto write = [&](const std::string &Round) {
    W.line(Own + X + " = " + roundValue(W, Round) + ";");
    if (IsAll)
      W.line(Own + Y + " = " + Round + ";");
  };
  auto read = [&] {
    const std::string Other = Name + "[" + W.otherThread() + "]";
    W.add(Other + X);
    W.add(Other + Y);
  };
  if (W.R.chance(60))
    return writeAnew(W, Like, Loops, write, read);
  // The thread knows what it wrote, but not what is beside it.
  useOwn(W, Like, read, [&](const std::string &Round) {
    write(Round);
    W.add(Own + Y);
  });
}

/// A thread reads its own element, which it may or may not have written.
void writeOwnElement(IdiomWriter &W) {
  IdiomArray A = W.array();
  const std::string Own = A.at("tid");
  const unsigned Form = W.R.below(7);
  W.fill(A);
  auto readOthers = [&] { W.add(A.at(W.otherThread())); };
  useOwn(W, A, readOthers, [&](const std::string &Round) {
    const std::string Condition = W.R.chance(50) ? W.dataCondition()
                                                 : W.uniformCondition(),
                      Store = Own + " = " + roundValue(W, Round) + ";";
    switch (Form) {
    case 0: // The branch writes; what follows it reads.
      W.line("if (" + Condition + ")\n    " + Store);
      return W.add(Own);
    case 1:
      W.open("if (" + Condition + ")");
      W.line(Store);
      W.close();
      W.open("else");
      W.add(Own);
      return W.close();
    case 2: // An iteration reads what the previous one wrote.
      W.open("for (int k = 0; k < 3; " + Own + " = k + 1, ++k)");
      W.add(Own);
      return W.close();
    case 3: {
      const std::string Count = W.fresh("k");
      W.line("int " + Count + " = 0;");
      W.open("do");
      W.line("if (" + Condition + ")\n      continue;");
      W.line(Store);
      W.close();
      return W.line("while (" + Count + "++ < 2 && " + Own + " > 3);");
    }
    case 4:
      W.open("for (int k = 0; k < 2; ++k)");
      W.line("if (k > 0)\n      " + Store);
      W.add(Own);
      return W.close();
    case 5:
      W.open("for (int k = 0; k < (n & 3); ++k)");
      W.line(Store);
      W.close();
      return W.add(Own);
    default: // The thread has written the element: the old value is dead.
      W.line(Store);
      return W.add(Own);
    }
  });
}

/// The value that is written was read behind a barrier of the same expression.
void writeAroundBarrier(IdiomWriter &W) {
  IdiomArray A = W.array();
  const std::string Type = spellingOf(A.Type).str(), Call = W.fresh("meet");
  W.fileLine("__device__ " + Type + " " + Call + "(const " + Type +
             " *p, int t) {");
  W.fileLine("  __syncthreads();\n  return p[t];\n}");
  W.fill(A);
  writeAnew(
      W, A, W.R.chance(40),
      [&](const std::string &) {
        const std::string Value = Call + "(" + A.Name + ", " +
                                  (W.R.chance(70) ? "tid" : "0 + tid") + ")";
        switch (W.R.below(4)) {
        case 0:
          return W.line(A.at("tid") + " = " + Value + ";");
        case 1:
          return W.line(A.at("tid") + " += " + Value + ";");
        default:
          return W.line(A.at("tid") + " = " + Value + " + " +
                        W.text(W.R.below(9)) + ";");
        }
      },
      [&] { W.add(A.at(W.otherThread())); });
}

/// A scalar in shared memory that some launches, or rounds, assign anew.
void writeSharedScalar(IdiomWriter &W) {
  const std::string Name =
      W.fresh(W.R.pick<const char *>({"total", "flag", "best"}));
  // Smaller ones are not worth moving.
  const std::string Type = W.fresh("Quad");
  const bool IsQuad = W.R.chance(85);
  W.fileLine("typedef int " + Type + " __attribute__((vector_size(16)));");
  W.declare("__shared__ " + (IsQuad ? Type : "int") + " " + Name + ";");
  // All threads write the same value.
  const bool IsByAll = W.R.chance(80), Loops = W.R.chance(50);
  auto assign = [&](const std::string &Number, const std::string &Condition) {
    const std::string Value =
        IsQuad ? Type + "{int(" + Number + "), 3, int(" + Number + "), 1}"
               : Number;
    std::string If = IsByAll ? "" : "tid == 0";
    if (!Condition.empty())
      If += (If.empty() ? "" : " && ") + Condition;
    if (If.empty())
      return W.line(Name + " = " + Value + ";");
    if (W.R.chance(30))
      return W.line("(" + If + ") && (" + Name + " = " + Value + ", true);");
    if (W.R.chance(20))
      return W.line("for (int k = 0; k < 1 && " + If + "; ++k)\n    " + Name +
                    " = " + Value + ";");
    W.line("if (" + If + ")\n    " + Name + " = " + Value + ";");
  };
  assign("n & 15", "");
  writeAnew(
      W, {Name, Element::Int, 1}, Loops,
      [&](const std::string &Round) {
        const std::string If = Loops && W.R.chance(40) ? Round + " < 1"
                               : W.R.chance(15)        ? ""
                                                       : W.uniformCondition();
        assign(Round + " + 1", If);
      },
      [&] {
        const std::string Copy = W.fresh("all");
        if (!IsQuad)
          return W.add(Name);
        W.line("const " + Type + " " + Copy + " = " + Name + ";");
        W.add(Copy + "[0] + " + Copy + "[2]");
      });
}

/// Of several paths to a barrier, all but one overwrite the array.
void writeTwoWays(IdiomWriter &W) {
  IdiomArray A = W.array();
  const unsigned Form = W.R.below(5);
  W.fill(A);
  writeAnew(
      W, A, W.R.chance(40),
      [&](const std::string &Round) {
        const std::string Store =
                              A.at("tid") + " = " + roundValue(W, Round) + ";",
                          First = W.uniformCondition(),
                          Second = W.uniformCondition();
        auto meetAndStore = [&] {
          W.open("if (" + Second + ")");
          W.barrier();
          W.line(Store);
          W.close();
        };
        switch (Form) {
        case 0:
          W.open("if (" + First + ")");
          meetAndStore();
          W.close();
          W.open("else");
          W.line(Store);
          return W.close();
        case 1:
          W.open("if (" + First + ")");
          W.line(Store);
          W.close();
          W.open("else");
          meetAndStore();
          return W.close();
        case 2:
          W.open("for (int k = 0; k < 3; ++k)");
          W.line("if (" + First + ")\n      break;");
          W.line(Store);
          W.line("if (" + Second + ")\n      __syncthreads();");
          return W.close();
        case 3: // All paths.
          W.open("if (" + First + ")");
          W.line("if (" + Second + ")\n      __syncthreads();");
          W.line(Store);
          W.close();
          W.open("else");
          W.line(Store);
          return W.close();
        default:
          W.open("if (" + First + ")");
          W.open("if (" + Second + ")");
          W.line(Store);
          W.close();
          W.open("else");
          W.barrier();
          W.line(Store);
          W.close(2);
          W.open("else if (" + W.uniformCondition() + ")");
          W.line(Store);
          return W.close();
        }
      },
      [&] { W.add(A.at(W.otherThread())); });
}

/// Some threads leave while others go on, and what those need stays live.
void writeThreadsLeave(IdiomWriter &W) {
  IdiomArray A = W.array();
  W.fill(A);
  W.barrier();
  if (W.R.chance(40)) {
    W.add(A.at(W.otherThread()));
    W.barrier();
  }
  // A barrier that nobody reaches, on the path of the leaving threads, makes a
  // step of its own of that path.
  const bool Meets = W.R.chance(40);
  W.open("if (" +
         (!Meets && W.R.chance(50) ? W.threadCondition()
          : W.R.chance(70)         ? W.dataCondition()
                                   : W.uniformCondition()) +
         ")");
  if (Meets)
    W.line("if (n < -" + W.text(W.R.between(2, 9)) +
           ")\n      __syncthreads();");
  if (W.R.chance(80))
    W.add(A.at(W.otherThread()));
  W.line(W.result() + " = acc;");
  W.line("return;");
  W.close();
  // Threads that left have not written their elements. One element per thread
  // would be privatized.
  const unsigned Count = W.R.between(1, 2);
  for (unsigned I = 0; I < Count; ++I) {
    const bool HasTwo = W.R.chance(70);
    IdiomArray Other = W.array(A.Type, HasTwo ? 2 * W.threads() : 0);
    const std::string Own = HasTwo ? "tid * 2" : "tid";
    W.line(Other.at(Own) + " = " + W.value(A.Type) + ";");
    if (HasTwo)
      W.line(Other.at(Own + " + 1") + " = " + W.value(A.Type) + ";");
    W.barrier();
    W.add(Other.at(Own) + (HasTwo ? " + " + Other.at(Own + " + 1") : ""));
  }
}

} // namespace cudaopt::fuzz
