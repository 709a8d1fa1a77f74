/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Marks by which a program tells cuda-opt what it wants. Every other compiler
 * sees nothing.
 */
#ifndef CUDAOPT_ANNOTATIONS_H
#define CUDAOPT_ANNOTATIONS_H

#if defined(__CUDAOPT__) || (defined(__clang__) && !defined(__NVCC__))
#define CUDAOPT_ANNOTATE(TEXT) [[clang::annotate(TEXT)]]
#else
#define CUDAOPT_ANNOTATE(TEXT)
#endif

/* In front of the declaration of a shared array: the layouts that it may get.
 * KIND is auto, pad, xor, linear, T or keep, as for the option --layout.
 *
 *   CUDAOPT_LAYOUT(keep) __shared__ float tile[32][32];
 */
#define CUDAOPT_LAYOUT(KIND) CUDAOPT_ANNOTATE("cudaopt::layout=" #KIND)

#endif
