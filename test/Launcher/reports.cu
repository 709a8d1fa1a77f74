// RUN: rm -rf %t && mkdir %t %t/pages && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: touch -d 2020-01-01 *.cu *.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --report=html:pages ./nvcc %parse-flags -c transpose.cu -o a.o
// RUN: FileCheck --input-file=pages/transpose.cu.html %s
// RUN: rm pages/*
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --report=html:pages ./nvcc %parse-flags -c transpose.cu -o a.o
// RUN: FileCheck --input-file=pages/transpose.cu.html %s
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --export-fixes=fixes.yaml ./nvcc %parse-flags -c transpose.cu -o a.o
// RUN: rm fixes.yaml
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --export-fixes=fixes.yaml ./nvcc %parse-flags -c transpose.cu -o a.o
// RUN: FileCheck --input-file=fixes.yaml --check-prefix=FIXES %s
//
// FIXES: ReplacementText: {{.*}}+ 1
//
// A launched compilation writes its report into the folder, even if its result
// is remembered.
//
// CHECK: <title>cuda-opt report</title>
// CHECK: stored as [32][33]
