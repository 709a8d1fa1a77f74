// RUN: %exits 1 %cuda-fuzz --phases --passes=shared-reuse --reuse=poison --plant=poison --seed=3 --count=12 --quiet | FileCheck %s
// RUN: %exits 1 %cuda-fuzz --phases --passes=bank-layout --plant=sharing --seed=3 --count=12 --quiet | FileCheck %s
//
// An array that is said to be dead while it is alive is found out: by what is
// overwritten, and by what shares its bytes.
//
// CHECK: Different: kernel {{[0-9]+}} of seed 3: {{.+}}
// CHECK: kernels 12, {{.*}} different {{[1-9]}}
