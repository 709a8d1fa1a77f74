// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc && cp %S/../Inputs/timed-program.py run.py
// RUN: env FAIL_AT=9 %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500" 2>&1 | FileCheck --check-prefix=FAILS %s
// RUN: not ls .cuda-opt && grep -x 9 calls && grep 'TILE + 1' app
// RUN: %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500" 2>&1 | FileCheck --check-prefix=GOES-ON %s
// RUN: FileCheck --input-file=.cuda-opt %s
// RUN: grep -x 34 calls
//
// What was measured before a run ended is not measured again: of the 20 runs of the
// variants, 7 were done, after one to warm up; 13 follow, 11 of what is pinned, and
// one that warms up. The program is left as by default.
//
// FAILS: error: the program failed (exit code 1): {{.*}}run.py
// FAILS: this program fails now
// GOES-ON: goes on with an interrupted run
// CHECK: Layout: [auto, transpose=xor]

// Another program begins anew.
// RUN: rm calls && env FAIL_AT=9 %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500" > log 2>&1
// RUN: echo '// edited' >> transpose.cu && rm .cuda-opt
// RUN: %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500" 2>&1 | FileCheck --check-prefix=ANEW %s
//
// ANEW-NOT: goes on
// ANEW: wrote {{.*}}.cuda-opt

// A signal that asks to end does so, and nothing is lost.
// RUN: rm -rf .cuda-opt calls cuda-opt.tune
// RUN: env STOP_AT=5 %exits -15 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500" > log 2>&1
// RUN: not ls .cuda-opt && ls cuda-opt.tune/runs | count 4
