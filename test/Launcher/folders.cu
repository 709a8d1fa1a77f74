// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
//
// A folder of results to which others may write is not used, and one line says so; nor
// is an entry that others may have written. A new folder is the user's alone.
//
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: stat -c %%a cache cache/llvmcache-* | FileCheck --check-prefix=MODES %s
// RUN: chmod g+w cache
// RUN: env TMPDIR=%t/none env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=SHARED %s
// RUN: chmod g-w cache && chmod o+w cache/llvmcache-*
// RUN: env TMPDIR=%t/none env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=MISS %s
// RUN: chmod o-w cache/llvmcache-*
// RUN: env TMPDIR=%t/none env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: sh -c 'for f in cache/llvmcache-*; do mv $f entry; ln -s ../entry $f; done'
// RUN: env TMPDIR=%t/none env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=MISS %s
//
// SAID: transpose.cu: 1 kernel, 1 array rewritten
// MODES: 700
// MODES: 600
// SHARED: cuda-opt: warning: the cache folder '{{.*}}cache' is not used: other users may write to it (chmod go-w)
// SHARED: no temporary file
// MISS-NOT: cache folder
// MISS: no temporary file

// Where the rewritten text goes, a link is not followed, be it the folder or a file in
// it: what it leads to stays as it is.
//
// RUN: mkdir mine && echo precious > mine/file && ln -s mine b.o.cuda-opt
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o b.o 2>&1 | FileCheck --check-prefix=LINK %s
// RUN: grep precious mine/file && ls mine | count 1
// RUN: cp tile.h plain.cu && env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c plain.cu -o b.o && grep precious mine/file
// RUN: mkdir c.o.cuda-opt && touch c.o.cuda-opt/.made-by-cuda-opt && cp transpose.cu other.cu && ln -s ../other.cu c.o.cuda-opt/transpose.cu
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags --keep -c transpose.cu -o c.o && cmp transpose.cu other.cu && FileCheck --check-prefix=WRITTEN --input-file=c.o %s
// RUN: rm c.o.cuda-opt/transpose.cu && ln other.cu c.o.cuda-opt/transpose.cu
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags --keep -c transpose.cu -o c.o && cmp transpose.cu other.cu && FileCheck --check-prefix=WRITTEN --input-file=c.o %s
//
// LINK: cuda-opt: warning: transpose.cu: 'b.o.cuda-opt' is a symbolic link; compiling the original
// WRITTEN: tile[TILE][TILE + 1]

// A folder of the user's that has this name keeps its files, with and without kernels
// in the source, and also while it holds one with the source's name.
//
// RUN: mkdir d.o.cuda-opt && echo mine > d.o.cuda-opt/transpose.cu && echo mine > d.o.cuda-opt/notes
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o d.o 2>&1 | FileCheck --check-prefix=USERS %s
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c plain.cu -o d.o
// RUN: ls d.o.cuda-opt | count 2
// RUN: grep mine d.o.cuda-opt/transpose.cu
//
// USERS: cuda-opt: warning: transpose.cu: 'd.o.cuda-opt' holds files that are not cuda-opt's; compiling the original
// USERS: {{^}}nvcc {{.*}}-c transpose.cu
