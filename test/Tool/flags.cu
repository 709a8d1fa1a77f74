// RUN: rm -rf %t && split-file %s %t
// RUN: %cuda-opt -I %t/inc -I%t/more -DSIZE=32 -D UNWANTED -UUNWANTED -include first.h -std=c++20 --check --quiet %t/main.cu -- %cuda-flags
// RUN: %cuda-opt --check --quiet %t/main.cu -- %cuda-flags --include-path=%t/inc,%t/more --define-macro SIZE=32 --pre-include first.h --std c++20 -gencode arch=compute_80,code=[sm_80,compute_80] -G -Xptxas -v -lineinfo
//
// The flags of a parse may stand before --; after it they may be nvcc's.

//--- inc/first.h
#define FIRST
//--- more/second.h
#define SECOND
//--- main.cu
#include "second.h"
#if !defined(FIRST) || !defined(SECOND) || SIZE != 32 || defined(UNWANTED) || \
    __cplusplus < 202002 || !defined(__CUDA_ARCH__) || !defined(__CUDA_OPT__)
#error a flag is lost
#endif
