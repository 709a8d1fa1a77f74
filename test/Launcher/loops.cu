// RUN: rm -rf %t && split-file %s %t && cd %t && cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: %cuda-opt ./nvcc %parse-flags -I %include-runtime -c marked.cu -o a.o 2>&1 | FileCheck --check-prefix=MARKED %s
// RUN: %cuda-opt ./nvcc %parse-flags -I %include-runtime -c unmarked.cu -o b.o 2>&1 | FileCheck --check-prefix=UNMARKED %s
// RUN: %cuda-opt --levelize=auto ./nvcc %parse-flags -I %include-runtime -c unmarked.cu -o c.o 2>&1 | FileCheck --check-prefix=AUTO %s
//
// A source without shared arrays is rewritten if a loop of it is marked, or need
// not be.
//
// MARKED: 1 loop made parallel
// MARKED: {{^}}nvcc {{.*}}-c a.o.cuda-opt/marked.cu
// UNMARKED-NOT: loop
// UNMARKED: {{^}}nvcc {{.*}}-c unmarked.cu
// AUTO: 1 loop made parallel
// AUTO: {{^}}nvcc {{.*}}-c c.o.cuda-opt/unmarked.cu

//--- marked.cu
#include <cudaopt/annotations.h>
void scatter(float *x, const int *at, int n, int m) {
  CUDAOPT_LEVELIZE(x[0:m], at[0:n])
  for (int i = 0; i < n; ++i)
    x[at[i]] = x[at[i]] * 0.5f + i;
}

//--- unmarked.cu
void scatter(float (&x)[64], const int (&at)[1000]) {
  for (int i = 0; i < 1000; ++i)
    x[at[i]] = x[at[i]] * 0.5f + i;
}
