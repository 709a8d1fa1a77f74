/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Marks by which a program tells cuda-opt what it wants. For other compilers
 * they are nothing, or annotations without a meaning, so that a marked program
 * compiles everywhere. docs/Configuration.md has the marks that need no header:
 * comments and pragmas.
 */
#ifndef CUDAOPT_ANNOTATIONS_H
#define CUDAOPT_ANNOTATIONS_H

#if defined(__CUDAOPT__) || (defined(__clang__) && !defined(__NVCC__))
/* An annotation among the specifiers of a declaration. */
#define CUDAOPT_DECLARE(TEXT) __attribute__((annotate(TEXT)))
#else
#define CUDAOPT_DECLARE(TEXT)
#endif
/* An annotation in front of a statement, which clang accepts since version
 * 16. */
#if defined(__CUDAOPT__) ||                                                    \
    (defined(__clang__) && !defined(__NVCC__) && __clang_major__ >= 16)
#define CUDAOPT_ANNOTATE(TEXT) [[clang::annotate(TEXT)]]
#else
#define CUDAOPT_ANNOTATE(TEXT)
#endif

/* In front of a kernel, another function or a shared variable: cuda-opt leaves
 * it alone.
 *
 *   CUDAOPT_OFF __global__ void handTuned(float *out) { ... }
 */
#define CUDAOPT_OFF CUDAOPT_DECLARE("cudaopt::off")

/* In front of a shared array: it keeps its layout, and shares its bytes with
 * no other.
 *
 *   CUDAOPT_KEEP __shared__ float tile[32][33];
 */
#define CUDAOPT_KEEP CUDAOPT_DECLARE("cudaopt::keep")

/* In front of a kernel: the numbers of threads of a block in x, y and z, which
 * count where no launch in the file tells them, as for the option --block. The
 * program answers for them.
 *
 *   CUDAOPT_ASSUME_BLOCK(32, 8, 1) __global__ void transpose(float *out);
 */
#define CUDAOPT_ASSUME_BLOCK(...) CUDAOPT_ASSUME_BLOCK_(__VA_ARGS__)
#define CUDAOPT_ASSUME_BLOCK_(...)                                             \
  CUDAOPT_DECLARE("cudaopt::assume_block=" #__VA_ARGS__)

/* In front of the declaration of a shared array: the layouts that it may get.
 * KIND is auto, pad (longer rows), xor (columns permuted by the row), linear,
 * T, or keep, as for the option --layout (docs/CommandLine.md).
 *
 *   CUDAOPT_LAYOUT(keep) __shared__ float tile[32][32];
 */
#define CUDAOPT_LAYOUT(KIND) CUDAOPT_DECLARE("cudaopt::layout=" #KIND)

/* In front of a sequential for loop of the host: cuda-opt makes it run in
 * parallel, with the same result, by the runtime (cudaopt/host_loop.hpp). The
 * clauses say how many elements an array has, where its type does not, and what
 * else is known:
 *
 *   CUDAOPT_LEVELIZE(A[0:m], w[0:n], r[0:n], reuse(w, r))
 *   for (int i = 0; i < n; ++i)
 *     A[w[i]] = f(A[r[i]]);
 *
 *   A[0:m]          array A has m elements
 *   reuse(w, r)     w and r mostly keep their values: an inspection serves
 *                   again as long as they do
 *   exact           the bits of the sequential loop (the default)
 *   approx          the device and the compiler may round otherwise
 *   reassoc         also floating-point sums in any order
 *   resident        arrays of the host are worth copies on the device
 *   strategy(name)  one of cudaopt/levelize/status.hpp
 */
#define CUDAOPT_LEVELIZE(...) CUDAOPT_LEVELIZE_(__VA_ARGS__)
#define CUDAOPT_LEVELIZE_(...)                                                 \
  CUDAOPT_ANNOTATE("cudaopt::levelize=" #__VA_ARGS__)

#endif
