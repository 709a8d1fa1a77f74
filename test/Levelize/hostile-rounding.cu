// RUN: %cuda-opt --passes=levelize --quiet %s -o %t.cu -- %cuda-flags -I %include-runtime -I %S/Inputs -std=c++17 2> /dev/null
// RUN: grep -c 'cudaopt::run_loop(' %t.cu | FileCheck %s
// RUN: %host-cxx -x c++ -std=c++17 -O0 -ffp-contract=off -pthread -w -I %include-runtime -I %S/Inputs %s -o %t.before
// RUN: %host-cxx -x c++ -std=c++17 -O0 -ffp-contract=off -pthread -w -I %S/Inputs/checked -I %include-runtime -I %S/Inputs -c %t.cu -o %t.o
// RUN: %host-cxx -std=c++17 -O0 -pthread -I %include-runtime %t.o %S/Inputs/checked/checked_loop.cpp -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE=cpu %t.after 2> /dev/null | diff %t.expected -
//
// Loops that round, and loops over several arrays, compute the same bits by a random strategy, whether or not two of
// their arrays share bytes, and keep what they promise the runtime. The sign of what is no number would depend on
// whether clang contracts: it negates a factor where a loop subtracts a product.
// CHECK: {{^[1-9][0-9]$}}
#include "hostile_loops.hpp"

// A sum of floats in order.
static void loop00(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] += B[i];
}

// A difference of floats in order.
static void loop01(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] -= B[i];
}

// A product of floats in order.
static void loop02(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] *= B[i];
}

// A quotient of floats in order.
static void loop03(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] /= B[i];
}

// A product feeds a sum.
static void loop04(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] = A[r[i]] * 1.1f + B[i];
}

// A product feeds a difference.
static void loop05(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] -= A[r[i]] * B[i];
}

// A product through a variable feeds a sum.
static void loop06(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i) {
    const float p = B[i] * 0.3f;
    A[w[i]] += p;
  }
}

// A double sum of float products.
static void loop07(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(D[0:256])
  for (int i = 0; i < n; ++i)
    D[w[i]] += B[i] * B[r[i] & 127];
}

// A float store of a double sum.
static void loop08(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] = A[r[i]] + 0.1;
}

// A float updated in double.
static void loop09(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] += 0.1;
}

// An int updated by a float.
static void loop10(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i]] += B[i & 7];
}

// The smaller float.
static void loop11(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    if (B[i] < A[w[i]])
      A[w[i]] = B[i];
}

// The smaller float, ties to the right.
static void loop12(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] = A[w[i]] < B[i] ? A[w[i]] : B[i];
}

// The greater float of two elements.
static void loop13(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] = A[r[i]] >= A[w[i]] ? A[r[i]] : A[w[i]];
}

// A square root.
static void loop14(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] = std::sqrt(A[r[i]] * A[r[i]]) ;
}

// An explicit fused product.
static void loop15(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] = std::fma(A[r[i]], 1.5f, B[i]);
}

// Negated before it is added.
static void loop16(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(A[0:256])
  for (int i = 0; i < n; ++i)
    A[w[i]] = -A[r[i]] + B[i];
}

// An equal comparison of floats.
static void loop17(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i]] += B[i] == B[r[i] & 127];
}

// A sum of doubles in three terms.
static void loop18(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(D[0:256])
  for (int i = 0; i < n; ++i)
    D[w[i]] = D[r[i]] + B[i] - D[(w[i] + 1) & 255];
}

// Two arrays in step.
static void loop19(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256], U[0:256])
  for (int i = 0; i < n; ++i) {
    I[w[i]] = int(U[r[i]]);
    U[r[i]] = unsigned(I[w[i]]) + 1u;
  }
}

// Three arrays in a ring.
static void loop20(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256], U[0:256], S[0:256])
  for (int i = 0; i < n; ++i) {
    I[w[i]] += S[r[i]];
    U[r[i]] += unsigned(I[w[i]]);
    S[w[i]] = short(U[r[i]]);
  }
}

// One array read by another's subscript.
static void loop21(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256], C[0:256])
  for (int i = 0; i < n; ++i)
    C[I[w[i]] & 255] = C[r[i]] + 1;
}

// A write that is only stored.
static void loop22(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    I[w[i]] += 1;
    U[i] = unsigned(I[r[i]]);
  }
}

// A write that is stored twice.
static void loop23(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    U[i] = 1u;
    I[w[i]] += 1;
    U[i] = unsigned(I[r[i]]);
  }
}

// A prefix that is read back.
static void loop24(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 1; i < n; ++i) {
    U[i] = U[i - 1] + 1u;
    I[w[i]] = int(U[i]);
  }
}

static const Loop Loops[] = {
    loop00, loop01, loop02, loop03, loop04, loop05, loop06, loop07, loop08,
    loop09, loop10, loop11, loop12, loop13, loop14, loop15, loop16, loop17,
    loop18, loop19, loop20, loop21, loop22, loop23, loop24,
};

int main() { printAll(Loops); }
