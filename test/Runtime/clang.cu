// REQUIRES: cuda
// Clang in CUDA mode compiles the runtime without a warning.
// RUN: %runtime-clang -std=c++17 %S/nvcc.cu
// RUN: %runtime-clang -std=c++20 %S/nvcc_cxx20.cu
