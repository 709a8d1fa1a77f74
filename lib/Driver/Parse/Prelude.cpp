// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The text of the prelude. Its overloads of min and max are those that
/// crt/math_functions.hpp has for the host; its cache hints are those of
/// sm_32_intrinsics.h that clang's wrapper lacks. For clang a lambda is an
/// ordinary type, so that the traits by which headers ask for nvcc's wrapped
/// lambdas are false. The text is only ever parsed, never compiled.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Parse/Prelude.h"

using namespace cudaopt;

llvm::StringRef cudaopt::getTextureHeader() {
  return "__clang_cuda_texture_intrinsics.h";
}

llvm::StringRef cudaopt::getTextureText() {
  return R"(#pragma once
#define __nv_tex_surf_handler(...) ((void)0)
)";
}

llvm::StringRef cudaopt::getPreludePath() { return "/cuda-opt/prelude.h"; }

llvm::StringRef cudaopt::getPreludeText() {
  return R"(#pragma once
#pragma GCC system_header
#ifdef __CUDACC_EXTENDED_LAMBDA__
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
#include <functional>
#endif
#include <assert.h>
#include <math.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

#define CUDAOPT_MIN_MAX(R, A, B)                                               \
  static __host__ inline R min(A a, B b) { return (R)b < (R)a ? (R)b : (R)a; } \
  static __host__ inline R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
#define CUDAOPT_INTEGER_MIN_MAX(S, U)                                          \
  CUDAOPT_MIN_MAX(S, S, S)                                                     \
  CUDAOPT_MIN_MAX(U, U, U)                                                     \
  CUDAOPT_MIN_MAX(U, S, U)                                                     \
  CUDAOPT_MIN_MAX(U, U, S)
CUDAOPT_INTEGER_MIN_MAX(int, unsigned)
CUDAOPT_INTEGER_MIN_MAX(long, unsigned long)
CUDAOPT_INTEGER_MIN_MAX(long long, unsigned long long)
CUDAOPT_MIN_MAX(float, float, float)
CUDAOPT_MIN_MAX(double, double, double)
CUDAOPT_MIN_MAX(double, float, double)
CUDAOPT_MIN_MAX(double, double, float)
#undef CUDAOPT_INTEGER_MIN_MAX
#undef CUDAOPT_MIN_MAX

#define CUDAOPT_LOAD(NAME)                                                     \
  template <class T> static __device__ inline T NAME(const T *p) { return *p; }
CUDAOPT_LOAD(__ldlu)
CUDAOPT_LOAD(__ldcv)
#undef CUDAOPT_LOAD
#define CUDAOPT_STORE(NAME)                                                    \
  template <class T> static __device__ inline void NAME(T *p, T v) { *p = v; }
CUDAOPT_STORE(__stwb)
CUDAOPT_STORE(__stcg)
CUDAOPT_STORE(__stcs)
CUDAOPT_STORE(__stwt)
#undef CUDAOPT_STORE
)";
}
