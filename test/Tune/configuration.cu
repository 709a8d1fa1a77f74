// RUN: rm -rf %t && mkdir -p %t/sub && cp %S/../Inputs/launcher/* %t/sub && cd %t/sub
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc && cp %S/../Inputs/timed-program.py run.py
// RUN: printf '# Ours.\nLayout: auto # all\nQuiet: true\nReuse: [bytes, other=off]\n' > ../.cuda-opt
// RUN: %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500" > table 2>&1
// RUN: FileCheck --match-full-lines --input-file=../.cuda-opt %s
// RUN: not ls .cuda-opt
//
// The pins go into the file that holds for this folder; what else it says stays.
//
// CHECK: # Ours.
// CHECK-NEXT: # cuda-opt tune, timed by the program: {{.*}}
// CHECK-NEXT: Layout: [auto, transpose=xor]
// CHECK-NEXT: Quiet: true
// CHECK-NEXT: Reuse: [bytes, other=off]
// CHECK-NOT: {{.}}

// What cannot be edited stays, and says so.
// RUN: printf 'Layout:\n  - auto\n  - other=pad\n' > ../.cuda-opt && cp ../.cuda-opt saved
// RUN: %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500" 2>&1 | FileCheck --check-prefix=LINES %s
// RUN: cmp saved ../.cuda-opt
//
// LINES: error: {{.*}}.cuda-opt': 'Layout:' cannot be edited: write the value on one line

// So does a file whose pins would have no effect.
// RUN: printf 'Quiet: true\n' > ../.cuda-opt && cp ../.cuda-opt saved && mkdir ../run && cp run.py nvcc ../run
// RUN: sh -c 'cd ../run && %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags ../sub/transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500"' > log 2>&1 || true
// RUN: printf 'Layout: auto\n' > .cuda-opt
// RUN: sh -c 'cd ../run && %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags ../sub/transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500"' 2>&1 | FileCheck --check-prefix=LOST %s
//
// LOST: error: the pins for transpose have no effect, and were taken back
