// RUN: %cuda-opt --help | FileCheck %s
// RUN: %cuda-opt -h | FileCheck %s
// RUN: %cuda-opt --version | FileCheck %s --check-prefix=VERSION
//
// --help lists our options, and none of LLVM's.
//
// CHECK: usage: cuda-opt [options] file.cu... [-- flags of the compiler]
// CHECK: --passes=<list>
// CHECK: -o <file>
// CHECK: -Rpass=<regex>
// CHECK-NOT: print-after
// VERSION: cuda-opt {{[0-9.]+}} (LLVM 22.{{.*}}CUDA {{.*}})
