// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: touch newer.h && echo '#include "newer.h"' >> transpose.cu
// RUN: touch -d 2020-01-01 *.cu *.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o > log 2>&1
// RUN: ls cache | grep -c llvmcache- | count 1 && mkdir saved && cp cache/llvmcache-* saved/entry
//
// A result is remembered with the files that it was made from. The same question: the
// entry answers, and says what was said. No temporary file means no parse.
//
// RUN: rm a.o
// RUN: env TMPDIR=%t/none CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=HIT %s
// RUN: FileCheck --check-prefix=FOUND --input-file=a.o %s
//
// HIT: transpose.cu: 1 kernel, 1 array rewritten, 0 kept
// FOUND: tile[TILE][TILE + 1]

// Other options, another header, no cache: a parse.
// RUN: env TMPDIR=%t/none CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --layout=pad ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=MISS %s
// RUN: echo '#define MORE' > newer.h
// RUN: env TMPDIR=%t/none CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=MISS %s
// RUN: rm newer.h && touch newer.h
// RUN: env TMPDIR=%t/none CUDAOPT_CACHE_DIR= %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=MISS %s
//
// MISS: no temporary file: No such file or directory

// An entry that is another's, half of one, empty, or no file.
// RUN: sh -c 'for f in cache/llvmcache-*; do sed "s/TILE + 1/TILE + 5/" saved/entry > $f; done'
// RUN: env TMPDIR=%t/none CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=MISS %s
// RUN: sh -c 'for f in cache/llvmcache-*; do head -c 100 saved/entry > $f; done'
// RUN: env TMPDIR=%t/none CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=MISS %s
// RUN: sh -c 'for f in cache/llvmcache-*; do : > $f; done'
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=HIT %s
// RUN: env TMPDIR=%t/none CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=HIT %s
// RUN: sh -c 'for f in cache/llvmcache-*; do rm $f; mkdir $f; done'
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=HIT %s

// A folder that cannot be made, or holds no more, is no reason to fail.
// RUN: touch file
// RUN: env CUDAOPT_CACHE_DIR=%t/file/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=HIT %s
// RUN: env CUDAOPT_CACHE_DIR=/proc %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=HIT %s
