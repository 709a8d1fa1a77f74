// RUN: %cuda-opt --passes=levelize --quiet %s -o %t.cu -- %cuda-flags -I %include-runtime -I %S/Inputs -std=c++17 2> /dev/null
// RUN: grep -c 'cudaopt::run_loop(' %t.cu | FileCheck %s
// RUN: %host-cxx -x c++ -std=c++17 -O0 -pthread -w -I %include-runtime -I %S/Inputs %s -o %t.before
// RUN: %host-cxx -x c++ -std=c++17 -O0 -pthread -w -I %S/Inputs/checked -I %include-runtime -I %S/Inputs -c %t.cu -o %t.o
// RUN: %host-cxx -std=c++17 -O0 -pthread -I %include-runtime %t.o %S/Inputs/checked/checked_loop.cpp -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE=cpu %t.after 2> /dev/null | diff %t.expected -
//
// Loops whose subscripts are converted, whose elements are narrow, or whose operators
// wrap compute the same bits by a random strategy, whether or not two of
// their arrays share bytes, and keep what they promise the runtime.
// CHECK: {{^[1-9][0-9]$}}
#include "hostile_loops.hpp"

// A byte as subscript wraps.
static void loop00(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[(unsigned char)(w[i] * 37)] += r[i];
}

// A signed byte plus an offset.
static void loop01(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[(signed char)w[i] + 128] = i;
}

// A short narrows the subscript.
static void loop02(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[(short)(w[i] + 65536)] += 3;
}

// An unsigned difference wraps and comes back.
static void loop03(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(U[0:256])
  for (int i = 0; i < n; ++i)
    U[(unsigned)w[i] - 300u + 300u] += (unsigned)r[i];
}

// A remainder keeps the sign of its left side.
static void loop04(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[(w[i] - 128) % 100 + 128] += i;
}

// A float decides the subscript.
static void loop05(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[int(B[i] * 0.5f) & 255] = i;
}

// A double decides the subscript.
static void loop06(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[int(double(w[i]) / 3.0)] += 1;
}

// A bool decides between two elements.
static void loop07(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[bool(w[i] & 6)] += w[i];
}

// A right shift of a negative number.
static void loop08(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[((w[i] - 200) >> 1) + 128] += 1;
}

// 64 bits fold to 8.
static void loop09(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[(long long)w[i] * 1234567891011LL >> 7 & 255] += i;
}

// The subscript is a comparison.
static void loop10(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[(w[i] < r[i]) + 2 * (w[i] == r[i])] += 1;
}

// The subscript is the remainder of an unsigned product.
static void loop11(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(U[0:256])
  for (unsigned i = 0; i < (unsigned)n; ++i)
    U[i * 2654435769u % 251u] ^= i;
}

// A byte wraps in an update.
static void loop12(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(C[0:256])
  for (int i = 0; i < n; ++i)
    C[w[i]] += r[i];
}

// A byte wraps in a subtraction.
static void loop13(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(C[0:256])
  for (int i = 0; i < n; ++i)
    C[w[i]] -= r[i];
}

// A byte is multiplied as an int.
static void loop14(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(C[0:256])
  for (int i = 0; i < n; ++i)
    C[w[i]] = C[r[i]] * 7 / 3;
}

// A short narrows an update.
static void loop15(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(S[0:256])
  for (int i = 0; i < n; ++i)
    S[w[i]] += 30000;
}

// A short is shifted as an int.
static void loop16(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(S[0:256])
  for (int i = 0; i < n; ++i)
    S[w[i]] = short(S[r[i]] << 3);
}

// A bool accumulates.
static void loop17(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(F[0:256])
  for (int i = 0; i < n; ++i)
    F[w[i]] |= r[i] > 100;
}

// A bool is added to.
static void loop18(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(F[0:256])
  for (int i = 0; i < n; ++i)
    F[w[i]] = F[r[i]] + F[w[i]];
}

// A bool flips.
static void loop19(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(F[0:256])
  for (int i = 0; i < n; ++i)
    F[w[i]] ^= true;
}

// A number becomes a bool.
static void loop20(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(F[0:256])
  for (int i = 0; i < n; ++i)
    F[w[i]] = r[i] & 2;
}

// Minimum of bytes against an int.
static void loop21(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(C[0:256])
  for (int i = 0; i < n; ++i)
    if (r[i] - 100 < C[w[i]])
      C[w[i]] = r[i] - 100;
}

// Maximum in another type than the element's.
static void loop22(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(S[0:256])
  for (int i = 0; i < n; ++i)
    S[w[i]] = S[w[i]] > r[i] * 1000 ? S[w[i]] : short(r[i] * 1000);
}

// Signed against unsigned comparison.
static void loop23(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    if (unsigned(r[i] - 50) < unsigned(I[w[i]]))
      I[w[i]] = r[i] - 50;
}

// Quotients.
static void loop24(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i]] = I[r[i]] / (i + 1);
}

// Remainders.
static void loop25(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i]] %= i + 3;
}

// Products that wrap.
static void loop26(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(U[0:256])
  for (int i = 0; i < n; ++i)
    U[w[i]] *= U[r[i]] | 1u;
}

// Products as updates.
static void loop27(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(U[0:256])
  for (int i = 0; i < n; ++i)
    U[w[i]] *= unsigned(2 * i + 1);
}

// Shifts as updates.
static void loop28(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(U[0:256])
  for (int i = 0; i < n; ++i)
    U[w[i]] <<= r[i] & 3;
}

// Right shifts as updates.
static void loop29(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i]] >>= r[i] & 1;
}

// And, or, xor in one body.
static void loop30(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(U[0:256])
  for (int i = 0; i < n; ++i) {
    U[w[i]] &= ~1u;
    U[r[i]] |= unsigned(i);
    U[w[i]] ^= 5u;
  }
}

// Increments and decrements.
static void loop31(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    ++I[w[i]];
    I[r[i]]--;
  }
}

// A difference with the element on the right.
static void loop32(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i]] = r[i] - I[w[i]];
}

// A complement.
static void loop33(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i]] = ~I[r[i]];
}

// A logical not.
static void loop34(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i]] = !I[r[i]];
}

static const Loop Loops[] = {
    loop00, loop01, loop02, loop03, loop04, loop05, loop06, loop07, loop08,
    loop09, loop10, loop11, loop12, loop13, loop14, loop15, loop16, loop17,
    loop18, loop19, loop20, loop21, loop22, loop23, loop24, loop25, loop26,
    loop27, loop28, loop29, loop30, loop31, loop32, loop33, loop34,
};

int main() { printAll(Loops); }
