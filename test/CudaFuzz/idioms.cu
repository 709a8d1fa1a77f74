// RUN: %cuda-fuzz --idioms --seed=3 --count=80 --quiet | FileCheck %s
// RUN: %cuda-fuzz --idioms --reuse=bytes --seed=3 --count=80 --quiet | FileCheck %s
// RUN: %cuda-fuzz --idioms --reuse=poison --passes=shared-reuse --seed=3 --count=80 --quiet | FileCheck %s
// RUN: %cuda-fuzz --idioms=prefetch --count=30 --print-kernel | FileCheck %s --check-prefix=PREFETCH
// RUN: %cuda-fuzz --idioms=-prefetch,-prefetch-and-leave --count=90 --print-kernel | sed -n '/fz0k/,$p' > %t.none
// RUN: not grep __pipeline_ %t.none
// RUN: %exits 2 %cuda-fuzz --idioms=bug 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %exits 1 %cuda-fuzz --idioms=two-ways --plant=barrier --seed=1 --count=10 --quiet | FileCheck %s --check-prefix=PLANTED
//
// Kernels that are sequences of idioms have no defect and stay what they are; only those
// that are wanted are in them; where a barrier is gone, that is found out, in a kernel of
// one idiom.
//
// CHECK: kernels 80, pairs {{[2-8][0-9]}}, rewritten {{[2-8][0-9]}},
// CHECK-SAME: different 0, broken originals 0, unsupported 0, crashes 0;
//
// PREFETCH-DAG: __pipeline_memcpy_async(&
// PREFETCH-DAG: __pipeline_wait_prior(1);
// PREFETCH-DAG: __pipeline_wait_prior(0);
//
// UNKNOWN: cuda-fuzz: error: there is no idiom 'bug'
//
// PLANTED: Different: kernel {{[0-9]+}} of seed 1: {{.+}}
// PLANTED: minimised:
