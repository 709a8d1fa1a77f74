// REQUIRES: clang-apply-replacements
// RUN: rm -rf %t && mkdir %t %t/fixes && cp %S/Inputs/forms.cu %t/forms.cu && cd %t
// RUN: %cuda-opt -q --reuse=bytes --export-fixes=fixes/f.yaml -o out.cu forms.cu -- %cuda-flags -I %include-runtime
// RUN: FileCheck %s --input-file=fixes/f.yaml
// RUN: cmp forms.cu %S/Inputs/forms.cu
// RUN: clang-apply-replacements fixes
// RUN: cmp forms.cu out.cu
//
// clang-apply-replacements makes the text that the tool makes. Each kernel has a
// fix of its own, unless edits stand between kernels, as those for a loop do.
//
// CHECK: MainSourceFile:{{ *}}{{'?}}forms.cu
// CHECK: DiagnosticName:{{ *}}cuda-opt-bank-layout
// CHECK: shared array ''tile'' is stored as [32][33]
// CHECK: FilePath:{{ *}}'{{/.*}}forms.cu'
// CHECK: Level:{{ *}}Remark
// CHECK-NOT: DiagnosticName

// RUN: printf '#include "cuda.h"\r\n__global__ void a(float *o) {\r\n  __shared__ float s[32][32];\r\n  s[threadIdx.x][0] = o[threadIdx.x];\r\n  __syncthreads();\r\n  o[threadIdx.x] = s[threadIdx.x ^ 1][0];\r\n}\r\n__global__ void b(float *o) {\r\n  __shared__ float s[32][32];\r\n  s[threadIdx.x][0] = o[threadIdx.x];\r\n  __syncthreads();\r\n  o[threadIdx.x] = s[threadIdx.x ^ 1][0];\r\n}\r\nvoid l(float *o) {\r\n  a<<<1, 32>>>(o);\r\n  b<<<1, 32>>>(o);\r\n}\r\n' > %t/two.cu
// RUN: rm fixes/*
// RUN: %cuda-opt -q --export-fixes=fixes/f.yaml -o out.cu two.cu -- %cuda-flags
// RUN: grep -c DiagnosticName fixes/f.yaml | FileCheck %s --check-prefix=TWO
// RUN: clang-apply-replacements fixes
// RUN: cmp two.cu out.cu
//
// Line ends stay, and two kernels can be fixed one without the other.
//
// TWO: {{^}}2{{$}}
