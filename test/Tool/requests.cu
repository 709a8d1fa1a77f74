// RUN: %cuda-opt --list-passes | FileCheck %s --check-prefix=PASSES
// RUN: %cuda-opt explain | FileCheck %s --check-prefix=ALL
// RUN: %cuda-opt explain unknown-block | FileCheck %s --check-prefix=REASON
// RUN: %cuda-opt explain bank-layout | FileCheck %s --check-prefix=PASS
// RUN: %cuda-opt explain EqualOn | FileCheck %s --check-prefix=TERM
// RUN: %exits 2 %cuda-opt explain unknown-blok 2>&1 | FileCheck %s --check-prefix=TYPO
// RUN: %exits 2 %cuda-opt explain a b 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: %exits 2 %cuda-opt --man --help 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %exits 2 %cuda-opt --dump-config -i a.cu 2>&1 | FileCheck %s --check-prefix=EDIT
// RUN: %exits 2 %cuda-opt --doctor=x 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: %exits 2 %cuda-opt --print-clang-flags 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cuda-opt --print-clang-flags a.cu -- -nocudainc -arch=sm_80 -lineinfo "-DX=a b" | FileCheck %s --check-prefix=FLAGS
//
// What the tool says of itself.
//
// PASSES: {{^}}bank-layout {{ *}}store shared
// PASSES: {{^}}levelize
// ALL: passes:
// ALL: {{^}}  EqualOn
// ALL: reasons:
// ALL: {{^}}  marked-off {{ *}}it is marked to be left alone: ...
// REASON: unknown-block: why something stays as it is
// REASON: what to change:
// REASON: CUDAOPT_ASSUME_BLOCK
// REASON: example:
// REASON: {{^}}  - void run(
// REASON-NEXT: {{^}}  + void run(
// PASS: bank-layout: a pass, on by default
// PASS: cuda-opt --passes=bank-layout
// TERM: EqualOn: --verify=machine
// TYPO: cuda-opt: error: nothing is called 'unknown-blok'; did you mean 'unknown-block'?
// MANY: cuda-opt: error: 'explain' takes one name
// TWO: cuda-opt: error: '--help' does not go with what else is asked for
// EDIT: cuda-opt: error: '-i' does not go with what else is asked for
// VALUE: cuda-opt: error: '--doctor=x' takes no value
// NONE: cuda-opt: error: no input file
// FLAGS: {{^}}-x cuda {{.*}}--cuda-gpu-arch=sm_80{{.*}}"-DX=a b"{{.*}} a.cu{{$}}
// FLAGS-NOT: lineinfo
