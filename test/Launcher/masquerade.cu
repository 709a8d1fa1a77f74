// RUN: rm -rf %t && mkdir -p %t/ours %t/also %t/real %t/bin %t/cache %t/wrap && cd %t
// RUN: cp %S/../Inputs/launcher/* . && cp %S/../Inputs/fake-nvcc.py real/nvcc
// RUN: ln -s %cuda-opt ours/nvcc && ln -s ../ours/nvcc also/nvcc
// RUN: env PATH=%t/ours:%t/also:%t/real:/usr/bin:/bin nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck %s
// RUN: env PATH=%t/real:/usr/bin:/bin %t/ours/nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck %s
// RUN: env PATH=%t/ours:%t/real:/usr/bin:/bin %cuda-opt nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck %s
// RUN: env PATH=%t/ours:%t/real:/usr/bin:/bin nvcc --version | FileCheck %s --check-prefix=VERSION
//
// A link named nvcc stands for the next nvcc in PATH that is none, and the source is
// read once.
//
// CHECK: 1 array rewritten
// CHECK-NOT: rewritten
// CHECK: {{^}}nvcc {{.*}}-c a.o.cuda-opt/transpose.cu
// VERSION: {{^}}nvcc --version

// As the nvcc of a folder with links to the rest of a toolkit, it stands for the
// nvcc of that toolkit, whatever PATH has.
// RUN: mkdir -p home/bin kit/bin kit/include kit/nvvm/libdevice && touch kit/include/cuda.h
// RUN: sed 's/"nvcc"/"kit"/' real/nvcc > kit/bin/nvcc && chmod +x kit/bin/nvcc
// RUN: ln -s %cuda-opt home/bin/nvcc
// RUN: env PATH=%t/real:/usr/bin:/bin CUDA_HOME=%t/home CUDA_PATH= %t/home/bin/nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck %s
// RUN: ln -s ../kit/nvvm home/nvvm
// RUN: env PATH=%t/real:/usr/bin:/bin CUDA_HOME=%t/home CUDA_PATH= %t/home/bin/nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck %s --check-prefix=KIT
//
// KIT: 1 array rewritten
// KIT: {{^}}kit {{.*}}-c a.o.cuda-opt/transpose.cu

// ccache's link runs the compiler behind it, not ours.
// RUN: sed 's/"nvcc"/"ccache"/' real/nvcc > bin/ccache && chmod +x bin/ccache && ln -s ../bin/ccache cache/nvcc
// RUN: env PATH=%t/ours:%t/cache:%t/cache:%t/real:/usr/bin:/bin nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck %s --check-prefix=CACHE
//
// CACHE: {{^}}ccache {{.*}}/real/nvcc {{.*}}-c a.o.cuda-opt/transpose.cu

// A wrapper that takes the first nvcc in PATH finds us again: that ends.
// RUN: sh -c 'echo "#!/bin/sh" > wrap/nvcc; echo "exec nvcc \"\$@\"" >> wrap/nvcc; chmod +x wrap/nvcc'
// RUN: %exits 2 env PATH=%t/ours:%t/wrap:/usr/bin:/bin %t/ours/nvcc --version 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: sh -c 'echo "#!/bin/sh" > wrap/nvcc; echo "exec %cuda-opt nvcc \"\$@\"" >> wrap/nvcc'
// RUN: %exits 2 env PATH=%t/wrap:/usr/bin:/bin nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck %s --check-prefix=LOOP
//
// LOOP: cuda-opt: error: 'nvcc' starts cuda-opt again and again

// No other nvcc anywhere.
// RUN: rm kit/bin/nvcc && ln -s %cuda-opt kit/bin/nvcc
// RUN: %exits 2 env PATH=%t/ours CUDA_PATH=%t/kit %t/ours/nvcc --version 2>&1 | FileCheck %s --check-prefix=NONE
//
// NONE: cuda-opt: error: '{{.*}}/ours/nvcc' is cuda-opt, and there is no other nvcc
