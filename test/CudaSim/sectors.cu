// REQUIRES: cuda
// RUN: %cuda-sim --memory %s 2>&1 | FileCheck %s
// RUN: %cuda-sim --json=%t.json %s && FileCheck %s --check-prefix=JSON < %t.json
// RUN: not %cuda-sim --memory --kernels %s 2>&1 | FileCheck %s --check-prefix=BAD
//
// The sectors of each line's accesses to global memory. An H200 counts the same
// (l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st,red}.sum): 500 and 125 for
// fields, 65,536 and 32 for rows, 512 and 512 for copy, 32 and 1,024 for
// histogram, 437 and 125 for blur.

struct Point {
  float x, y, z, m;
};

// CHECK: fields(Point*, float*, int), 1 launch, global memory:
// CHECK-NEXT: requests      sectors        bound   ratio
// CHECK-NEXT: {{.*}}sectors.cu:[[#@LINE+6]]  load             32          500          125    4.00
// CHECK-NEXT: {{.*}}sectors.cu:[[#@LINE+5]]  store            32          125          125    1.00
// CHECK-NEXT: total 64          625          250    2.50
__global__ void fields(Point *p, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    o[i] = p[i].x * 2;
}

// CHECK: rows(float const*, float*, int), 1 launch, global memory:
// CHECK-NEXT: requests
// CHECK-NEXT: {{.*}}sectors.cu:[[#@LINE+7]]  load           2048        65536         8192    8.00
// CHECK-NEXT: {{.*}}sectors.cu:[[#@LINE+7]]  store             8           32           32    1.00
// CHECK-NEXT: total
__global__ void rows(const float *a, float *o, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int c = 0; c < n; ++c)
    s += a[r * n + c];
  o[r] = s;
}

// CHECK: copy(float4 const*, float4*), 1 launch, global memory:
// CHECK-NEXT: requests
// CHECK-NEXT: {{.*}}load             32          512          512    1.00
// CHECK-NEXT: {{.*}}store            32          512          512    1.00
// CHECK-NEXT: total
__global__ void copy(const float4 *a, float4 *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = a[i];
}

// CHECK: histogram(unsigned char const*, unsigned int*), 1 launch, global memory:
// CHECK-NEXT: requests
// CHECK-NEXT: {{.*}}atomic           32         1024         1024    1.00
// CHECK-NEXT: {{.*}}load             32           32           32    1.00
// CHECK-NEXT: total
__global__ void histogram(const unsigned char *a, unsigned *h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&h[a[i] & 7], 1);
}

// CHECK: blur(float const*, float*, int), 1 launch, global memory:
// CHECK-NEXT: requests
// CHECK-NEXT: {{.*}}load             96          437          375    1.17
// CHECK-NEXT: {{.*}}store            32          125          125    1.00
// CHECK-NEXT: total
__global__ void blur(const float *__restrict__ a, float *__restrict__ o,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    o[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

// Constant, shared and local memory is other memory.
// CHECK: others(int*), 1 launch, global memory:
// CHECK-NEXT: requests
// CHECK-NEXT: {{.*}}store             1            4            4    1.00
// CHECK-NEXT: total
__constant__ int table[32];
__global__ void others(int *o) {
  __shared__ int s[32];
  s[threadIdx.x] = table[threadIdx.x & 3];
  __syncthreads();
  o[threadIdx.x] = s[31 - threadIdx.x];
}

// JSON: "globalAccesses": [
// JSON: "line": [[#LINE:]],
// JSON-NEXT: "operation": "store",
// JSON-NEXT: "requests": 32,
// JSON-NEXT: "sectors": 125,
// JSON: "line": [[#LINE]],
// JSON-NEXT: "operation": "load",
// JSON-NEXT: "requests": 32,
// JSON-NEXT: "sectors": 500,
// JSON: "leastSectors": 250,

// BAD: error: --kernels does not go with --banks, --memory or --json
int main() {
  float *a, *o;
  cudaMalloc(&a, 1 << 22);
  cudaMalloc(&o, 1 << 22);
  cudaMemset(a, 0, 1 << 22);
  cudaMemset(o, 0, 1 << 22);
  fields<<<8, 128>>>((Point *)a, o, 1000);
  rows<<<4, 64>>>(a, o, 256);
  copy<<<8, 128>>>((float4 *)a, (float4 *)o);
  histogram<<<8, 128>>>((unsigned char *)a, (unsigned *)o);
  blur<<<8, 128>>>(a, o, 1000);
  others<<<1, 32>>>((int *)o);
  return cudaDeviceSynchronize();
}
