// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Idioms about who accesses an array and when: addresses that are stored
/// somewhere, barriers in expressions and under conditions, asynchronous
/// copies. Each of them would break a rewrite that overlooks an access.
//===----------------------------------------------------------------------===//

#include "IdiomWriter.h"
#include "KernelPrinter.h"

namespace cudaopt::fuzz {

/// Reads the array \p A, which threads wrote, through \p Pointer, after another
/// array was used: if the address was not tracked, \p A looks dead in between.
static void readThrough(IdiomWriter &W, const IdiomArray &A,
                        const std::string &Pointer, unsigned Offset) {
  W.barrier();
  if (W.R.chance(40)) {
    W.add(A.at(W.otherThread()));
    W.barrier();
  }
  W.gap(A);
  W.add(Pointer + "[" +
        (Offset ? "tid < " + W.text(W.threads() - Offset) + " ? tid : 0"
                : W.otherThread()) +
        "]");
}

/// Stores the address of an array where no analysis follows it.
void writeKeptAddress(IdiomWriter &W) {
  IdiomArray A = W.array();
  const std::string Type = spellingOf(A.Type).str();
  const unsigned Offset = W.R.chance(70) ? 0 : W.R.between(1, 9);
  const std::string Begin =
      Offset ? A.Name + " + " + W.text(Offset)
             : W.R.pick<std::string>({A.Name, "&" + A.Name + "[0]"});
  const std::string Keep = W.fresh(W.R.pick<const char *>({"slot", "view"}));
  W.fill(A);
  switch (W.R.below(7)) {
  case 0: // In global memory.
    W.fileLine("__device__ " + Type + " *" + Keep + "[2];");
    W.line("if (tid == 0)\n    " + Keep + "[blockIdx.x] = " + Begin + ";");
    return readThrough(W, A, Keep + "[blockIdx.x]", Offset);
  case 1:
    W.declare("__shared__ " + Type + " *" + Keep + ";");
    W.line("if (tid == 0)\n    " + Keep + " = " + Begin + ";");
    return readThrough(W, A, Keep, Offset);
  case 2:
    W.declare("__shared__ struct { int n; " + Type + " *p; } " + Keep + ";");
    W.line("if (tid == 0)\n    " + Keep + ".p = " + Begin + ";");
    return readThrough(W, A, Keep + ".p", Offset);
  case 3: {
    const std::string Call = W.fresh("keep");
    W.fileLine("__device__ void " + Call + "(" + Type + " **to, " + Type +
               " *p) { *to = p; }");
    W.declare("__shared__ " + Type + " *" + Keep + "[2];");
    W.line("if (tid == 0)\n    " + Call + "(&" + Keep + "[1], " + Begin + ");");
    return readThrough(W, A, Keep + "[1]", Offset);
  }
  case 4: {
    W.line("unsigned long long " + Keep + " = (unsigned long long)(" + Begin +
           ");");
    return readThrough(W, A, "((" + Type + " *)" + Keep + ")", Offset);
  }
  case 5:
    W.line("const size_t " + Keep + " = reinterpret_cast<size_t>(" + Begin +
           ") + sizeof(" + Type + ");");
    return readThrough(W, A,
                       "reinterpret_cast<const " + Type + " *>(" + Keep +
                           " - sizeof(" + Type + "))",
                       Offset);
  default: // A restricted pointer, while the array is also used by name.
    W.line(Type + " *__restrict__ " + Keep + " = " + Begin + ";");
    return readThrough(W, A, Keep, Offset);
  }
}

/// Reads or writes an array through inline assembly that receives its address.
void writeAssemblyAddress(IdiomWriter &W) {
  const Element Type = holdsFloat(W.K.Value)
                           ? W.R.pick({Element::Float, Element::Float,
                                       Element::Double, Element::Int})
                           : W.R.pick({Element::Int, Element::Unsigned});
  IdiomArray A = W.array(Type);
  const std::string Name = spellingOf(Type).str(), V = W.fresh("v"),
                    P = W.fresh("p");
  const bool IsFloat = Type == Element::Float,
             IsDouble = Type == Element::Double;
  const std::string Suffix = IsFloat    ? "f32"
                             : IsDouble ? "f64"
                                        : "u32",
                    Kind = IsFloat    ? "f"
                           : IsDouble ? "d"
                                      : "r",
                    Place = "&" + A.at(W.otherThread());
  W.fill(A);
  switch (W.R.below(3)) {
  case 0: // The assembly returns the address as an integer.
    W.line("unsigned long long " + P + ";");
    W.line("asm" + std::string(W.R.chance(50) ? " volatile" : "") +
           "(\"mov.u64 %0, %1;\" : \"=l\"(" + P + ") : \"l\"(" + A.Name +
           "));");
    return readThrough(W, A, "((" + Name + " *)" + P + ")", 0);
  case 1:
    W.line(Name + " *" + P + " = " + Place + ";");
    W.barrier();
    W.gap(A);
    W.line(Name + " " + V + ";");
    W.line("asm volatile(\"ld." + Suffix + " %0, [%1];\" : \"=" + Kind + "\"(" +
           V + ") : \"l\"(" + P + ") : \"memory\");");
    return W.add(V);
  default:
    W.barrier();
    W.gap(A);
    W.line(Name + " " + V + ";");
    W.line("asm volatile(\"ld." + Suffix + " %0, [%1];\" : \"=" + Kind + "\"(" +
           V + ") : \"l\"(" + Place + ") : \"memory\");");
    return W.add(V);
  }
}

/// Puts a barrier into an operand that an operator may skip, so that it does
/// not separate accesses.
void writeBarrierInExpression(IdiomWriter &W) {
  IdiomArray A = W.array(),
             B = W.array(W.R.chance(70) ? A.Type : W.chooseElement());
  const std::string Call = W.fresh("meet"), C = W.uniformCondition();
  W.fileLine("__device__ int " + Call + "(int v) {");
  W.fileLine("  __syncthreads();\n  return v + 1;\n}");
  W.fill(A);
  W.barrier();
  W.add(A.at(W.otherThread()));
  const std::string Meet = W.R.chance(50)
                               ? Call + "(tid)"
                               : std::string(W.R.pick<const char *>(
                                     {"__syncthreads_or", "__syncthreads_and",
                                      "__syncthreads_count"})) +
                                     "(tid > 3)";
  switch (W.R.below(5)) {
  case 0:
    W.add("(" + C + " && " + Meet + ")");
    break;
  case 1:
    W.add("(" + C + " || " + Meet + ")");
    break;
  case 2:
    W.add("(" + C + " ? " + Meet + " : 3)");
    break;
  case 3:
    W.line("if (" + C + " && " + Meet + ")\n    acc += 1;");
    break;
  default:
    W.add(Meet);
    break;
  }
  W.fill(B);
  W.barrier();
  W.add(B.at(W.otherThread()));
}

/// Lets the threads for which \p Condition holds finish with one array and go
/// on with another. Both are so large that more blocks fit if they share bytes,
/// which needs a barrier in between. A barrier that no thread reaches splits
/// the code into several steps of the shared program.
static void useLargeArrays(IdiomWriter &W, const std::string &Condition) {
  const unsigned Stride = 1024 / W.threads();
  const Element Type =
      W.K.Value == Element::Double ? Element::Float : W.K.Value;
  IdiomArray A = W.array(Type, Stride * W.threads()),
             B = W.array(Type, Stride * W.threads());
  const std::string By = " * " + W.text(Stride);
  W.line(A.at("tid" + By) + " = " + W.value(Type) + ";");
  W.line(A.at("tid" + By + " + 1") + " = 2;");
  W.barrier();
  W.open("if (" + Condition + ")");
  W.line("if (n < -" + W.text(W.R.between(2, 9)) + ")\n      __syncthreads();");
  W.add(A.at("(" + W.otherThread() + ")" + By + " + " + W.text(W.R.below(2))));
  W.line(B.at("tid" + By) + " = " + W.value(Type) + ";");
  W.line(B.at("tid" + By + " + 1") + " = 3;");
  W.add(B.at("tid" + By + " + " + W.text(W.R.below(2))));
  W.close();
}

/// Makes barriers, which no thread reaches, depend on values that differ
/// between threads.
void writeDivergentPath(IdiomWriter &W) {
  const std::string Mine = W.fresh("mine");
  const unsigned Limit = W.R.between(3, 31);
  W.line("int " + Mine + " = 0;");
  switch (W.R.below(5)) {
  case 0:
    W.line("if (" + W.threadCondition() + ")\n    " + Mine + " = 1;");
    break;
  case 1:
    W.line("if (" + W.threadCondition() + ")\n    ++" + Mine + ";");
    break;
  case 2:
  case 3:
    W.open("for (int k = 0; k < " + W.text(Limit) + "; ++k)");
    W.line("if (k == int(" + W.otherThread() + "))\n      " +
           W.R.pick<const char *>({"break", "continue"}) + ";");
    W.line(Mine + " += 1;");
    W.close();
    break;
  default:
    W.line("(" + W.threadCondition() + ") && (" + Mine + " = 2);");
    break;
  }
  if (W.R.chance(70))
    return useLargeArrays(W, W.R.chance(80) ? Mine + " < " + W.text(Limit) +
                                                  " && " + Mine + " != 1"
                                            : W.uniformCondition());
  IdiomArray A = W.array(), B = W.array(A.Type);
  W.fill(A);
  W.barrier();
  W.add(A.at(W.otherThread()));
  W.open("if (" + Mine + " > " + W.text(Limit) + ")");
  if (W.R.chance(50))
    W.line(A.at("tid") + " = 3;");
  W.barrier();
  W.close();
  W.fill(B);
  W.barrier();
  W.add(B.at(W.otherThread()));
}

namespace {
/// Asynchronous copies to an array.
struct Copies {
  IdiomWriter &W;
  IdiomArray A;
  std::string Offset = "";

