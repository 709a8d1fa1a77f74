// RUN: %cuda-opt --print=model --assume-closed-world %s -- %cuda-flags \
// RUN:   | FileCheck %s
//
// Each operation of an argument of a launch has the type that C++ gives it:
// conversions cut, wrap and round, unsigned numbers wrap, and what overflows has
// no value. So has what is rounded: compilers may contract it.

#include "cuda.h"

#define KERNEL(NAME)                                                           \
  __global__ void NAME() {                                                     \
    __shared__ float line[64];                                                 \
    line[threadIdx.x & 63] = 0;                                                \
  }

enum Small : unsigned char { Few = 32 };
enum class Scoped { Some = 48 };
constexpr int N = 301;
constexpr float Factor = 1.5f;
constexpr int half(int X) { return X / 2; }
constexpr int scaled(float X) { return X * 0.3f + 7; }

#define LAUNCH(NAME, ...)                                                      \
  KERNEL(NAME)                                                                 \
  void launch_##NAME() {                                                       \
    int n = 301, m = 2, f = 2, minus = -1;                                     \
    unsigned u = 3;                                                            \
    long long wide = 4294967296 + 96;                                          \
    (void)n, (void)m, (void)f, (void)minus, (void)u, (void)wide;               \
    NAME<<<1, __VA_ARGS__>>>();                                                \
  }

// Casts.
// CHECK-LABEL: kernel floatQuotient
// CHECK-NEXT: block 301x1x1
LAUNCH(floatQuotient, (int)(n / (float)m * f))
// CHECK-LABEL: kernel unsignedChar
// CHECK-NEXT: block 44x1x1
LAUNCH(unsignedChar, (unsigned char)300)
// CHECK-LABEL: kernel unsignedCharOfLocal
// CHECK-NEXT: block 45x1x1
LAUNCH(unsignedCharOfLocal, static_cast<unsigned char>(n))
// CHECK-LABEL: kernel functionalCast
// CHECK-NEXT: block 45x1x1
LAUNCH(functionalCast, (unsigned)(signed char)(n))
// CHECK-LABEL: kernel truthIsOne
// CHECK-NEXT: block 32x1x1
LAUNCH(truthIsOne, bool(n) * 32)
// CHECK-LABEL: kernel narrowed
// CHECK-NEXT: block 96x1x1
LAUNCH(narrowed, wide)
// CHECK-LABEL: kernel truncated
// CHECK-NEXT: block 150x1x1
LAUNCH(truncated, n * 0.5)
// CHECK-LABEL: kernel truncatedUp
// CHECK-NEXT: block 3x1x1
LAUNCH(truncatedUp, 4 + (int)-1.5)
// CHECK-LABEL: kernel ofEnum
// CHECK-NEXT: block 64x1x1
LAUNCH(ofEnum, Few * 2)
// CHECK-LABEL: kernel ofScoped
// CHECK-NEXT: block 48x1x1
LAUNCH(ofScoped, (int)Scoped::Some)
// CHECK-LABEL: kernel ofChar
// CHECK-NEXT: block 64x1x1
LAUNCH(ofChar, '@')
// CHECK-LABEL: kernel tooLargeFloat
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(tooLargeFloat, (int)(n * 1e9))
// CHECK-LABEL: kernel longDouble
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(longDouble, (int)(n * 0.5L))

// Members of dim3 are unsigned int.
// CHECK-LABEL: kernel minusOne
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(minusOne, dim3(-1))
// CHECK-LABEL: kernel wrapsToSmall
// CHECK-NEXT: block 96x1x1
LAUNCH(wrapsToSmall, dim3(4294967392LL))
// CHECK-LABEL: kernel hugeProduct
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(hugeProduct, dim3(2147483648u, 2147483648u, 4))
// CHECK-LABEL: kernel tooDeep
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(tooDeep, dim3(1, 1, 128))
// CHECK-LABEL: kernel noThreads
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(noThreads, 0)

