// RUN: %cuda-opt --passes=levelize --quiet %s -o %t.cu -- %cuda-flags -I %include-runtime -I %S/Inputs -std=c++17 2> /dev/null
// RUN: grep -c 'cudaopt::run_loop(' %t.cu | FileCheck %s
// RUN: %host-cxx -x c++ -std=c++17 -O0 -pthread -w -I %include-runtime -I %S/Inputs %s -o %t.before
// RUN: %host-cxx -x c++ -std=c++17 -O0 -pthread -w -I %S/Inputs/checked -I %include-runtime -I %S/Inputs -c %t.cu -o %t.o
// RUN: %host-cxx -std=c++17 -O0 -pthread -I %include-runtime %t.o %S/Inputs/checked/checked_loop.cpp -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE=cpu %t.after 2> /dev/null | diff %t.expected -
//
// Loops in which the order of iterations, guards on the array itself or control flow
// decide compute the same bits by a random strategy, whether or not two of
// their arrays share bytes, and keep what they promise the runtime.
// CHECK: {{^[1-9][0-9]$}}
#include "hostile_loops.hpp"

// Two stores to one element.
static void loop00(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    I[w[i]] = i;
    I[r[i]] = -i;
  }
}

// A store between two reads.
static void loop01(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    const int before = I[r[i]];
    I[w[i]] = i;
    I[(w[i] + 1) & 255] = before + I[r[i]];
  }
}

// An update and a read of the same element.
static void loop02(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    I[w[i]] += i;
    I[r[i]] = I[w[i]] / 2;
  }
}

// Sums and products of one element do not commute.
static void loop03(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(U[0:256])
  for (int i = 0; i < n; ++i) {
    if (i & 1)
      U[w[i]] += 3u;
    else
      U[w[i]] *= 3u;
  }
}

// Minima and sums of one element do not commute.
static void loop04(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    if (r[i] & 1)
      I[w[i]] += 7;
    else if (r[i] < I[w[i]])
      I[w[i]] = r[i];
  }
}

// The last writer wins.
static void loop05(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i]] = i;
}

// The first writer wins.
static void loop06(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    if (I[w[i]] >= 0)
      I[w[i]] = -1 - i;
}

// A chain through the whole array.
static void loop07(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 1; i < 256; ++i)
    I[i] = I[i - 1] + w[i & 127];
}

// A chain backwards.
static void loop08(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 254; i >= 0; --i)
    I[i] = I[i + 1] ^ w[i & 127];
}

// Distance three.
static void loop09(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 3; i < 256; ++i)
    I[i] += I[i - 3];
}

// A step of five.
static void loop10(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; i += 5)
    I[w[i]] += I[r[i]];
}

// Down by three.
static void loop11(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = n - 1; i >= 0; i -= 3)
    I[w[i]] = I[r[i]] + 1;
}

// A permutation that is none.
static void loop12(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[(i * 6) & 255] = I[(i * 10 + 1) & 255] + 1;
}

// Swap of two elements.
static void loop13(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    const int t = I[w[i]];
    I[w[i]] = I[r[i]];
    I[r[i]] = t;
  }
}

// Three-way rotation.
static void loop14(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    const int a = I[w[i]], b = I[r[i]], c = I[(w[i] + r[i]) & 255];
    I[r[i]] = a;
    I[(w[i] + r[i]) & 255] = b;
    I[w[i]] = c;
  }
}

// An element is the subscript of the next.
static void loop15(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[I[w[i]] & 255] = i;
}

// Two levels of indirection.
static void loop16(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[w[i] & 127]] += r[r[i] & 127];
}

// Path halving.
static void loop17(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i]] = I[I[w[i]] & 255] & 255;
}

// A guard on the array itself.
static void loop18(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    if (I[w[i]] < I[r[i]])
      I[w[i]] = I[r[i]];
}

// Greedy matching.
static void loop19(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    if (I[w[i]] > 0 && I[r[i]] > 0) {
      I[w[i]] = -i;
      I[r[i]] = -i;
    }
}

// Or of two guards.
static void loop20(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    if (I[w[i]] > 5 || I[r[i]] > 5)
      I[(w[i] + 1) & 255] = 0;
}

