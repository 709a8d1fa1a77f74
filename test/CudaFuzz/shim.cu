// RUN: %cuda-fuzz --features=wrap,exit,pointer-bytes,other-launch --seed=12 --count=20 --shim=%t.cpp
// RUN: %host-cxx -std=c++20 -w -fwrapv -fno-strict-aliasing -ffp-contract=off -I %S/../../tools/cuda-fuzz/shim %t.cpp -o %t
// RUN: %t | FileCheck %s
// RUN: %t > %t.1 && %t > %t.2 && diff %t.1 %t.2
// RUN: sed '/^namespace rewritten/,/^}$/s/out\[tid + /out[tid ^ 1 + /' %t.cpp > %t.wrong.cpp
// RUN: %host-cxx -std=c++20 -w -fwrapv -fno-strict-aliasing -I %S/../../tools/cuda-fuzz/shim %t.wrong.cpp -o %t.wrong
// RUN: %exits 1 %t.wrong | FileCheck %s --check-prefix=WRONG
//
// Kernels run as C++ of the host, before and after, and leave the same; a text that
// is wrong is found out.
//
// CHECK: pairs {{[1-9][0-9]*}}, different 0, unordered 0, crashed 0, broken 0, launches {{[1-9][0-9]*}}, late {{[1-9][0-9]*}}, sum
// WRONG: different: kernel {{[0-9]+}}, byte {{[0-9]+}} of the output
