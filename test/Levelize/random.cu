// REQUIRES: cuda
// RUN: env CXX=%host-cxx %python %S/Inputs/random_loops.py 5 10 %cuda-opt %include-runtime %t sequential tickets reserve chains renaming levels_graph | FileCheck %s
//
// Random loops compute the same bits after they were rewritten, whatever the
// strategy.
// CHECK: {{[5-9]|10}} loops made parallel
