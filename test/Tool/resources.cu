// REQUIRES: cuda
// RUN: %cuda-opt --cuda-path=%cuda-path --layout=xor --verify-resources -Rpass=.* -Rpass-missed --report=json:%t.json -o %t.cu %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
// RUN: %cuda-opt --cuda-path=%cuda-path --layout=xor -o %t.cu %s
// RUN: not diff %s %t.cu | grep 'tile.*Kept'
//
// With --verify-resources, nvcc compiles the file before and after: a kernel
// whose registers would leave room for fewer blocks stays.

// CHECK: [[@LINE+7]]:20: remark: shared array 'tile' keeps its layout: its kernel would cost more than it saves: with {{[0-9]+}} registers a thread, not {{[0-9]+}}, 1 blocks fit on a multiprocessor, not 2
// JSON: "reason": "costs-resources"
// JSON: "resources": {
// JSON-NEXT: "after": {
// JSON-NEXT: "registers": {{[0-9]+}},
// NEW: Kept[I] * tile[threadIdx.x % 32][I]
__global__ void registers(float *Out, const float *In) {
  __shared__ float tile[32][32];
  float Kept[12];
  for (int I = 0; I < 12; ++I)
    Kept[I] = In[threadIdx.x + 1024 * I];
  for (int Round = 0; Round < 100; ++Round) {
    tile[threadIdx.x / 32][threadIdx.x % 32] = Kept[0];
    __syncthreads();
    for (int I = 0; I < 12; ++I)
      Kept[I] = Kept[I] * tile[threadIdx.x % 32][I] + Kept[(I + 1) % 12];
    __syncthreads();
  }
  float Sum = 0;
  for (int I = 0; I < 12; ++I)
    Sum += Kept[I] * I;
  Out[threadIdx.x] = Sum;
}

// CHECK: shared array 'cheap' is stored as [16][16] c ^ r
// JSON: "resources": {
// JSON: "shared_bytes": 1024,
// JSON-NEXT: "spill_bytes": 0
// NEW: cheap[threadIdx.x][threadIdx.y ^ threadIdx.x]
__global__ void transpose(float *Out, const float *In) {
  __shared__ float cheap[16][16];
  cheap[threadIdx.y][threadIdx.x] = In[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 16 + threadIdx.x] = cheap[threadIdx.x][threadIdx.y];
}

void launch(float *Out, const float *In) {
  registers<<<1, 1024>>>(Out, In);
  transpose<<<1, dim3(16, 16)>>>(Out, In);
}
