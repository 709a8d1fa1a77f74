// REQUIRES: cuda
// RUN: rm -rf %t && mkdir -p %t
// RUN: %cuda-sim --quiet %S/../../examples/denoise/denoise.cu --size 16 \
// RUN:   --steps 2 --pictures %t -- -fmad=false | FileCheck %s
// RUN: %cuda-sim --quiet %S/../../examples/segmentation/segmentation.cu \
// RUN:   --size 48 --steps 10 --pictures %t -- -fmad=false | FileCheck %s
// RUN: %cuda-sim --quiet %S/../../examples/registration/registration.cu \
// RUN:   --steps 1 --pictures %t -- -fmad=false | FileCheck %s
// RUN: %python %S/../Inputs/picture.py %t/denoise-after.png \
// RUN:   | FileCheck %s --check-prefix=DENOISE
// RUN: %python %S/../Inputs/picture.py %t/segmentation-before.png \
// RUN:   | FileCheck %s --check-prefix=SEGMENTATION
// RUN: %python %S/../Inputs/picture.py %t/registration-after.png \
// RUN:   | FileCheck %s --check-prefix=REGISTRATION
//
// The examples on images have no findings, the bits of their references, if
// products and sums are not fused, and leave pictures.
//
// CHECK: differs from the CPU's by 0 at most
// CHECK-NEXT: {{^}}PASSED
// CHECK-NOT: {{.}}
// DENOISE: picture of 128 x 128
// SEGMENTATION: picture of 192 x 192
// REGISTRATION: picture of 392 x 392
