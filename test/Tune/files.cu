// RUN: rm -rf "%t" && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc && cp %S/../Inputs/timed-program.py run.py
//
// A folder or file of the user that has the name of ours is an error, and stays.
// RUN: mkdir cuda-opt.tune && echo precious > cuda-opt.tune/photo
// RUN: %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=FOREIGN %s
// RUN: grep precious cuda-opt.tune/photo && mv cuda-opt.tune theirs
// RUN: ln -s theirs cuda-opt.tune
// RUN: %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=FOREIGN %s
// RUN: grep precious theirs/photo && sh -c "rm cuda-opt.tune" && echo text > cuda-opt.tune
// RUN: %exits 3 %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=FOREIGN %s
// RUN: grep text cuda-opt.tune && rm cuda-opt.tune
//
// FOREIGN: cuda-opt: error: 'cuda-opt.tune' is not of cuda-opt, which needs a folder of this name: move it away

// Only one process may work in a folder.
// RUN: echo '%cuda-opt tune --timer=program --product=app ./nvcc transpose.cu -o app -- true > second 2>&1; echo $? >> second' > both.sh
// RUN: %cuda-opt tune --no-pin --rounds=1 --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- sh -c "sh both.sh; %python run.py app" > first 2>&1
// RUN: FileCheck --check-prefix=LOCKED --input-file=second %s
//
// LOCKED: cuda-opt: error: another 'cuda-opt tune' works in this folder
// LOCKED-NEXT: 3

// A link to the product stays a link, and what it leads to changes.
// RUN: mkdir out && touch out/app && ln -sf out/app app
// RUN: %cuda-opt tune --timer=program --product=app ./nvcc %parse-flags transpose.cu -o out/app -- %python run.py app "TILE + 1=600" "^=500" > log 2>&1
// RUN: test -L app && grep 'threadIdx.x ^ threadIdx.y' out/app
// RUN: grep 'transpose=xor' .cuda-opt && rm .cuda-opt

// Sources of one name, in several folders, are all seen; blanks and quotes in the
// folder's name mean nothing.
// RUN: mkdir -p "it's here/x" "it's here/y" && cp transpose.cu *.h "it's here/x" && cp nvcc run.py "it's here"
// RUN: sed 's/transpose/second/' transpose.cu > "it's here/y/transpose.cu" && cp *.h "it's here/y"
// RUN: echo 'set -e; for d in y x; do (cd $d; %cuda-opt ../nvcc %parse-flags -c transpose.cu -o k.o); done; cat x/k.o y/k.o > app' > "it's here/build.sh"
// RUN: sh -c "cd \"it's here\" && CUDAOPT_CACHE_DIR= %cuda-opt tune --no-pin --rounds=1 --timer=program --product=app sh build.sh -- %python run.py app 'TILE + 1=600' '^=500'" 2>&1 | FileCheck --check-prefix=TWO %s
//
// TWO: default is built: 2 kernels with shared memory
// TWO: not tuned, as no launch of them was measured: second
// TWO: layout=xor {{.*}} best
