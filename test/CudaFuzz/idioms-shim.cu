// RUN: %cuda-fuzz --idioms --reuse=bytes --seed=5 --count=40 --shim=%t.cpp
// RUN: %host-cxx -std=c++20 -w -fwrapv -fno-strict-aliasing -ffp-contract=off -I %S/../../tools/cuda-fuzz/shim %t.cpp -o %t
// RUN: %t | FileCheck %s
// RUN: %exits 2 %cuda-fuzz --idioms=prefetch,assembly-address --shim=%t.cpp 2>&1 | FileCheck %s --check-prefix=NONE
//
// Idioms run as C++ of the host, but for those of which it knows nothing.
//
// CHECK: pairs {{[1-9][0-9]*}}, different 0, unordered 0, crashed 0, broken 0, launches
// NONE: cuda-fuzz: error: none of these idioms can be written so
