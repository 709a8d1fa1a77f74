// RUN: %cuda-fuzz --seed=6 --count=50 --mutants --quiet | FileCheck %s
//
// A damaged rewrite is found out or proved equal, whatever the damage.
//
// CHECK: mutants {{[0-9]+}}, killed {{[1-9][0-9]+}}, proved equal {{[0-9]+}}, survived 0;
// CHECK-SAME: size {{[0-9]+}} (killed {{[1-9][0-9]*}},
// CHECK-SAME: layout {{[0-9]+}} (killed {{[1-9][0-9]*}},
// CHECK-SAME: stale {{[0-9]+}} (killed {{[1-9][0-9]*}},
// CHECK-SAME: index {{[0-9]+}} (killed {{[1-9][0-9]*}},
// CHECK-SAME: barrier {{[0-9]+}} (killed {{[1-9][0-9]*}},
// CHECK-SAME: sharing {{[0-9]+}} (killed {{[1-9][0-9]*}},{{.*}}poison {{[0-9]+}} (killed {{[1-9][0-9]*}},
