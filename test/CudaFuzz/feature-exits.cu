// RUN: %cuda-fuzz --features=exit,predicated-exit,trap --seed=13 --count=120 --quiet | FileCheck %s
// RUN: %cuda-fuzz --features=exit,predicated-exit,trap --phases --reuse=bytes --seed=14 --count=60 --quiet | FileCheck %s
//
// Threads that leave, under predicates of assembly and in loops too, and traps that
// nobody reaches are all modelled; kernels compute what they did.
//
// CHECK: kernels {{[0-9]+}}, pairs {{[0-9]+}}, rewritten {{[1-9][0-9]+}},
// CHECK-SAME: different 0, broken originals 0, unsupported 0, crashes 0;
// CHECK: discarded for defects of their own {{[0-9]+}}; exit {{[1-9][0-9]*}} (rewritten
// CHECK-SAME: predicated-exit {{[1-9][0-9]*}} (rewritten
// CHECK-SAME: trap {{[1-9][0-9]*}} (rewritten {{[1-9]}}
