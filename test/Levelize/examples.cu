// RUN: %examples/loops/mesh-flux 30 3 > %t.flux
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=ordered_reduction %examples/loops/mesh-flux-parallel 30 3 | diff %t.flux -
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=tickets %examples/loops/mesh-flux-parallel 30 3 | diff %t.flux -
// RUN: %examples/loops/mesh-flux-parallel 30 3 | diff %t.flux -
// RUN: %examples/loops/spanning-forest 1000 2000 > %t.forest
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=reserve CUDAOPT_LEVELIZE_TRACE=1 %examples/loops/spanning-forest-parallel 1000 2000 2> %t.trace | diff %t.forest -
// RUN: %examples/loops/triangular-solve 30 3 > %t.solve
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=owner CUDAOPT_LEVELIZE_TRACE=1 %examples/loops/triangular-solve-parallel 30 3 2>> %t.trace | diff %t.solve -
// RUN: FileCheck %s < %t.trace
// RUN: FileCheck %s --check-prefix=ROW < %examples/loops/triangular-solve.parallel.cpp
//
// The examples compute the same bits in parallel. Vectors make a row loop, too.
// CHECK: reserve on the cpu (ok)
// CHECK: owner on the cpu (ok)
// ROW: cudaopt::row_loop<solve_loop, double>
