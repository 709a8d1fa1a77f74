// RUN: not %clang-plugin -fplugin-arg-cudaopt-cheek %s 2>&1 | FileCheck %s --check-prefix=BOGUS
// RUN: not %clang-plugin -fplugin-arg-cudaopt-check=yes %s 2>&1 | FileCheck %s --check-prefix=SWITCH
// RUN: not %clang-plugin -fplugin-arg-cudaopt-o %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %clang-plugin -fplugin-arg-cudaopt-layout=x %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not %clang-plugin -fplugin-arg-cudaopt-i %s 2>&1 | FileCheck %s --check-prefix=TOOL
// RUN: %clang-plugin -fplugin-arg-cudaopt-o=%t.no/x.cu %s 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: not %clang-plugin -fplugin-arg-cudaopt-o=%t.no/x.cu -fplugin-arg-cudaopt-fallback=error %s 2>&1 | FileCheck %s --check-prefix=ERROR
//
// Arguments that make no sense are one error; a file that cannot be written is
// one if the user says so.
//
// BOGUS: error: cuda-opt: unknown option 'cheek'; did you mean 'check'?
// BOGUS-NOT: error:
// SWITCH: error: cuda-opt: 'check=yes' takes no value
// VALUE: error: cuda-opt: argument expected after 'o'
// BAD: error: cuda-opt: unknown kind in --layout=x
// TOOL: error: cuda-opt: 'i' is for the tool, not the plugin
// WRITE: cuda-opt: warning: {{.*}}arguments.cu: {{.*}}x.cu{{.*}}; compiling the original
// ERROR: error: cuda-opt: {{.*}}x.cu
