// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
// RUN: %cuda-sim %s -- --default-stream per-thread 2>&1 | FileCheck %s
// RUN: %exits 3 %cuda-sim %s cluster 2>&1 | FileCheck %s --check-prefix=CLUSTER
//
// The functions behind <<<>>> may be called by name. What an attribute asks for
// must be modelled or harmless.
//
// CHECK: 3 6 10
// CLUSTER: cuda-sim: error: the program launches a kernel with attribute 4
// CLUSTER-NOT: 10

#include <cstdio>

__global__ void add(int *Data, int By, char Scale) { *Data += By * Scale; }

int main(int argc, char **argv) {
  int *Data, By = 1;
  char Scale = 3;
  cudaMallocManaged(&Data, 4);
  void *Arguments[] = {&Data, &By, &Scale};
  cudaLaunchKernel((const void *)add, dim3(1), dim3(1), Arguments, 0, nullptr);
  cudaDeviceSynchronize();
  printf("%d ", *Data);
  cudaLaunchConfig_t Config = {};
  Config.gridDim = Config.blockDim = 1;
  cudaLaunchKernelEx(&Config, add, Data, By, Scale);
  cudaDeviceSynchronize();
  printf("%d ", *Data);
  cudaLaunchAttribute Attribute;
  Attribute.id = cudaLaunchAttributePriority;
  Attribute.val.priority = 0;
  if (argc > 1) {
    Attribute.id = cudaLaunchAttributeClusterDimension;
    Attribute.val.clusterDim = {1, 1, 1};
  }
  Config.attrs = &Attribute;
  Config.numAttrs = 1;
  cudaLaunchKernelEx(&Config, add, Data, 2, char(2));
  cudaDeviceSynchronize();
  printf("%d\n", *Data);
}
