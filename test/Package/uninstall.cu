// RUN: rm -rf %t && mkdir -p %t/build %t/prefix/bin %t/prefix/lib/cuda-opt/clang/22 %t/prefix/share/doc/cuda-opt
// RUN: cd %t/build && touch ../prefix/lib/cuda-opt/clang/22/a.h ../prefix/share/doc/cuda-opt/LICENSE ../prefix/share/doc/cuda-opt/mine
// RUN: ln -s cuda-opt ../prefix/bin/cuda-opt-nvcc
// RUN: echo %t/prefix/bin/cuda-opt-nvcc > install_manifest_Tool.txt
// RUN: echo %t/prefix/lib/cuda-opt/clang/22/a.h >> install_manifest_Tool.txt
// RUN: echo %t/prefix/share/doc/cuda-opt/LICENSE > install_manifest.txt
// RUN: echo %t/prefix/share/doc/cuda-opt/gone >> install_manifest.txt
// RUN: cmake -P %S/../../cmake/Uninstall.cmake
// RUN: find %t/prefix | sort | FileCheck %s
// RUN: ls %t/build | count 0
// RUN: not cmake -P %S/../../cmake/Uninstall.cmake 2>&1 | FileCheck %s --check-prefix=NOTHING
//
// What was installed goes, also a link to what is not there, and with it the folders
// of our name that are empty; the files of others stay.
//
// CHECK: {{/prefix$}}
// CHECK-NEXT: {{/prefix/bin$}}
// CHECK-NEXT: {{/prefix/lib$}}
// CHECK-NEXT: {{/prefix/share$}}
// CHECK-NEXT: {{/prefix/share/doc$}}
// CHECK-NEXT: {{/prefix/share/doc/cuda-opt$}}
// CHECK-NEXT: {{/prefix/share/doc/cuda-opt/mine$}}
// CHECK-NOT: {{.}}
// NOTHING: nothing was installed from this build
