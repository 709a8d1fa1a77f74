// RUN: rm -rf %t && mkdir %t && cp %S/Inputs/forms.cu %t/forms.cu && cd %t
// RUN: %cuda-opt --assume-closed-world --reuse=bytes --report=json:r.json --report=html:r.html --report=sarif:r.sarif --export-fixes=r.yaml --save-optimization-record --opt-record-file=r.opt.yaml -o out.cu forms.cu -- %cuda-flags -I %include-runtime 2> err
// RUN: FileCheck %s --check-prefix=SUMMARY < err
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// RUN: %cuda-opt --assume-closed-world -q --reuse=bytes --report=json:- -o out2.cu forms.cu -- %cuda-flags -I %include-runtime > stdout.json 2> quiet
// RUN: cmp r.json stdout.json && not grep kernels quiet
// RUN: %cuda-opt --assume-closed-world -q --reuse=bytes --report=sarif:- --check forms.cu -- %cuda-flags -I %include-runtime > stdout.sarif 2> quiet || true
// RUN: cmp r.sarif stdout.sarif && FileCheck %s --check-prefix=CHANGE < quiet
//
// All forms can be asked for at once, the summary is printed whatever they are,
// and no temporary file stays. A dash is standard output, and then nothing else
// goes there.
//
// SUMMARY: {{^}}forms.cu: 5 kernels, 1 array rewritten, {{[0-9]+}} kept ({{.*}}), 3 kernels in less shared memory; 1 loop made parallel, 1 kept (loop-carried){{$}}
// FILES: err
// FILES-NEXT: forms.cu
// FILES-NEXT: out.cu
// FILES-NEXT: r.html
// FILES-NEXT: r.json
// FILES-NEXT: r.opt.yaml
// FILES-NEXT: r.sarif
// FILES-NEXT: r.yaml
// FILES-NOT: {{.}}
// CHANGE: would change forms.cu

// RUN: %exits 2 %cuda-opt --assume-closed-world --report=html forms.cu 2>&1 | FileCheck %s --check-prefix=MALFORMED
// RUN: %exits 2 %cuda-opt --assume-closed-world --report=html: forms.cu 2>&1 | FileCheck %s --check-prefix=MALFORMED
// RUN: %exits 2 %cuda-opt --assume-closed-world --report=html:a --report=json:a forms.cu 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %exits 2 %cuda-opt --assume-closed-world --report=html:- forms.cu 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: %exits 2 %cuda-opt --assume-closed-world --export-fixes=- --diff forms.cu 2>&1 | FileCheck %s --check-prefix=DIFF
// RUN: %exits 2 %cuda-opt --assume-closed-world --report=json:- --print=plan forms.cu 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: %exits 2 %cuda-opt --assume-closed-world --save-optimization-record=xml forms.cu 2>&1 | FileCheck %s --check-prefix=RECORD
// RUN: %exits 2 %cuda-opt --assume-closed-world --report=json:- nvcc -c forms.cu 2>&1 | FileCheck %s --check-prefix=LAUNCH
//
// Contradictions are errors of the command line.
//
// MALFORMED: cuda-opt: error: malformed --report=html{{.*}}: give html:FILE, json:FILE, sarif:FILE or sarif-all:FILE
// TWICE: cuda-opt: error: two reports go to 'a'
// SOURCE: cuda-opt: error: a report and the source both go to standard output; give -o, -i, --output-dir or --check
// DIFF: cuda-opt: error: a report on standard output and --diff exclude each other
// PRINT: cuda-opt: error: a report on standard output and --print exclude each other
// RECORD: cuda-opt: error: unknown format in --save-optimization-record=xml (known: yaml, bitstream)
// LAUNCH: cuda-opt: error: a launched compiler has standard output: give a report a file

// RUN: mkdir %t/pages %t/src && cp forms.cu src
// RUN: %cuda-opt --assume-closed-world -q --report=html:pages --export-fixes=pages -o out.cu src/forms.cu -- %cuda-flags -I %include-runtime
// RUN: %cuda-opt --assume-closed-world -q --report=html:pages -o out.cu %t/src/forms.cu -- %cuda-flags -I %include-runtime
// RUN: ls pages | FileCheck %s --check-prefix=FOLDER
//
// In a folder each source has files of its own, as a build wants it.
//
// FOLDER: {{^}}src-forms.cu.html{{$}}
// FOLDER-NEXT: {{^}}src-forms.cu.yaml{{$}}
// FOLDER-NOT: {{.}}

// RUN: echo old > %t/old.json
// RUN: %exits 3 %cuda-opt --assume-closed-world --report=html:%t/none/r.html --report=json:%t/old.json -o out.cu forms.cu -- %cuda-flags -I %include-runtime 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: grep -q '"schema": 2' %t/old.json
//
// A report that cannot be written does not keep the others from being written.
//
// UNWRITTEN: cuda-opt: error: {{.*}}none/r.html
