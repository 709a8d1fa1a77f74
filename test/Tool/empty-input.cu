// RUN: rm -rf %t && mkdir %t && touch %t/empty.cu
// RUN: %cuda-opt %t/empty.cu -- %cuda-flags | count 0
//
// An empty file is a program without kernels.
