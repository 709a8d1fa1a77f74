// RUN: not %clang-plugin -fplugin-arg-cudaopt-bogus %s 2>&1 | FileCheck %s --check-prefix=BOGUS
// RUN: not %clang-plugin -fplugin-arg-cudaopt-check=yes %s 2>&1 | FileCheck %s --check-prefix=SWITCH
// RUN: not %clang-plugin -fplugin-arg-cudaopt-o %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %clang-plugin -fplugin-arg-cudaopt-o=%t.cu -fplugin-arg-cudaopt-i %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %clang-plugin -fplugin-arg-cudaopt-o=%t.no/x.cu %s 2>&1 | FileCheck %s --check-prefix=WRITE
//
// Arguments that make no sense, and files that cannot be written, are errors of
// the compilation.
//
// BOGUS: error: unknown cuda-opt argument 'bogus'
// SWITCH: error: unknown cuda-opt argument 'check=yes'
// VALUE: error: unknown cuda-opt argument 'o'
// BOTH: error: cuda-opt: -o and -i exclude each other
// WRITE: error: cuda-opt: {{.*}}x.cu
