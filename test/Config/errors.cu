// RUN: %exits 2 %cuda-opt --config="{Layuot: pad}" %s 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: %exits 2 %cuda-opt --config="{assume-inbounds: true}" %s 2>&1 | FileCheck %s --check-prefix=SPELT
// RUN: %exits 2 %cuda-opt --config="{Soup: 1}" %s 2>&1 | FileCheck %s --check-prefix=SOUP
// RUN: %exits 2 %cuda-opt --config="{Diff: true}" %s 2>&1 | FileCheck %s --check-prefix=ACTION
// RUN: %exits 2 %cuda-opt --config="{Layout: diagonal}" %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: %exits 2 %cuda-opt --config="{Block: [1024, 2]}" %s 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: %exits 2 %cuda-opt --config="{Quiet: maybe}" %s 2>&1 | FileCheck %s --check-prefix=BOOL
// RUN: %exits 2 %cuda-opt --config="{Layout: pad, Layout: xor}" %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %exits 2 %cuda-opt --config="{Layout: {a: b}}" %s 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: %exits 2 %cuda-opt --config="pad" %s 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: %exits 2 %cuda-opt --config="{Layout: [pad" %s 2>&1 | FileCheck %s --check-prefix=YAML
// RUN: %exits 2 %cuda-opt --config-file=%t.none %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 2 %cuda-opt --config-file=%s --config="{}" %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: rm -rf %t && split-file %s %t && cp /bin/true %t/nvcc
// RUN: %exits 2 %cuda-opt --diff %t/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: %exits 2 %cuda-opt %t/nvcc -c %t/a.cu 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: mkdir -p %t/folder/.cuda-opt %t/link %t/bytes && cp %t/a.cu %t/folder && cp %t/a.cu %t/link && cp %t/a.cu %t/bytes
// RUN: ln -s nowhere %t/link/.cuda-opt && printf 'Layout: \377\n' > %t/bytes/.cuda-opt
// RUN: %exits 2 %cuda-opt %t/folder/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: %exits 2 %cuda-opt %t/link/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: %exits 2 %cuda-opt %t/bytes/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=BYTES
//
// What is wrong in a configuration is an error at its place.
//
// KEY: cuda-opt: error: --config:1:2: unknown key 'Layuot'; did you mean 'Layout'?
// KEY-NEXT: {Layuot: pad}
// KEY-NEXT: {{^}} ^
// SPELT: unknown key 'assume-inbounds'; did you mean 'AssumeInbounds'?
// SOUP: unknown key 'Soup'{{$}}
// ACTION: unknown key 'Diff'
// VALUE: --config:1:10: unknown kind in --layout=diagonal (known: auto, pad
// BLOCK: --config:1:10: malformed --block=1024,2
// BOOL: --config:1:9: true or false is expected
// TWICE: key 'Layout' stands here twice
// NESTED: a word or a list of words is expected
// SCALAR: 'Key: value' is expected
// YAML: cuda-opt: error: --config:1:
// NONE: cuda-opt: error: cannot read '{{.*}}.none'
// BOTH: cuda-opt: error: --config and --config-file exclude each other
// FILE: cuda-opt: error: {{.*}}{{/}}.cuda-opt:2:1: unknown key 'Pases'; did you mean 'Passes'?
// FILE-NEXT: Pases: bank-layout
// FILE-NEXT: {{^}}^
// FOLDER: cuda-opt: error: '{{.*}}{{/}}.cuda-opt' is not a regular file
// BYTES: cuda-opt: error: '{{.*}}{{/}}.cuda-opt' is a binary file{{$}}

//--- .cuda-opt
Layout: pad
Pases: bank-layout
//--- a.cu
__shared__ int unused;
