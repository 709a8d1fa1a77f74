// REQUIRES: cuda
// RUN: %cuda-opt --doctor --cuda-path=%cuda-path | FileCheck %s
// RUN: mkdir -p %t && %exits 3 %cuda-opt --doctor --cuda-path=%t | FileCheck %s --check-prefix=BROKEN
// RUN: %exits 3 env PATH=%t TMPDIR=%t/none %cuda-opt --doctor --cuda-path=%cuda-path | FileCheck %s --check-prefix=POOR
// RUN: rm -rf %t && mkdir %t && cd %t && echo "Soup: 1" > .cuda-opt
// RUN: %exits 3 %cuda-opt --doctor --cuda-path=%cuda-path | FileCheck %s --check-prefix=CONFIG
//
// The doctor has a line for each part, with what to do, and fails if one is
// broken.
//
// CHECK: cuda-opt {{[0-9.]+}}, with clang 22
// CHECK: {{^}}ok     CUDA Toolkit
// CHECK: {{^}}ok     --arch=sm_ {{.*}} 80 86 {{.*}}90
// CHECK: {{^}}ok     clang headers
// CHECK: {{^}}ok     a kernel {{.*}}gets a better layout
// CHECK: all is well
// BROKEN: {{^}}BROKEN CUDA Toolkit {{.*}}no CUDA Toolkit at {{.*}}; install it, or set CUDA_PATH
// BROKEN: parts are broken
// POOR: {{^}}note   nvcc {{.*}}; it is not in PATH
// POOR: {{^}}note   ccache {{.*}}none; builds work without it
// POOR: {{^}}BROKEN a kernel {{.*}}no temporary file can be made; set TMPDIR
// CONFIG: {{^}}BROKEN .cuda-opt {{.*}}unknown key 'Soup'
