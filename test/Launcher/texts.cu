// RUN: rm -rf %t && mkdir -p "%t/s p ü" && cp %S/../Inputs/launcher/* "%t/s p ü" && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: %python %S/../Inputs/to-windows.py "s p ü/transpose.cu" "s p ü/bom.cu"
// RUN: %cuda-opt ./nvcc %parse-flags -c "s p ü/bom.cu" -o "a ü.o" -MD -MF "a ü.d"
// RUN: %python -c "import sys; t = open(sys.argv[1], 'rb').read(); assert t.startswith(b'\xef\xbb\xbf#line 1 \"s p \xc3\xbc/bom.cu\"\r\n'); assert t.count(b'\n') == t.count(b'\r\n'); assert b'[TILE + 1]' in t" "a ü.o"
// RUN: FileCheck --input-file="a ü.d" %s
//
// Marks of Unicode, ends of lines, and names with spaces and beyond ASCII stay.
//
// CHECK: a.o : s\ p\ ü/bom.cu

// What no Unicode is has a place in the cache, too; sources that may not be written
// are not.
// RUN: cp "s p ü/transpose.cu" latin.cu && cp "s p ü/tile.h" . && printf "// \351\n" >> latin.cu
// RUN: touch -d 2020-01-01 latin.cu tile.h && chmod a-w latin.cu
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c latin.cu -o b.o
// RUN: env TMPDIR=%t/none CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c latin.cu -o b.o 2>&1 | FileCheck --check-prefix=HIT %s
// RUN: grep -c TILE...1 b.o
//
// HIT: 1 array rewritten
// HIT: -c b.o.cuda-opt/latin.cu
