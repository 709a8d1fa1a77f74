// REQUIRES: cuda
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cuda-opt --reuse=bytes --cuda-path=%cuda-path %benchmarks/../examples/segmentation/segmentation.cu -o whole.cu 2> whole.err
// RUN: %python %S/../Inputs/stop-often.py %cuda-opt --reuse=bytes --cuda-path=%cuda-path %benchmarks/../examples/segmentation/segmentation.cu -o stopped.cu 2> stopped.err
// RUN: cmp whole.cu stopped.cu && cmp whole.err stopped.err
// RUN: %cuda-opt --reuse=bytes --cuda-path=%cuda-path %benchmarks/reuse/gpu/canny.cu -o whole.cu 2> whole.err
// RUN: %python %S/../Inputs/stop-often.py %cuda-opt --reuse=bytes --cuda-path=%cuda-path %benchmarks/reuse/gpu/canny.cu -o stopped.cu 2> stopped.err
// RUN: cmp whole.cu stopped.cu && cmp whole.err stopped.err
// RUN: FileCheck %s < whole.cu
//
// No search asks the clock: a run that is stopped and continued again and again
// writes the same text and says the same as one that is not.
// CHECK: union
