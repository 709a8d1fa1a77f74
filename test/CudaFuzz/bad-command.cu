// RUN: %exits 2 %cuda-fuzz --sed=1 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: %exits 2 %cuda-fuzz --count=0 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: %exits 2 %cuda-fuzz --plant=bug 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: %exits 2 %cuda-fuzz --keep=%s/x 2>&1 | FileCheck %s --check-prefix=FOLDER
//
// A bad command line is one line on standard error and exit code 2.
//
// OPTION: cuda-fuzz: error: unknown argument '--sed=1'; see cuda-fuzz --help
// NUMBER: cuda-fuzz: error: '--count=0': a number of at least 1 is wanted
// KIND: cuda-fuzz: error: there is no kind of mutant 'bug'
// FOLDER: cuda-fuzz: error: {{.*}}/x: Not a directory
