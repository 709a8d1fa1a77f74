// RUN: %cuda-fuzz --phases --seed=1 --count=600 --print-kernel > %t.cu
// RUN: %cuda-fuzz --seed=1 --count=2000 --print-kernel >> %t.cu
// RUN: FileCheck %s --input-file=%t.cu
// RUN: %exits 2 %cuda-fuzz --features=exit,bug 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %cuda-fuzz --features=none --seed=4 --count=30 --print-kernel | sed -n '/fz0k/,$p' > %t.none
// RUN: %cuda-fuzz --features=-all --seed=4 --count=30 --print-kernel | sed -n '/fz0k/,$p' > %t.less
// RUN: diff %t.none %t.less
// RUN: not grep 'own0\|goto\|static\|rap()\|assert' %t.none
//
// Kernels have what is hard to understand: threads that leave in any way, in loops
// too, traps and assertions, pointers and their bytes, arithmetic that wraps,
// structs, lambdas, launches whose shape is computed; and none of it where it is not
// wanted.
//
// UNKNOWN: cuda-fuzz: error: there is no feature 'bug'
//
// CHECK-DAG: asm volatile("exit;");
// CHECK-DAG: ({ return; true; })
// CHECK-DAG: ? ({ return; 1; }) : 0;
// CHECK-DAG: goto end;
// CHECK-DAG: leaveIfNot(
// CHECK-DAG: [&] { if ({{.*}}) asm volatile("exit;"); }();
// CHECK-DAG: @p exit;
// CHECK-DAG: if (k == 1 && (
// CHECK-DAG: while (true) {{{$}}
// CHECK-DAG: if (t >= {{[1-3]}} &&
// CHECK-DAG: asm volatile("{{.*}}(int(t >= {{[1-3]}} &&
// CHECK-DAG: __trap();
// CHECK-DAG: asm volatile("trap;");
// CHECK-DAG: __builtin_trap();
// CHECK-DAG: assert(!(
// CHECK-DAG: assert(k < 3 &&
// CHECK-DAG: trapUnless(
// CHECK-DAG: *volatile p = &s
// CHECK-DAG: volatile unsigned long long bits = reinterpret_cast<
// CHECK-DAG: *volatile v = p;
// CHECK-DAG: volatile unsigned long long u = reinterpret_cast<
// CHECK-DAG: __builtin_memcpy(&own{{[0-9]}}, &p, 8);
// CHECK-DAG: reinterpret_cast<unsigned long long &>(p);
// CHECK-DAG: union { {{.*}} *p; unsigned long long u; } both;
// CHECK-DAG: __shfl_xor_sync(
// CHECK-DAG: p += tid %
// CHECK-DAG: table[0] = &s
// CHECK-DAG: (unsigned char)(
// CHECK-DAG: (0u - 1u -
// CHECK-DAG: __shared__ Part{{[0-9]}} own{{[0-9]}}[
// CHECK-DAG: auto put = [&](unsigned i)
// CHECK-DAG: reinterpret_cast<unsigned char *>(&s
// CHECK-DAG: *reinterpret_cast<float4 *>(&s
// CHECK-DAG: __align__(16) __shared__ float
// CHECK-DAG: * acc + in[(tid + {{[0-9]+}}) % 256];
// CHECK-DAG: own{{[0-9]}}[tid][(j)] =
// CHECK-DAG: static __global__ void
// CHECK-DAG: namespace {
// CHECK-DAG: const bool h0 = (bool)
// CHECK-DAG: enum h0E : unsigned char {
// CHECK-DAG: blockDim.x * blockDim.y * blockDim.z
