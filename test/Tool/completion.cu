// RUN: %cuda-opt --completion=bash > %t.bash
// RUN: env CUDA_OPT=%cuda-opt %python %S/../Inputs/complete.py %t.bash | FileCheck %s
// RUN: %cuda-opt --completion=zsh > %t.zsh && FileCheck %s --check-prefix=ZSH < %t.zsh
// RUN: %cuda-opt --man > %t.1 && FileCheck %s --check-prefix=MAN < %t.1
// RUN: %cuda-opt --help > %t.help
// RUN: %python %S/../Inputs/options-documented.py %t.help %t.bash %t.zsh %t.1
// RUN: %exits 2 %cuda-opt --completion=fish 2>&1 | FileCheck %s --check-prefix=SHELL
//
// The completions and the manual page know every option of --help, and the
// completions the values of those that have some.
//
// CHECK: cuda-opt --lay -> --layout=
// CHECK: cuda-opt --layout = p -> pad
// CHECK: cuda-opt --verify = -> plan machine off
// CHECK: cuda-opt --no-re -> --no-reorder
// CHECK: cuda-opt explain unknown-b -> unknown-block
// ZSH: #compdef cuda-opt
// ZSH: '--layout=[{{.*}}]:kind:(auto pad xor linear T keep)'
// ZSH: '--changed-lines=[{{.*}}]::HEAD:
// MAN: .TH CUDA\-OPT 1
// MAN: .SH OPTIONS
// MAN: .SH EXIT STATUS
// SHELL: cuda-opt: error: no completion for 'fish' (known: bash, zsh)
