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
// CHECK-NEXT: Layout: [auto, transpose=xor] # all
// CHECK-NEXT: Quiet: true
// CHECK-NEXT: Reuse: [bytes, other=off]
// CHECK-NOT: {{.}}

// What cannot be edited stays, and says so before anything is built.
// RUN: printf 'Layout:\n  - auto\n  - other=pad\n' > ../.cuda-opt && cp ../.cuda-opt saved
// RUN: %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500" 2>&1 | FileCheck --check-prefix=LINES --match-full-lines %s
// RUN: cmp saved ../.cuda-opt
// RUN: printf '{Quiet: true, Layout: auto}\n' > ../.cuda-opt && cp ../.cuda-opt saved
// RUN: %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=FLOW --match-full-lines %s
// RUN: cmp saved ../.cuda-opt
//
// LINES: cuda-opt: error: {{.*}}.cuda-opt': 'Layout:' cannot be edited: write the value on one line
// LINES-NOT: {{.}}
// FLOW: cuda-opt: error: {{.*}}.cuda-opt' cannot be edited: write each key and its value on one line of its own, 'Layout: pad'
// FLOW-NOT: {{.}}

// Pins for sources that another file holds for have no effect, and are taken back.
// RUN: printf 'Quiet: true\n' > ../.cuda-opt && cp ../.cuda-opt saved && mkdir ../run && cp run.py nvcc ../run
// RUN: printf 'Layout: auto\n' > .cuda-opt
// RUN: sh -c 'cd ../run && %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags ../sub/transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500"' 2>&1 | FileCheck --check-prefix=LOST %s
// RUN: cmp saved ../.cuda-opt && rm .cuda-opt
//
// LOST: error: the pins for transpose have no effect, and are taken back

// An empty file stays, and hides the one above it, as before.
// RUN: printf 'Layout: pad\n' > ../.cuda-opt && touch .cuda-opt && rm -f calls
// RUN: env LATER_FROM=22 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500,610" 2>&1 | FileCheck --check-prefix=LUCK %s
// RUN: ls .cuda-opt && not grep . .cuda-opt && rm .cuda-opt
//
// LUCK: transpose was not better a second time

// Ends of lines stay, and what is said of kernels that do not run.
// RUN: printf 'Layout: [auto, other=xor]\r\nQuiet: true\r\n' > .cuda-opt
// RUN: %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500" > table 2>&1
// RUN: tr '\r' '@' < .cuda-opt | FileCheck --check-prefix=WINDOWS --match-full-lines %s
//
// WINDOWS: # cuda-opt tune, {{.*}}@
// WINDOWS-NEXT: Layout: [auto, other=xor, transpose=xor]@
// WINDOWS-NEXT: Quiet: true@

// A variable that would overrule the pins is an error at once; so is one that leaves
// nothing to tune.
// RUN: env CUDAOPT_FLAGS=--layout=xor %exits 2 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=FLAGS --match-full-lines %s
// RUN: env CUDAOPT_DISABLE=1 %exits 2 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=DISABLED --match-full-lines %s
//
// FLAGS: cuda-opt: error: CUDAOPT_FLAGS says '--layout=xor', which would overrule what is pinned: say it in .cuda-opt
// DISABLED: cuda-opt: error: CUDAOPT_DISABLE is set: nothing would be tuned
