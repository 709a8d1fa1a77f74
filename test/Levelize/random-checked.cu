// REQUIRES: cuda
// RUN: env CXX=%host-cxx %python %S/Inputs/check_random_loops.py --count=200 %cuda-opt %include-runtime %t | FileCheck %s
// RUN: env CXX=%host-cxx %python %S/Inputs/check_random_loops.py --count=200 --mutants %cuda-opt %include-runtime %t.mutants | FileCheck %s --check-prefix=MUTANTS
//
// Random loops keep what they promise the runtime; where the rewritten text is
// broken, the check notices.
// CHECK: 200 random loops, 1{{[0-9][0-9]}} rewritten, 0 programs wrong
// MUTANTS: touch dropped: [[MADE:[0-9]+]] of [[MADE]] noticed
