// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
//
// Memory of either side, and of both.
//
// CHECK: managed 1 2 3
// CHECK-NEXT: pinned 2 3 4
// CHECK-NEXT: registered 3 4 5
// CHECK-NEXT: rows 16843009 0 33686018 0 of pitch 512
// CHECK-NEXT: types 2 3 1 0
// CHECK-NEXT: freed invalid argument

#include <cstdio>

__global__ void increment(int *Data, int By) { Data[threadIdx.x] += By; }

static void show(const char *Name, const int *Data) {
  printf("%s %d %d %d\n", Name, Data[0], Data[1], Data[2]);
}

static int typeOf(const void *Pointer) {
  cudaPointerAttributes Attributes;
  cudaPointerGetAttributes(&Attributes, Pointer);
  return Attributes.type;
}

int main() {
  int *Managed, *Pinned, Registered[3] = {0, 1, 2};
  cudaMallocManaged(&Managed, 12);
  cudaMallocHost(&Pinned, 12);
  cudaHostRegister(Registered, 12, cudaHostRegisterDefault);
  for (int I = 0; I < 3; ++I)
    Managed[I] = Pinned[I] = I;
  increment<<<1, 3>>>(Managed, 1);
  increment<<<1, 3>>>(Pinned, 2);
  increment<<<1, 3>>>(Registered, 3);
  cudaDeviceSynchronize();
  show("managed", Managed);
  show("pinned", Pinned);
  show("registered", Registered);

  void *Rows;
  size_t Pitch;
  int Host[4] = {};
  cudaMallocPitch(&Rows, &Pitch, 4, 2);
  cudaMemset2D(Rows, Pitch, 1, 4, 1);
  cudaMemset(static_cast<char *>(Rows) + Pitch, 2, 4);
  cudaMemcpy2D(Host, 8, Rows, Pitch, 4, 2, cudaMemcpyDeviceToHost);
  printf("rows %d %d %d %d of pitch %zu\n", Host[0], Host[1], Host[2], Host[3],
         Pitch);
  printf("types %d %d %d %d\n", typeOf(Rows), typeOf(Managed), typeOf(Pinned),
         typeOf(Host));

  cudaFree(Managed);
  cudaFreeHost(Pinned);
  cudaHostUnregister(Registered);
  cudaFree(Rows);
  cudaError_t Error = cudaMemcpy(Host, nullptr, 0, cudaMemcpyDeviceToHost);
  if (Error == cudaSuccess)
    Error = cudaSetDevice(0);
  printf("freed %s\n", cudaGetErrorString(
                           cudaHostGetDevicePointer(&Rows, Registered, 0)));
}
