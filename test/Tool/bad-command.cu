// RUN: %exits 2 %cuda-opt 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 2 %cuda-opt --dif %s 2>&1 | FileCheck %s --check-prefix=TYPO
// RUN: %exits 2 %cuda-opt -z %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %exits 2 %cuda-opt %s -o 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: %exits 2 %cuda-opt --check=yes %s 2>&1 | FileCheck %s --check-prefix=SWITCH
// RUN: %exits 2 %cuda-opt -o %t.cu -i %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %exits 2 %cuda-opt --print=plan --diff %s 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: %exits 2 %cuda-opt -o %t.cu %s %s 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: %exits 2 %cuda-opt --block=32,x %s 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: %exits 2 %cuda-opt --block=64,32 %s 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: %exits 2 %cuda-opt --passes=bank-layout,nothing %s 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: %exits 2 %cuda-opt --arch=sm_1 %s 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: %exits 2 %cuda-opt --print=soup %s 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: %exits 2 %cuda-opt --report=xml:x %s 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: %exits 2 %cuda-opt %s -- %cuda-flags --nobody-knows 2>&1 | FileCheck %s --check-prefix=CLANG
// RUN: %exits 2 %cuda-opt %s -- -optf=%t.none 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: %exits 127 %cuda-opt nosuchcc -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: %exits 2 %cuda-opt --layout=pad cat -c %s 2>&1 | FileCheck %s --check-prefix=COMPILER
//
// A bad command line is one line on standard error and exit code 2.
//
// NONE: cuda-opt: error: no input file; try 'cuda-opt --help'
// TYPO: cuda-opt: error: unknown option '--dif'; did you mean '--diff'?
// UNKNOWN: cuda-opt: error: unknown option '-z'{{$}}
// MISSING: cuda-opt: error: argument expected after '-o'
// SWITCH: cuda-opt: error: '--check=yes' takes no value
// BOTH: cuda-opt: error: -o and -i exclude each other
// PRINT: cuda-opt: error: --diff and --print exclude each other
// MANY: cuda-opt: error: -o takes one input file
// BLOCK: cuda-opt: error: malformed --block=
// PASS: cuda-opt: error: unknown pass 'nothing' in --passes (known: bank-layout
// ARCH: cuda-opt: error: unknown GPU in --arch=sm_1
// STAGE: cuda-opt: error: unknown stage in --print=soup
// REPORT: cuda-opt: error: malformed --report
// CLANG: error: unknown argument: '--nobody-knows'
// PROGRAM: cuda-opt: error: cannot run 'nosuchcc': No such file or directory
// COMPILER: cuda-opt: error: 'cat' is no compiler that cuda-opt knows; those are nvcc
// FILE: cuda-opt: error: cannot read options file '{{.*}}.none'
