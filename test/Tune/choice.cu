// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc && cp %S/../Inputs/timed-program.py run.py
// RUN: %cuda-opt tune --timer=program --product=app --json=all.json ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500" > table 2> log
// RUN: FileCheck --check-prefix=TABLE --input-file=table %s
// RUN: FileCheck --check-prefix=LOG --input-file=log %s
// RUN: FileCheck --check-prefix=PIN --match-full-lines --input-file=.cuda-opt %s
// RUN: FileCheck --check-prefix=JSON --input-file=all.json %s
// RUN: FileCheck --check-prefix=XOR --input-file=app %s
// RUN: not ls cuda-opt.tune
//
// Each choice that makes another text is built and run; the fastest one of each kernel
// is pinned, and the program is left as the pins make it.
//
// TABLE: all kernels of a run:
// TABLE: a launch of transpose:
// TABLE-NEXT: median of default spread
// TABLE-NEXT: default 0.60 us 1.000 0.0 %
// TABLE-NEXT: original 1.00 us 1.667 0.0 %
// TABLE-NEXT: layout=xor 0.50 us 0.833 0.0 % best
// LOG: default is built: 1 kernel with shared memory
// LOG: original is built: 1 kernel other than in the default
// LOG: layout=pad is built, and decides as an earlier one
// LOG: what is pinned is measured once more
// LOG: cuda-opt: wrote .cuda-opt
// PIN: # cuda-opt tune, timed by the program: transpose takes 0.833 of the default's time (layout=xor)
// PIN-NEXT: Layout: [auto, transpose=xor]
// PIN-NOT: {{.}}
// JSON: "kernel": "transpose"
// JSON: "layout": "xor"
// JSON: "name": "default"
// JSON: "launches": 1
// XOR: tile[threadIdx.y][threadIdx.x ^ threadIdx.y]

// Later builds read the file, in every front door.
// RUN: %cuda-opt ./nvcc %parse-flags -c transpose.cu -o b.o
// RUN: FileCheck --check-prefix=XOR --input-file=b.o %s
// RUN: %cuda-opt -q transpose.cu -- %parse-flags | FileCheck --check-prefix=XOR %s

// Tuned again, the pin counts for nothing, and is replaced: here the original is best.
// RUN: %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=2000" "^=1500" 2>&1 | FileCheck --check-prefix=AGAIN %s
// RUN: FileCheck --check-prefix=KEPT --match-full-lines --input-file=.cuda-opt %s
// RUN: FileCheck --check-prefix=PLAIN --input-file=app %s
//
// AGAIN: original 1.00 us 0.500 0.0 % best
// KEPT: # cuda-opt tune, timed by the program: transpose takes 0.500 of the default's time (original)
// KEPT-NEXT: Layout: [auto, transpose=keep]
// KEPT-NEXT: Reuse: [auto, transpose=off]
// KEPT-NOT: {{.}}
// PLAIN: float tile[TILE][TILE];

// If the default is best, nothing remains of the pins, and the program is the default's.
// RUN: %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=500" "^=600" 2>&1 | FileCheck --check-prefix=DEFAULT %s
// RUN: FileCheck --check-prefix=PAD --input-file=app %s
// RUN: not ls .cuda-opt
//
// DEFAULT: the default is best for every kernel: nothing is pinned
// PAD: tile[TILE][TILE + 1]

// --no-pin shows, and writes nothing.
// RUN: %cuda-opt tune --no-pin --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500" 2>&1 | FileCheck --check-prefix=SHOWN %s
// RUN: not ls .cuda-opt && FileCheck --check-prefix=PAD --input-file=app %s
//
// SHOWN: layout=xor {{.*}} best

// A gain of less than one percent, or that is not there a second time, is none.
// RUN: %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=596" 2>&1 | FileCheck --check-prefix=DEFAULT %s
// RUN: rm calls && env LATER_FROM=22 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" "^=500,610" 2>&1 | FileCheck --check-prefix=LUCK %s
// RUN: not ls .cuda-opt
// RUN: FileCheck --check-prefix=PAD --input-file=app %s
//
// LUCK: transpose was not better a second time: it is not pinned