// A bucket counts its own fill.
static void loop21(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256], U[0:256])
  for (int i = 0; i < n; ++i) {
    const int b = w[i] & 7;
    U[(b * 32 + (I[b] & 31)) & 255] = unsigned(i);
    I[b] = I[b] + 1;
  }
}

// Continue in the middle.
static void loop22(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    if (w[i] & 1)
      continue;
    I[w[i]] += i;
    if (r[i] & 1)
      continue;
    I[r[i]] -= i;
  }
}

// A chain of else.
static void loop23(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    if (w[i] < 50)
      I[w[i]] = 1;
    else if (w[i] < 100)
      I[r[i]] += 2;
    else if (r[i] < 100)
      I[w[i]] *= 3;
    else
      I[0] = i;
  }
}

// An inner loop with a bound of data.
static void loop24(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < (r[i] & 3); ++k)
      I[(w[i] + k) & 255] += k + 1;
}

// An inner loop that breaks.
static void loop25(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 8; ++k) {
      if (w[(i + k) & 127] > 200)
        break;
      I[(w[i] + k) & 255] += 1;
    }
}

// An inner loop that goes on.
static void loop26(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k) {
      if ((w[i] ^ k) & 1)
        continue;
      I[(r[i] + k) & 255] ^= i;
    }
}

// An inner while loop.
static void loop27(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    int k = w[i];
    while (k > 3) {
      I[k] += 1;
      k >>= 1;
    }
  }
}

// An inner do loop.
static void loop28(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    int k = r[i];
    do {
      I[k] -= 1;
      k /= 3;
    } while (k);
  }
}

// A switch.
static void loop29(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    switch (w[i] & 3) {
    case 0:
      I[w[i]] += 1;
      break;
    case 1:
      I[r[i]] += 2;
    default:
      I[0] += 3;
    }
}

// A sum of an inner loop.
static void loop30(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    int s = 0;
    for (int k = 0; k < 5; ++k)
      s += I[(r[i] + k) & 255];
    I[w[i]] = s;
  }
}

// Nested conditional expressions.
static void loop31(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i] > r[i] ? w[i] : r[i] > 9 ? r[i] : 9] += w[i] < 7 ? -1 : 1;
}

// A comma.
static void loop32(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i)
    I[w[i]] = i, I[r[i]] += 2;
}

// An assignment inside of a subscript's value.
static void loop33(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < n; ++i) {
    int k;
    I[k = w[i]] = i;
    I[k] += 1;
  }
}

// An empty body but for its head.
static void loop34(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i < 0; ++i)
    I[w[i]] = i;
}

// A negative number of iterations.
static void loop35(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = n; i < 3; ++i)
    I[w[i]] = i;
}

// A bound that is included.
static void loop36(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 0; i <= n - 1; ++i)
    I[w[i]] += 1;
}

// An unsigned char counts.
static void loop37(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (unsigned char i = 0; i < 100; ++i)
    I[w[i]] += i;
}

// A short counts.
static void loop38(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (short i = 0; i != 120; ++i)
    I[r[i]] ^= i;
}

// A long counts.
static void loop39(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (long i = 0; i < n; i++)
    I[w[i]] += int(i);
}

// Not equal as the bound.
static void loop40(float *A, double *D, int *I, unsigned *U, unsigned char *C, short *S,
                   bool *F, const int *w, const int *r, const float *B, int n) {
  CUDAOPT_LEVELIZE(I[0:256])
  for (int i = 4; i != 124; i += 4)
    I[w[i]] = I[r[i]] - 1;
}

static const Loop Loops[] = {
    loop00, loop01, loop02, loop03, loop04, loop05, loop06, loop07, loop08,
    loop09, loop10, loop11, loop12, loop13, loop14, loop15, loop16, loop17,
    loop18, loop19, loop20, loop21, loop22, loop23, loop24, loop25, loop26,
    loop27, loop28, loop29, loop30, loop31, loop32, loop33, loop34, loop35,
    loop36, loop37, loop38, loop39, loop40,
};

int main() { printAll(Loops); }
