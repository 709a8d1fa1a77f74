// REQUIRES: cuda
// RUN: %cuda-sim %s %S/../Inputs/sim-helper.c %S/../Inputs/sim-device.cu one --two -x 2>&1 | FileCheck %s
// RUN: mkdir -p %t.dir && clang -shared -fPIC %S/../Inputs/sim-helper.c -o %t.dir/libsimhelper.so
// RUN: %cuda-sim -L %t.dir -l simhelper %s %S/../Inputs/sim-device.cu one --two -x 2>&1 | FileCheck %s
//
// The leading files are compiled, each alone on the device and linked on the
// host; all that follows is the program's, whatever it looks like. Libraries are loaded.
//
// CHECK: several-files.cu one --two -x
// CHECK-NEXT: 42 43
// CHECK: 2 launches

#include <cstdio>
#include <string>

extern "C" int helper(int X);
int runElsewhere(int X);
static thread_local std::string Words;

static __global__ void kernel(int *Data) { *Data += 1; }

int main(int argc, char **argv) {
  for (int I = 0; I < argc; ++I)
    Words += std::string(I ? " " : "") + argv[I];
  puts(Words.c_str());
  int *Data;
  cudaMallocManaged(&Data, 4);
  *Data = helper(40);
  kernel<<<1, 1>>>(Data);
  cudaDeviceSynchronize();
  printf("%d %d\n", *Data, runElsewhere(*Data));
}
