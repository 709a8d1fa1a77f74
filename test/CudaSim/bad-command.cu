// RUN: %exits 2 %cuda-sim 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 2 %cuda-sim --bank %s 2>&1 | FileCheck %s --check-prefix=TYPO
// RUN: %exits 2 %cuda-sim -z %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %exits 2 %cuda-sim --seed=x %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: %exits 2 %cuda-sim --json 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: %exits 2 %cuda-sim --banks=yes %s 2>&1 | FileCheck %s --check-prefix=SWITCH
// RUN: %exits 2 %cuda-sim --arch=sm_1 %s 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: %exits 2 %cuda-sim program argument 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: %exits 2 %cuda-sim --kernels --block=0 %s 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: %exits 2 %cuda-sim --kernels --block=32,64 %s 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: %exits 2 %cuda-sim --grid=2 %s 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: %exits 2 %cuda-sim --kernels --banks %s 2>&1 | FileCheck %s --check-prefix=BANKS
// RUN: %exits 2 %cuda-sim --kernels %s 5 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: %cuda-sim --help | FileCheck %s --check-prefix=HELP
// RUN: %cuda-sim --version | FileCheck %s --check-prefix=VERSION
//
// A bad command line is one line on standard error and exit code 2.
//
// NONE: cuda-sim: error: no input file; try 'cuda-sim --help'
// TYPO: cuda-sim: error: unknown option '--bank'; did you mean '--banks'?
// UNKNOWN: cuda-sim: error: unknown option '-z'{{$}}
// NUMBER: cuda-sim: error: 'x' after '--seed' is no number
// MISSING: cuda-sim: error: argument expected after '--json'
// SWITCH: cuda-sim: error: '--banks=yes' takes no value
// ARCH: cuda-sim: error: unknown GPU in --arch=sm_1
// SOURCE: cuda-sim: error: 'program' is no source file (.cu, .cpp, .cc, .cxx, .c)
// SIZE: cuda-sim: error: '0' after '--block' is no size such as 16,16 or 256
// THREADS: cuda-sim: error: a block has 1024 threads at most
// ALONE: cuda-sim: error: --block and --grid are for --kernels
// BANKS: cuda-sim: error: --kernels does not go with --banks, --memory or --json
// PROGRAM: cuda-sim: error: with --kernels no program runs that '5' could be for
// HELP: usage: cuda-sim [options] prog.cu... [program arguments] [-- flags of the compiler]
// HELP: --kernels
// HELP: --block=<X,Y,Z>
// HELP: --max-steps=<N>
// VERSION: cuda-sim {{[0-9]+\.[0-9]+\.[0-9]+}} (LLVM 22.
