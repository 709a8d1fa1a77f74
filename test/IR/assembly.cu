// RUN: %cuda-opt --print=ir %s -- %cuda-flags | FileCheck %s
//
// Inline assembly does what PTX says; a text that is not known is opaque.

#include "cuda.h"

__device__ inline unsigned toShared(const void *p) {
  unsigned a;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
      : "=r"(a)
      : "l"(p));
  return a;
}

// A number that PTX has for an address is traced back to the array.
// CHECK-LABEL: kernel loads
// CHECK: load f32 [@s + s64(s32((threadIdx.x * 4) + 16)) + 8]
// CHECK: copy 16 bytes [@vector], @s
// CHECK: store f32 [@*o + 4], ((%2 + %3) + %4) + %5
__global__ void loads(float *o) {
  __shared__ float s[64];
  unsigned a = toShared(s) + (threadIdx.x * 4 + 16);
  asm volatile("ld.shared.f32 %0, [%1+8];" : "=f"(o[0]) : "r"(a));
  float x, y, z, w;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
               : "r"(toShared(s)));
  o[1] = x + y + z + w;
}

// CHECK-LABEL: kernel stores
// CHECK: store f32 [@s + s64(%i) * 4], %v
// CHECK: store u8 [@*p], u8(%i)
// CHECK: volatile store s32 [@*p + 4], %i
__global__ void stores(int *p, int i, float v) {
  __shared__ float s[64];
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(toShared(s + i)), "f"(v));
  asm volatile("st.global.u8 [%0], %1;" ::"l"(p), "r"(i));
  asm volatile("st.relaxed.gpu.global.s32 [%0+4], %1;" ::"l"(p), "r"(i));
}

// What a predicate guards is a branch.
// CHECK-LABEL: kernel guarded
// CHECK: branch %i != 0, [[THEN:B[0-9]+]], [[NEXT:B[0-9]+]]
// CHECK: [[THEN]]:
// CHECK-NEXT: %1 = load s32 [@*p]
// CHECK: [[NEXT]]:
// CHECK-NEXT: %2 = phi s32 [B0: 7] {{\[}}[[THEN]]: %1]
__global__ void guarded(int *p, int i) {
  int x = 7;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0;\n"
               "  @p ld.global.s32 %0, [%1]; }"
               : "+r"(x)
               : "l"(p), "r"(i));
  p[1] = x;
}

// CHECK-LABEL: kernel values
// CHECK: store s32 [@*o], s32(laneid)
// CHECK: %1 = sample asm mov
// CHECK: store s32 [@*o + 8], s32(u32(%i) & 31)
// CHECK: %2 = known asm lop3(%i, %i)
// CHECK: %3 = shuffle warp asm activemask()
__global__ void values(int *o, int i) {
  asm("mov.u32 %0, %%laneid;" : "=r"(o[0]));
  asm volatile("mov.u32 %0, %%clock;" : "=r"(o[1]));
  asm("and.b32 %0, %1, 31;" : "=r"(o[2]) : "r"(i));
  asm("lop3.b32 %0, %1, %1, 7, 0xea;" : "=r"(o[3]) : "r"(i));
  asm volatile("activemask.b32 %0;" : "=r"(o[4]));
}

// CHECK-LABEL: kernel threads
// CHECK: barrier block asm bar(0)
// CHECK: barrier group asm bar(1, 64)
// CHECK: barrier warp asm bar(4294967295)
// CHECK: fence device asm membar()
// CHECK: atomic device 4 bytes [@*p] asm red(%v)
// CHECK: %1 = atomic block 4 bytes [@*p] asm atom(%v)
__global__ void threads(int *p, int v) {
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("bar.sync %0, %1;" ::"n"(1), "n"(64));
  asm volatile("bar.warp.sync 0xffffffff;");
  asm volatile("membar.gl;");
  asm volatile("red.global.add.s32 [%0], %1;" ::"l"(p), "r"(v));
  int r;
  asm volatile("atom.cta.global.add.s32 %0, [%1], %2;"
               : "=r"(r)
               : "l"(p), "r"(v));
  p[1] = r;
}

// CHECK-LABEL: kernel copies
// CHECK: asynchronous known asm cp(), reads 16 bytes [@*p], writes 16 bytes [@s + 32]
// CHECK: commit asm cp()
// CHECK: wait asm cp(0)
// CHECK: known warp asm ldmatrix(), reads 16 bytes [@s]
// CHECK: = shuffle warp asm ldmatrix(
__global__ void copies(int *p) {
  __shared__ int s[64];
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(
                   toShared(s + 8)),
               "l"(p), "n"(16));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group %0;" ::"n"(0));
  unsigned a, b;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(a), "=r"(b)
               : "r"(toShared(s)));
  p[0] = a + b;
}

// CHECK-LABEL: kernel ends
// CHECK: opaque asm exit()
// CHECK-NEXT: may leave
// CHECK: opaque asm(@*p) @*p
__global__ void ends(int *p) {
  if (*p)
    asm volatile("exit;");
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], 16;" ::"l"(p));
}

// The number carries the array to where it is not understood.
// CHECK-LABEL: kernel carried
// CHECK: opaque asm(u32(shared(@s)) + 4{{.*}}) @s
__global__ void carried() {
  __shared__ float s[64];
  asm volatile("unheard.of [%0];" ::"r"(toShared(s) + 4) : "memory");
}

// An address of which bits were flipped may be any.
// CHECK-LABEL: kernel swizzled
// CHECK: load f32 [pointer(
__global__ void swizzled(float *o) {
  __shared__ float s[64];
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(*o) : "r"(toShared(s) ^ 16));
}