  void issue(const std::string &From) {
    W.line("__pipeline_memcpy_async(&" + A.at(Offset + "tid") +
           ", &in[(tid + " + From + ") % " + W.text(NumInputs) + "], sizeof(" +
           A.Name + "[0]));");
  }
  void commit() { W.line("__pipeline_commit();"); }
  void wait(unsigned Left) {
    W.line("__pipeline_wait_prior(" + W.text(Left) + ");");
  }
};
} // namespace

/// Issues copies that nobody reads, like the last round of a software pipeline:
/// they still write to the array.
void writePrefetch(IdiomWriter &W) {
  Copies First{W, W.array(W.K.Value)}, Second{W, W.array(W.K.Value)};
  const bool HasSecond = W.R.chance(60), WaitsForSome = W.R.chance(60);
  if (W.R.chance(50)) {
    // Two stages that alternate.
    Copies Stage{W, W.array(W.K.Value, 2 * W.threads())};
    const unsigned Trips = W.R.between(2, 3);
    const std::string T = W.text(W.threads());
    Stage.issue("0");
    Stage.commit();
    W.openLoop("i", Trips);
    Stage.Offset = "(i + 1) % 2 * " + T + " + ";
    const bool IsGuarded = W.R.chance(25);
    if (IsGuarded)
      W.open("if (i + 1 < " + W.text(Trips) + ")");
    Stage.issue("i * 7 + 3");
    W.close(IsGuarded);
    Stage.commit();
    Stage.wait(1);
    W.barrier();
    W.add(Stage.A.at("i % 2 * " + T + " + " + "(" + W.otherThread() + ")"));
    W.barrier();
    W.close();
    W.gap(Stage.A);
    if (W.R.chance(70))
      Stage.wait(0);
    W.barrier();
    W.gap(Stage.A);
    Stage.wait(0);
    return;
  }
  First.issue(W.text(W.R.below(50)));
  First.commit();
  if (HasSecond) {
    Second.issue(W.text(W.R.below(50)));
    Second.commit();
  }
  if (WaitsForSome)
    First.wait(HasSecond ? 1 : W.R.between(1, 2));
  W.barrier();
  if (HasSecond && WaitsForSome && W.R.chance(70)) {
    W.add(First.A.at(W.otherThread()));
    W.barrier();
  }
  W.gap(First.A);
  if (W.R.chance(50))
    W.gap(First.A);
  First.wait(0);
  W.barrier();
  if (W.R.chance(40)) {
    W.add(First.A.at(W.otherThread()) +
          (HasSecond ? " + " + Second.A.at("tid") : ""));
    W.barrier();
  }
  W.gap(First.A);
}

/// Lets threads leave the kernel without waiting for their copies.
void writePrefetchAndLeave(IdiomWriter &W) {
  Copies Copy{W, W.array(W.K.Value)};
  Copy.issue(W.text(W.R.below(50)));
  Copy.commit();
  if (W.R.chance(50))
    W.barrier();
  W.open("if (" + (W.R.chance(50) ? W.threadCondition() : W.dataCondition()) +
         ")");
  W.line(W.result() + " = acc;");
  W.line("return;");
  W.close();
  Copy.wait(0);
  W.barrier();
  if (W.R.chance(50)) {
    W.add(Copy.A.at("tid"));
    W.barrier();
  }
  // Each thread uses two elements, so that the array is not privatized.
  IdiomArray Other = W.array(W.K.Value, 2 * W.threads());
  W.line(Other.at("tid") + " = " + W.value(W.K.Value) + ";");
  W.line(Other.at("tid + " + W.text(W.threads())) + " = 3;");
  W.barrier();
  W.add(Other.at("tid") + " + " + Other.at("tid + " + W.text(W.threads())));
}

} // namespace cudaopt::fuzz
