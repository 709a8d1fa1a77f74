// REQUIRES: cuda
// RUN: rm -rf %t && mkdir -p %t/common %t/files && cp %S/../../examples/common/*.h %t/common
// RUN: cp %S/../../examples/stencil/stencil.cu %S/../../examples/transpose/transpose.cu %t/files
// RUN: cp %S/../../examples/denoise/denoise.cu %S/../../examples/segmentation/segmentation.cu %t/files
// RUN: cp %S/../../examples/registration/registration.cu %S/../../examples/matmul/matmul.cu %t/files
// RUN: %cuda-opt --reuse=bytes -i %t/files/stencil.cu %t/files/transpose.cu %t/files/denoise.cu -- -std=c++17
// RUN: %cuda-opt --reuse=bytes -i %t/files/segmentation.cu %t/files/registration.cu %t/files/matmul.cu -- -std=c++17
// RUN: %exits 1 diff %t/files/denoise.cu %S/../../examples/denoise/denoise.cu
// RUN: %cuda-opt --reuse=bytes --check %t/files/stencil.cu %t/files/transpose.cu %t/files/denoise.cu -- -std=c++17
// RUN: %cuda-opt --reuse=bytes --check %t/files/segmentation.cu %t/files/registration.cu %t/files/matmul.cu -- -std=c++17
//
// The examples stay as cuda-opt has written them.
