// RUN: rm -rf %t && mkdir -p %t/kit/bin %t/kit/include %t/kit/nvvm/libdevice %t/none
// RUN: echo '#define CUDA_VERSION 12060' > %t/kit/include/cuda.h
// RUN: env PATH=%t/none %cuda-opt --version --cuda-path=%t/kit > %t/poor
// RUN: FileCheck --input-file=%t/poor %s
// RUN: touch %t/none/g++ && chmod +x %t/none/g++
// RUN: env PATH=%t/none %cuda-opt --version --cuda-path=%t/none | FileCheck --check-prefix=NONE %s
// RUN: touch %t/kit/bin/nvcc %t/kit/include/cuda_runtime.h %t/kit/include/curand_mtgp32_kernel.h
// RUN: chmod +x %t/kit/bin/nvcc && mkdir %t/kit/include/cccl
// RUN: env PATH=%t/none %cuda-opt --version --cuda-path=%t/kit | FileCheck --check-prefix=WHOLE %s
//
// The version has a line for each part that is missing, and what to do.
//
// CHECK: {{^}}cuda-opt {{[0-9.]+}} (LLVM {{[0-9.]+}}, isl-{{.*}}, CUDA 12.6 at {{.*}}/kit)
// CHECK-NEXT: {{^}}missing: nvcc; {{.*}}nvidia-cuda-nvcc
// CHECK-NEXT: {{^}}missing: CUDA headers; {{.*}}nvidia-cuda-runtime
// CHECK-NEXT: {{^}}missing: cuRAND; {{.*}}nvidia-curand
// CHECK-NEXT: {{^}}missing: CCCL; {{.*}}nvidia-cuda-cccl
// CHECK-NEXT: {{^}}missing: host compiler; install g++{{.*$}}
// CHECK-NOT: {{.}}
// NONE: {{^}}cuda-opt {{.*}}, no CUDA Toolkit found)
// NONE-NEXT: {{^}}missing: CUDA Toolkit; install it, or set CUDA_PATH to its folder
// NONE-NOT: {{.}}
// WHOLE: {{^}}cuda-opt {{.*}}, CUDA 12.6 at {{.*}}/kit){{$}}
// WHOLE-NOT: {{.}}
