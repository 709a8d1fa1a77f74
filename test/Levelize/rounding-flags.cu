// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -march=native 2>&1 | FileCheck %s --check-prefixes=FUSED -DFLAG=-march=native
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler=-O3,-march=x86-64-v3 2>&1 | FileCheck %s --check-prefixes=FUSED -DFLAG=-march=x86-64-v3
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler "-mfma -Wall" 2>&1 | FileCheck %s --check-prefixes=FUSED -DFLAG=-mfma
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -march=znver3 2>&1 | FileCheck %s --check-prefixes=FUSED -DFLAG=-march=znver3
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -mavx512f 2>&1 | FileCheck %s --check-prefixes=FUSED -DFLAG=-mavx512f
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -ccbin aarch64-linux-gnu-g++ 2>&1 | FileCheck %s --check-prefixes=FUSED "-DFLAG=the compiler aarch64-linux-gnu-g++"
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -march=x86-64-v2,-mavx2 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -march=haswell,-mno-fma 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -march=native,-ffp-contract=off 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -ffast-math 2>&1 | FileCheck %s --check-prefix=VALUES -DFLAG=-ffast-math
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -Ofast 2>&1 | FileCheck %s --check-prefix=VALUES -DFLAG=-Ofast
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -fassociative-math 2>&1 | FileCheck %s --check-prefix=VALUES -DFLAG=-fassociative-math
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -funsafe-math-optimizations 2>&1 | FileCheck %s --check-prefix=VALUES -DFLAG=-funsafe-math-optimizations
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -mfpmath=387 2>&1 | FileCheck %s --check-prefix=VALUES -DFLAG=-mfpmath=387
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -Ofast,-O2 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -Xcompiler -ffast-math,-fno-fast-math 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -DPRAGMA 2>&1 | FileCheck %s --check-prefix=VALUES "-DFLAG=#pragma GCC optimize(\"fast-math"
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -use_fast_math 2>&1 | FileCheck %s --check-prefix=SINGLE -DFLAG=-use_fast_math
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -ftz=true 2>&1 | FileCheck %s --check-prefix=SINGLE -DFLAG=-ftz=true
// RUN: %cuda-opt --passes=levelize %s -- %cuda-flags -I %include-runtime -std=c++17 -prec-div=false 2>&1 | FileCheck %s --check-prefix=SINGLE -DFLAG=-prec-div=false
// RUN: cp %s %t.cpp
// RUN: %cuda-opt --passes=levelize %t.cpp -- -I %include-runtime -std=c++17 -O3 -march=native 2>&1 | FileCheck %s --check-prefixes=FUSED -DFLAG=-march=native
//
// Where the flags let the host compiler contract, a loop in which a product
// meets a sum stays sequential; where they let it do more, every loop with
// floating-point operations. The remark names the flag.
#include <cudaopt/annotations.h>

#ifdef PRAGMA
#pragma GCC optimize("fast-math")
#endif

constexpr int n = 100;

// ALL: 4 loops made parallel

// FUSED: loop of 'product_in_sum' stays sequential: the host compiler may round this product together with a sum, and nobody else can know whether it does ([[FLAG]])
// FUSED: 3 loops made parallel

// VALUES: loop of 'product_in_sum' stays sequential: the host compiler may compute other values than the source says ([[FLAG]]
// VALUES: loop of 'only_sums' stays sequential: the host compiler may compute other values
// VALUES: 2 loops made parallel

// SINGLE: loop of 'only_sums' stays sequential: the device does not round single precision as the host does ([[FLAG]])
// SINGLE: 3 loops made parallel
void product_in_sum(double *A, const double *B, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], B[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] += B[i] * 0.1;
}
void only_sums(float *A, const float *B, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], B[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] += B[i];
}
void integers(int *A, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], w[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] += w[i] * 3;
}
void copies(float *A, const float *B, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], B[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] = B[i];
}