// Arithmetic.
// CHECK-LABEL: kernel unsignedWraps
// CHECK-NEXT: block 32x1x1
LAUNCH(unsignedWraps, (u - 4) / 134217727)
// CHECK-LABEL: kernel mixedSigns
// CHECK-NEXT: block 64x1x1
LAUNCH(mixedSigns, minus < u ? 32 : 64)
// CHECK-LABEL: kernel sameSigns
// CHECK-NEXT: block 32x1x1
LAUNCH(sameSigns, minus < m ? 32 : 64)
// CHECK-LABEL: kernel overflows
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(overflows, (n * 7134760 + 1024) & 1023)
// CHECK-LABEL: kernel shiftsTooFar
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(shiftsTooFar, 64 + (m << 33))
// CHECK-LABEL: kernel shiftsWide
// CHECK-NEXT: block 66x1x1
LAUNCH(shiftsWide, 64 + (1LL << 33 >> 32))
// CHECK-LABEL: kernel shiftsNegative
// CHECK-NEXT: block 63x1x1
LAUNCH(shiftsNegative, 64 + (minus >> 5))
// CHECK-LABEL: kernel dividesByZero
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(dividesByZero, 64 + n / (m - f))
// CHECK-LABEL: kernel negativeRemainder
// CHECK-NEXT: block 63x1x1
LAUNCH(negativeRemainder, 64 + minus % 2)
// CHECK-LABEL: kernel complement
// CHECK-NEXT: block 64x1x1
LAUNCH(complement, 67 + ~m)
// CHECK-LABEL: kernel logical
// CHECK-NEXT: block 96x1x1
LAUNCH(logical, (!m || n) * 32 + (n && m) * 64)
// CHECK-LABEL: kernel shortCircuit
// CHECK-NEXT: block 32x1x1
LAUNCH(shortCircuit, (m == 3 && n / (m - f)) ? 64 : 32)

// A rounded number is none: compilers may contract, and modes may round else.
// CHECK-LABEL: kernel rounded
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(rounded, (int)(n * 0.1f))
// CHECK-LABEL: kernel roundedCall
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(roundedCall, scaled(3))
// CHECK-LABEL: kernel reciprocal
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(reciprocal, (int)((n - 1) / 3.0))

// Constants.
// CHECK-LABEL: kernel called
// CHECK-NEXT: block 150x1x1
LAUNCH(called, half(N))
// CHECK-LABEL: kernel constantFloat
// CHECK-NEXT: block 451x1x1
LAUNCH(constantFloat, N *Factor)
// CHECK-LABEL: kernel askedOfCompiler
// CHECK-NEXT: block of at most 1024 threads (unknown)
LAUNCH(askedOfCompiler, __builtin_constant_p(n) ? 32 : 64)
// CHECK-LABEL: kernel sizeOf
// CHECK-NEXT: block 64x1x1
LAUNCH(sizeOf, 8 * sizeof(double))

// A bool is 0 or 1.
// CHECK-LABEL: kernel boolLocal
// CHECK-NEXT: block 32x1x1
KERNEL(boolLocal)
void launchBoolLocal() {
  bool q = 3;
  boolLocal<<<1, q * 32>>>();
}

// Compound assignments compute in the common type.
// CHECK-LABEL: kernel compound
// CHECK-NEXT: block 44x2x7
KERNEL(compound)
void launchCompound() {
  unsigned char c = 200;
  c += 100;
  int half = 5;
  half *= 0.5;
  dim3 block(c, half);
  block.z += 5;
  ++block.z;
  compound<<<1, block>>>();
}

// CHECK-LABEL: kernel compoundOverflows
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(compoundOverflows)
void launchCompoundOverflows() {
  int n = 2147483647;
  n++;
  compoundOverflows<<<1, n & 63 ? 32 : 64>>>();
}

// Bytes are a size_t.
// CHECK-LABEL: kernel dynamic
// CHECK: array s[][11] of 4 bytes
__global__ void dynamic() {
  extern __shared__ float s[];
  s[threadIdx.x] = 0;
}
void launchDynamic() { dynamic<<<1, 32, (unsigned char)300>>>(); }

// Only CUDA's dim3 has CUDA's members.
namespace mine {
struct dim3 {
  constexpr dim3(int X) : x(2 * X), y(1), z(1) {}
  constexpr operator ::dim3() const { return ::dim3(x, y, z); }
  unsigned x, y, z;
};
} // namespace mine
// CHECK-LABEL: kernel ofOther
// CHECK-NEXT: block 64x1x1
KERNEL(ofOther)
void launchOther() {
  const mine::dim3 block(32);
  ofOther<<<1, block.x>>>();
}
