// REQUIRES: cuda
// RUN: rm -rf %t && cmake --install %build --prefix %t/installed > %t.log
// RUN: %t/installed/bin/cuda-opt --version | FileCheck %s --check-prefix=VERSION
// RUN: ls %t/installed/bin/cuda-opt-nvcc %t/installed/lib/cuda-opt/CudaOptPlugin.so
// RUN: %python %S/consumer.py %t/installed %t/consumer %cuda-path/bin/nvcc | FileCheck %s
// RUN: %python %S/consumer.py %build %t/in-tree %cuda-path/bin/nvcc | FileCheck %s
//
// Another project builds with what is installed, and with what is only built.
//
// VERSION: cuda-opt {{[0-9]+\.[0-9]+\.[0-9]+}} (LLVM {{[0-9.]+}}, isl-{{.*}}, CUDA {{[0-9.]+}} at
// CHECK: 100% tests passed, 0 tests failed out of 2
