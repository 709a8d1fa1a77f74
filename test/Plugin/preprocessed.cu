// RUN: %host-cxx -x cuda %cuda-flags -E -P %s -o %t.cui
// RUN: %clang-plugin -Wno-unused-command-line-argument %t.cui 2>&1 | FileCheck %s
// RUN: %host-cxx -fplugin=%plugin -fsyntax-only -x c++ /dev/null 2>&1 | count 0
//
// A preprocessed source belongs to one side of the compilation: it stays as it
// is. What is not CUDA does not concern the plugin.
//
// CHECK: cuda-opt: warning: {{.*}}preprocessed.cu{{.*}}: it is preprocessed; compiling the original
#include "cuda.h"
