// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: echo 'int __shared__ syntax error' > tail && cat transpose.cu tail > bad.cu
// RUN: %cuda-opt ./nvcc %parse-flags -c bad.cu -o a.o 2>&1 | FileCheck --check-prefixes=BAD,ORIGINAL %s
// RUN: %cuda-opt --fallback=silent ./nvcc %parse-flags -c bad.cu -o a.o 2>&1 | FileCheck --check-prefix=SILENT %s
// RUN: %exits 3 %cuda-opt --fallback=error ./nvcc %parse-flags -c bad.cu -o a.o 2>&1 | FileCheck --check-prefix=ERROR %s
//
// A source that does not parse.
//
// BAD: cuda-opt: warning: bad.cu: cuda-opt ended with code 3: {{.*}}; compiling the original
// ORIGINAL: {{^}}nvcc {{.*}}-c bad.cu -o a.o
// SILENT-NOT: warning
// SILENT: {{^}}nvcc {{.*}}-c bad.cu -o a.o
// ERROR: cuda-opt: error: bad.cu:
// ERROR-NOT: {{^}}nvcc

// No folder can be made, and no file for messages.
// RUN: touch b.o.cuda-opt
// RUN: %cuda-opt ./nvcc %parse-flags -c transpose.cu -o b.o 2>&1 | FileCheck --check-prefix=FOLDER %s
// RUN: env TMPDIR=%t/none %cuda-opt ./nvcc %parse-flags -c transpose.cu -o c.o 2>&1 | FileCheck --check-prefix=LOG %s
//
// FOLDER: warning: transpose.cu: {{.*}}Not a directory; compiling the original
// FOLDER: {{^}}nvcc {{.*}}-c transpose.cu -o b.o
// LOG: warning: transpose.cu: no temporary file: No such file or directory; compiling the original
// LOG: {{^}}nvcc {{.*}}-c transpose.cu -o c.o

// Our process dies.
// RUN: sh -c 'ulimit -f 0; exec "$0" "$@"' %cuda-opt ./nvcc %parse-flags -c transpose.cu 2>&1 | FileCheck --check-prefix=DIED %s
//
// DIED: warning: transpose.cu: {{.*}}; compiling the original
// DIED: {{^}}nvcc {{.*}}-c transpose.cu

// The compiler is not there, or the product's folder is not: that is what the
// compiler says, and it is said once.
// RUN: %exits 127 %cuda-opt %t/none/nvcc %parse-flags -c transpose.cu -o d.o 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %exits 1 %cuda-opt ./nvcc %parse-flags -c transpose.cu -o none/d.o 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: not ls none
//
// NONE: cuda-opt: error: cannot run '{{.*}}none/nvcc': No such file or directory
// NONE-NOT: cuda-opt
// MISSING: {{^}}nvcc {{.*}}-c transpose.cu -o none/d.o

// Two products of one source may be made at a time.
// RUN: %cuda-opt ./nvcc %parse-flags -ptx transpose.cu 2>&1 | FileCheck --check-prefix=PTX %s
//
// PTX: {{^}}nvcc {{.*}}-ptx transpose.ptx.cuda-opt/transpose.cu
