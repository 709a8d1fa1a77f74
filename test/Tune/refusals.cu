// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc && cp %S/../Inputs/timed-program.py run.py
//
// The command line.
// RUN: %exits 2 %cuda-opt tune 2>&1 | FileCheck --check-prefix=NOTHING %s
// RUN: %exits 2 %cuda-opt tune make 2>&1 | FileCheck --check-prefix=NO-PROGRAM %s
// RUN: %exits 2 %cuda-opt tune --round=3 make -- ./app 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: %exits 2 %cuda-opt tune --rounds=0 make -- ./app 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: %exits 2 %cuda-opt tune --objective=money make -- ./app 2>&1 | FileCheck --check-prefix=OBJECTIVE %s
// RUN: %exits 2 %cuda-opt tune --json make -- ./app 2>&1 | FileCheck --check-prefix=VALUE %s
// RUN: %cuda-opt tune --help | FileCheck --check-prefix=HELP %s
//
// NOTHING: error: no command that builds the program; try 'cuda-opt tune --help'
// NO-PROGRAM: error: no command that runs the program: write it behind '--'
// UNKNOWN: error: unknown option '--round=3' of tune; did you mean '--rounds'?
// NUMBER: error: malformed --rounds=0: give a positive number
// OBJECTIVE: error: unknown objective in --objective=money (known: time, energy, edp)
// VALUE: error: argument expected: '--json=...'
// HELP: usage: cuda-opt tune

// What is built and run.
// RUN: %exits 3 %cuda-opt tune --timer=program ./nvcc %parse-flags -DEXIT=4 transpose.cu -o app -- ./app 2>&1 | FileCheck --check-prefix=BUILD %s
// RUN: %exits 3 %cuda-opt tune --timer=program true -- ./app 2>&1 | FileCheck --check-prefix=NO-KERNEL %s
// RUN: %exits 3 %cuda-opt tune --timer=program ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=PRODUCT %s
// RUN: %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- true 2>&1 | FileCheck --check-prefix=NO-TIMES %s
// RUN: env LINES="kernel,fast" %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=MALFORMED %s
//
// BUILD: error: the build failed (exit code 4): {{.*}}nvcc
// NO-KERNEL: error: the build compiled no kernel with shared memory through cuda-opt: put cuda-opt in front of its compiler
// PRODUCT: error: the build did not write '{{.*}}': name the files that it writes and the program uses with --product=FILE
// NO-TIMES: error: the program wrote no times to the file that CUDAOPT_TIMES names
// MALFORMED: error: malformed line in the record of times: 'kernel fast'

// The GPU.
// RUN: env LINES="mig;" %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=MIG %s
// RUN: env LINES="lost,7;" %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=RECORDS %s
// RUN: rm calls && env CLOCKS=1980,1980,1980,1980,1980,1980,1980,1755 %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=CLOCK %s
// RUN: rm -f calls && env CLOCKS=1980,1950 %cuda-opt tune --no-pin --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=STEADY %s
// RUN: not ls .cuda-opt
//
// MIG: error: the GPU is partitioned (MIG)
// RECORDS: error: CUPTI lost 7 records
// CLOCK: error: the clock of the GPU changed between 1755 and 1980 MHz
// STEADY: the default is best for every kernel
