// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints the frame of a kernel, and the prelude with the declarations of CUDA
/// that the kernels need: without the toolkit's headers a parse takes far less
/// time.
//===----------------------------------------------------------------------===//

#include "KernelPrinter.h"

#include <cassert>

using llvm::StringRef;
using llvm::Twine;

namespace cudaopt::fuzz {

void KernelPrinter::open(const Twine &Head) {
  line(Head + " {");
  Indent += "  ";
}

void KernelPrinter::close(unsigned Count) {
  for (; Count; --Count) {
    Indent.resize(Indent.size() - 2);
    line("}");
  }
}

/// Returns \p N as text, or the name of the constant that stands for it.
std::string KernelPrinter::number(unsigned N) const {
  if (N == K.WidthValue)
    switch (K.Width) {
    case WidthForm::Number:
      break;
    case WidthForm::Macro:
      return "WIDTH_" + std::to_string(K.Number);
    case WidthForm::Template:
      return "W";
    case WidthForm::Local:
      return "width";
    }
  return std::to_string(N);
}

StringRef spellingOf(Element E) {
  switch (E) {
  case Element::Char:
    return "char";
  case Element::Short:
    return "short";
  case Element::Int:
    return "int";
  case Element::Unsigned:
    return "unsigned";
  case Element::LongLong:
    return "long long";
  case Element::Float:
    return "float";
  case Element::Double:
    return "double";
  case Element::Float4:
    return "float4";
  case Element::Double2:
    return "double2";
  case Element::Mixed:
    return "Mixed";
  }
  return "";
}

std::string KernelPrinter::typeOf(Element E) const {
  return K.HasTypeParameter && E == K.Value ? "T" : spellingOf(E).str();
}

std::string KernelPrinter::nameOf(unsigned Array) const {
  if (K.Arrays[Array].IsDynamic)
    return "dynamic" + std::to_string(K.Number);
  return "s" + std::to_string(Array);
}

std::string KernelPrinter::threads(unsigned Dimension) const {
  if (K.UsesBlockDim)
    return std::string("blockDim.") + "xyz"[Dimension];
  return number(K.Block[Dimension]);
}

/// Prints a barrier and records its position for mutants.
void KernelPrinter::printBarrier() {
  const StringRef Barrier = "__syncthreads();";
  write(Indent);
  Out.Barriers.push_back({here(), unsigned(Barrier.size())});
  write(Barrier + "\n");
}

void KernelPrinter::printStatements(const Phase &P) {
  for (const Statement &S : P.Statements)
    printStatement(S);
  if (P.HasBarrier && P.IsBarrierInside)
    printBarrier();
}

std::string KernelPrinter::functionOf(const Phase &P) const {
  return "phase" + std::to_string(&P - K.Phases.data()) + "_" +
         std::to_string(K.Number);
}

/// Prints the phase, its barrier, and the statement by which threads leave
/// before it.
void KernelPrinter::printPhase(const Phase &P) {
  if (P.Leaving.Shape != Guard::Form::None)
    printLeaving(P);
  if (P.Shape == Phase::Form::Called) {
    std::string Arrays;
    for (unsigned A = 0; A < K.Arrays.size(); ++A)
      Arrays += ", " + nameOf(A);
    line(functionOf(P) + "(out, in, flags, n, acc, " +
         (isInLoop(P) ? "t" : "0") + Arrays + ");");
  } else {
    const bool IsUniform = P.Shape == Phase::Form::Uniform;
    if (IsUniform)
      open("if (n > 2)");
    printStatements(P);
    close(IsUniform);
  }
  if (P.HasBarrier && !P.IsBarrierInside && &P != &K.Phases.back())
    printBarrier();
}

/// Prints the function of a Called phase. Its parameters are the arrays, with
/// the extents of their declarations.
void KernelPrinter::printFunction(const Phase &P) {
  const std::string Value = typeOf(K.Value);
  write("__device__ void " + functionOf(P) + "(" + Value + " *out, const " +
        Value + " *in, const int *flags, int n, " + Value + " &acc, " +
        integer() + " t");
  for (unsigned A = 0; A < K.Arrays.size(); ++A)
    write(", " + typeOf(K.Arrays[A].Type) + " (&" + nameOf(A) + ")[" +
          extentsOf(K.Arrays[A]) + "]");
  write(") {\n");
  printThread();
  if (P.Returning.Shape != Guard::Form::None)
    line("if (" + conditionOf(P.Returning) + ")\n" + Indent + "  return;");
  printStatements(P);
  write("}\n");
}

bool KernelPrinter::isInLoop(const Phase &P) const {
  const size_t I = &P - K.Phases.data();
  return K.LoopBegin <= I && I < K.LoopEnd;
}

void KernelPrinter::printHead() {
  printHelpers();
  if (K.Width == WidthForm::Macro)
    write("#define WIDTH_" + Twine(K.Number) + " " + Twine(K.WidthValue) +
          "\n");
  if (K.Width == WidthForm::Template)
    write(K.HasTypeParameter ? "template <int W, class T>\n"
                             : "template <int W>\n");
  for (const Phase &P : K.Phases)
    if (P.Shape == Phase::Form::Called)
      printFunction(P);
  StringRef Restrict = K.IsRestrict ? "__restrict__ " : "";
  std::string Value = typeOf(K.Value);
  write(K.Visibility == Linkage::Static ? "static " : "");
  write("__global__ void " + K.name() + "(" + Value + " *" + Restrict +
        "out, const " + Value + " *" + Restrict + "in, const int *" + Restrict +
        "flags" + (K.HasCount ? ", int n" : "") + ") {\n");
  if (K.Width == WidthForm::Local)
    line("const int width = " + Twine(K.WidthValue) + ";");
}

static std::string annotationOf(WantedLayout Wanted) {
  static constexpr const char *Names[] = {"auto", "pad", "xor", "linear", "T"};
  if (Wanted == WantedLayout::Auto)
    return "";
  return std::string("LAYOUT(") + Names[unsigned(Wanted)] + ") ";
}

/// Prints the declarations of arrays and records their parts for mutants.
void KernelPrinter::printDeclarations() {
  for (unsigned I = 0; I < K.Arrays.size(); ++I) {
    const Array &A = K.Arrays[I];
    if (A.IsDynamic) {
      line("extern __shared__ " + spellingOf(A.Type) + " " + nameOf(I) + "[];");
      continue;
    }
    write(Indent + annotationOf(A.Wanted) +
          (A.IsAligned ? "__align__(16) " : ""));
    DeclarationMark Mark{I, here(), 0, 0, 0};
    write("__shared__ " + typeOf(A.Type) + " ");
    Mark.Name = here();
    write(nameOf(I) + "[");
    for (size_t D = 0; D < A.Extents.size(); ++D) {
      if (D > 0) {
        if (!A.IsFlat && !Mark.FirstClose)
          Mark.FirstClose = here();
        write(A.IsFlat ? " * " : "][");
      }
      write(number(A.Extents[D]));
    }
    if (!Mark.FirstClose)
      Mark.FirstClose = here();
    write("]");
    Mark.End = here();
    write(";\n");
    Out.Declarations.push_back(Mark);
  }
}

std::string KernelPrinter::extentsOf(const Array &A) const {
  std::string Text;
  for (unsigned Extent : A.Extents)
    Text += (Text.empty() ? "" : A.IsFlat ? " * " : "][") + number(Extent);
  return Text;
}

/// Prints the thread's coordinates and its number, and binds them to the
/// variables of subscripts.
void KernelPrinter::printThread() {
  static constexpr const char *Short[] = {"tx", "ty", "tz"};
  for (unsigned D = 0; D < 3; ++D) {
    std::string Thread = std::string("threadIdx.") + "xyz"[D];
    variable(Variable(unsigned(Variable::Tx) + D)) = {K.HasLocals ? Short[D]
                                                                  : Thread};
    if (K.HasLocals && (D == 0 || K.Block[D] > 1))
      line("const " + integer() + " " + Short[D] + " = " + Thread + ";");
  }
  variable(Variable::Tid) = {"tid"};
  variable(Variable::Step) = {"k"};
  variable(Variable::Trip) = {"t"};
  std::string Tid = variable(Variable::Tx).Text;
  if (K.Block[1] > 1)
    Tid = variable(Variable::Ty).Text + " * " + threads(0) + " + " + Tid;
  assert(!(hasTwoShapes() && K.Block[2] > 1));
  if (K.Block[2] > 1)
    Tid = variable(Variable::Tz).Text + " * " +
          std::to_string(K.Block[0] * K.Block[1]) + " + " + Tid;
  line("const " + integer() + " tid = " + Tid + ";");
}

void KernelPrinter::printLocals() {
  printThread();
  line(typeOf(K.Value) + " acc = 0;");
}

/// Each array that is output has a range of the output, followed by the local
/// variable of each thread.
KernelText KernelPrinter::run() {
  if (!K.Idioms.empty())
    return runIdioms();
  for (const Phase &P : K.Phases)
    for (const Statement &S : P.Statements)
      if (S.What == Statement::Kind::Output)
        OutputStride += K.Arrays[S.Array].numElements();
  unsigned LocalBase = OutputStride;
  OutputStride += K.numThreads();
  if (K.Visibility == Linkage::Anonymous)
    write("namespace {\n");
  printHead();
  printDeclarations();
  printLocals();
  printOwnedDeclarations();
  for (unsigned I = 0; I < K.Phases.size(); ++I) {
    if (I == K.LoopBegin && I < K.LoopEnd)
      openFor("t", "0", Twine(K.Trips), "1");
    printPhase(K.Phases[I]);
    if (I + 1 == K.LoopEnd && K.LoopBegin < K.LoopEnd)
      close();
  }
  write("  out[tid + " + Twine(LocalBase));
  if (K.Grid > 1)
    write(" + blockIdx.x * " + Twine(OutputStride));
  write("] = acc;\n");
  if (hasGoto())
    write("end:;\n");
  write(K.Visibility == Linkage::Anonymous ? "}\n}\n" : "}\n");
  printLaunch("launch" + Twine(K.Number), K.launchedBlock(), true);
  Out.NumOutputs = OutputStride * K.Grid;
  if (K.OtherBlock) {
    KernelText Own = std::move(Out);
    Out = {};
    printLaunch("other" + Twine(K.Number), *K.OtherBlock, false);
    Own.OtherLaunch = std::move(Out.Text);
    Out = std::move(Own);
  }
  return std::move(Out);
}

KernelText printKernel(const Kernel &K) { return KernelPrinter(K).run(); }

StringRef getKernelPrelude() {
  return R"(#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __align__(N) __attribute__((aligned(N)))
#define LAYOUT(KIND) __attribute__((annotate("cudaopt::layout=" #KIND)))
typedef unsigned long size_t;
struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1,
                                     unsigned z = 1) : x(x), y(y), z(z) {}
};
#include <__clang_cuda_builtin_vars.h>
extern "C" unsigned cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                                      void *stream = 0);
inline __device__ int atomicAdd(int *p, int v) {
  return __nvvm_atom_add_gen_i(p, v);
}
inline __device__ float __fmul_rn(float a, float b) {
#pragma clang fp contract(off)
  return a * b;
}
inline __device__ double __dmul_rn(double a, double b) {
#pragma clang fp contract(off)
  return a * b;
}
inline __device__ unsigned __brev(unsigned v) {
  return __builtin_bitreverse32(v);
}
# 1 "/usr/local/cuda/include/cuda_pipeline.h" 1 3
inline __device__ void __pipeline_memcpy_async(void *to, const void *from,
                                               size_t size) {
  auto *s = (__attribute__((address_space(3))) void *)to;
  auto *g = (__attribute__((address_space(1))) const void *)from;
  if (size == 4)
    __nvvm_cp_async_ca_shared_global_4(s, g);
  else if (size == 8)
    __nvvm_cp_async_ca_shared_global_8(s, g);
  else
    __nvvm_cp_async_ca_shared_global_16(s, g);
}
inline __device__ void __pipeline_commit() { __nvvm_cp_async_commit_group(); }
inline __device__ void __pipeline_wait_prior(size_t left) {
  if (left == 0)
    __nvvm_cp_async_wait_group(0);
  else if (left == 1)
    __nvvm_cp_async_wait_group(1);
  else
    __nvvm_cp_async_wait_group(2);
}
inline __device__ int __syncthreads_or(int v) { return __nvvm_bar0_or(v); }
inline __device__ int __syncthreads_and(int v) { return __nvvm_bar0_and(v); }
inline __device__ int __syncthreads_count(int v) { return __nvvm_bar0_popc(v); }
# 1 "kernels.cu" 2
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };
struct __attribute__((aligned(16))) double2 { double x, y; };
struct __attribute__((aligned(8))) float2 { float x, y; };
struct __attribute__((aligned(8))) int2 { int x, y; };
struct __attribute__((aligned(16))) int4 { int x, y, z, w; };
struct Mixed { float x; short y; };
inline __device__ float4 tofloat4(float v) { return {v, v + 1, v + 2, v + 3}; }
inline __device__ double2 todouble2(double v) { return {v, v + 1}; }
inline __device__ Mixed toMixed(float v) { return {v, 7}; }
inline __device__ float sumOf(float4 v) { return v.x + v.y + v.z + v.w; }
inline __device__ double sumOf(double2 v) { return v.x + v.y; }
inline __device__ float sumOf(Mixed v) { return v.x + v.y; }
template <class T> __device__ T twice(T v) { return v + v; }
inline __device__ int wrapped(int i, int n) { return i % n; }
template <class F> __device__ auto applied(F f, unsigned i) { return f(i); }
inline __device__ unsigned __shfl_xor_sync(unsigned m, unsigned v, int lane) {
  return __nvvm_shfl_sync_bfly_i32(m, v, lane, 31);
}
template <class T> __device__ unsigned long long throughAsm(T *p) {
  unsigned long long u;
  asm("mov.u64 %0, %1;" : "=l"(u) : "l"(p));
  return u;
}
inline __device__ void __trap() { asm volatile("trap;"); }
extern "C" __device__ void __assertfail(const char *message, const char *file,
                                        unsigned line, const char *function,
                                        size_t size);
#define assert(C) ((C) ? (void)0 : __assertfail(#C, "kernels.cu", 1, "", 1))
inline __device__ void trapUnless(bool c) {
  if (!c)
    __trap();
}
inline __device__ void leaveIf(bool c) {
  if (c)
    asm volatile("exit;");
}
template <class T> __device__ void leaveIfNot(T v) {
  if (!v)
    asm volatile("exit;");
}
inline constexpr int roundUp(int n, int m) { return (n + m - 1) / m * m; }
inline void assign(int &to, int n) { to = n; }

)";
}

} // namespace cudaopt::fuzz
