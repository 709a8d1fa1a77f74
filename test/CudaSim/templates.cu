// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
//
// Kernels may be templates, take structs, and call device functions.
//
// CHECK: int 3 7 11 15
// CHECK-NEXT: double 1.5 3.5 5.5 7.5

#include <cstdio>

struct Pair {
  char Tag;
  double First, Second;
};

template <class T> struct View {
  T *Data;
  int Size;
  __device__ T &operator[](int I) const { return Data[I]; }
};

template <class T, class F>
__global__ void apply(View<T> Out, Pair P, F Function) {
  int I = threadIdx.x;
  if (I < Out.Size)
    Out[I] = Function(P.First * I + P.Second);
}

template <class T, class F>
void run(const char *Name, const char *Format, Pair P, F Function) {
  View<T> Out = {nullptr, 4};
  cudaMalloc(&Out.Data, 4 * sizeof(T));
  apply<<<1, 32>>>(Out, P, Function);
  T Host[4];
  cudaMemcpy(Host, Out.Data, sizeof Host, cudaMemcpyDeviceToHost);
  printf("%s", Name);
  for (T Value : Host)
    printf(Format, Value);
  printf("\n");
}

struct AddOne {
  __device__ int operator()(double X) const { return static_cast<int>(X) + 1; }
};
struct Half {
  __device__ double operator()(double X) const { return X / 2; }
};

int main() {
  run<int>("int", " %d", Pair{'a', 4, 2}, AddOne());
  run<double>("double", " %.1f", Pair{'b', 4, 3}, Half());
}
