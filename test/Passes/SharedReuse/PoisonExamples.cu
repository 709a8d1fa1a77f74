// REQUIRES: cuda
// RUN: rm -rf %t && mkdir -p %t/common %t/denoise %t/segmentation %t/banks/gpu %t/reuse/gpu %t/pictures
// RUN: cp %S/../../../examples/common/*.h %t/common
// RUN: cp %S/../../../benchmarks/banks/gpu/*.h %t/banks/gpu
// RUN: cp %S/../../../benchmarks/reuse/gpu/*.h %t/reuse/gpu
//
// RUN: %cuda-opt --passes=shared-reuse --reuse=poison -o %t/denoise/denoise.cu %S/../../../examples/denoise/denoise.cu -- -arch=sm_90
// RUN: grep -q "poisoned < sizeof" %t/denoise/denoise.cu
// RUN: %cuda-sim --quiet %t/denoise/denoise.cu --size 32 --steps 2 --pictures %t/pictures -- -fmad=false | FileCheck %s
//
// RUN: %cuda-opt --passes=shared-reuse --reuse=poison -o %t/segmentation/segmentation.cu %S/../../../examples/segmentation/segmentation.cu -- -arch=sm_90
// RUN: grep -q "poisoned < sizeof" %t/segmentation/segmentation.cu
// RUN: %cuda-sim --quiet %t/segmentation/segmentation.cu --size 96 --steps 4 --pictures %t/pictures -- -fmad=false | FileCheck %s
//
// RUN: %cuda-opt --passes=shared-reuse --reuse=poison -o %t/reuse/gpu/canny.cu %S/../../../benchmarks/reuse/gpu/canny.cu -- -arch=sm_90
// RUN: grep -q "poisoned < sizeof" %t/reuse/gpu/canny.cu
// RUN: %cuda-sim --quiet %t/reuse/gpu/canny.cu --size 168 --repeat 1 --json | grep -o 'digest.*' > %t/new
// RUN: %cuda-sim --quiet %S/../../../benchmarks/reuse/gpu/canny.cu --size 168 --repeat 1 --json | grep -o 'digest.*' > %t/old
// RUN: diff %t/old %t/new
// RUN: %cuda-opt --passes=shared-reuse --reuse=poison --verify=machine --quiet --report=json:%t/report.json -o %t/reuse/gpu/canny.cu %S/../../../benchmarks/reuse/gpu/canny.cu -- -arch=sm_90
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t/report.json
//
// Whole programs compute what they did when all that the analysis says is dead is
// overwritten with NaNs; on the machine also where made-up sizes make threads write to
// the same places.
//
// CHECK: PASSED
// REPORT: "verify": "machine: EqualOn"
