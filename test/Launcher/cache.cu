// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: touch newer.h && echo '#include "newer.h"' >> transpose.cu
// RUN: touch -d 2020-01-01 *.cu *.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o > log 2>&1
// RUN: FileCheck --check-prefix=MADE --input-file=a.o %s
//
// A result is remembered with the files that it was made from.
//
// MADE: tile[TILE][TILE + 1]

// The same question: the entry answers, and says what was said.
// RUN: sed -i 's/TILE + 1/TILE + 5/' cache/llvmcache-*
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --check-prefix=FOUND --input-file=a.o %s
//
// SAID: transpose.cu: 1 kernel, 1 array rewritten, 0 kept
// FOUND: tile[TILE][TILE + 5]

// Other options, another header, an entry that is damaged, no cache: a parse.
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --layout=pad ./nvcc %parse-flags -c transpose.cu -o a.o
// RUN: FileCheck --check-prefix=MADE --input-file=a.o %s
// RUN: touch -d 2020-01-02 newer.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o
// RUN: FileCheck --check-prefix=MADE --input-file=a.o %s
// RUN: sh -c 'for f in cache/llvmcache-*; do echo "{" > $f; done'
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o
// RUN: FileCheck --check-prefix=MADE --input-file=a.o %s
// RUN: env CUDAOPT_CACHE_DIR= %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o
// RUN: FileCheck --check-prefix=MADE --input-file=a.o %s

// A folder that cannot be made is no reason to fail.
// RUN: touch file
// RUN: env CUDAOPT_CACHE_DIR=%t/file/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=SAID %s
