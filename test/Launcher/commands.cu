// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
//
// The options of real builds reach the compiler as they are, and what they mean
// reaches us.
//
// RUN: %cuda-opt ./nvcc %parse-flags -rdc=true --keep --keep-dir=k -t 4 -Xptxas=-v -lineinfo -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=MANY %s
// MANY: nvcc {{.*}} -rdc=true --keep --keep-dir=k -t 4 -Xptxas=-v -lineinfo -c a.o.cuda-opt/transpose.cu

// RUN: %cuda-opt ./nvcc %parse-flags -dc transpose.cu -o a.o -gencode=arch=compute_90,code=sm_90 --expt-relaxed-constexpr --compiler-options "'-fPIC'" -std=c++17 2>&1 | FileCheck --check-prefix=TORCH %s
// TORCH: nvcc {{.*}} -dc a.o.cuda-opt/transpose.cu -Xcompiler=-iquote,"{{.*}}" -o a.o -gencode=arch=compute_90,code=sm_90 --expt-relaxed-constexpr --compiler-options '-fPIC' -std=c++17

// RUN: env NVCC_PREPEND_FLAGS="-DTHREADS=1 %parse-flags" NVCC_APPEND_FLAGS=-arch=sm_80 %cuda-opt --report=json:report.json ./nvcc -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=ENVIRONMENT %s
// ENVIRONMENT: nvcc -c a.o.cuda-opt/transpose.cu

// A source in an options file takes the place of the file.
// RUN: echo '%parse-flags -O3' > flags && %cuda-opt ./nvcc --options-file flags -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=OPTIONS %s
// RUN: echo '%parse-flags -c transpose.cu -o f.o' > flags && %cuda-opt ./nvcc --options-file flags 2>&1 | FileCheck --check-prefix=IN-OPTIONS %s
// RUN: sh -c 'echo -O3 | %cuda-opt ./nvcc --options-file /dev/stdin %parse-flags -c transpose.cu -o a.o' 2>&1 | FileCheck --check-prefix=PIPE %s
// PIPE: cuda-opt: warning: options file '/dev/stdin' is no regular file, and is left to the compiler; compiling the original
// PIPE: {{^}}nvcc --options-file /dev/stdin {{.*}}-c transpose.cu
// OPTIONS: nvcc --options-file flags -c a.o.cuda-opt/transpose.cu
// RUN: echo '-c transpose.cu -o h.o -DX="' > flags && %cuda-opt ./nvcc --options-file flags 2>&1 | FileCheck --check-prefix=STRAY %s
// RUN: env NVCC_APPEND_FLAGS="%parse-flags -c transpose.cu" %cuda-opt ./nvcc -v 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// IN-OPTIONS: {{^}}nvcc {{.*}}-c f.o.cuda-opt/transpose.cu {{.*}} -o f.o{{$}}
// STRAY: warning: options file '{{.*}}flags' has a stray double quote; compiling the original
// STRAY: {{^}}nvcc --options-file flags
// OUTSIDE: warning: the source is named in NVCC_PREPEND_FLAGS or NVCC_APPEND_FLAGS; compiling the original
// OUTSIDE: {{^}}nvcc -v

// Dependencies of every spelling name the original.
// RUN: %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o -MMD -MP -MT target -MF a.d && FileCheck --check-prefix=NAMED --input-file=a.d %s
// RUN: %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o --generate-dependencies-with-compile --dependency-output b.d && FileCheck --check-prefix=NAMED --input-file=b.d %s
// NAMED: {{: transpose.cu}}
// NAMED-NOT: cuda-opt

// A rewritten source that does not compile is compiled as it was, unless that is not
// wanted.
// RUN: sed -i "s/^arguments = .*/&\nif '.cuda-opt' in ' '.join(arguments): sys.exit(5)/" nvcc
// RUN: %cuda-opt ./nvcc %parse-flags -c transpose.cu -o g.o 2>&1 | FileCheck --check-prefix=FAILS %s
// RUN: %exits 5 %cuda-opt --fallback=error ./nvcc %parse-flags -c transpose.cu -o g.o
// FAILS: warning: transpose.cu: what it became does not compile; compiling the original
// FAILS: nvcc {{.*}} -c transpose.cu -o g.o
