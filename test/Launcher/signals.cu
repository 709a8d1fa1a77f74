// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/slow-nvcc.py nvcc
//
// A signal that asks the launcher to end ends the compiler and what the compiler runs,
// and the launcher dies by it: the original is not compiled instead.
//
// RUN: %python %S/../Inputs/interrupt.py SIGINT group %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o | FileCheck --check-prefixes=ENDS,INT %s
// RUN: %python %S/../Inputs/interrupt.py SIGINT one %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o | FileCheck --check-prefixes=ENDS,INT %s
// RUN: %python %S/../Inputs/interrupt.py SIGTERM group %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o | FileCheck --check-prefixes=ENDS,TERM %s
// RUN: %python %S/../Inputs/interrupt.py SIGTERM one %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o | FileCheck --check-prefixes=ENDS,TERM %s
// RUN: %python %S/../Inputs/interrupt.py SIGHUP one %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o | FileCheck --check-prefixes=ENDS,HUP %s
// RUN: not ls a.o
//
// ENDS: at once
// INT: died by SIGINT
// TERM: died by SIGTERM
// HUP: died by SIGHUP
// ENDS: 0 still running
// ENDS-COUNT-1: nvcc
// ENDS-NOT: nvcc
// ENDS-NOT: compiling the original

// nvcc ends with a code when what it runs was interrupted.
// RUN: %python %S/../Inputs/interrupt.py SIGINT group %cuda-opt ./nvcc %parse-flags -DHOW=code -c transpose.cu -o a.o | FileCheck --check-prefixes=ENDS,INT %s
// RUN: %python %S/../Inputs/interrupt.py SIGINT one %cuda-opt ./nvcc %parse-flags -DHOW=code -c transpose.cu -o a.o | FileCheck --check-prefixes=ENDS,INT %s

// A compiler that finishes nevertheless has finished.
// RUN: %python %S/../Inputs/interrupt.py SIGINT group %cuda-opt ./nvcc %parse-flags -DHOW=late -c transpose.cu -o a.o | FileCheck --check-prefix=LATE %s
// RUN: grep done a.o
//
// LATE: died by no signal: 0
// LATE: 0 still running

// A signal that whoever started us made us deaf to, as nohup does, ends nothing.
// RUN: sh -c 'trap "" HUP; exec "$0" "$@"' %python %S/../Inputs/interrupt.py SIGHUP one %cuda-opt ./nvcc %parse-flags -DHOW=late -c transpose.cu -o a.o | FileCheck --check-prefix=LATE %s
