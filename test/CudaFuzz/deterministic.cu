// RUN: %cuda-fuzz --seed=9 --count=40 --print-kernel > %t.all
// RUN: %cuda-fuzz --seed=9 --first=23 --count=1 --print-kernel | sed -n '/fz23k/,$p' > %t.one
// RUN: %python -c "import sys; sys.exit(open('%t.one').read() not in open('%t.all').read())"
// RUN: %cuda-fuzz --seed=10 --count=40 --print-kernel > %t.other
// RUN: not diff %t.all %t.other > /dev/null
// RUN: %cuda-fuzz --seed=9 --count=40 --jobs=1 --batch=40 --quiet | sed 's/;.*//' > %t.1
// RUN: %cuda-fuzz --seed=9 --count=40 --jobs=2 --batch=7 --quiet | sed 's/;.*//' > %t.2
// RUN: diff %t.1 %t.2
// RUN: FileCheck %s < %t.1
//
// A kernel depends on the seed and on its number, not on how the work is split.
//
// CHECK: kernels 40, pairs
