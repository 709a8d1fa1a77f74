// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc && touch -d 2020-01-01 *.cu *.h
//
// A launch reads the .cuda-opt of its source, and a result of the cache is one of
// the same configuration: of files that appear, change and disappear.
//
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o && FileCheck --check-prefix=PAD --input-file=a.o %s
// RUN: echo "Layout: xor" > .cuda-opt
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o && FileCheck --check-prefix=XOR --input-file=a.o %s
// RUN: echo "Layout: keep" > .cuda-opt
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o && FileCheck --check-prefix=KEEP --input-file=a.o %s
// RUN: env CUDAOPT_FLAGS=--layout=pad CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o && FileCheck --check-prefix=PAD --input-file=a.o %s
// RUN: rm .cuda-opt
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o && FileCheck --check-prefix=PAD --input-file=a.o %s
//
// PAD: tile[TILE][TILE + 1]
// XOR: ^
// KEEP: tile[TILE][TILE];

// A mark that means nothing is told even if nothing changes.
// RUN: echo "Layout: keep" > .cuda-opt && echo "// cuda-opt of" >> transpose.cu
// RUN: %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=MARK %s
//
// MARK: warning: unknown mark 'cuda-opt of'; did you mean 'off'?

// The dependency file names the configuration, whether or not the source changes.
// RUN: %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o -MD -MF a.d && FileCheck --check-prefix=DEPS --input-file=a.d %s
// RUN: echo "Layout: pad" > .cuda-opt
// RUN: %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o -MD -MF a.d && FileCheck --check-prefix=DEPS --input-file=a.d %s
//
// DEPS: a.o : transpose.cu \
// DEPS-NEXT: /usr/include/x.h \
// DEPS-NEXT: {{/.*}}/.cuda-opt{{$}}
// DEPS-NEXT: {{/.*}}/.cuda-opt:{{$}}
